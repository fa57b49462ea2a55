"""Events of a failed attempt -> who started it: the rank that reports the failure, is named, or ended by itself.

In that order; then the rank that is behind the others, and the one that alone is silent. A launcher's own claim is no
witness. Whatever could also be an echo leaves the question open.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.diagnosis.endings import Exit
from generator.diagnosis.match import Event, is_rank, is_wrapper, message_of
from generator.diagnosis.sequence import behind
from generator.diagnosis.verdict import ESTABLISHED, NOT_IN_LOG, SUPPORTED, Scene, Suspects, Verdict

_APART = 1_000_000
"""Microseconds beyond which two lines of one clock are in order."""
_KILLED = (-9, -11, -7, -4, -8, -3, -5, -10, -12, -14, -24, -25, -31)
"""Signals that a process does not get from a launcher's clean-up, or only at its very end."""
_ABORTED = -6
"""A process that ended itself; a rank does so, too, when another sends what it does not expect."""
_OF_PEER = "terminate called after throwing an instance of 'gloo::"
"""What it then says last."""
_CLEANED_UP = (-15, 143)
_IN_VAIN = re.compile(
    "[Tt]imed? ?out|[Ll]ost|[Cc]losed|[Rr]eset|[Uu]nreachable|[Dd]isconnect|[Hh]eartbeat"
    "|[Ss]ync|[Bb]arrier|[Pp]eer|[Cc]ollective",
    re.ASCII,
)
"""What an exception of the job's own says that another rank may have caused."""
_TWICE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Blamed:
    """Who started it, and what says so."""

    status: str
    ranks: tuple[int, ...] = ()
    all_ranks: bool = False
    witness: Event | None = None
    ended: Exit | None = None


def blame(verdict: Verdict, suspects: Suspects, scene: Scene) -> None:
    """Find the initiating rank and enter it into the verdict."""
    ways = (
        _by_kill,
        _by_cause,
        _by_repetition,
        _by_accusation,
        _by_end,
        _by_sequence,
        _by_silence,
        _by_absence,
        _by_own_words,
    )
    for find in ways:
        found = find(suspects, verdict.collateral, scene)
        if found is not None:
            verdict.who_status, verdict.ranks, verdict.all_ranks = found.status, found.ranks, found.all_ranks
            whose = [event for event in suspects.causes if event.rank is None and find in (_by_silence, _by_absence)]
            verdict.witness, verdict.ended = next(iter(whose), found.witness), found.ended
            return


