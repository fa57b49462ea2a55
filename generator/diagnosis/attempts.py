"""Lines -> attempts: where a restarted job began again, so that each attempt is judged by its own lines."""

from __future__ import annotations

from collections.abc import Sequence

from generator.diagnosis.endings import Told
from generator.diagnosis.labels import Line, World


def split(lines: Sequence[Line], told: Told, world: World) -> list[list[Line]]:
    """Part the lines of every file at each restart; the last attempts of all files are one."""
    by_file: dict[int, list[Line]] = {}
    for line in lines:
        by_file.setdefault(line.file, []).append(line)
    cuts = {file: _cuts(file, told, world) for file in by_file}
    most = max((len(places) for places in cuts.values()), default=0)
    attempts: list[list[Line]] = [[] for _ in range(most + 1)]
    for file, own in by_file.items():
        first = most - len(cuts[file])
        for line in own:
            attempts[first + sum(1 for place in cuts[file] if line.number >= place)].append(line)
    return [attempt for attempt in attempts if attempt]


def _cuts(file: int, told: Told, world: World) -> list[int]:
    """Return the numbers of the lines with which a new attempt begins."""
    ends = sorted(
        [ending.line.number for ending in told.exits if ending.line.file == file and ending.code not in (0, None)]
        + [line.number for line in told.restarts if line.file == file]
    )
    found: list[int] = []
    pids: dict[int, str] = {}
    begun = 0
    for _, number, rank, pid in sorted(start for start in world.starts if start[0] == file):
        ended = any(begun < end < number for end in ends)
        if rank in pids and pids[rank] != pid and ended:
            found.append(number)
            begun, pids = number, {}
        pids[rank] = pid
    return found
