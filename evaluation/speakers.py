"""The lines of a log -> who wrote each: a rank, the launcher, or nobody that the line names.

Reads the labels that launchers put on lines and the process numbers that a job prints about itself. Made for damaging
logs on purpose; the engine reads labels with the index and knows nothing of this.
"""

from __future__ import annotations

import re

LAUNCHER = -1
"""Stands for the launcher where a rank would stand."""

_ANSI = re.compile(rb"\x1b\[[0-9;]*m")
_RANK = re.compile(rb"^(?:\[default[0-9]+\]:|[ ]*[0-9]+: |\[[0-9]+,[0-9]+\]<[a-z]+>:|[a-z0-9-]+: )?\[rank([0-9]+)\]:")
_OUTER = re.compile(rb"^(?:[ ]*([0-9]+): |\[[0-9]+,([0-9]+)\]<[a-z]+>:|worker-([0-9]+): )")
_TEE = re.compile(rb"^\[default([0-9]+)\]:")
_ACTOR = re.compile(rb"\((?:[A-Za-z_]+) pid=([0-9]+)")
_TOLD = re.compile(rb"initialized: rank ([0-9]+) of [0-9]+, pid ([0-9]+)")
_OF_LAUNCHER = re.compile(
    rb"torch/distributed/(?:elastic|run)|^(?:[ ]*[0-9]+: )?(?:srun|slurmstepd[^:]*|pdsh@[^:]*): |\[launch\.py:"
    rb"|^mpirun |^Primary job +terminated|^Per user-direction|torch/multiprocessing/spawn\.py"
)
_SUMMARY = re.compile(rb"ChildFailedError|ProcessRaisedException|ProcessExitedException|^mpirun (?:noticed|detected)")
_OPENING = re.compile(rb"^Traceback \(most recent call last\):|^-{60,}")


def pids_of(lines: list[bytes]) -> dict[int, int]:
    """Map process number to rank, as the job tells it.

    >>> pids_of([b"INFO - initialized: rank 2 of 4, pid 811"])
    {811: 2}
    """
    return {int(found[2]): int(found[1]) for line in lines if (found := _TOLD.search(line))}


def speakers(lines: list[bytes], pids: dict[int, int]) -> list[int | None]:
    """Give the speaker of each line; the launcher's closing report is the launcher's from its first line on.

    >>> speakers([b"[rank3]: KeyError: 'label'", b"step 3", b"srun: error: node-0: task 3: Killed"], {})
    [3, None, -1]
    """
    said = [_speaker(line, pids) for line in lines]
    for place, line in enumerate(lines):
        if _SUMMARY.search(line) and said[place] in (None, LAUNCHER):
            first = place
            while first and said[first] in (None, LAUNCHER) and not _OPENING.search(lines[first]):
                first -= 1
            last = place
            while last < len(lines) and said[last] in (None, LAUNCHER):
                said[last] = LAUNCHER
                last += 1
            said[first:place] = [LAUNCHER if one is None else one for one in said[first:place]]
    return said


def _speaker(line: bytes, pids: dict[int, int]) -> int | None:
    text = _ANSI.sub(b"", line)
    if _OF_LAUNCHER.search(text):
        return LAUNCHER
    if found := _RANK.search(text) or _TOLD.search(text):
        return int(found[1])
    if found := _OUTER.search(text):
        return int(next(group for group in found.groups() if group))
    if found := _TEE.search(text):
        return int(found[1])
    if found := _ACTOR.search(text):
        return pids.get(int(found[1]))
    return None
