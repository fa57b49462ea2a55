"""Labelled lines -> records: tracebacks with their chain, and exceptions that stand alone.

A traceback's first exception is where its chain began, its last what surfaced. Lines of several ranks may be
interleaved; each stream is read on its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generator.diagnosis.endings import Exit
from generator.diagnosis.labels import Line, World
from generator.diagnosis.loggers import is_logged
from generator.diagnosis.quoted import (
    EXCEPTION,
    FRAME,
    HEADER,
    NAME,
    frames_of,
    in_box,
    in_field,
    is_outlived,
    opens_box,
)

_BARE = re.compile(
    f"^ ?({NAME}(?:Error|Exception|Interrupt|Failure|OutOfMemory))(?:\\([A-Za-z]{{1,80}}\\))?: ?(.+)$", re.ASCII
)
_CHAINED = ("The above exception was the direct cause of the following exception:",
            "During handling of the above exception, another exception occurred:")  # fmt: skip
_GIVES_UP = re.compile(
    "CRITICAL|FATAL|[Ff]atal|[Uu]ncaught|[Uu]nhandled|[Aa]bort|[Cc]rash|[Ff]ailed|[Tt]erminat|[Ee]xit|[Ss]topp",
    re.ASCII,
)
_REMOTE = re.compile("RayTaskError(?:\\(([A-Za-z0-9_.]{1,80})\\))?: .{0,2000}?\\(pid=([0-9]{1,10})", re.ASCII)
_FATAL = re.compile("Fatal Python error: (.{1,200})$", re.ASCII)
_RETRIED = re.compile("will be retried|[Rr]etrying", re.ASCII)
_NEAR = 8
"""Lines before a bare exception in which a program may say that it tries again."""
_WRAPPED = 6
"""Lines over which a message before a box may go."""
_FAR = 400
"""Lines of one stream within which a traceback must come to its end."""
_CHAIN_GAP = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """One exception of a chain."""

    type: str
    text: str
    line: Line
    frames: tuple[tuple[str, int], ...] = ()
    """File and line of each frame, outermost first."""


@dataclass(slots=True, kw_only=True)
class Record:
    """A traceback, or an exception that stands alone."""

    chain: tuple[Raised, ...]
    """Where it began first, what surfaced last."""
    lines: tuple[Line, ...]
    rank: int | None
    logged: bool = False
    """A logger wrote it, so the program may have gone on."""
    gives_up: bool = False
    """What the logger says of it sounds like the end."""
    hooked: bool = False
    """The interpreter's last word: the process ended with it."""
    in_summary: bool = False
    """A launcher's table repeats it."""
    open: bool = False
    """The log ends before it does."""
    torn: bool = False
    """The log begins behind its header, so that what it may be chained to is not in it."""

    def code(self) -> Iterator[Line]:
        """Yield the lines of source that stand under the frames: what a program could say, not what it said."""
        depth: int | None = None
        for line in self.lines:
            if line.body.lstrip(" ").startswith("\u2502"):
                yield line
            elif FRAME.match(line.body):
                depth = _indent(line.body)
            elif depth is not None and line.body.strip() and _indent(line.body) <= depth:
                depth = None
            elif depth is not None:
                yield line


def read_records(lines: Sequence[Line], world: World, tabled: Mapping[int, Exit]) -> list[Record]:
    """Find every traceback and exception; `tabled` says which line of a launcher's table is about which process."""
    streams: dict[tuple[int, int | None, str], list[Line]] = {}
    for line in lines:
        streams.setdefault(line.stream, []).append(line)
    found = [record for stream in streams.values() for record in _records(stream, world, tabled)]
    return sorted(found, key=lambda record: (record.lines[0].file, record.lines[0].number))


def _records(stream: Sequence[Line], world: World, tabled: Mapping[int, Exit]) -> Iterator[Record]:
    place = 0
    spawned: int | None = None
    repeated: Line | None = None
    while place < len(stream):
        line = stream[place]
        head = re.match("^-- Process ([0-9]{1,6}) terminated with the following error:", line.body)
        if head:
            spawned = world.by_local.get(head[1], int(head[1]))
        if line.body.rstrip().endswith(HEADER):
            quoted = _indent(line.body) > 0 and place + 1 < len(stream) and not FRAME.match(stream[place + 1].body)
            if quoted and id(line) not in tabled:  # an example of one, as doctest prints
                place += 1
                continue
            record, place = _traceback(stream, place, tabled)
            if spawned is not None and record.rank is None:
                record.rank, record.hooked, spawned = spawned, True, None
            for part in _split_remote(record, stream, place, world):
                repeated = part.lines[-1]
                yield part
            continue
        if opens_box(line.body) and (drawn := _drawn(stream, place)) is not None:
            yield drawn
            place += len(drawn.lines)
            continue
        if (noted := _noted(line)) is not None:
            yield noted
        fatal = _FATAL.search(line.body)
        bare = _BARE.match(line.body)
        if fatal:
            raised = Raised(type="Fatal Python error", text=fatal[1], line=line)
            yield Record(chain=(raised,), lines=(line,), rank=line.rank, hooked=True)
        elif bare and line is not repeated and not line.body.startswith("  "):
            above = _torn_off(stream, place)
            raised = Raised(type=bare[1], text=bare[2], line=line, frames=frames_of(part.body for part in above))
            retried = any(_RETRIED.search(before.body) for before in stream[max(0, place - _NEAR) : place])
            yield Record(
                chain=(raised,),
                lines=(*above, line),
                rank=line.rank,
                logged=retried,
                in_summary=id(line) in tabled,
                torn=0 < len(above) == place,
            )
        place += 1


