"""Events of one attempt -> verdict: who started it and what it was, or that the log does not say.

The order is: confirmation of a kernel or scheduler, cause, accusation, a rank's own exit code, the silent rank, what is
a cause only for want of a better one; a launcher's claim only breaks ties. Time decides within a class alone. A wrong
name is worse than none: whatever could also be an echo leaves the question open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from generator.diagnosis.blame import blame, is_waiting
from generator.diagnosis.endings import Exit
from generator.diagnosis.labels import Line
from generator.diagnosis.lines import is_unreadable
from generator.diagnosis.loggers import is_record
from generator.diagnosis.match import Event, message_of
from generator.diagnosis.records import Record
from generator.diagnosis.verdict import Scene, Suspects, Verdict

_HANDLED = re.compile("[Rr]etry|will be retried|[Cc]aught|[Rr]ecovered|[Ff]alling back|[Ss]kipp", re.ASCII)
_STOPPED = (0, -15, 143, -2, -1, None)
"""Exit codes of processes that a launcher stopped, or that ended well."""


def decide(scene: Scene) -> Verdict:
    """Judge an attempt."""
    recovered = _recovered(scene)
    live = [event for event in scene.events if id(event) not in recovered]
    causes = [event for event in live if event.role == "cause"]
    accusations = [event for event in live if event.role == "accusation"]
    eithers = [event for event in live if event.role == "either"]
    collateral = tuple(event for event in live if event.role == "collateral")
    notices = tuple(event for event in scene.events if event.role == "benign" or id(event) in recovered)
    exits = [ending for ending in scene.told.exits if ending.code not in _STOPPED]
    external = _external(live, causes, accusations, exits) or _ended_from_outside(eithers, causes, exits, scene)
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
    confirmed = [event for event in live if event.role == "confirmation" and event.specificity == 2]
    speaking = [*causes, *accusations, *_deciding(eithers), *confirmed]
    if not speaking and not exits:
        outcome = _echoed(collateral, scene)
        if outcome != "failed":
            return Verdict(outcome=outcome, collateral=collateral, notices=notices)
    final = any(_is_final(event) for event in (*speaking, *collateral))
    if speaking and not exits and not final and _went_on([*speaking, *collateral], scene):
        return Verdict(outcome=_calm(scene), notices=(*notices, *causes, *eithers))
    verdict = Verdict(outcome="failed", collateral=collateral, notices=notices)
    suspects = Suspects(causes=causes, accusations=accusations, eithers=eithers, confirmed=confirmed, exits=exits)
    blame(verdict, suspects, scene)
    _what(verdict, suspects, scene)
    if exits and not (verdict.witness or verdict.causes or verdict.unclassified or verdict.ended):
        verdict.ended = min(exits, key=lambda ending: (ending.line.file, ending.line.number))
    return verdict


def _recovered(scene: Scene) -> set[int]:
    """Return the identities of events that the program survived, and of those that say the same once more."""
    spoken = _Spoken(scene)
    survived = [event for event in scene.events if _is_recovered(event, scene, spoken)]
    again = {(event.stream, message_of(event)) for event in survived}
    alike = [event for event in scene.events if event.may_be_survived and (event.stream, message_of(event)) in again]
    return {id(event) for event in (*survived, *alike)}


def _is_recovered(event: Event, scene: Scene, spoken: _Spoken) -> bool:
    """Whether the program went on: a logged exception, or one without a process's end, with progress behind it."""
    record = event.record
    if record is None or not event.may_be_survived:
        return record is None and _is_handled(event, scene)
    anybody = (record.logged or event.rank is None) and _progressed(event.line, scene)
    if anybody or _stepped_on(event.line, event.rank, scene):
        return True
    if any(ending.code not in (0, None) for ending in scene.told.exits):
        return False
    if _ended_well(event.line, scene):
        return True
    if record.logged:
        return spoken.behind(record) or not record.gives_up
    return event.rank is None and spoken.behind(record, by_logger=True)