def _by_cause(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the rank that reports the failure itself; several that report the same are one failure of the program."""
    first: dict[int, Event] = {}
    for event in suspects.causes:
        if event.rank is not None:
            first.setdefault(event.rank, event)
    if not first:
        return None
    witness = next(event for event in suspects.causes if event.rank is not None)
    if _are_left_alone(first, echoes, scene):
        return Blamed(status=NOT_IN_LOG)
    if len(first) == 1:
        return Blamed(status=ESTABLISHED, ranks=tuple(first), witness=witness)
    if len({message_of(event) for event in first.values()}) == 1:
        return Blamed(status=ESTABLISHED, ranks=tuple(sorted(first)), all_ranks=True, witness=witness)
    return _by_order(first)


def _by_order(first: Mapping[int, Event]) -> Blamed:
    """Name the rank that says more than that it lost another, or the one that was first by far on one clock."""
    own = [rank for rank, event in first.items() if not _is_in_vain(event)]
    timed = sorted((event.line.time, rank) for rank, event in first.items() if event.line.time is not None)
    one_clock = len({event.line.file for event in first.values()}) == 1
    if len(own) != 1 and len(timed) == len(first) and timed[1][0] - timed[0][0] > _APART and one_clock:
        own = [timed[0][1]]
    if len(own) != 1:
        return Blamed(status=NOT_IN_LOG)
    return Blamed(status=SUPPORTED, ranks=(own[0],), witness=first[own[0]])


def _by_kill(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the one rank that a signal ended, where what others raise is known to nobody: they may only miss it."""
    raising = {event.rank for event in suspects.causes if event.rank is not None}
    ends = {rank: ending for rank, ending in _ends(suspects, echoes).items() if ending.code in _KILLED}
    if len(ends) != 1 or not raising or raising & ends.keys() or any(e.rule is not None for e in suspects.causes):
        return None
    [(rank, ending)] = ends.items()
    noticed_first = any(told.claimed and told.rank == rank for told in scene.told.exits)
    if noticed_first or len({told.rank for told in suspects.exits}) == 1:
        return Blamed(status=SUPPORTED, ranks=(rank,), ended=ending)
    return Blamed(status=NOT_IN_LOG)


def _are_left_alone(first: Mapping[int, Event], echoes: Sequence[Event], scene: Scene) -> bool:
    """Whether ranks, but not all, say in the job's own words alone that they waited in vain or lost somebody."""
    size = scene.world.size
    if (size is not None and len(first) >= size) or len({message_of(event) for event in first.values()}) > 1:
        return False
    missed = size is not None and len(first) == 1 and any(event.rank not in (None, *first) for event in echoes)
    return not missed and all(_is_in_vain(event) for event in first.values())


def _is_in_vain(event: Event) -> bool:
    """Whether a rank says, in the job's own words, that it waited in vain or lost somebody."""
    return event.rule is None and _IN_VAIN.search(message_of(event)) is not None


def _by_repetition(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name all ranks where several processes print the same cause, though none says which it is."""
    several = (scene.world.size or 0) > 1 or len(scene.world.by_pid) > 1
    messages = Counter(message_of(event) for event in suspects.causes)
    if not several or len(messages) != 1 or messages.total() < _TWICE:
        return None
    return Blamed(status=SUPPORTED, all_ranks=True, witness=suspects.causes[0])


def _by_accusation(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name whom most accusations name; nobody when two are named as often."""
    accusers: dict[tuple[int, ...], set[int | None]] = {}
    witness: dict[tuple[int, ...], Event] = {}
    for event in suspects.accusations:
        ranks = accused_ranks(event)
        if ranks:
            accusers.setdefault(ranks, set()).add(event.rank)
            witness.setdefault(ranks, event)
    best = sorted(accusers, key=lambda ranks: (-len(accusers[ranks]), ranks))
    if not best or (len(best) > 1 and len(accusers[best[0]]) == len(accusers[best[1]])):
        return None
    ranks = best[0]
    # "Rank 0 runs this, but rank 1 that" is as good as its opposite until a third rank speaks.
    if _is_mutual(witness[ranks]) and len(accusers[ranks]) < _TWICE:
        return None
    return Blamed(status=ESTABLISHED if len(ranks) == 1 else SUPPORTED, ranks=ranks, witness=witness[ranks])


def _by_end(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the one process that ended by itself, as far as nothing else explains its end."""
    ends = _ends(suspects, echoes)
    left = {rank: ending for rank, ending in ends.items() if _is_own_end(ending)}
    if len(left) > 1 and len({ending.code for ending in left.values()}) == 1 and (ends[min(left)].code or 0) > 0:
        if len({ending.rank for ending in scene.told.exits}) - len(left) == 1:
            return None  # the one that was stopped may be whom they missed
        return Blamed(status=SUPPORTED, ranks=tuple(sorted(left)), all_ranks=True, ended=left[min(left)])
    if not left and not any(is_waiting(event, scene) for event in suspects.eithers):
        # An exit code of its own says something only where the other ranks' words are in the log.
        speaking = {event.rank for event in echoes if event.record is not None and event.rank is not None}
        if len(scene.seen) < (scene.world.size or len(scene.seen) + 2) - 1:
            speaking = set()  # with the words of several ranks missing, an echo may be missing too
        left = {r: e for r, e in ends.items() if speaking and r not in speaking and (e.code or 0) > 0}
        of_peer = any(_OF_PEER in line.text for line in scene.lines)
        if all(event.rule is None for event in suspects.causes) and not of_peer:
            left |= {r: e for r, e in ends.items() if speaking and e.code == _ABORTED}
    if not left and _is_of_one(suspects, echoes, ends, scene):
        left = ends
    if len(left) != 1:
        return None
    [(rank, ending)] = left.items()
    if any(e.rank is None and e.pid not in (None, ending.pid) and _is_own_end(e) for e in suspects.exits):
        return None  # so did another process, of which the log does not say which rank it was
    if _is_agents_alone(ending) and not any(told.claimed for told in scene.told.exits):
        return None  # the agent's table, with the others' ends, is not in the log
    place = (ending.line.file, ending.line.number)
    unlabelled = next((event for event in suspects.causes if event.rank is None and event.key < place), None)
    sure = _is_own_end(ending) or unlabelled is not None
    return Blamed(status=ESTABLISHED if sure else SUPPORTED, ranks=(rank,), witness=unlabelled, ended=ending)


def _ends(suspects: Suspects, echoes: Sequence[Event]) -> dict[int, Exit]:
    """Return how ranks ended that the launcher did not have to kill."""
    forced = {event.captures.get("pid") for event in echoes if "SIGKILL" in event.line.text}
    ends: dict[int, Exit] = {}
    for ending in suspects.exits:
        was_forced = ending.pid is not None and ending.pid.isdigit() and int(ending.pid) in forced
        if ending.rank is not None and not was_forced:
            ends.setdefault(ending.rank, ending)
    return ends


def _is_of_one(suspects: Suspects, echoes: Sequence[Event], ends: Mapping[int, Exit], scene: Scene) -> bool:
    """Whether one process ended by itself, all others were stopped, and what is told fits that one alone."""
    others = [
        event for event in (*suspects.eithers, *echoes) if event.record is not None and not _is_of_launcher(event)
    ]
    stopped = any(ending.code in _CLEANED_UP for ending in scene.told.exits)
    return len(ends) == 1 and stopped and bool(suspects.causes) and not others


def _is_agents_alone(ending: Exit) -> bool:
    """Whether the end is told by the line that an agent prints before its table, and was none by a signal."""
    return ending.local is not None and ending.pid is not None and (ending.code or 0) > 0


def _is_own_end(ending: Exit) -> bool:
    """Whether a process can have ended so for no other's sake: by a signal, or by a code that no exception gives."""
    return ending.code in _KILLED or (ending.code or 0) > 1


def _by_sequence(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the one rank that had not yet queued what the others of its group waited for."""
    late = behind([*suspects.eithers, *echoes])
    if late is None or late.rank is None:
        return None
    return Blamed(status=SUPPORTED, ranks=(late.rank,), witness=late)


def _by_silence(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the one rank that reports no time-out though all others do and its own output is in the log."""
    waiting = [e for e in suspects.eithers if e.rule is not None and e.rank is not None and is_waiting(e, scene)]
    missing = _missing({event.rank for event in waiting}, scene)
    if missing is None or len({_call(event) for event in waiting}) != 1 or len(waiting) < _TWICE:
        return None
    # A log that is cut may have lost the last report: a launcher's word behind them shows that it is not.
    last = max(event.key for event in waiting)
    closed = any(ending.rank == missing for ending in scene.told.exits) or any(
        event.rule is not None and event.rule.where == "launcher" and event.key > last for event in echoes
    )
    return Blamed(status=SUPPORTED, ranks=(missing,), witness=waiting[0]) if closed else None


def _by_absence(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the one rank that does not report that a peer went away, though all others do."""
    reporting = [e for e in echoes if e.record is not None and e.rank is not None and e.rule is not None]
    missing = _missing({event.rank for event in reporting}, scene)
    if missing is None or any(is_waiting(event, scene) for event in suspects.eithers):
        return None
    stopped = any(ending.rank == missing and ending.code in _CLEANED_UP for ending in scene.told.exits)
    return None if stopped else Blamed(status=SUPPORTED, ranks=(missing,), witness=reporting[0])


def _by_own_words(suspects: Suspects, echoes: Sequence[Event], scene: Scene) -> Blamed | None:
    """Name the one rank that reports more than that another went away."""
    own = [e for e in suspects.eithers if e.rank is not None and e.rule is not None and not _is_of_launcher(e)]
    ranks = {event.rank for event in own if event.rank is not None}
    if len(ranks) != 1 or is_waiting(own[0], scene) or not {event.rank for event in echoes} - ranks:
        return None
    return Blamed(status=SUPPORTED, ranks=tuple(ranks), witness=own[0])


def _is_of_launcher(event: Event) -> bool:
    of_summary = event.rule is not None and event.rule.where == "launcher"
    return of_summary or (event.record is not None and all(is_wrapper(r.type) for r in event.record.chain))


def _is_mutual(event: Event) -> bool:
    return "mutual" in event.captures


def _missing(ranks: set[int | None], scene: Scene) -> int | None:
    """Return the one rank that is not among some, if its own output is in the log."""
    size = scene.world.size
    absent = [rank for rank in range(size or 0) if rank not in ranks]
    return absent[0] if len(absent) == 1 and absent[0] in scene.seen and size is not None and size > 1 else None


def accused_ranks(event: Event) -> tuple[int, ...]:
    """Return the ranks that an accusation names."""
    for name in ("accused", "accused_ranks"):
        value: Any = event.captures.get(name)
        ranks = value if isinstance(value, tuple) else (value,)
        if all(is_rank(rank) for rank in ranks):
            return tuple(sorted(ranks))
    return ()


def is_waiting(event: Event, scene: Scene) -> bool:
    """Whether the event says that a rank waited in vain for others."""
    if event.rule is None:
        return True
    card = scene.index.cards.get(event.rule.slug)
    return card is not None and card.detector is not None and card.detector.kind == "missing_from_collective"


def _call(event: Event) -> tuple[Any, ...]:
    """Say in which call a rank waited; one that waits in another call may be the cause itself."""
    if event.record is not None and event.record.chain and event.record.chain[-1].frames:
        return event.record.chain[-1].frames
    return tuple(event.captures.get(name) for name in ("op", "seq", "numel_in"))
