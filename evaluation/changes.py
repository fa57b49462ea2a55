"""The changes that a mutation is made of: how another launcher, terminal or cut would have left the same lines.

Each is a pure function of a file, of what is known of its job, and of a source of chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from evaluation.speakers import LAUNCHER, pids_of, speakers

WIDTH = 120
TOGETHER_MS = 50
_DAY_MS = 86_400_000

_STAMP = re.compile(
    rb"[0-9]{4}-[0-9]{2}-[0-9]{2}[ _T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
    rb"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [0-9]{4}"
    rb"|(?<=[EWIF])[0-9]{3,4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+"
)
_ANSI = re.compile(rb"\x1b\[[0-9;]*m")
_CLOCK = re.compile(rb"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{3}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One job: its files and what was planted in it."""

    files: tuple[LogFile, ...]
    outcome: str
    ranks: frozenset[int]
    """Who started it; empty if nobody did or nobody can be named."""
    evidence: str | None
    """A pattern of the lines that show the cause."""
    pids: Mapping[int, int]
    """Process number to rank."""

    @classmethod
    def of(cls, meta: Mapping[str, Any], files: tuple[LogFile, ...]) -> Self:
        """Take the truth from a NAME.json of the corpora."""
        truth = meta["truth"]
        told = pids_of([line for file in files for line in file.data.split(b"\n")])
        planted = {row["pid"]: row["rank"] for row in meta.get("planted", ()) if row.get("pid") is not None}
        return cls(
            files=files,
            outcome=truth["outcome"],
            ranks=frozenset(truth.get("initiating_ranks") or ()),
            evidence=truth.get("evidence_regex"),
            pids=planted | told,
        )


Change = Callable[[LogFile, Case, Random], bytes]
"""From a file to the bytes that it would hold."""
Rewrite = Callable[[bytes, int | None, Case, int], bytes | None]
"""From a line, who speaks it, what is known and a seed to the new line, or to none."""


def by_line(rewrite: Rewrite) -> Change:
    """Make a change of files out of one of lines; a line for which it gives None is dropped."""

    def change(file: LogFile, case: Case, random: Random) -> bytes:
        lines = file.data.split(b"\n")
        seed = random.getrandbits(16)
        new = (
            rewrite(line, who, case, seed) for line, who in zip(lines, speakers(lines, dict(case.pids)), strict=True)
        )
        return b"\n".join(line for line in new if line is not None)

    return change


def labelled(label: Callable[[int, Case, int], bytes]) -> Change:
    """Put a label before every line of a rank, as a launcher does that reads each rank's stream."""

    def rewrite(line: bytes, who: int | None, case: Case, seed: int) -> bytes:
        return line if who is None or who == LAUNCHER or not line else label(who, case, seed) + line

    return by_line(rewrite)


def tee(file: LogFile, case: Case, random: Random) -> bytes:
    """Put the local rank before every line: counted anew in each file, as each file is a node's."""
    who = speakers(file.data.split(b"\n"), dict(case.pids))
    first = (
        min((rank for rank in who if rank is not None and rank != LAUNCHER), default=0) if len(case.files) > 1 else 0
    )
    return labelled(lambda rank, _case, _seed: b"[default%d]:" % (rank - first))(file, case, random)


def relayed(label: Callable[[int], bytes]) -> Change:
    """Put one label before every line of a file, as something does that relays a whole node's output."""

    def change(file: LogFile, case: Case, random: Random) -> bytes:
        place = next((number for number, other in enumerate(case.files) if other.name == file.name), 0)
        lines = file.data.split(b"\n")
        return b"\n".join(label(place) + line if line else line for line in lines)

    return change


def actor(who: int, case: Case, seed: int) -> bytes:
    pid = next((pid for pid, rank in case.pids.items() if rank == who), 40_000 + 7 * who + seed % 5)
    return b"\x1b[36m(Trainer pid=%d)\x1b[0m " % pid


def srun(who: int, case: Case, seed: int) -> bytes:
    return b"%d: " % who


def mpirun(who: int, case: Case, seed: int) -> bytes:
    return b"[1,%d]<stderr>:" % who


def without_stamps(line: bytes, who: int | None, case: Case, seed: int) -> bytes:
    return _STAMP.sub(b"", line)


_LEVELS = {b"INFO": b"32", b"WARNING": b"33", b"ERROR": b"1;31", b"Traceback": b"31"}


