"""What an attempt is judged by, and what it came to: the types between judging and answering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from generator.diagnosis.endings import Exit, Told
from generator.diagnosis.labels import Line, World
from generator.diagnosis.match import Event, Matcher
from generator.diagnosis.records import Record
from generator.index import Index, Neighbour

ESTABLISHED, SUPPORTED, NOT_IN_LOG = "established", "supported", "not_in_log"


@dataclass(slots=True, kw_only=True)
class Verdict:
    """What an attempt came to."""

    outcome: str
    who_status: str = NOT_IN_LOG
    ranks: tuple[int, ...] = ()
    all_ranks: bool = False
    witness: Event | None = None
    """The event that says who it was."""
    ended: Exit | None = None
    causes: tuple[Event, ...] = ()
    """Events that name what happened, best first."""
    external: Event | None = None
    unclassified: Event | None = None
    collateral: tuple[Event, ...] = ()
    notices: tuple[Event, ...] = ()
    secondary: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspects:
    """What speaks in a failed attempt, by what it can show."""

    causes: Sequence[Event]
    accusations: Sequence[Event]
    eithers: Sequence[Event]
    confirmed: Sequence[Event]
    exits: Sequence[Exit]
    """Ends of processes that nobody stopped."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """All there is to judge one attempt by."""

    lines: Sequence[Line]
    matcher: Matcher
    records: Sequence[Record]
    told: Told
    world: World
    index: Index
    seen: frozenset[int] = field(default_factory=frozenset)
    """Ranks that wrote something or were told of."""

    @property
    def events(self) -> Sequence[Event]:
        """What the lines say, in their order."""
        return self.matcher.events

    def meets(self, event: Event, neighbours: Sequence[Neighbour]) -> bool:
        """Whether every neighbouring line stands where it is required."""
        return self.matcher.meets(event, neighbours)
