"""Files of one job -> their diagnosis: runs the stages one after the other.

The only input are bytes and the index. No clock, no locale, no chance: the same bytes give the same answer, here and in
the browser's twin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from generator.diagnosis.answer import answer
from generator.diagnosis.attempts import split
from generator.diagnosis.decide import decide
from generator.diagnosis.detectors import detect
from generator.diagnosis.endings import Told, read_endings
from generator.diagnosis.gate import Gate
from generator.diagnosis.labels import Line, World, assign_speakers, label, read_world
from generator.diagnosis.lines import ESCAPE, decoded, is_unreadable, plain
from generator.diagnosis.match import Matcher
from generator.diagnosis.records import read_records
from generator.diagnosis.scan import scan
from generator.diagnosis.verdict import Scene, Verdict
from generator.diagnosis.wraps import unwrap, width_of
from generator.index import Index


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was kept of one file: lines with their numbers, cleaned."""

    name: str
    lines: Sequence[tuple[int, str]]
    total: int
    """Lines of the file."""
    dropped: int
    """Lines near something telling that were not kept, since there were too many."""
    width: int | None = None
    """Columns of the screen it was copied from, if its lines were joined again."""


def diagnose(files: Sequence[tuple[str, Iterable[bytes]]], index: Index) -> dict[str, Any]:
    """Diagnose a job's files, each a name and its bytes in chunks."""
    gate = _gate(index.literals)
    return examine([_keep(name, chunks, gate) for name, chunks in files], index)


@lru_cache(maxsize=2)
def _gate(literals: tuple[str, ...]) -> Gate:
    """Make the gate once for many jobs."""
    return Gate.of(literals)


def _keep(name: str, chunks: Iterable[bytes], gate: Gate) -> Kept:
    found = scan(chunks, gate)
    rows = [(piece.number, piece.data) for piece in found.pieces]
    if any(ESCAPE in data for _, data in rows):
        rows = _uncut(rows)
    lines = [(number, plain(data)) for number, data in rows]
    width = width_of([text for _, text in lines])
    kept = [(n, text.rstrip(" ")) for n, text in lines] if width is None else unwrap(lines, width)
    return Kept(name=name, lines=kept, total=found.total_lines, dropped=found.dropped, width=width)


def _uncut(rows: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Join rows that were cut where a program counted escapes as columns; the same rows if none were."""
    texts = [(number, decoded(data)) for number, data in rows]
    width = width_of([text for _, text in texts])
    return rows if width is None else [(number, text.encode()) for number, text in unwrap(texts, width)]


def examine(files: Sequence[Kept], index: Index) -> dict[str, Any]:
    """Diagnose what was kept of a job's files."""
    texts = [(place, number, text) for place, kept in enumerate(files) for number, text in kept.lines]
    names = [kept.name for kept in files]
    lines = label(texts, index)
    world = read_world(lines, index)
    assign_speakers(lines, world, names)
    told = read_endings(lines, world, index)
    parts = split(lines, told, world) or [lines]
    known = told if len(parts) == 1 and len(parts[0]) == len(lines) else None
    attempts = [_judge(part, known or read_endings(part, world, index), world, index) for part in parts]
    return answer(attempts, names, _gaps(files), index)


def _judge(lines: Sequence[Line], told: Told, world: World, index: Index) -> tuple[Scene, Verdict]:
    records = read_records(lines, world, told.tabled)
    matcher = Matcher(lines, records, told, world, index)
    matcher.events = sorted([*matcher.events, *detect(lines, index)], key=lambda event: event.key)
    scene = Scene(
        lines=lines,
        matcher=matcher,
        records=records,
        told=told,
        world=world,
        index=index,
        seen=_seen(lines, told, world),
    )
    return scene, decide(scene)


def _seen(lines: Sequence[Line], told: Told, world: World) -> frozenset[int]:
    """Return the ranks whose output is in the log; a launcher's table is none of it."""
    seen = {line.rank for line in lines if line.rank is not None and id(line) not in told.tabled}
    here = {(line.file, line.number) for line in lines}
    seen |= {rank for file, number, rank in world.speakers if (file, number) in here}
    return frozenset(seen)


def _gaps(files: Iterable[Kept]) -> list[str]:
    told = []
    for kept in files:
        texts = [text for _, text in kept.lines if text != ""]
        if kept.total == 0:
            told.append(f"{kept.name}: the file is empty.")
        elif not texts:
            told.append(f"{kept.name}: there is no text in the file.")
        elif is_unreadable(texts):
            told.append(f"{kept.name}: the file is binary, no text.")
        if kept.dropped:
            told.append(
                f"{kept.name}: {kept.dropped} lines near telling ones were not read, since there were too many."
            )
        if kept.width is not None:
            told.append(f"{kept.name}: rows of {kept.width} columns were joined to the lines they were cut from.")
    return told