def _is_handled(event: Event, scene: Scene) -> bool:
    """Whether a logger's line says that the program copes with what it names, and it went on."""
    line = event.line
    told = event.role in ("cause", "either") and is_record(line) and _HANDLED.search(line.text) is not None
    went_on = any(done.rank == line.rank and done.number > line.number for done, _, _ in scene.told.progress)
    return told and (went_on or _ended_well(line, scene) or _is_whole(scene))


def _is_whole(scene: Scene) -> bool:
    """Whether the job says somewhere that it came to its end, and no process ended otherwise."""
    bad = any(ending.code not in (0, None) for ending in scene.told.exits)
    return not bad and (bool(scene.told.finishes) or any(s is not None and s == t for _, s, t in scene.told.progress))


def _stepped_on(line: Line, rank: int | None, scene: Scene) -> bool:
    """Whether the rank itself, where it is known, reports progress behind a line."""
    done = (done for done, _, _ in scene.told.progress if rank is not None and done.rank == rank)
    return any(step.file == line.file and step.number > line.number for step in done)


def _ended_well(line: Line, scene: Scene) -> bool:
    """Whether the job says, behind a line, that it came to its end."""
    ends = [done for done, step, total in scene.told.progress if step is not None and step == total]
    return any(end.file == line.file and end.number > line.number for end in (*ends, *scene.told.finishes))