def coloured(line: bytes, who: int | None, case: Case, seed: int) -> bytes:
    for word, colour in _LEVELS.items():
        line = line.replace(word, b"\x1b[%sm%s\x1b[0m" % (colour, word))
    return b"\x1b[%dm%s\x1b[0m" % (33 + seed % 4, line) if len(line) % 5 == seed % 5 and line else line


def without_guilty(line: bytes, who: int | None, case: Case, seed: int) -> bytes | None:
    if who in case.ranks:
        return None
    shows = case.evidence and who != LAUNCHER and re.search(case.evidence, line.decode("utf-8", "replace"))
    return None if who is None and shows else line


def without_launcher(line: bytes, who: int | None, case: Case, seed: int) -> bytes | None:
    return None if who == LAUNCHER else line


def rank_0_alone(line: bytes, who: int | None, case: Case, seed: int) -> bytes | None:
    return line if who in (None, 0) else None


def wrapped(file: LogFile, case: Case, random: Random) -> bytes:
    """Break lines hard at a width counted in characters, as a terminal's copy does."""
    text = file.data.decode("utf-8", "surrogateescape")
    rows = (line[at : at + WIDTH] for line in text.split("\n") for at in range(0, max(len(line), 1), WIDTH))
    return "\n".join(rows).encode("utf-8", "surrogateescape")


def crlf(file: LogFile, case: Case, random: Random) -> bytes:
    return re.sub(rb"(?<!\r)\n", b"\r\n", file.data)


def kept(first: float, last: float) -> Change:
    """Keep the lines between two shares of the file."""

    def change(file: LogFile, case: Case, random: Random) -> bytes:
        lines = (
            file.data.splitlines(keepends=True)
            if b"\r" not in file.data
            else re.findall(rb"[^\n]*\n|[^\n]+$", file.data)
        )
        return b"".join(lines[round(first * len(lines)) : round(last * len(lines))])

    return change


def cut_head(file: LogFile, case: Case, random: Random) -> bytes:
    return kept(random.uniform(0.05, 0.5), 1)(file, case, random)


def cut_tail(file: LogFile, case: Case, random: Random) -> bytes:
    return kept(0, random.uniform(0.5, 0.95))(file, case, random)


def shuffled(file: LogFile, case: Case, random: Random) -> bytes:
    """Merge anew the lines of different ranks that were written within 50 ms, each rank's in its own order.

    Only neighbouring lines that say whose they are; a line without a stamp counts as written with the one before.
    """
    lines = file.data.split(b"\n")
    who = speakers(lines, dict(case.pids))
    new: list[bytes] = []
    window: list[tuple[int, bytes]] = []
    opened: int | None = None

    def close() -> None:
        queues = {rank: [line for other, line in window if other == rank] for rank in {rank for rank, _ in window}}
        order = [rank for rank, _ in window]
        random.shuffle(order)
        new.extend(queues[rank].pop(0) for rank in order)
        window.clear()

    for line, rank in zip(lines, who, strict=True):
        at = _milliseconds(line)
        if rank is None or rank == LAUNCHER:
            close()
            opened = None
            new.append(line)
            continue
        if at is not None and opened is not None and (at - opened) % _DAY_MS > TOGETHER_MS:
            close()
            opened = at
        opened = at if opened is None else opened
        window.append((rank, line))
    close()
    return b"\n".join(new)


def _milliseconds(line: bytes) -> int | None:
    """Give the time of day that a line is stamped with."""
    stamp = _STAMP.search(line)
    found = stamp and _CLOCK.search(stamp[0])
    if not found:
        return None
    hours, minutes, seconds = int(found[1]), int(found[2]), int(found[3])
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(found[4] or 0)


def bom(file: LogFile, case: Case, random: Random) -> bytes:
    return b"\xef\xbb\xbf" + file.data


def utf16(file: LogFile, case: Case, random: Random) -> bytes:
    """Encode as a Windows shell's redirection does."""
    return b"\xff\xfe" + file.data.decode("utf-8", "replace").encode("utf-16-le", "surrogatepass")


def shows_cause(case: Case) -> bool:
    """Tell whether any line shows the cause."""
    if case.evidence is None:
        return False
    pattern = re.compile(case.evidence)
    files = [_ANSI.sub(b"", file.data) for file in case.files]
    return any(pattern.search(line.decode("utf-8", "replace")) for data in files for line in data.split(b"\n"))