def _drawn(stream: Sequence[Line], place: int) -> Record | None:
    """Read a traceback that rich drew as a box."""
    read = in_box([line.body for line in stream[place : place + _FAR]])
    if read is None:
        return None
    kind, text, frames, length = read
    lines = tuple(stream[place : place + length + 1])
    hooked = "by-torch-rank" in lines[0].labels
    head = stream[max(0, place - _WRAPPED) : place]
    before = next((line for line in head if is_outlived(line.body) or (line is head[-1] and is_logged(line))), None)
    before = None if hooked else before
    return Record(
        chain=(Raised(type=kind, text=text, line=lines[-1], frames=frames),),
        lines=lines,
        rank=lines[0].rank,
        logged=before is not None,
        gives_up=before is not None and _GIVES_UP.search(before.text) is not None,
        hooked=hooked,
    )


def _noted(line: Line) -> Record | None:
    """Read a traceback in a field of a logger's line."""
    read = in_field(line.text)
    if read is None:
        return None
    kind, text, frames, around = read
    raised = Raised(type=kind, text=text, line=line, frames=frames)
    gives_up = _GIVES_UP.search(around) is not None
    return Record(chain=(raised,), lines=(line,), rank=line.rank, logged=True, gives_up=gives_up)


def _torn_off(stream: Sequence[Line], place: int) -> Sequence[Line]:
    """Return the lines over an exception that are left of its traceback, whose header is not in the log."""
    start = place
    while start and place - start < _FAR and stream[start - 1].body.startswith("  "):
        start -= 1
    return stream[start:place] if frames_of(line.body for line in stream[start:place]) else ()


def _traceback(stream: Sequence[Line], start: int, tabled: Mapping[int, Exit]) -> tuple[Record, int]:
    """Read a traceback and those chained to it; return it and the place behind it."""
    header = stream[start]
    chain: list[Raised] = []
    place = start
    end = start + 1
    is_open = False
    while True:
        raised, end = _one(stream, place)
        if raised is None:
            is_open = True
            break
        chain.append(raised)
        following = _chained(stream, end)
        if following is None:
            while (
                end < len(stream) and end - start < _FAR and _indent(stream[end].body) > 0 and stream[end].body.strip()
            ):
                end += 1  # the message goes on
            break
        place = following
    before = stream[start - 1] if start else None
    outlived = any(is_outlived(line.body) for line in stream[max(0, start - 2) : start])
    logged = "by-torch-rank" not in header.labels and before is not None and (outlived or is_logged(before))
    of = tabled.get(id(header))
    return (
        Record(
            chain=tuple(chain),
            lines=tuple(stream[start:end]),
            rank=of.rank if of is not None else header.rank,
            logged=logged,
            gives_up=logged and before is not None and _GIVES_UP.search(before.text) is not None,
            hooked="by-torch-rank" in header.labels,
            in_summary=of is not None,
            open=is_open,
            torn=any(line.body.strip() in _CHAINED for line in stream[max(0, start - 3) : start]),
        ),
        end,
    )


def _one(stream: Sequence[Line], start: int) -> tuple[Raised | None, int]:
    """Read one traceback from its header to its exception."""
    header = stream[start]
    base = _indent(header.body)
    frames: list[tuple[str, int]] = []
    place = start + 1
    while place < len(stream) and place - start < _FAR:
        line = stream[place]
        frame = FRAME.match(line.body)
        if frame:
            frames.append((frame[1], int(frame[2] or 0)))
        elif line.body.strip() and _indent(line.body) <= base:
            found = EXCEPTION.match(line.body.strip())
            if found is None:
                return None, place
            raised = Raised(type=found[1], text=(found[2] or "").strip(), line=line, frames=tuple(frames))
            return raised, place + 1
        place += 1
    return None, place


def _chained(stream: Sequence[Line], place: int) -> int | None:
    """Return the place of the header that is chained to what ended before this place."""
    linked = False
    for here in range(place, min(place + _CHAIN_GAP, len(stream))):
        body = stream[here].body.strip()
        if body in _CHAINED:
            linked = True
        elif body.endswith(HEADER):
            return here if linked else None
    return None


def _split_remote(record: Record, stream: Sequence[Line], place: int, world: World) -> Iterator[Record]:
    """Part a worker's traceback that a driver repeats from the driver's own; its pid tells the worker's rank."""
    last = record.chain[-1] if record.chain else None
    remote = _REMOTE.search(last.line.body) if last is not None else None
    if last is None or remote is None:
        yield record
        return
    frames: list[tuple[str, int]] = []
    for here in range(place, min(place + _FAR, len(stream))):
        line = stream[here]
        frame = FRAME.match(line.body)
        if frame:
            frames.append((frame[1], int(frame[2] or 0)))
        elif line.body.strip() and _indent(line.body) == 0 and (found := EXCEPTION.match(line.body.strip())):
            raised = Raised(type=found[1], text=(found[2] or "").strip(), line=line, frames=tuple(frames))
            yield replace(
                record, chain=(raised,), lines=(last.line, line), rank=world.by_pid.get(remote[2]), hooked=True
            )
            return
    yield record


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
