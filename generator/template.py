"""Turns a signature template into a portable pattern, its literals and its search key, and matches one line with it.

A template is a log line with placeholders: `GPU {int} has a total {capacity|capacty} of {bytes}`. This module knows
neither entries nor logs; lines come cleaned, without line end. `placeholders` says what each placeholder matches,
`template_text` reads the text, `template_rules` refuses what cannot work. What holds for every match:

- `{any}` and `{name}` end at the first place where the rest goes on.
- The others take as much as they can. A number, word or path is never cut: where one opens or closes the template,
  the match begins and ends at the bounds of it, so `exit code {int}` finds nothing in `exit code 1.5`. A full stop or
  comma behind it is not part of it, and a match has no columns: the neighbour may have been consumed.
- Alternatives are texts, colons included, and have no name; the longest that fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypedDict

from generator.language.placeholders import NONFINITE, PLACEHOLDERS, Edges
from generator.language.template_rules import refuse
from generator.language.template_text import Item, Slot, TemplateError, Text, read_items, runs
from generator.language.values import Value

__all__ = ["Capture", "Captured", "Template", "TemplateError", "compile_template"]

_SYNTAX = frozenset("^$\\.*+?()[]{}|")
_ENOUGH = 32
"""Bytes of literal text that tell lines apart well; beyond them fewer alternatives are worth more than length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One captured placeholder; its place in `Template.captures` is its group number less one."""

    name: str | None
    kind: str
    """A placeholder's kind, or `alternatives`."""

    @property
    def is_integer(self) -> bool:
        """Whether its value is an integer: a count, bytes or milliseconds."""
        return self.kind in ("int", "bytes", "duration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What one line gave."""

    texts: tuple[str, ...]
    """The captured texts as they stand in the line."""
    values: tuple[Value, ...]
    """The same as integers, bytes, milliseconds, shapes and texts."""
    named: Mapping[str, Value]
    """The values that have a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A compiled template."""

    text: str
    pattern: str
    """Regular expression that Python `re`, JavaScript (`u`) and RE2 read alike; one group for each capture."""
    captures: tuple[Capture, ...]
    literals: tuple[str, ...]
    """Texts that all occur in every match, longest first; alternatives are in none of them."""
    gate: tuple[str, ...]
    """Texts of which at least one occurs in every match: the most telling run, its alternatives expanded."""
    opens: bool
    """Whether the pattern consumes the neighbour before the match, which then begins with the first capture."""
    tail: int | None
    """Where the pattern consumes the neighbour behind the match, the characters of it behind the last capture."""
    search_key: str
    """The template for people, to look up and to quote: `GPU <int> has a total capacity of <bytes>`.

    A capture shows its name, else its kind, in angle brackets; `{any}` is an ellipsis, `{sp}` a blank; of alternatives
    and of `{nonfinite}` the first stands for all.
    """

    @property
    def literal_bytes(self) -> int:
        """Bytes of literal text on which a raw search can rely."""
        return min(len(text.encode()) for text in self.gate)

    def span(self, line: str) -> tuple[int, int] | None:
        """Return where the first match begins and ends, without the neighbours that the pattern consumes."""
        found = _compiled(self.pattern).search(line)
        if found is None:
            return None
        begin = found.start(1) if self.opens else found.start()
        return begin, found.end() if self.tail is None else found.end(len(self.captures)) + self.tail

    def match(self, line: str) -> Captured | None:
        """Return what the first match in the line captures, or None."""
        if not any(text in line for text in self.gate):
            return None
        found = _compiled(self.pattern).search(line)
        if found is None:
            return None
        texts: tuple[str, ...] = found.groups()
        values = tuple(_value(capture, text) for capture, text in zip(self.captures, texts, strict=True))
        named = {c.name: value for c, value in zip(self.captures, values, strict=True) if c.name is not None}
        return Captured(texts=texts, values=values, named=named)


@cache
def compile_template(text: str) -> Template:
    """Compile a template.

    Raises TemplateError with the place, what is wrong and what to do.

    >>> template = compile_template("Tried to allocate {want:bytes}. GPU {int}")
    >>> template.search_key
    'Tried to allocate <want>. GPU <int>'
    >>> template.match("CUDA out of memory. Tried to allocate 20.00 MiB. GPU 3 has").values
    (20971520, 3)
    """
    items = read_items(text)
    refuse(items)
    return Template(
        text=text,
        **_pattern(items),
        captures=tuple(_captures(items)),
        literals=_literals(items),
        gate=_gate(items),
        search_key="".join(_shown(item) for item in items),
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _value(capture: Capture, text: str) -> Value:
    placeholder = PLACEHOLDERS.get(capture.kind)
    return text if placeholder is None or placeholder.read is None else placeholder.read(text)


def _captures(items: tuple[Item, ...]) -> list[Capture]:
    found = []
    for item in items:
        if isinstance(item, Slot) and item.placeholder.captures:
            found.append(Capture(name=item.name, kind=item.placeholder.kind))
        elif isinstance(item, Text) and item.is_choice:
            found.append(Capture(name=None, kind="alternatives"))
    return found


class _Pattern(TypedDict):
    pattern: str
    opens: bool
    tail: int | None


def _pattern(items: tuple[Item, ...]) -> _Pattern:
    """Join the items' patterns; where a placeholder opens or closes the template, add its edge."""
    first = next((item for item in items if not item.may_be_empty), None)
    last = next((item for item in reversed(items) if not item.may_be_empty), None)
    opening = first.placeholder.edges if isinstance(first, Slot) else None
    core = "".join(_source(item, at_end=item is last) for item in items)
    if isinstance(last, Text) and (cut := _cut_by(items, last)) is not None:
        closing = cut.stops
    elif isinstance(last, Slot) and last.placeholder.edges is not None:
        closing = last.placeholder.edges.closes
    else:
        closing = ""
    behind = items[-1]
    tail = len(behind.options[0]) if isinstance(behind, Text) and not behind.is_choice else 0
    return _Pattern(
        pattern=(opening.opens if opening else "") + core + closing,
        opens=opening is not None,
        tail=tail if closing else None,
    )


def _cut_by(items: tuple[Item, ...], last: Text) -> Edges | None:
    """Return the edges of the placeholder before the last text, if it could go on there: `{word}.` in `a.b`."""
    place = items.index(last)
    if place == 0 or not isinstance(before := items[place - 1], Slot):
        return None
    decimal = before.placeholder.kind == "int" and "." in last.options  # "code {int}." is not about "code 1.5"
    goes_on = decimal or any(before.runs_over(option) for option in last.options)
    return before.placeholder.edges if goes_on else None


def _source(item: Item, *, at_end: bool) -> str:
    if isinstance(item, Text):
        longest_first = sorted(item.options, key=len, reverse=True)
        source = "|".join(_escape(option) for option in longest_first)
        return f"({source})" if item.is_choice else source
    placeholder = item.placeholder
    source = placeholder.last if at_end and placeholder.last is not None else placeholder.pattern
    return f"({source})" if placeholder.captures else source


def _escape(text: str) -> str:
    """Escape what is syntax and nothing else: JavaScript's `u` flag refuses needless escapes."""
    return "".join(f"\\{character}" if character in _SYNTAX else character for character in text)


def _shown(item: Item) -> str:
    if isinstance(item, Text):
        return item.options[0]
    match item.placeholder.kind:
        case "any":
            return "…"
        case "sp":
            return " "
        case "nonfinite":
            return NONFINITE[0]
        case kind:
            return f"<{item.name or kind}>"


def _literals(items: tuple[Item, ...]) -> tuple[str, ...]:
    texts = (item.options[0] for item in items if isinstance(item, Text) and not item.is_choice)
    return tuple(sorted(dict.fromkeys(texts), key=lambda text: -len(text.encode())))


def _gate(items: tuple[Item, ...]) -> tuple[str, ...]:
    """Choose the run of literal text that tells most: long, then few alternatives, then early."""

    def worth(texts: tuple[str, ...]) -> tuple[int, int, int]:
        least = min(len(text.encode()) for text in texts)
        return (min(least, _ENOUGH), -len(texts), least)

    expanded = [tuple(dict.fromkeys(map("".join, product(*run)))) for run in runs(items)]
    plain = [(text,) for text in _literals(items)]
    return max([*plain, *expanded], key=worth)
