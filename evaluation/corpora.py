"""The corpora under `tests/corpora/` -> cases: a job's files with what is known to be true of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CORPORA = ROOT / "tests" / "corpora"
FOLDERS = ("jobs", "own", "strange")
"""Jobs with known truth, by where they come from."""
OLD_HEALTHY = ROOT / "tests" / "logs" / "healthy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One job, or one excerpt."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    truth: dict[str, Any] = field(default_factory=dict)
    """The side file of a job, the label of a thread, nothing for a healthy log."""


def jobs(folder: Path) -> Iterator[Case]:
    """Yield the jobs of a folder: NAME.json beside the logs that it lists."""
    for meta in sorted(folder.glob("*.json")):
        truth = json.loads(meta.read_text(encoding="utf-8"))
        files = tuple((name, (folder / name).read_bytes()) for name in truth["logs"])
        yield Case(name=meta.stem, files=files, truth=truth)


def threads(folder: Path = CORPORA / "threads") -> Iterator[Case]:
    """Yield the excerpts re-rendered from public threads, each with its label."""
    logs = {row["id"]: row for row in _rows(next(folder.glob("*logs*.jsonl")))}
    for label in _rows(next(folder.glob("*label*.jsonl"))):
        text = logs[label["id"]]["log"].encode("utf-8", "surrogatepass")
        yield Case(
            name=label["id"], files=(("pasted.log", text),), truth={**label, "source": logs[label["id"]]["source"]}
        )


def healthy() -> Iterator[Case]:
    """Yield the logs of runs in which nothing failed."""
    for folder in (OLD_HEALTHY, CORPORA / "healthy"):
        for path in sorted(folder.rglob("*.log*")):
            data = path.read_bytes()
            name = path.relative_to(folder).as_posix()
            yield Case(name=name, files=((path.name, gzip.decompress(data) if path.suffix == ".gz" else data),))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            yield json.loads(line)
