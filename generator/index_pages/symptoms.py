"""Catalog -> what a job does when it prints no error, and the cheapest way to find out why.

Decides from the symptoms that are no log line, and for an entry that prints nothing from its tags too. Knows neither
addresses nor templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.model import Catalog, Entry
from generator.parts import Confirmation, Symptom


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """Something a reader would say."""

    id: str
    heading: str
    note: str
    tags: frozenset[str]
    words: re.Pattern[str]
    """What a symptom of this kind says."""


def _complaint(ident: str, heading: str, note: str, tags: str, words: str) -> Complaint:
    pattern = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    return Complaint(id=ident, heading=heading, note=note, tags=frozenset(tags.split()), words=pattern)


COMPLAINTS = (
    _complaint(
        "stands-still",
        "It stands still",
        "No step finishes, no request is answered, and nothing says why.",
        "hang",
        r"hangs?|stands? still|stuck|never returns|no progress|no step|stalls?|freezes?|waits? forever",
    ),
    _complaint(
        "slow",
        "It is slow",
        "Steps or answers take longer than they did, or than they should.",
        "slow utilisation throughput latency",
        r"slow|slower|slows|slowly|takes? longer|throughput|latency|waiting requests",
    ),
    _complaint(
        "wrong-numbers",
        "The numbers are wrong",
        "The job runs to its end, and what it computes is not right.",
        "nan divergence wrong-results determinism",
        r"nan|inf|diverges?|wrong|garbage|accuracy|does not fall|plateaus?|spikes?|identical|repeats?",
    ),
    _complaint(
        "grows",
        "Memory grows",
        "Use rises from step to step or from request to request.",
        "memory-leak",
        r"(?:memory|cache|rss|ram|reserved)\b[^.;]*\b(?:grows?|rises?|climbs?|creeps?|fills?)",
    ),
    _complaint(
        "gone",
        "It is gone",
        "The process ended and left no message of its own.",
        "process-killed preemption",
        r"vanish(?:es)?|disappears?|is gone|killed|log (?:ends|stops)",
    ),
)
OTHER = Complaint(
    id="other", heading="Something else", note="No error is printed.", tags=frozenset(), words=re.compile(r"(?!)")
)
_COST = ("seconds", "minutes", "hours")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """An entry that may be behind a complaint."""

    complaint: Complaint
    entry: Entry
    seen: Symptom | None
    """The symptom that says so; None where a tag does."""
    check: Confirmation | None


def suspects(catalog: Catalog) -> Iterator[Suspect]:
    """Yield what may be behind each complaint, in the order of complaints and entries."""
    quiet = [(entry, shown) for entry in catalog.published if (shown := _quiet(entry)) or entry.silent]
    placed: set[str] = set()
    for complaint in COMPLAINTS:
        for entry, shown in quiet:
            telling = next((s for s in shown if complaint.words.search(s.observe)), None)
            if telling or (entry.silent and complaint.tags.intersection(entry.tags)):
                placed.add(entry.slug)
                yield Suspect(complaint=complaint, entry=entry, seen=telling, check=cheapest(entry))
    for entry, shown in quiet:
        if entry.silent and entry.slug not in placed:
            yield Suspect(complaint=OTHER, entry=entry, seen=next(iter(shown), None), check=cheapest(entry))


def cheapest(entry: Entry) -> Confirmation | None:
    """Pick the confirmation that costs least; of equals the one the entry names first."""
    return min(entry.confirm, key=lambda step: _COST.index(step.cost), default=None)


def _quiet(entry: Entry) -> tuple[Symptom, ...]:
    """List the symptoms that are no line of a log."""
    return tuple(symptom for symptom in entry.symptoms if symptom.where != "log")
