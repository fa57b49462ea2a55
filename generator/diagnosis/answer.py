"""Verdicts -> the answer: who, what and why apart, then echoes, gaps, one missing fact, one next action.

The shape is that of `schema/diagnosis.schema.json`: keys always there, in its order. All texts about an entry come
from the index; what is said here of a log is short and names lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.diagnosis.asking import is_folded, missing_fact, ranks_text, what_status
from generator.diagnosis.endings import Exit
from generator.diagnosis.labels import Line
from generator.diagnosis.match import Event
from generator.diagnosis.records import is_own_code
from generator.diagnosis.verdict import Scene, Verdict
from generator.index import Card, Index, Share

VERSION = 1
LONGEST = 500
"""Characters of a line that an answer repeats."""
_MOST_EVIDENCE = 3


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
        "collateral": teller.collateral(),
        "secondary": teller.secondary(entries),
        "notices": teller.notices(),
        "attempts": [_attempt(lines_of, judged, index) for lines_of, judged in attempts],
        "gaps": [*gaps, *teller.gaps()],
        "missing_fact": missing_fact(scene, verdict, who, entries, runner_up),
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

    def card(self, entries: Sequence[Mapping[str, Any]]) -> Card:
        """Return the card of the first entry."""
        return self._index.cards[entries[0]["slug"]]

    def _evidence(self, line: Line) -> dict[str, Any]:
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
        for event in self._verdict.causes:
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
        if len(evidence) < _MOST_EVIDENCE and self._evidence(event.line) not in evidence:
            evidence.append(self._evidence(event.line))

    def runner_up(self, entries: Sequence[Mapping[str, Any]]) -> dict[str, str] | None:
        """Name the next best entry with what tells it from the first."""
        if not entries:
            return None
        card = self.card(entries)
        others = [entry["slug"] for entry in entries[1:]]
        others += [
            c.slug for e in self._verdict.causes[:1] if e.rule for c, _ in self._index.sharers.get(e.rule.id, ())
        ]
        others += [event.slug for event in self._verdict.secondary if event.slug is not None]
        for slug in others:
            if slug in card.looks_like:
                return {"slug": slug, "discriminator": card.looks_like[slug]}
        return None

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
                    told[fact.id] = {"fact": fact.id, "says": fact.say, "evidence": [self._evidence(event.line)]}
        blind = self._verdict.unclassified
        if blind is not None and blind.record is not None:
            raised = next(r for r in blind.record.chain if r.line is blind.line)
            frame = next((f for f in reversed(raised.frames) if is_own_code(f[0])), None)
            if frame is not None:
                place = f", line {frame[1]}" if frame[1] else ""
                says = f"The job's own code stood at {frame[0]}{place}."
                told["raised-at"] = {"fact": "raised-at", "says": says, "evidence": [self._evidence(blind.line)]}
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

    def collateral(self) -> list[dict[str, Any]]:
        """Group the echoes by what they are."""
        groups: dict[str, list[Event]] = {}
        for event in self._verdict.collateral:
            groups.setdefault(event.slug or "", []).append(event)
        return [
            {
                "kind": kind,
                "ranks": sorted({event.rank for event in events if event.rank is not None}),
                "count": len(events),
                "first": {"file": self._names[events[0].line.file], "line": events[0].line.number},
                "last": {"file": self._names[events[-1].line.file], "line": events[-1].line.number},
            }
            for kind, events in sorted(groups.items())
        ]

    def secondary(self, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Name failures that are there too, but did not start it."""
        named = {entry["slug"] for entry in entries}
        return self._noted(self._verdict.secondary, named, "It is there too, but did not start the failure.")

    def notices(self) -> list[dict[str, Any]]:
        """Name what looks bad and is not, and what the program survived."""
        return [
            {
                "slug": event["slug"],
                "title": self._index.cards[event["slug"]].title,
                "because": event["because"],
                "evidence": event["evidence"],
            }
            for event in self._noted(self._verdict.notices, set(), "")
        ]

    def _noted(self, events: Sequence[Event], named: set[str], because: str) -> list[dict[str, Any]]:
        told: dict[str, dict[str, Any]] = {}
        for event in events:
            if event.slug is None or event.slug in named:
                continue
            reason = because or ("Harmless." if event.role == "benign" else "The program went on after it.")
            note = told.setdefault(event.slug, {"slug": event.slug, "because": reason, "evidence": []})
            if len(note["evidence"]) < _MOST_EVIDENCE:
                note["evidence"].append(self._evidence(event.line))
        return list(told.values())

    def gaps(self) -> list[str]:
        """Say which ranks are not in the log."""
        size, seen = self._scene.world.size, self._scene.seen
        told = []
        if size is not None and len(seen & set(range(size))) < size and self._verdict.outcome == "failed":
            silent = [rank for rank in range(size) if rank not in seen]
            told.append(f"Nothing in the log is from {ranks_text(silent)} of {size}.")
        if any(record.open for record in self._scene.records):
            told.append("The log ends, or is broken off, inside a traceback.")
        if is_folded(self._scene):
            told.append("Ray has folded equal lines of different workers into one.")
        if self._scene.world.contradictory:
            told.append("The log gives one process several ranks; what it says of processes was left out.")
        return told

    def verify(self, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """Say how to see that the next action helped."""
        verify = self.card(entries).verify if entries else None
        return None if verify is None else {"command": verify["command"], "expect": verify["expect"]}
