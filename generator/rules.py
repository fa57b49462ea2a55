"""The rules of the signature index: JSON -> what recognises a line, what must stand near it, what its numbers prove.

Row of `index`, which holds them together. A rule is applied to one line at a time and knows no other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from generator.conditions import Clause, Product, meets
from generator.language.placeholders import PLACEHOLDERS
from generator.language.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One wording of a message."""

    gate: tuple[str, ...]
    """Texts of which at least one stands in every line that matches."""
    pattern: str
    captures: tuple[tuple[str | None, str], ...]
    """Name and kind of each group."""

    def match(self, line: str) -> dict[str, Value] | None:
        """Return the named values that the first match captures, or None."""
        if not any(text in line for text in self.gate):
            return None
        found = _compiled(self.pattern).search(line)
        if found is None:
            return None
        return {
            name: _value(kind, text)
            for (name, kind), text in zip(self.captures, found.groups(), strict=True)
            if name is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """Another line that must, or must not, be there."""

    signature: str | None
    wording: Wording | None
    scope: str
    order: str
    lines: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that captured numbers prove."""

    id: str
    clauses: tuple[Clause, ...]
    say: str

    def holds(self, captures: Mapping[str, Value]) -> bool:
        """Decide it; what was not captured leaves it unproved."""
        return all(clause.holds(captures) is True for clause in self.clauses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One signature."""

    id: str
    slug: str
    role: str
    specificity: str
    where: str
    when: Mapping[str, Any] | None
    requires: tuple[Neighbour, ...]
    absent: tuple[Neighbour, ...]
    facts: tuple[Fact, ...]
    wordings: tuple[Wording, ...]

    def match(self, line: str) -> dict[str, Value] | None:
        """Return what the first wording that fits captures, if its condition holds; undecided is no."""
        for wording in self.wordings:
            captures = wording.match(line)
            if captures is not None and (self.when is None or meets(self.when, captures) is True):
                return captures
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Another entry's signature that can also mean this failure."""

    signature: str
    when: str
    requires: tuple[Neighbour, ...]
    facts: tuple[Fact, ...]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern once a line holds one of its texts; few are asked for."""
    return re.compile(pattern, re.ASCII)


def _value(kind: str, text: str) -> Value:
    placeholder = PLACEHOLDERS.get(kind)
    return text if placeholder is None or placeholder.read is None else placeholder.read(text)


def _wording(raw: Mapping[str, Any]) -> Wording:
    return Wording(
        gate=tuple(raw["gate"]),
        pattern=raw["pattern"],
        captures=tuple((capture["name"], capture["kind"]) for capture in raw["captures"]),
    )


def read_neighbour(raw: Mapping[str, Any]) -> Neighbour:
    return Neighbour(
        signature=raw["signature"],
        wording=None if raw["wording"] is None else _wording(raw["wording"]),
        scope=raw["scope"],
        order=raw["order"],
        lines=raw["lines"],
    )


def read_fact(raw: Mapping[str, Any]) -> Fact:
    return Fact(
        id=raw["id"],
        clauses=tuple(
            Clause(left=_sum(clause["left"]), operator=clause["operator"], right=_sum(clause["right"]))
            for clause in raw["clauses"]
        ),
        say=raw["say"],
    )


def _sum(raw: list[Mapping[str, Any]]) -> tuple[Product, ...]:
    return tuple(Product(sign=part["sign"], factors=tuple(part["factors"])) for part in raw)


def read_rule(raw: Mapping[str, Any]) -> Rule:
    return Rule(
        id=raw["id"],
        slug=raw["slug"],
        role=raw["role"],
        specificity=raw["specificity"],
        where=raw["where"],
        when=raw["when"],
        requires=tuple(map(read_neighbour, raw["requires"])),
        absent=tuple(map(read_neighbour, raw["absent"])),
        facts=tuple(map(read_fact, raw["facts"])),
        wordings=tuple(map(_wording, raw["wordings"])),
    )