class _Spoken:
    """Where each process wrote its last: each question is worked out once for all lines."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._last: dict[tuple[bool, bool], dict[tuple[int, int | None, str], int]] = {}

    def behind(self, record: Record, *, by_logger: bool = False) -> bool:
        """Whether the process wrote more behind a traceback: an exception that ends it comes last."""
        last = record.lines[-1]
        question = (by_logger, record.gives_up and last.rank is None)
        if question not in self._last:
            self._last[question] = self._find(*question)
        return self._last[question].get(last.stream, 0) > last.number

    def _find(self, by_logger: bool, is_nobody: bool) -> dict[tuple[int, int | None, str], int]:
        dying = _last_words(self._scene) if is_nobody else frozenset()
        return {
            line.stream: line.number
            for line in self._scene.lines
            if line.body.strip(" ") != "" and id(line) not in dying and (not by_logger or is_record(line))
        }


def _last_words(scene: Scene) -> frozenset[int]:
    """Return the identities of lines with which processes that nobody tells apart say that they give up."""
    places = {id(line): place for place, line in enumerate(scene.lines)}
    found: set[int] = set()
    for record in scene.records:
        if record.gives_up:
            first = places[id(record.lines[0])]
            found.update(id(line) for line in (*scene.lines[max(0, first - 1) : first], *record.lines))
    return frozenset(found)


def _progressed(line: Line, scene: Scene) -> bool:
    after = [done for done, _, _ in scene.told.progress if done.file == line.file and done.number > line.number]
    after += [done for done in scene.told.finishes if done.file == line.file and done.number > line.number]
    # A driver hands on what its workers wrote, late: that says nothing of the driver itself.
    after = [done for done in after if "worker" in line.labels or "worker" not in done.labels]
    return any(done.rank in (None, line.rank) or line.rank is None for done in after)


def _went_on(events: Iterable[Event], scene: Scene) -> bool:
    """Whether work went on, or ended well, behind every one of the events; what readings show holds to their end."""
    return all(
        event.card is None and (_progressed(event.line, scene) or _ended_well(event.line, scene)) for event in events
    )


def _is_final(event: Event) -> bool:
    return event.record is not None and (event.record.hooked or event.record.in_summary)


def _deciding(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.rule is None or event.specificity > 0 or event.exception is not None]


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


def _ended_from_outside(
    eithers: Sequence[Event], causes: Sequence[Event], exits: Sequence[Exit], scene: Scene
) -> Event | None:
    """Return a line that can mean an end from outside, where every process was stopped and nothing else is told."""
    outside = {rule.slug for rule in scene.index.rules if rule.role == "external"}
    told = [event for event in eithers if event.slug in outside]
    stopped = [ending for ending in scene.told.exits if ending.code in _STOPPED]
    alone = len(told) == len([event for event in eithers if not _is_final(event)])
    return told[0] if told and alone and stopped and not exits and not causes else None


def _precedes(one: Line, other: Line) -> bool:
    if one.file == other.file:
        return one.number < other.number
    return one.time is not None and other.time is not None and one.time < other.time


def _echoed(collateral: Sequence[Event], scene: Scene) -> str:
    """Name the outcome where there are echoes at most: of a failure, or of an end whose reason is not in the log."""
    if not collateral or _went_on(collateral, scene):
        return _calm(scene)
    if _is_interrupted(scene):
        return "cancelled"
    of_processes = any(event.rule is None or event.rule.where != "launcher" for event in collateral)
    return "failed" if of_processes else "cut_off"


def _is_interrupted(scene: Scene) -> bool:
    """Whether somebody pressed Ctrl-C."""
    return any(raised.type == "KeyboardInterrupt" for record in scene.records for raised in record.chain[-1:])


def _calm(scene: Scene) -> str:
    """Name the outcome of an attempt in which nothing failed."""
    written = [line.text for line in scene.lines if line.text != ""]
    if not written or is_unreadable(written):
        return "not_a_job_log"
    if _is_interrupted(scene):
        return "cancelled"
    if any(record.open and not record.logged and not _ended_well(record.lines[-1], scene) for record in scene.records):
        return "cut_off"
    if scene.told.finishes:
        return "succeeded"
    last = next((step for step in reversed(scene.told.progress) if step[1] is not None), None)
    if last is not None and last[2] is not None and last[1] == last[2]:
        return "succeeded"
    return "no_failure_found"


def _what(verdict: Verdict, suspects: Suspects, scene: Scene) -> None:
    """Order the events that name what happened and enter them into the verdict."""
    known = [
        e
        for e in (*suspects.causes, *suspects.accusations, *suspects.confirmed, *suspects.eithers)
        if e.slug is not None
    ]
    slugs = {event.slug for event in known}
    hiding = {slug for slug in slugs if slug is not None and slugs & set(scene.index.cards[slug].masks)}

    def order(event: Event) -> tuple[Any, ...]:
        apart = bool(verdict.ranks) and not verdict.all_ranks and event.rank not in (None, *verdict.ranks)
        of_class = _CLASS[event.role]
        return (apart and event.role != "accusation", of_class, event.slug in hiding, -event.specificity, event.key)

    ranking = sorted(known, key=order)
    candidates = (*suspects.causes, *suspects.eithers)
    unknown = [event for event in candidates if event.exception is not None and event.specificity == 0]
    telling = [event for event in ranking if event.specificity > 0]
    if _is_blind(telling, scene):
        verdict.collateral = tuple(sorted([*verdict.collateral, *telling], key=lambda event: event.key))
        telling = []
    verdict.causes = tuple(telling)
    blind = next((event for event in sorted(unknown, key=order)), None)
    if blind is not None and (not verdict.causes or order(blind)[:2] < order(verdict.causes[0])[:2]):
        # What broke is an exception that no entry knows; what entries know is an echo, or weaker.
        verdict.unclassified = blind
        verdict.secondary = tuple(event for event in verdict.causes if event.role != "either")
        echoes = [event for event in verdict.causes if event.role == "either"]
        verdict.collateral = tuple(sorted([*verdict.collateral, *echoes], key=lambda event: event.key))
        verdict.causes = ()


def _is_blind(telling: Sequence[Event], scene: Scene) -> bool:
    """Whether nothing but waiting in vain is in the log, and most ranks are not: whatever broke may be theirs."""
    size = scene.world.size
    if not telling or size is None or len(scene.seen) * 2 > size:
        return False
    return all(event.role == "either" for event in telling) and is_waiting(telling[0], scene)


_CLASS = {"confirmation": 0, "cause": 0, "accusation": 1, "either": 2}
