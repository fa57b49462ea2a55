"""Verdicts -> what stands beside the answer: echoes, other failures, what only looks bad, what the log lacks.

Parts the events that name what happened into those that may, and those that only echo what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.diagnosis.asking import is_folded, ranks_text, status_of
from generator.diagnosis.labels import Line
from generator.diagnosis.match import Event
from generator.diagnosis.verdict import ESTABLISHED, Scene, Verdict
from generator.index import Index

Shown = Callable[[Line], dict[str, Any]]
"""Gives a line as an answer shows it."""
MOST_EVIDENCE = 3


def part(verdict: Verdict) -> tuple[list[Event], list[Event]]:
    """Return the causes that stand beside the first, itself in front, and the echoes in the order of lines."""
    causes = [event for event in verdict.causes if not _is_echo(event, verdict)]
    echoes = [*verdict.collateral, *(event for event in verdict.causes if _is_echo(event, verdict))]
    return causes, sorted(echoes, key=lambda event: event.key)


def _is_echo(event: Event, verdict: Verdict) -> bool:
    """Whether what is a cause only for want of a better one has a better one beside it."""
    first = verdict.causes[0]
    if event.role != "either" or first.role == "either" or event.slug == first.slug:
        return False
    if status_of(first) == ESTABLISHED or any(event.slug == echo.slug for echo in verdict.collateral):
        return True
    return bool(verdict.ranks) and not verdict.all_ranks and event.rank is not None and event.rank not in verdict.ranks


def grouped(echoes: Sequence[Event], names: Sequence[str]) -> list[dict[str, Any]]:
    """Group the echoes by what they are."""
    groups: dict[str, list[Event]] = {}
    for event in echoes:
        groups.setdefault(event.slug or "", []).append(event)
    return [
        {
            "kind": kind,
            "ranks": sorted({event.rank for event in events if event.rank is not None}),
            "count": len(events),
            "first": {"file": names[events[0].line.file], "line": events[0].line.number},
            "last": {"file": names[events[-1].line.file], "line": events[-1].line.number},
        }
        for kind, events in sorted(groups.items())
    ]


def secondary(verdict: Verdict, entries: Sequence[Mapping[str, Any]], shown: Shown) -> list[dict[str, Any]]:
    """Name failures that are there too, but did not start it."""
    named = {entry["slug"] for entry in entries}
    return _noted(verdict.secondary, named, "It is there too, but did not start the failure.", shown)


def notices(verdict: Verdict, index: Index, shown: Shown) -> list[dict[str, Any]]:
    """Name what looks bad and is not, and what the program survived."""
    return [
        {
            "slug": event["slug"],
            "title": index.cards[event["slug"]].title,
            "because": event["because"],
            "evidence": event["evidence"],
        }
        for event in _noted(verdict.notices, set(), "", shown)
    ]


def _noted(events: Sequence[Event], named: set[str], because: str, shown: Shown) -> list[dict[str, Any]]:
    told: dict[str, dict[str, Any]] = {}
    for event in events:
        if event.slug is None or event.slug in named:
            continue
        reason = because or ("Harmless." if event.role == "benign" else "The program went on after it.")
        note = told.setdefault(event.slug, {"slug": event.slug, "because": reason, "evidence": []})
        if len(note["evidence"]) < MOST_EVIDENCE:
            note["evidence"].append(shown(event.line))
    return list(told.values())


def gaps(scene: Scene, outcome: str) -> list[str]:
    """Say which ranks are not in the log."""
    size, seen = scene.world.size, scene.seen
    told = []
    if size is not None and len(seen & set(range(size))) < size and outcome == "failed":
        silent = [rank for rank in range(size) if rank not in seen]
        told.append(f"Nothing in the log is from {ranks_text(silent)} of {size}.")
    if any(record.open for record in scene.records):
        told.append("The log ends, or is broken off, inside a traceback.")
    if is_folded(scene):
        told.append("Ray has folded equal lines of different workers into one.")
    if scene.world.contradictory:
        told.append("The log gives one process several ranks; what it says of processes was left out.")
    return told
