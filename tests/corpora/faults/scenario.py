"""What is planted in a run and what a reader of its log may know of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Launcher = Literal[
    "torchrun", "elastic", "nodes", "short_nodes", "ranks", "files", "python", "srun", "mpirun", "deepspeed", "pdsh"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    name: str
    script: str
    """File in jobs/; the log knows it as train.py."""
    launcher: Launcher = "torchrun"
    args: tuple[str, ...] = ()
    """Options of the launcher."""
    script_args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    nproc: int = 4
    started: int | None = None
    """Ranks that are really started; all of them if None."""
    outcome: Literal["failed", "cancelled", "succeeded"] = "failed"
    guilty: tuple[int, ...] = ()
    spmd: bool = False
    cause: str | None = None
    evidence: str | None = None
    """A pattern of the lines that show the cause."""
    hint: str | None = None
    """The slug of the failure in the catalogue, if it has one."""
    initiator: str | None = None
    missing: tuple[str, ...] = ()
    """What the log cannot tell; the cause is then not to be named."""
    recovered: tuple[int, str] | None = None
    """Rank and pattern of a failure that the job survived."""
    signal: tuple[str, str, int] | None = None
    """Sent when the log holds a text: that text, the signal's name, the rank whose process gets it (-1: the launcher)."""
    small: str | None = None
    """A folder over which an 8 MB file system is mounted."""
    group: Literal["memory", "pids"] | None = None
    """A control group that a rank may enter."""
    port_taken: bool = False
    skew: int = 0
    """Seconds by which the stamps of the second node are put forward afterwards."""
    seconds: int = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A log of which only a part was kept."""

    name: str
    of: str
    keep: Literal["first_half", "last_half", "rank_0", "without_guilty"]
