"""Readings of metrics over a whole attempt -> events that no single line shows.

A loss that turns NaN and stays so, a loss scale that falls to its floor, memory that rises with every reading. Which
metrics, and from how many readings on, stands in the entries; the rules are the same in both engines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.diagnosis.labels import Line
from generator.diagnosis.match import Event
from generator.index import Detector, Index

_NUMBER = "[0-9]{1,30}(?:\\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?"
_VALUE = f"[\"']?(?: ?[:=|] ?| )[\"']?([-+]?(?:{_NUMBER}|[nN]a[nN]|[iI]nf(?:inity)?))(?:[^A-Za-z0-9_.%/]|[.]?$)"
_SYNTAX = re.compile("[^A-Za-z0-9_ ]")
_LEAST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one line says of a metric."""

    line: Line
    value: float | None
    """None: not a number, or infinite."""


def detect(lines: Sequence[Line], index: Index) -> Iterator[Event]:
    """Yield an event for each entry whose detector finds what it looks for."""
    for card in index.cards.values():
        detector = card.detector
        if detector is None or not detector.metrics:
            continue
        found = _RULES.get(detector.kind)
        if found is None:
            continue
        for readings in _readings(lines, detector).values():
            line = found(readings, detector)
            if line is not None:
                role = "benign" if detector.kind == "slope" else "cause"
                yield Event(line=line, rule=None, role=role, rank=line.rank, card=card.slug)
                break


def _readings(lines: Sequence[Line], detector: Detector) -> dict[tuple[str, int | None], list[Reading]]:
    """Collect the readings of each metric and rank, in the order of the lines."""
    names = sorted(detector.metrics, key=lambda name: (-len(name), name))
    words = "|".join(_SYNTAX.sub("\\\\\\g<0>", name) for name in names)
    pattern = re.compile(f"(?:^|[^A-Za-z0-9_])({words}){_VALUE}", re.ASCII)
    found: dict[tuple[str, int | None], list[Reading]] = {}
    for line in lines:
        if not any(name in line.body for name in names):
            continue
        said = pattern.search(line.body)
        if said is not None:
            text = said[2].lower()
            value = None if "n" in text else float(text)
            found.setdefault((said[1], line.rank), []).append(Reading(line=line, value=value))
    return found


def _turns_nonfinite(readings: Sequence[Reading], detector: Detector) -> Line | None:
    """Return the line from which on a metric that was finite is not."""
    if len(readings) < (detector.min_points or _LEAST):
        return None
    bad = len(readings)
    while bad > 0 and readings[bad - 1].value is None:
        bad -= 1
    return readings[bad].line if 0 < bad < len(readings) else None


def _collapses(readings: Sequence[Reading], detector: Detector) -> Line | None:
    """Return the line at which a scale that only fell reached its floor."""
    values = [reading.value for reading in readings if reading.value is not None]
    if len(values) < (detector.min_points or _LEAST) or detector.floor is None:
        return None
    falling = all(later <= earlier for earlier, later in pairwise(values))
    if not falling or values[0] <= detector.floor or values[-1] > detector.floor:
        return None
    return next(r.line for r in readings if r.value is not None and r.value <= detector.floor)


def _rises(readings: Sequence[Reading], detector: Detector) -> Line | None:
    """Return the last line of a metric that rose at every reading."""
    values = [reading.value for reading in readings if reading.value is not None]
    if len(values) < (detector.min_points or _LEAST) or len(values) < len(readings):
        return None
    rising = all(later > earlier for earlier, later in pairwise(values))
    return readings[-1].line if rising else None


_RULES = {"metric_turns_nonfinite": _turns_nonfinite, "scale_collapse": _collapses, "slope": _rises}
