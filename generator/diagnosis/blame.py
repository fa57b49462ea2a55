"""Events of a failed attempt -> who started it: the rank that reports the failure, is named, or ended by itself.

In that order; then the rank that alone is silent. A launcher's own claim is no witness. Whatever could also be an echo
leaves the question open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from generator.diagnosis.endings import Exit
from generator.diagnosis.match import Event, message_of
from generator.diagnosis.verdict import ESTABLISHED, SUPPORTED, Scene, Suspects, Verdict

_APART = 1_000_000
"""Microseconds beyond which two lines of one clock are in order."""
_KILLED = (-9, -11, -7, -4, -8)
"""Signals that a process does not get from a launcher's clean-up, or only at its very end."""


def blame(verdict: Verdict, suspects: Suspects, scene: Scene) -> None:
    """Find the initiating rank and enter it into the verdict."""
    ranked = [event for event in suspects.causes if event.rank is not None]
    named = {event.rank for event in ranked}
    if named:
        _by_cause(verdict, ranked, scene)
        return
    accused = _accused(suspects.accusations)
    if accused is not None:
        ranks, witness = accused
        verdict.ranks, verdict.witness, verdict.who_status = (
            ranks,
            witness,
            ESTABLISHED if len(ranks) == 1 else SUPPORTED,
        )
        verdict.who_because = "other ranks name it"
        return
    ended = _own_exit(suspects.exits, suspects.eithers, verdict.collateral, scene)
    if ended is not None:
        place = (ended.line.file, ended.line.number)
        unlabelled = [event for event in suspects.causes if event.rank is None and event.key < place]
        verdict.ranks, verdict.ended = (ended.rank or 0,), ended
        verdict.who_status = ESTABLISHED if ended.code in _KILLED or unlabelled else SUPPORTED
        verdict.witness = unlabelled[0] if unlabelled else None
        verdict.who_because = "it ended by itself; the others were stopped or report its absence"
        return
    silent = _silent(suspects.eithers, scene)
    if silent is not None:
        rank, witness = silent
        verdict.ranks, verdict.witness, verdict.who_status = (rank,), witness, SUPPORTED
        verdict.who_because = "it alone does not report the time-out"
        return
    own = [e for e in suspects.eithers if e.rank is not None and e.rule is not None and e.rule.where != "launcher"]
    others = {event.rank for event in verdict.collateral}
    if own and len({event.rank for event in own}) == 1 and not is_waiting(own[0], scene) and others - {own[0].rank}:
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
    alike = Counter(message_of(event) for event in first.values())
    if len(alike) == 1:
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
    waiting = any(is_waiting(event, scene) for event in eithers)
    echoes = {event.rank for event in collateral if event.record is not None and event.rank is not None}
    left = {rank: ending for rank, ending in by_rank.items() if rank not in echoes}
    if len(left) == 1 and echoes and not waiting:
        return next(iter(left.values()))
    return None


def _as_int(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def is_waiting(event: Event, scene: Scene) -> bool:
    """Whether the event says that a rank waited in vain for others."""
    if event.rule is None:
        return True
    card = scene.index.cards.get(event.rule.slug)
    return card is not None and card.detector is not None and card.detector.kind == "missing_from_collective"


def _silent(eithers: Sequence[Event], scene: Scene) -> tuple[int, Event] | None:
    """Return the one rank that reports no time-out though all others do and its own output is in the log."""
    waiting = [
        event for event in eithers if event.rule is not None and event.rank is not None and is_waiting(event, scene)
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
