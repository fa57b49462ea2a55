"""What a field's Markdown holds that a page would not print as meant.

A text -> (code, message, mend) for each thing found. Refuses to know how prose is rendered: `prose` prints all of
these as harmless text, this module tells the contributor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

Finding: TypeAlias = tuple[str, str, str]
"""The check's name, what is wrong with the words that show it, and what to do."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Characters that have no place in prose; among them those that turn the direction of the text after them."""

TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Those of them that turn the direction."""

_SUSPECT = re.compile(CONTROL.pattern + r"|[<&\[`|]|^[ \t]*[#>=~*_-]", re.MULTILINE)
_CODE_SPAN = re.compile(r"(?<!\\)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]{0,3}(?:```+|~~~+)[^\n`]*$", re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(\s*<?([^\s()>]*(?:\([^\s()]*\))?[^\s()>]*)")
_HTTPS = re.compile(r"https://[^\s<>\"'`\\]+\Z")


def problems(text: str) -> tuple[Finding, ...]:
    """Name what does not belong in prose, with the words that show it.

    >>> problems("run `nvidia-smi` <b>now</b>")[0][:2]
    ('raw-html', "raw HTML '<b>' in prose")
    """
    if not _SUSPECT.search(text):
        return ()
    outside = _CODE_SPAN.sub(lambda span: " " * len(span[0]), text)
    return tuple(finding for look in _LOOKS for finding in look(text, outside))


def _control(text: str, _outside: str) -> Iterator[Finding]:
    if found := CONTROL.search(text):
        yield (
            "control-character",
            f"the invisible character U+{ord(found[0]):04X} in prose",
            "Remove it; it can hide or turn the text after it.",
        )


def _fences(text: str, _outside: str) -> Iterator[Finding]:
    if found := _FENCE.search(text):
        yield (
            "code-block",
            f"a code block, '{_shown(found[0])}', in prose",
            "Prose holds code in single backticks only. Put the block into `code`, `command` or an example.",
        )


def _backticks(_text: str, outside: str) -> Iterator[Finding]:
    position = outside.replace("\\`", "  ").find("`")
    if position >= 0 and not _FENCE.search(outside):
        yield (
            "unclosed-code",
            f"a backtick that is never closed at '{_shown(outside[position:])}'",
            "Close the inline code with a second backtick, or write the backtick as \\`.",
        )


def _links(_text: str, outside: str) -> Iterator[Finding]:
    for image, label, target in _LINK.findall(outside):
        if image:
            yield (
                "image",
                f"an image, '{_shown(f'![{label}]({target}')}', in prose",
                "Pages hold no images from elsewhere. Say it in words, or link to the page that shows it.",
            )
        elif not _HTTPS.match(target):
            yield (
                "link-scheme",
                f"a link to '{_shown(target)}', which is not an https address",
                "Link to an address that starts with https://. Other entries are linked through `relations`.",
            )


_PATTERNS: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    (
        "raw-html",
        re.compile(r"</?[A-Za-z][^<>\n]*>|<!--|<[?!][A-Za-z]"),
        "raw HTML '{}' in prose",
        "Put it in backticks when it is code; otherwise use Markdown, for a link [text](https://…).",
    ),
    (
        "html-entity",
        re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);"),
        "the HTML entity '{}' in prose",
        "Write the character itself.",
    ),
    (
        "link-definition",
        re.compile(r"^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*\S+", re.MULTILINE),
        "a link definition, '{}', in prose",
        "Write the address in the link: [text](https://…).",
    ),
    (
        "heading",
        re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+\S[^\n]*|^[^\n]*\S[^\n]*\n[ \t]{0,3}(?:=+|-+)[ \t]*$", re.MULTILINE),
        "a heading, '{}', in prose",
        "The page has its own headings. Write a sentence, or put the text in the field whose section it is.",
    ),
    (
        "rule",
        re.compile(r"(?:\A|\n[ \t]*\n)[ \t]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})(?=\n|\Z)"),
        "a rule, '{}', in prose",
        "Separate thoughts by an empty line.",
    ),
    (
        "table",
        re.compile(r"^[^\n]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+$", re.MULTILINE),
        "a table, '{}', in prose",
        "Write a list, one item a row.",
    ),
    (
        "block-quote",
        re.compile(r"^[ \t]{0,3}>[ \t]?[^\n]*", re.MULTILINE),
        "a block quote, '{}', in prose",
        "Say it in the entry's own words and name the source in `evidence`.",
    ),
)


def _patterns(_text: str, outside: str) -> Iterator[Finding]:
    for code, pattern, message, mend in _PATTERNS:
        if found := pattern.search(outside):
            yield code, message.format(_shown(found[0])), mend


def _shown(text: str) -> str:
    """Shorten to one line that can be quoted in a message."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:37]}..."


_LOOKS: tuple[Callable[[str, str], Iterator[Finding]], ...] = (_control, _fences, _backticks, _links, _patterns)
