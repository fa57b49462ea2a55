"""The signature index as both engines read it: JSON -> rules, shapes of lines, and what an entry says in an answer.

Reads only; `indexing` writes it. Everything a diagnosis knows stands in the index, so that the same index and the same
bytes give the same answer anywhere. Holds what applies a rule to one line: patterns, conditions and facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from generator.language.alternation import alternation
from generator.language.values import Value
from generator.rules import Neighbour, Rule, Share, Wording, read_fact, read_neighbour, read_rule

__all__ = ["Card", "Detector", "Index", "LineShape", "Neighbour", "Question", "Rule", "Share", "Value", "Wording"]

VERSION = 1
SHORTEST = 10
"""Bytes of a text that a whole log is searched for."""
SHAPES = frozenset({"prefixes", "times", "progress", "finishes", "restarts", "exits", "maps", "summary", "secrets"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to ask, or to run, to tell an entry from others."""

    ask: str | None
    command: str | None
    separates_from: tuple[str, ...]
    settled_by: tuple[str, ...]
    """Signatures whose lines answer it already; `detector` stands for the entry's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """A rule for what no single line says."""

    kind: str
    metrics: tuple[str, ...]
    floor: float | None
    min_points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What an answer says of an entry."""

    id: str
    slug: str
    title: str
    url: str
    status: str
    phases: tuple[str, ...]
    """When the failure shows; none in an index that does not say so."""
    detector: Detector | None
    next_action: str | None
    verify: Mapping[str, str | None] | None
    questions: tuple[Question, ...]
    """Cheapest first."""
    looks_like: Mapping[str, str]
    """Slug of a look-alike to what tells the two apart."""
    masks: tuple[str, ...]
    """Slugs of failures that this one hides: where both show, they come first."""
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineShape:
    """A shape of text with the names of its groups."""

    id: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    """Texts of which every match holds one; none if that is not known."""
    gives: tuple[str, ...]

    def read(self, text: str) -> dict[str, str] | None:
        """Return the texts of its groups where it fits; a group that took no part gives none."""
        for need in self.needs:
            if need in text:
                break
        else:
            if self.needs:
                return None
        found = self.pattern.search(text)
        if found is None:
            return None
        return {name: part for name, part in zip(self.gives, found.groups(), strict=True) if part is not None}


@dataclass(frozen=True, kw_only=True)
class Index:
    """All a diagnosis knows."""

    hash: str
    """Of the content."""
    marks: tuple[str, ...]
    shapes: Mapping[str, tuple[LineShape, ...]]
    """By the names in `SHAPES`."""
    asks: Mapping[str, tuple[str, str]]
    """State of knowledge to the question and the command that settle it."""
    phases: Mapping[str, str]
    """Part of a frame's path to the phase it shows."""
    rules: tuple[Rule, ...]
    cards: Mapping[str, Card]

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Self:
        """Read the index.

        Raises ValueError when it is of another version.
        """
        if raw.get("index_version") != VERSION:
            raise ValueError(f"the index has version {raw.get('index_version')}, not {VERSION}")
        if lacking := sorted(SHAPES - raw["shapes"].keys()):
            raise ValueError(f"the index has no {', '.join(lacking)}")
        return cls(
            hash=raw["hash"],
            marks=tuple(raw["marks"]),
            shapes={name: tuple(map(_shape, rows)) for name, rows in raw["shapes"].items()},
            asks={state: (ask["ask"], ask["command"]) for state, ask in raw["asks"].items()},
            phases=dict(raw.get("phases", {})),
            rules=tuple(map(read_rule, raw["signatures"])),
            cards={card["slug"]: _card(card) for card in raw["entries"]},
        )

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """The texts for which a log is searched: those of every rule, and the marks.

        A shorter text than ten bytes would slow the search for all; its lines are read where another leads to them.
        """
        texts = {*self.marks, *(text for wording in self._wordings() for text in wording.gate)}
        return tuple(sorted(text for text in texts if len(text.encode()) >= SHORTEST))

    @cached_property
    def _any_literal(self) -> re.Pattern[str]:
        return re.compile(alternation(tuple(sorted(text for text, _ in self.by_literal))))

    @cached_property
    def by_literal(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Each text of a rule's gates with the places of the rules that rely on it."""
        found: dict[str, dict[int, None]] = {}
        for place, rule in enumerate(self.rules):
            for text in (text for wording in rule.wordings for text in wording.gate):
                found.setdefault(text, {})[place] = None
        return tuple((text, tuple(places)) for text, places in found.items())

    def match(self, line: str) -> list[tuple[Rule, dict[str, Value]]]:
        """Return every rule that recognises a line, in the index's order, with what it captures."""
        if self._any_literal.search(line) is None:
            return []
        places = sorted({place for text, relying in self.by_literal if text in line for place in relying})
        rules = [self.rules[place] for place in places]
        return [(rule, captures) for rule in rules if (captures := rule.match(line)) is not None]

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """Rules by signature id."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def sharers(self) -> dict[str, tuple[tuple[Card, Share], ...]]:
        """Signature id to the entries, other than its owner, whose failure it can also mean."""
        found: dict[str, tuple[tuple[Card, Share], ...]] = {}
        for card in self.cards.values():
            for share in card.shares:
                found[share.signature] = (*found.get(share.signature, ()), (card, share))
        return found

    def _wordings(self) -> Iterator[Wording]:
        neighbours = [n for rule in self.rules for n in (*rule.requires, *rule.absent)]
        neighbours += [n for card in self.cards.values() for share in card.shares for n in share.requires]
        yield from (wording for rule in self.rules for wording in rule.wordings)
        yield from (neighbour.wording for neighbour in neighbours if neighbour.wording is not None)


def _shape(raw: Mapping[str, Any]) -> LineShape:
    return LineShape(
        id=raw["id"], pattern=re.compile(raw["pattern"], re.ASCII), needs=tuple(raw["needs"]), gives=tuple(raw["gives"])
    )


def _detector(raw: Mapping[str, Any]) -> Detector:
    return Detector(kind=raw["kind"], metrics=tuple(raw["metrics"]), floor=raw["floor"], min_points=raw["min_points"])


def _card(raw: Mapping[str, Any]) -> Card:
    return Card(
        id=raw["id"],
        slug=raw["slug"],
        title=raw["title"],
        url=raw["url"],
        status=raw["status"],
        phases=tuple(raw.get("phases", ())),
        detector=None if raw["detector"] is None else _detector(raw["detector"]),
        next_action=raw["next_action"],
        verify=raw["verify"],
        questions=tuple(
            Question(
                ask=q["ask"],
                command=q["command"],
                separates_from=tuple(q["separates_from"]),
                settled_by=tuple(q.get("settled_by", ())),
            )
            for q in raw["questions"]
        ),
        looks_like=dict(raw["looks_like"]),
        masks=tuple(raw["masks"]),
        shares=tuple(
            Share(
                signature=share["signature"],
                when=share["when"],
                requires=tuple(map(read_neighbour, share["requires"])),
                facts=tuple(map(read_fact, share["facts"])),
            )
            for share in raw["shares"]
        ),
    )
