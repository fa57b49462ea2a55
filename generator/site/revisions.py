"""The project's git history -> when each file was added and last changed, and the commit's own time.

One call for all files. Outside a clone there are no dates, and nothing fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generator.git import git


@dataclass(frozen=True, slots=True, kw_only=True)
class Revisions:
    """Days, `2026-11-30`, by file relative to the project."""

    added: Mapping[str, str] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)
    epoch: int | None = None
    """Time of the newest commit, seconds since 1970."""


def read_revisions(root: Path, folders: Iterable[str] = ("entries", "docs")) -> Revisions:
    """Ask git for the days of all files under some folders; a moved file keeps the day it was added.

    Raises FileNotFoundError in a clone when git is not installed.
    """
    head = git(root, "log", "-1", "--format=%ct")
    if not head.strip().isdigit():
        return Revisions()
    log = git(root, "log", "--format=%x01%cs", "--name-status", "-M", "--relative", "--", *folders)
    return parse_log(log, epoch=int(head))


def parse_log(log: str, epoch: int | None = None) -> Revisions:
    r"""Read `git log --format=%x01%cs --name-status -M`, newest commit first.

    >>> parse_log("\x012026-11-30\n\nM\ta.yaml\n\x012026-11-02\n\nA\ta.yaml\n").added
    {'a.yaml': '2026-11-02'}
    """
    added: dict[str, str] = {}
    changed: dict[str, str] = {}
    today: dict[str, str] = {}
    """Old names of moved files, with the name they have today."""
    day = ""
    for line in log.splitlines():
        if line.startswith("\x01"):
            day = line[1:]
            continue
        kind, *names = line.split("\t")
        if not names:
            continue
        file = today.get(names[-1], names[-1])
        if kind.startswith("R"):
            today[names[0]] = file
        added[file] = day
        changed.setdefault(file, day)
    return Revisions(added=added, changed=changed, epoch=epoch)
