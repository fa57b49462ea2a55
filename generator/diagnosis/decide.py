"""Events of one attempt -> verdict: who started it and what it was, or that the log does not say.

The order is: confirmation of a kernel or scheduler, cause, accusation, a rank's own exit code, the silent rank, what is
a cause only for want of a better one; a launcher's claim only breaks ties. Time decides within a class alone. A wrong
name is worse than none: whatever could also be an echo leaves the question open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.diagnosis.endings import Exit, Told
from generator.diagnosis.labels import Line, World
from generator.diagnosis.match import Event, Matcher, masked
from generator.diagnosis.records import Record
from generator.index import Index, Neighbour

ESTABLISHED, SUPPORTED, NOT_IN_LOG = "established", "supported", "not_in_log"
_APART = 1_000_000
"""Microseconds beyond which two lines of one clock are in order."""
_STOPPED = (0, -15, 143, -2, -1, None)
"""Exit codes of processes that a launcher stopped, or that ended well."""
_KILLED = (-9, -11, -7, -4, -8)
"""Signals that a process does not get from a launcher's clean-up, or only at its very end."""


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
    who_because: str = ""
    causes: tuple[Event, ...] = ()
    """Events that name what happened, best first."""
    what_because: str = ""
    external: Event | None = None
    unclassified: Event | None = None
    collateral: tuple[Event, ...] = ()
    notices: tuple[Event, ...] = ()
    secondary: tuple[Event, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scene:
    """All there is to judge one attempt by."""

    lines: Sequence[Line]
    matcher: Matcher
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


def decide(scene: Scene) -> Verdict:
    """Judge an attempt."""
    recovered = {id(event) for event in scene.events if _is_recovered(event, scene)}
    live = [event for event in scene.events if id(event) not in recovered]
    causes = [event for event in live if event.role == "cause"]
    accusations = [event for event in live if event.role == "accusation"]
    eithers = [event for event in live if event.role == "either"]
    collateral = tuple(event for event in live if event.role == "collateral")
    notices = tuple(event for event in scene.events if event.role == "benign" or id(event) in recovered)
    exits = [ending for ending in scene.told.exits if ending.code not in _STOPPED]
    external = _external(live, causes, accusations, exits)
    if external is not None:
        later = [event for event in causes if event.key < external.key]
        return Verdict(
            outcome="cancelled",
            external=external,
            causes=(external,),
            witness=external,
            collateral=collateral,
            notices=notices,
            secondary=tuple(later),
        )
    failed = bool(
        causes or accusations or exits or _deciding(eithers) or (collateral and not _went_on(collateral, scene))
    )
    confirmed = [event for event in live if event.role == "confirmation" and event.specificity == 2]
    if not failed and not (confirmed and not _went_on(confirmed, scene)):
        return Verdict(outcome=_calm(scene), notices=notices)
    if (
        not exits
        and not any(_is_final(event) for event in (*causes, *accusations, *eithers, *collateral))
        and _went_on([*causes, *accusations, *eithers, *collateral], scene)
    ):
        return Verdict(outcome=_calm(scene), notices=(*notices, *causes, *eithers))
    verdict = Verdict(outcome="failed", collateral=collateral, notices=notices)
    _who(verdict, causes, accusations, eithers, exits, scene)
    _what(verdict, causes, accusations, eithers, confirmed, scene)
    return verdict


def _is_recovered(event: Event, scene: Scene) -> bool:
    """Whether the program went on: a logged exception, or one without a process's end, with progress behind it."""
    record = event.record
    if record is None or record.hooked or record.in_summary or event.role in ("benign", "advice"):
        return False
    if (record.logged or event.rank is None) and _progressed(event.line, scene):
        return True
    ended = any(ending.code not in (0, None) for ending in scene.told.exits)
    return record.logged and not ended and _wrote_on(record, scene)


def _wrote_on(record: Record, scene: Scene) -> bool:
    """Whether the process wrote more behind a traceback: an exception that ends it comes last."""
    last = record.lines[-1]
    return any(
        line.stream == last.stream and line.number > last.number and line.body.strip(" ") != "" for line in scene.lines
    )


def _progressed(line: Line, scene: Scene) -> bool:
    after = [done for done, _, _ in scene.told.progress if done.file == line.file and done.number > line.number]
    after += [done for done in scene.told.finishes if done.file == line.file and done.number > line.number]
    return any(done.rank in (None, line.rank) or line.rank is None for done in after)


def _went_on(events: Iterable[Event], scene: Scene) -> bool:
    """Whether work went on, or came to its end, behind every one of the events."""
    return all(_progressed(event.line, scene) for event in events)


def _is_final(event: Event) -> bool:
    return event.record is not None and (event.record.hooked or event.record.in_summary)


def _deciding(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.rule is None or event.specificity > 0]


def _external(
    live: Sequence[Event], causes: Sequence[Event], accusations: Sequence[Event], exits: Sequence[Exit]
) -> Event | None:
    """Return the line with which somebody outside ended the job, unless the job had failed before it."""
    found = [event for event in live if event.role == "external"]
    if not found:
        return None
    first = min(found, key=lambda event: (event.line.time is None, event.line.time or 0, event.key))
    before = [e for e in (*causes, *accusations) if _precedes(e.line, first.line)]
    ended = [ending for ending in exits if ending.code != 1 and _precedes(ending.line, first.line)]
    return None if before or ended else first


def _precedes(one: Line, other: Line) -> bool:
    if one.file == other.file:
        return one.number < other.number
    return one.time is not None and other.time is not None and one.time < other.time


def _calm(scene: Scene) -> str:
    """Name the outcome of an attempt in which nothing failed."""
    if scene.told.finishes:
        return "succeeded"
    last = next((step for step in reversed(scene.told.progress) if step[1] is not None), None)
    if last is not None and last[2] is not None and last[1] == last[2]:
        return "succeeded"
    return "no_failure_found"


def _who(
    verdict: Verdict,
    causes: Sequence[Event],
    accusations: Sequence[Event],
    eithers: Sequence[Event],
    exits: Sequence[Exit],
    scene: Scene,
) -> None:
    """Find the initiating rank."""
    ranked = [event for event in causes if event.rank is not None]
    named = {event.rank for event in ranked}
    if named:
        _by_cause(verdict, ranked, scene)
        return
    accused = _accused(accusations)
    if accused is not None:
        ranks, witness = accused
        verdict.ranks, verdict.witness, verdict.who_status = (
            ranks,
            witness,
            ESTABLISHED if len(ranks) == 1 else SUPPORTED,
        )
        verdict.who_because = "other ranks name it"
        return
    ended = _own_exit(exits, eithers, verdict.collateral, scene)
    if ended is not None:
        unlabelled = [
            event for event in causes if event.rank is None and event.key < (ended.line.file, ended.line.number)
        ]
        verdict.ranks, verdict.ended = (ended.rank or 0,), ended
        verdict.who_status = ESTABLISHED if ended.code in _KILLED or unlabelled else SUPPORTED
        verdict.witness = unlabelled[0] if unlabelled else None
        verdict.who_because = "it ended by itself; the others were stopped or report its absence"
        return
    silent = _silent(eithers, scene)
    if silent is not None:
        rank, witness = silent
        verdict.ranks, verdict.witness, verdict.who_status = (rank,), witness, SUPPORTED
        verdict.who_because = "it alone does not report the time-out"
        return
    own = [e for e in eithers if e.rank is not None and e.rule is not None and e.rule.where != "launcher"]
    others = {event.rank for event in verdict.collateral}
    if own and len({event.rank for event in own}) == 1 and not _is_waiting(own[0], scene) and others - {own[0].rank}:
        verdict.ranks, verdict.witness, verdict.who_status = (own[0].rank or 0,), own[0], SUPPORTED
        verdict.who_because = "it alone reports more than the absence of another rank"


def _by_cause(verdict: Verdict, ranked: Sequence[Event], scene: Scene) -> None:
    first: dict[int, Event] = {}
    for event in ranked:
        if event.rank is not None:
            first.setdefault(event.rank, event)
    verdict.witness = ranked[0]
    if len(first) == 1:
        verdict.ranks = tuple(first)
        verdict.who_status = ESTABLISHED
        verdict.who_because = "it reports the failure itself"
        return
    alike = Counter(_message(event) for event in first.values())
    message, number = alike.most_common(1)[0]
    if number == len(first):
        verdict.ranks, verdict.all_ranks, verdict.who_status = tuple(sorted(first)), True, ESTABLISHED
        verdict.who_because = "several ranks report the same"
        return
    timed = sorted((event.line.time, rank) for rank, event in first.items() if event.line.time is not None)
    if len(timed) == len(first) and timed[1][0] - timed[0][0] > _APART and len({e.line.file for e in ranked}) == 1:
        verdict.ranks, verdict.who_status = (timed[0][1],), SUPPORTED
        verdict.witness = first[timed[0][1]]
        verdict.who_because = "it reports a failure before the others"
        return
    verdict.witness = None
    verdict.who_because = "ranks report different failures, and the log does not order them"


def _message(event: Event) -> str:
    if event.rule is not None:
        return event.rule.id
    return masked(": ".join(event.exception or ()))


def _accused(accusations: Sequence[Event]) -> tuple[tuple[int, ...], Event] | None:
    """Return whom most accusations name; nobody when two are named as often."""
    votes: Counter[tuple[int, ...]] = Counter()
    witness: dict[tuple[int, ...], Event] = {}
    for event in accusations:
        ranks = accused_ranks(event)
        if ranks:
            votes[ranks] += 1
            witness.setdefault(ranks, event)
    if not votes:
        return None
    (best, number), *others = votes.most_common()
    if others and others[0][1] == number:
        return None
    return best, witness[best]


def accused_ranks(event: Event) -> tuple[int, ...]:
    """Return the ranks that an accusation names."""
    for name in ("accused", "accused_ranks"):
        value: Any = event.captures.get(name)
        if isinstance(value, int):
            return (value,)
        if isinstance(value, tuple):
            return tuple(sorted(value))
        if isinstance(value, str) and value.replace(",", "").replace(" ", "").isdigit():
            return tuple(sorted(int(part) for part in value.split(",") if part.strip()))
    return ()


def _own_exit(
    exits: Sequence[Exit], eithers: Sequence[Event], collateral: Sequence[Event], scene: Scene
) -> Exit | None:
    """Return the one process that ended by itself, as far as nothing else explains its end."""
    forced = {e.captures.get("pid") for e in collateral if "SIGKILL" in e.line.text}
    by_rank: dict[int, Exit] = {}
    for ending in exits:
        if ending.rank is not None and not (ending.pid is not None and _as_int(ending.pid) in forced):
            by_rank.setdefault(ending.rank, ending)
    killed = {rank: ending for rank, ending in by_rank.items() if ending.code in _KILLED}
    if len(killed) == 1:
        return next(iter(killed.values()))
    if killed:
        return None
    waiting = any(_is_waiting(event, scene) for event in eithers)
    echoes = {event.rank for event in collateral if event.record is not None and event.rank is not None}
    left = {rank: ending for rank, ending in by_rank.items() if rank not in echoes}
    if len(left) == 1 and echoes and not waiting:
        return next(iter(left.values()))
    return None


def _as_int(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _is_waiting(event: Event, scene: Scene) -> bool:
    """Whether the event says that a rank waited in vain for others."""
    if event.rule is None:
        return True
    card = scene.index.cards.get(event.rule.slug)
    return card is not None and card.detector is not None and card.detector.kind == "missing_from_collective"


def _silent(eithers: Sequence[Event], scene: Scene) -> tuple[int, Event] | None:
    """Return the one rank that reports no time-out though all others do and its own output is in the log."""
    waiting = [
        event for event in eithers if event.rule is not None and event.rank is not None and _is_waiting(event, scene)
    ]
    ranks = {event.rank for event in waiting}
    size = scene.world.size
    if size is None or len(ranks) != size - 1 or size < 3:
        return None
    missing = [rank for rank in range(size) if rank not in ranks]
    if len(missing) != 1 or missing[0] not in scene.seen or len({_call(event) for event in waiting}) != 1:
        return None
    # A log that is cut may have lost the last report: the launcher's word on the silent rank must be there.
    told = any(ending.rank == missing[0] for ending in scene.told.exits)
    return (missing[0], waiting[0]) if told else None


def _call(event: Event) -> tuple[Any, ...]:
    """Say in which call a rank waited; one that waits in another call may be the cause itself."""
    if event.record is not None and event.record.chain and event.record.chain[-1].frames:
        return event.record.chain[-1].frames
    return tuple(event.captures.get(name) for name in ("op", "seq", "numel_in"))


def _what(
    verdict: Verdict,
    causes: Sequence[Event],
    accusations: Sequence[Event],
    eithers: Sequence[Event],
    confirmed: Sequence[Event],
    scene: Scene,
) -> None:
    """Order the events that name what happened."""

    known = [e for e in (*causes, *accusations, *confirmed, *eithers) if e.slug is not None]
    slugs = {event.slug for event in known}
    hiding = {slug for slug in slugs if slug is not None and slugs & set(scene.index.cards[slug].masks)}

    def order(event: Event) -> tuple[Any, ...]:
        apart = bool(verdict.ranks) and not verdict.all_ranks and event.rank not in (None, *verdict.ranks)
        of_class = _CLASS[event.role]
        return (apart and event.role != "accusation", of_class, event.slug in hiding, -event.specificity, event.key)

    ranking = sorted(known, key=order)
    unknown = [event for event in (*causes, *eithers) if event.slug is None]
    telling = [event for event in ranking if event.specificity > 0]
    # For want of a better one only: beside a cause, time-outs and summaries are echoes.
    best = telling[0] if telling else None
    weaker = [event for event in telling if best is not None and event.role == "either" and _is_weaker(event, best)]
    verdict.causes = tuple(event for event in telling if event not in weaker)
    verdict.collateral = tuple(sorted([*verdict.collateral, *weaker], key=lambda event: event.key))
    blind = next((event for event in sorted(unknown, key=order)), None)
    if blind is not None and (not verdict.causes or order(blind)[:2] < order(verdict.causes[0])[:2]):
        # What broke is an exception that no entry knows; what entries know is an echo, or weaker.
        verdict.unclassified = blind
        verdict.secondary = tuple(event for event in verdict.causes if event.role != "either")
        echoes = [event for event in verdict.causes if event.role == "either"]
        verdict.collateral = tuple(sorted([*verdict.collateral, *echoes], key=lambda event: event.key))
        verdict.causes = ()


def _is_weaker(event: Event, best: Event) -> bool:
    """Whether an event that counts for want of a better one says less than the best."""
    if best.role != "either":
        return True
    return event.slug != best.slug and event.rule is not None and event.rule.where in ("launcher", "exception")


_CLASS = {"confirmation": 0, "cause": 0, "accusation": 1, "either": 2}
