"""Verdicts -> the answer: who, what and why apart, then echoes, gaps, one missing fact, one next action.

The shape is that of `schema/diagnosis.schema.json`: keys always there, in its order. All texts about an entry come
from the index; what is said here of a log is short and names lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.diagnosis import beside
from generator.diagnosis.asking import missing_fact, what_status
from generator.diagnosis.endings import Exit
from generator.diagnosis.labels import Line
from generator.diagnosis.match import Event
from generator.diagnosis.quoted import is_own_code
from generator.diagnosis.verdict import Scene, Verdict
from generator.index import Card, Index, Share

VERSION = 1
LONGEST = 500
"""Characters of a line that an answer repeats."""


def answer(
    attempts: Sequence[tuple[Scene, Verdict]], names: Sequence[str], gaps: Sequence[str], index: Index
) -> dict[str, Any]:
    """Put the answer together; the last attempt is the one that is judged."""
    scene, verdict = attempts[-1]
    teller = _Teller(scene, verdict, names, index)
    entries, who = teller.entries(), teller.who()
    runner_up = teller.runner_up(entries)
    return {
        "diagnosis_version": VERSION,
        "index": {"version": 1, "hash": index.hash},
        "outcome": verdict.outcome,
        "who": who,
        "what": {
            "status": what_status(verdict, entries),
            "entries": entries,
            "runner_up": runner_up,
        },
        "why": teller.why(entries),
        "unclassified": teller.unclassified(),
        "collateral": beside.grouped(teller.echoes, names),
        "secondary": beside.secondary(verdict, entries, teller.evidence),
        "notices": beside.notices(verdict, index, teller.evidence),
        "attempts": [_attempt(lines_of, judged, index) for lines_of, judged in attempts],
        "gaps": [*gaps, *beside.gaps(scene, verdict.outcome)],
        "missing_fact": missing_fact(scene, verdict, who, entries, runner_up, names=names),
        "next_action": teller.card(entries).next_action if entries else None,
        "verify": teller.verify(entries),
    }


def _attempt(scene: Scene, verdict: Verdict, index: Index) -> dict[str, Any]:
    numbers = [line.number for line in scene.lines]
    first = next((event.slug for event in verdict.causes if event.slug is not None), None)
    return {
        "first_line": min(numbers, default=0),
        "last_line": max(numbers, default=0),
        "outcome": verdict.outcome,
        "slug": first,
    }


class _Teller:
    """Says what one verdict means, with the lines that show it."""

    def __init__(self, scene: Scene, verdict: Verdict, names: Sequence[str], index: Index) -> None:
        self._scene = scene
        self._verdict = verdict
        self._names = names
        self._index = index
        self._causes, self.echoes = beside.part(verdict)

    def card(self, entries: Sequence[Mapping[str, Any]]) -> Card:
        """Return the card of the first entry."""
        return self._index.cards[entries[0]["slug"]]

    def evidence(self, line: Line) -> dict[str, Any]:
        """Show a line."""
        return {"file": self._names[line.file], "line": line.number, "text": line.text[:LONGEST]}

    def who(self) -> dict[str, Any]:
        """Say who started it."""
        verdict, world = self._verdict, self._scene.world
        ended = [e for e in self._scene.told.exits if e.rank is not None and e.rank in verdict.ranks]
        pids = {pid for pid, rank in world.by_pid.items() if rank in verdict.ranks}
        pids |= {ending.pid for ending in ended if ending.pid is not None and ending.pid != "0"}
        locals_ = {int(e.local) for e in ended if e.local is not None}
        locals_ |= {int(local) for local, rank in world.by_local.items() if rank in verdict.ranks}
        witness = self._witness()
        own = verdict.witness is not None and verdict.witness.rank in verdict.ranks
        hosts = {ending.host for ending in ended if ending.host is not None}
        if own and witness is not None and "host" in witness.labels:
            hosts.add(witness.labels["host"])
        return {
            "status": verdict.who_status,
            "ranks": list(verdict.ranks),
            "local_ranks": sorted(locals_),
            "hosts": sorted(hosts),
            "pids": sorted(int(pid) for pid in pids if pid.isdigit()),
            "file": None if witness is None else self._names[witness.file],
            "line": None if witness is None else witness.number,
            "time": self._time(witness, ended),
            "all_ranks": verdict.all_ranks,
        }

    def _witness(self) -> Line | None:
        verdict = self._verdict
        if verdict.witness is not None:
            return verdict.witness.line
        if verdict.unclassified is not None:
            return verdict.unclassified.line
        if verdict.causes:
            return verdict.causes[0].line
        return verdict.ended.line if verdict.ended is not None else None

    def _time(self, witness: Line | None, ended: Sequence[Exit]) -> str | None:
        if witness is not None and witness.stamp is not None:
            return witness.stamp
        return next((ending.time for ending in ended if ending.time is not None), None)

    def entries(self) -> list[dict[str, Any]]:
        """Name the entries, best first, each once, with the lines that lead to it."""
        told: dict[str, dict[str, Any]] = {}
        for event in self._causes:
            if event.slug is None:
                continue
            for card, share in self._sharers(event):
                proved = self._proved(event, share)
                if proved is not None:
                    self._tell(told, card, event, proved)
            self._tell(told, self._index.cards[event.slug], event, self._reason(event))
        return list(told.values())[:5]

    def _sharers(self, event: Event) -> Sequence[tuple[Card, Share]]:
        return () if event.rule is None else self._index.sharers.get(event.rule.id, ())

    def _proved(self, event: Event, share: Share) -> str | None:
        """Return why another entry's failure is meant; None unless something shows it."""
        if not share.facts and not share.requires:
            return None
        facts = [fact for fact in share.facts if fact.holds(event.captures)]
        if (share.facts and not facts) or not self._scene.meets(event, share.requires):
            return None
        return facts[0].say if facts else share.when

    def _reason(self, event: Event) -> str:
        whose = "" if event.rank is None else f" of rank {event.rank}"
        if event.rule is None:
            return f"The readings{whose} turn at this line, and stay so."
        if event.role != "either":
            start = "The line"
        elif event.slug == self._verdict.causes[0].slug:
            start = "For want of a line that says more, the line"
        else:
            start = "Only if the first does not hold: the line"
        return f"{start}{whose} is its signature {event.rule.id}."

    def _tell(self, told: dict[str, dict[str, Any]], card: Card, event: Event, because: str) -> None:
        if card.slug not in told:
            told[card.slug] = {
                "id": card.id,
                "slug": card.slug,
                "title": card.title,
                "url": card.url,
                "status": card.status,
                "signature": event.rule.id if event.rule else "",
                "role": event.role,
                "because": because,
                "evidence": [],
            }
        evidence = told[card.slug]["evidence"]
        if len(evidence) < beside.MOST_EVIDENCE and self.evidence(event.line) not in evidence:
            evidence.append(self.evidence(event.line))

    def runner_up(self, entries: Sequence[Mapping[str, Any]]) -> dict[str, str] | None:
        """Name the next best entry with what tells it from the first; no echo, and none that the phase excludes."""
        if not entries:
            return None
        card = self.card(entries)
        first = self._causes[0]
        phase = self._phase(first)
        others = [entry["slug"] for entry in entries[1:]]
        others += [c.slug for c, _ in self._sharers(first) if phase is None or not c.phases or phase in c.phases]
        others += [event.slug for event in self._verdict.secondary if event.slug is not None]
        echoes = {event.slug for event in self.echoes}
        for slug in others:
            if slug in card.looks_like and slug not in echoes:
                return {"slug": slug, "discriminator": card.looks_like[slug]}
        return None

    def _phase(self, event: Event) -> str | None:
        """Return the phase that the frames of a traceback show, the innermost that shows one."""
        frames = [] if event.record is None else [file for raised in event.record.chain for file, _ in raised.frames]
        shown = (phase for file in reversed(frames) for path, phase in self._index.phases.items() if path in file)
        return next(shown, None)

    def why(self, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Say what the captured numbers prove, and where the job's own code stood."""
        told: dict[str, dict[str, Any]] = {}
        slugs = {entry["slug"] for entry in entries}
        first = self._verdict.causes[0].slug if self._verdict.causes else None
        for event in self._verdict.causes:
            if event.rule is None or event.slug != first:
                continue
            facts = list(event.rule.facts) if event.rule.slug in slugs else []
            for card, share in self._sharers(event):
                if card.slug in slugs:
                    facts += share.facts
            for fact in facts:
                if fact.id not in told and fact.holds(event.captures):
                    told[fact.id] = {"fact": fact.id, "says": fact.say, "evidence": [self.evidence(event.line)]}
        at = self._verdict.unclassified or next(iter(self._causes), None)
        frame = None if at is None else _own_frame(at)
        if at is not None and frame is not None:
            place = f", line {frame[1]}" if frame[1] else ""
            says = f"The job's own code stood at {frame[0]}{place}."
            told["raised-at"] = {"fact": "raised-at", "says": says, "evidence": [self.evidence(at.line)]}
        return list(told.values())

    def unclassified(self) -> dict[str, Any] | None:
        """Give the exception that no entry knows."""
        event = self._verdict.unclassified
        if event is None or event.exception is None:
            return None
        return {
            "exception": event.exception[0],
            "text": event.exception[1][:LONGEST],
            "file": self._names[event.line.file],
            "line": event.line.number,
        }

    def verify(self, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """Say how to see that the next action helped."""
        verify = self.card(entries).verify if entries else None
        return None if verify is None else {"command": verify["command"], "expect": verify["expect"]}


def _own_frame(event: Event) -> tuple[str, int] | None:
    """Return file and line of the innermost frame of the job's own code, of the exception on an event's line."""
    chain = () if event.record is None else event.record.chain
    frames = [frame for raised in chain if raised.line is event.line for frame in raised.frames]
    return next((frame for frame in reversed(frames) if is_own_code(frame[0])), None)
