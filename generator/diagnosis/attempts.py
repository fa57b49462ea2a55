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
    cuts = {file: _cuts(file, lines, told, world) for file in by_file}
    most = max((len(places) for places in cuts.values()), default=0)
    attempts: list[list[Line]] = [[] for _ in range(most + 1)]
    for file, own in by_file.items():
        first = most - len(cuts[file])
        for line in own:
            attempts[first + sum(1 for place in cuts[file] if line.number >= place)].append(line)
    return [attempt for attempt in attempts if attempt]


def _ends(line: Line) -> bool:
    """Whether a process's last words begin: the hook that labels them runs when an exception ends it."""
    return line.body.startswith("Traceback (most recent call last):")


def _cuts(file: int, lines: Sequence[Line], told: Told, world: World) -> list[int]:
    """Return the numbers of the lines with which a new attempt begins: processes start after others have ended."""
    stopped = [ending.line.number for ending in told.exits if ending.line.file == file and ending.code not in (0, None)]
    stopped += [line.number for line in told.restarts if line.file == file]
    died = [line.number for line in lines if line.file == file and "by-torch-rank" in line.labels and _ends(line)]
    found: list[int] = []
    pids: dict[int, str] = {}
    begun = 0
    for _, number, rank, pid in sorted(start for start in world.starts if start[0] == file):
        known = pids.get(rank)
        again = known is not None if pid == "" else known != pid
        renewed = known is not None and (pid == "" or known != pid)
        if (again and _between(stopped, begun, number)) or (renewed and _between(died, begun, number)):
            found.append(number)
            begun, pids = number, {}
        pids[rank] = pid
    return found


def _between(numbers: Sequence[int], low: int, high: int) -> bool:
    return any(low < number < high for number in numbers)
