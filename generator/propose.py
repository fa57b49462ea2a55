"""A log and the catalogue -> what a new entry could begin with: templates of its lines, and lines they must not match.

The lines are those that a diagnosis shows: an exception that no entry knows, and others that read like errors. What
varies in them becomes placeholders, as far as the template language takes them; a proposal matches its own line, and no
near miss. What cannot be read from a log, where upstream writes the line and what caused it, is left to the author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.draft import Proposal
from generator.model import Catalog
from generator.nearest import nearest
from generator.template import Template, TemplateError, compile_template

_MOST = 3
"""Lines proposed."""
_MISSES = 3
"""Near misses of each."""
_TELLING = 10
"""Characters of a message that can stand without the exception's type."""
_LONGEST = 400
"""Characters of a line that is proposed; a longer one is hardly one message."""
_ERROR = re.compile(
    r"\b[A-Za-z.]*(?:Error|Exception|Failure|Interrupt)\b|\b(?:error|fatal|failed|abort(?:ed|ing)?)\b", re.IGNORECASE
)
_TYPE = re.compile(r"^(?:[A-Za-z_][A-Za-z0-9_]*\.)*(?P<type>[A-Za-z_][A-Za-z0-9_]*(?:Error|Exception|Warning)): ")
_VARYING: tuple[tuple[str, str], ...] = (
    ("quoted", r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`"),
    ("shape", r"torch\.Size\(\[[0-9, ]*\]\)|\[[0-9]+(?:, ?[0-9]+)+\]|\([0-9]+(?:, ?[0-9]+)+\)"),
    ("addr", r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}:[0-9]{1,5}\b"),
    ("host", r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b"),
    ("path", r"(?<![\w.])(?:/[\w.@+-]+){2,}/?"),
    ("hex", r"\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b"),
    ("bytes", r"(?<![\w.])[0-9]+(?:\.[0-9]+)? ?(?:[KMGT]i?B|bytes)\b"),
    ("duration", r"(?<![\w.])[0-9]+(?:\.[0-9]+)? ?(?:ns|us|ms|s|seconds|minutes|hours)\b"),
    ("version", r"\b[0-9]+\.[0-9]+\.[0-9][\w.+-]*"),
    ("number", r"(?<![\w.])-?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?\b|(?<![\w.])-?[0-9]+[eE][-+]?[0-9]+\b"),
    ("int", r"(?<![\w.])-?[0-9]+\b"),
)
_ANY = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _VARYING))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What a log gives for a new entry."""

    known: tuple[str, ...]
    """Ids of the entries that the log is diagnosed as."""
    proposals: tuple[Proposal, ...]
    near: tuple[str, ...]
    """Slugs of the nearest entries."""


def propose(found: Mapping[str, Any], lines: Sequence[tuple[int, str]], catalog: Catalog) -> Proposals:
    """Propose from a diagnosis and the log's lines, each with its number."""
    known = tuple(entry["id"] for entry in found["what"]["entries"])
    chosen: dict[str, int] = {}
    unknown = found["unclassified"]
    if unknown is not None:
        text = f"{unknown['exception']}: {unknown['text']}" if unknown["text"] else unknown["exception"]
        chosen[_first_line(text)] = unknown["line"]
    for number, line in reversed(lines):
        if len(chosen) < _MOST and _ERROR.search(line) and len(line) <= _LONGEST and not _is_there(line, chosen):
            chosen.setdefault(line.strip(), number)
    near = tuple(one.entry for line in chosen for one in nearest(catalog, line))
    samples = [
        s.line for entry in near for signature in entry.signatures for w in signature.wordings for s in w.samples
    ]
    others = [line.strip() for _, line in lines if _ERROR.search(line)]
    proposals = []
    for line, number in chosen.items():
        kind = _TYPE.match(line)
        message = line[kind.end() :] if kind is not None and len(line) - kind.end() >= _TELLING else line
        template = template_of(message)  # the same message may be raised as another type
        if template is not None:
            misses = _misses(compile_template(template), line, [*others, *samples])
            proposals.append(Proposal(number=number, line=line, template=template, near_misses=misses))
    slugs = tuple(dict.fromkeys(entry.slug for entry in near))
    return Proposals(known=known, proposals=tuple(proposals), near=slugs)


def template_of(line: str) -> str | None:
    r"""Turn what varies in a line into placeholders; None if nothing of it can be a template.

    >>> template_of("RuntimeError: shape '[3, 4]' is invalid for input of size 13")
    'RuntimeError: shape {quoted} is invalid for input of size {int}'
    """
    parts: list[str] = []
    end = 0
    held: list[tuple[int, str]] = []
    for found in _ANY.finditer(line):
        parts += [_literal(line[end : found.start()]), _literal(found[0])]
        held.append((len(parts) - 1, f"{{{found.lastgroup}}}"))
        end = found.end()
    parts.append(_literal(line[end:]))
    if not _matches("".join(parts), line):
        return None
    for place, placeholder in held:
        tried = [*parts[:place], placeholder, *parts[place + 1 :]]
        if _matches("".join(tried), line):
            parts = tried
    return "".join(parts)


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _matches(template: str, line: str) -> bool:
    try:
        return compile_template(template).match(line) is not None
    except TemplateError:
        return False


def _misses(template: Template, line: str, others: Iterable[str]) -> tuple[str, ...]:
    """Choose lines that look alike and do not match: of the same exception first, then those that share most words."""
    words = set(re.findall(r"[A-Za-z]{3,}", line))
    kind = _TYPE.match(line)

    def likeness(other: str) -> tuple[bool, int]:
        theirs = _TYPE.match(other)
        same = kind is not None and theirs is not None and kind["type"] == theirs["type"]
        return same, len(words & set(re.findall(r"[A-Za-z]{3,}", other)))

    alike = {other: likeness(other) for other in others if len(other) <= _LONGEST and template.match(other) is None}
    ranked = sorted((other for other in alike if alike[other] > (False, 1)), key=lambda o: alike[o], reverse=True)
    return tuple(ranked[:_MISSES])


def _first_line(text: str) -> str:
    return text.partition("\n")[0].strip()[:_LONGEST]


def _is_there(line: str, chosen: Iterable[str]) -> bool:
    return any(line.strip() in one or one in line for one in chosen)
