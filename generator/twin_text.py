"""Prose, plain text and code -> Markdown that every engine reads as the same words.

What our prose takes as plain text (`{{`, `|`, `<b>`, `==`, `!!!`) may mean something to Python-Markdown or to one of
pymdownx's extensions, so it is escaped: with a backslash where all of them know it, else as a character reference.
Each paragraph is one line. Refuses to know pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element

from generator.prose import clean, simple_paragraphs, tree

_BACKSLASHED = frozenset("\\`*_]{}#+-.!")  # "\[" begins a formula for some engines
_SPECIAL = re.compile(
    r"[\\`*\[\]{}<~^|$]"
    r"|&(?=[#\w])"
    r"|(?<!\w)_|_(?!\w)|__"
    r"|\+(?=\+)|(?<=\+)\+|=(?==)|(?<==)="
    r"|:(?=[\w+-]+:|//)|@(?=\w)|(?<=www)\."
    r"|#(?=\Z)"
)
_START = re.compile(r"[#>:+-](?!\w)|[#>:]|[!?]{3}|/{3}|-{2}|\d+(?=\.(?:\s|\Z))")
_BACKTICKS = re.compile(r"`+")
_URL = re.compile(r"[^A-Za-z0-9:/?#@!$&',;=%._~-]")


@lru_cache(maxsize=8192)
def inline_markdown(text: str) -> str:
    r"""Write one paragraph of prose.

    >>> print(inline_markdown("set `a|b` to {{ x }}, not <b>"))
    set `a|b` to \{\{ x \}\}, not &lt;b>
    """
    text = clean(text)
    if (paragraphs := simple_paragraphs(text)) is not None:
        return " ".join(_of_parts(parts) for parts in paragraphs)
    return " ".join(_of_element(paragraph) for paragraph in tree(text, lists=False))


@lru_cache(maxsize=4096)
def block_markdown(text: str) -> str:
    """Write paragraphs and lists."""
    text = clean(text)
    if (paragraphs := simple_paragraphs(text)) is not None:
        return "\n\n".join(_of_parts(parts) for parts in paragraphs)
    return "\n\n".join("\n".join(_lines(block)) for block in tree(text))


@lru_cache(maxsize=8192)
def text_markdown(text: str) -> str:
    """Write plain text, which may begin a line."""
    return _escaped(" ".join(clean(text).split()), at_start=True)


@lru_cache(maxsize=8192)
def code_markdown(text: str) -> str:
    """Write inline code; blanks at its ends are lost, as in all Markdown.

    >>> code_markdown("a ` b"), code_markdown("#!python x")
    ('``a ` b``', '`` #!python x ``')
    """
    code = " ".join(clean(text).split())
    if not code:
        return ""
    runs = [len(run) for run in _BACKTICKS.findall(code)]
    padded = code.startswith(("`", "#!", ":::")) or code.endswith("`")
    ticks = "`" * (max(runs, default=0) + 1 + (padded and not runs))
    return f"{ticks} {code} {ticks}" if padded else f"{ticks}{code}{ticks}"


def fence_markdown(text: str, language: str) -> str:
    """Write a code block whose fence is longer than any run of backticks inside."""
    fence = "`" * max(3, *(len(run) + 1 for run in _BACKTICKS.findall(text)), 0)
    body = text.rstrip("\n")
    return f"{fence}{language}\n{body}\n{fence}"


@lru_cache(maxsize=16384)
def link_markdown(text: str, address: str) -> str:
    """Write a link with plain text; one that leads nowhere is only its text."""
    return f"[{_escaped(' '.join(clean(text).split()))}]({url_markdown(address)})" if address else text_markdown(text)


def url_markdown(address: str) -> str:
    """Write an address so that no sign in it ends the link.

    >>> url_markdown("https://x.example/a_(b)")
    'https://x.example/a_%28b%29'
    """
    return _URL.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), address)


def _of_parts(parts: tuple[str, ...]) -> str:
    """Write text and code in turn."""
    written = [
        code_markdown(part) if position % 2 else _escaped(" ".join(part.split()) if len(parts) == 1 else _blanks(part))
        for position, part in enumerate(parts)
    ]
    return _line("".join(written))


def _of_element(element: Element) -> str:
    """Write the inside of a paragraph, a list item or a mark within them."""
    return _line("".join(_inline(element)))


def _inline(element: Element) -> Iterator[str]:
    children = list(element)
    before = element.text or ""
    yield _escaped(_blanks(before))
    for position, child in enumerate(children):
        after = child.tail or ""
        if child.tag == "code":
            yield code_markdown(child.text or "")
        elif child.tag == "a":
            yield f"[{''.join(_inline(child))}]({url_markdown(child.get('href', ''))})"
        else:
            alone = (before or not position) and (after or child is children[-1])
            mark = "**" if child.tag == "strong" else "*"
            yield _marked(mark if alone else "", "".join(_inline(child)), before[-1:], after[:1])
        yield _escaped(_blanks(after))
        before = after


def _marked(mark: str, inside: str, before: str, after: str) -> str:
    """Emphasise, but only where all engines agree: around whole words that touch no other mark."""
    whole = inside[:1].isalnum() and inside[-1:].isalnum()
    free = not any(sign.isalnum() or sign in "*_`" for sign in (before, after) if sign)
    return f"{mark}{inside}{mark}" if whole and free else inside


def _lines(block: Element, indent: str = "") -> Iterator[str]:
    """Write a block, line by line."""
    if block.tag == "p":
        yield indent + _of_element(block)
        return
    items = [item for item in block if "".join(item.itertext()).strip()]
    for number, item in enumerate(items, 1):
        mark = f"{number}." if block.tag == "ol" else "-"
        nested = [child for child in item if child.tag in ("p", "ul", "ol")]
        own = Element("li")
        own.text = item.text
        own.extend(child for child in item if child.tag not in ("p", "ul", "ol"))
        first = _of_element(own) or (_of_element(nested.pop(0)) if nested and nested[0].tag == "p" else "")
        yield f"{indent}{mark:<3} {first}"
        for child in nested:
            yield ""
            yield from _lines(child, indent + "    ")


def _line(written: str) -> str:
    """Take the meaning from what would begin a block."""
    written = written.strip()
    found = _START.match(written)
    if found is None:
        return written
    if found[0][0].isdigit():
        return f"{found[0]}\\{written[found.end() :]}"
    return _reference(found[0][0]) + written[1:]


def _escaped(text: str, *, at_start: bool = False) -> str:
    escaped = _SPECIAL.sub(_escape, text) if _SPECIAL.search(text) else text
    return _line(escaped) if at_start else escaped


def _escape(found: re.Match[str]) -> str:
    return "".join(f"\\{sign}" if sign in _BACKSLASHED else _reference(sign) for sign in found[0])


def _reference(sign: str) -> str:
    named = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return named.get(sign) or (f"\\{sign}" if sign in _BACKSLASHED else f"&#{ord(sign)};")


def _blanks(text: str) -> str:
    """Collapse white space, keeping one blank at either end."""
    inside = " ".join(text.split())
    if not inside:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{inside}{' ' if text[-1].isspace() else ''}"
