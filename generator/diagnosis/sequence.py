"""What watchdogs say of one process group -> the rank that is behind the operation in which the others waited."""

from __future__ import annotations

import re
from collections.abc import Iterable

from generator.diagnosis.match import Event

_GROUP = re.compile(r"\[PG ([^\]\n]{1,80}) Rank [0-9]")


def behind(events: Iterable[Event]) -> Event | None:
    """Return the line of the one rank whose last queued operation is before all those in which others gave up.

    Numbers count within a process group, so a line that names none says nothing. Source: `lastEnqueuedSeq` in
    torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp of PyTorch 2.6.
    """
    groups: dict[str, dict[int, Event]] = {}
    for event in events:
        group = _GROUP.search(event.line.text)
        if group and event.rank is not None and "enqueued" in event.captures and "seq" in event.captures:
            groups.setdefault(group[1], {}).setdefault(event.rank, event)
    late: dict[int, Event] = {}
    for told in groups.values():
        for rank, event in told.items():
            awaited = [other.captures["seq"] for one, other in told.items() if one != rank]
            if awaited and all(_before(event.captures["enqueued"], number) for number in awaited):
                late.setdefault(rank, event)
    return next(iter(late.values())) if len(late) == 1 else None


def _before(number: object, other: object) -> bool:
    return isinstance(number, int) and isinstance(other, int) and number < other
