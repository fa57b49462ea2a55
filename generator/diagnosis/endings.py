"""Labelled lines -> how processes ended, what progress was made, where the job was started again.

A launcher's table of failed processes is read whole: what it repeats of a process's own output counts for that process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.diagnosis.labels import Line, World
from generator.index import Index

_SIGNALS = {"Terminated": -15, "Killed": -9, "Segmentation fault": -11, "Aborted": -6, "Bus error": -7,
            "Illegal instruction": -4, "Out Of Memory": -9, "SIGTERM": -15, "SIGKILL": -9, "SIGSEGV": -11,
            "SIGABRT": -6, "SIGBUS": -7, "SIGINT": -2, "SIGHUP": -1, "SIGILL": -4, "SIGFPE": -8}  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Exit:
    """How one process ended, as a launcher tells it."""

    line: Line
    code: int | None
    """Negative: the number of a signal."""
    rank: int | None = None
    local: str | None = None
    pid: str | None = None
    host: str | None = None
    time: str | None = None
    claimed: bool = False
    """The launcher calls it the first."""


@dataclass(slots=True, kw_only=True)
class Told:
    """All that the lines tell beside signatures."""

    exits: list[Exit] = field(default_factory=list)
    progress: list[tuple[Line, int | None, int | None]] = field(default_factory=list)
    """Line, step and total."""
    finishes: list[Line] = field(default_factory=list)
    restarts: list[Line] = field(default_factory=list)
    tabled: Mapping[int, Exit] = field(default_factory=dict)
    """Identity of a line inside a launcher's table to the process it is about."""


def read_endings(lines: Sequence[Line], world: World, index: Index) -> Told:
    """Find how processes ended, what progress was made and where the job began again."""
    told = Told()
    told.tabled = _read_tables(lines, world, index, told)
    for line in lines:
        if id(line) in told.tabled:
            continue
        _read_exit(line, world, index, told)
        step = _step(line, index)
        if step is not None:
            told.progress.append((line, *step))
        if any(shape.read(line.body) is not None for shape in index.shapes["finishes"]):
            told.finishes.append(line)
        if any(shape.read(line.text) is not None for shape in index.shapes["restarts"]):
            told.restarts.append(line)
    return told


def _step(line: Line, index: Index) -> tuple[int | None, int | None] | None:
    for shape in index.shapes["progress"]:
        said = shape.read(line.body)
        if said is not None:
            return (int(said["step"]) if "step" in said else None, int(said["total"]) if "total" in said else None)
    return None


def _read_tables(lines: Sequence[Line], world: World, index: Index, told: Told) -> dict[int, Exit]:
    """Read torchrun's tables of failed processes; return which line is about which process."""
    tabled: dict[int, Exit] = {}
    current: Exit | None = None
    first = inside = False
    for line in lines:
        body = line.body.strip()
        if body in ("Failures:", "Root Cause (first observed failure):"):
            inside, first, current = True, body.startswith("Root"), None
        elif inside and body.startswith("=====") and current is not None:
            inside, current = False, None
        elif inside and re.match("^\\[[0-9]{1,6}\\]:$", body):
            current = Exit(line=line, code=None, claimed=first)
            told.exits.append(current)
        if inside and current is not None:
            tabled[id(line)] = current
            for shape in index.shapes["summary"]:
                said = shape.read(line.body)
                if said is None:
                    continue
                current.rank = int(said["rank"]) if "rank" in said else current.rank
                current.local = said.get("local", current.local)
                current.pid = said.get("pid", current.pid)
                current.host = said.get("host", current.host)
                current.time = said.get("time", current.time)
                if "code" in said:
                    current.code, current.line = int(said["code"]), line
    return tabled


def _read_exit(line: Line, world: World, index: Index, told: Told) -> None:
    for shape in index.shapes["exits"]:
        said = shape.read(line.body)
        if said is None or ("code" not in said and "signal" not in said):
            continue
        code = int(said["code"]) if "code" in said else _SIGNALS.get(said["signal"])
        if code is None and said["signal"].isdigit():
            code = -int(said["signal"])
        if code is not None and code > 128 and code - 128 in (1, 2, 6, 7, 9, 11, 15):
            code = 128 - code
        for rank in _ranks(said, world):
            told.exits.append(
                Exit(
                    line=line, code=code, rank=rank, local=said.get("local"), pid=said.get("pid"), host=said.get("host")
                )
            )
        return


def _ranks(said: Mapping[str, str], world: World) -> list[int | None]:
    if "tasks" in said:
        found: list[int | None] = []
        for part in said["tasks"].split(","):
            low, _, high = part.partition("-")
            if low.isdigit() and (not high or high.isdigit()):
                found += range(int(low), min(int(high or low), int(low) + 4096) + 1)
        return found
    if said.get("pid") in world.by_pid:
        return [world.by_pid[said["pid"]]]
    if "task" in said:
        return [int(said["task"])]
    if "local" in said:
        local = int(said["local"])
        alone = local if world.one_host and not world.by_local and local < (world.size or 0) else None
        return [world.by_local.get(said["local"], alone)]
    return [None]
