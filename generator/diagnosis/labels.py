"""Clean lines -> labelled lines: launchers' prefixes off, who speaks, and when.

Labels are typed: a global rank, a local rank, a task, a rank within a group and a device are never the same field. The
innermost rank is the speaker's; what relays a line (srun, slurmstepd, an agent) has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from generator.diagnosis.quoted import HEADER
from generator.index import Index, LineShape

MOST_PREFIXES = 6
_FRONT = 160
"""Characters of a line in which its time is looked for."""
_LONGEST_FRONT = 80
_MOST_FRONTS = 8
_TASK_SHARE = 2
"""`3: ` is a task's label only where at least one line in so many has it."""
_GLUED = re.compile("\\[rank[0-9]{1,6}\\]:|\\[[EWF][0-9 .:]{0,24} ?ProcessGroup[A-Za-z]{2,12}\\.cpp:", re.ASCII)
_MPIRUN = re.compile("\\[[0-9]{1,6},[0-9]{1,6}\\]<(?:stdout|stderr|stddiag)>:", re.ASCII)
_RANK_FILE = re.compile("^(?:.{0,200}[._-])?rank[_.-]?([0-9]{1,6})(?:\\.[A-Za-z]{1,8}){0,3}$", re.ASCII | re.IGNORECASE)
_MONTH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(slots=True, kw_only=True)
class Line:
    """One line, or one part of a line that carriage returns split."""

    file: int
    """Place of its file among those given."""
    number: int
    text: str
    """Prefixes and all, each run of blanks one."""
    body: str
    """What stands behind the prefixes, indentation kept."""
    labels: Mapping[str, str] = field(default_factory=dict)
    rank: int | None = None
    time: int | None = None
    """Microseconds since the year began; the year is not known."""
    stamp: str | None = None
    """The time as printed."""

    @property
    def stream(self) -> tuple[int, int | None, str]:
        """What keeps the lines of one process together."""
        labels = self.labels
        pod = labels.get("pod", "") if self.rank is None else ""
        return self.file, self.rank, labels.get("pid", "") + labels.get("local", "") + pod


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Which process is which rank, as far as the log says; a map that contradicts itself is left out."""

    size: int | None
    by_pid: Mapping[str, int]
    by_local: Mapping[str, int]
    by_pod: Mapping[str, int]
    """Only where each pod holds one rank of the whole job."""
    starts: tuple[tuple[int, int, int, str], ...]
    """File, line, rank and pid, empty where unknown, of each line with which a process begins."""
    one_host: bool
    """No line but of one host or pod: a local rank is the rank."""
    speakers: tuple[tuple[int, int, int], ...]
    """File, line and rank of each line in which a process says which rank it is."""
    contradictory: bool


def label(texts: Sequence[tuple[int, int, str]], index: Index) -> list[Line]:
    """Take the prefixes off every line; texts are file, line number and cleaned text."""
    prefixes = (*index.shapes["prefixes"], *_fronts(texts, index.shapes["prefixes"]))
    lines = [_label(file, number, text, prefixes) for file, number, text in texts]
    tasks = sum(1 for line in lines if "task" in line.labels and "worker" not in line.labels)
    spoken = sum(1 for line in lines if line.text.strip())
    if tasks and tasks * _TASK_SHARE < spoken:
        plain = tuple(shape for shape in prefixes if shape.id != "srun-label")
        lines = [
            line if "task" not in line.labels or "rank" in line.labels else _label(line.file, line.number, text, plain)
            for line, (_, _, text) in zip(lines, texts, strict=True)
        ]
    for line in lines:
        _date(line, index.shapes["times"])
    return lines


def _fronts(texts: Sequence[tuple[int, int, str]], prefixes: Sequence[LineShape]) -> list[LineShape]:
    """Learn labels of no known shape: what stands before a traceback's header and before its first frame alike."""
    found: dict[str, None] = {}
    for (file, _, text), (other, _, after) in pairwise(texts):
        if file != other or not text.endswith(HEADER) or _GLUED.search(text):
            continue
        front = _bared(text, prefixes, {})[: -len(HEADER)]
        told = 1 < len(front) <= _LONGEST_FRONT and front.strip(" ") != ""
        if told and _bared(after, prefixes, {}).startswith(f'{front}  File "'):
            found[re.sub("[0-9]+", "[0-9]{1,9}", re.escape(front.rstrip(" ")))] = None
    return [
        LineShape(id="front", pattern=re.compile(f"({front})(?: |$)", re.ASCII), needs=(), gives=("pod",))
        for front in list(found)[:_MOST_FRONTS]
    ]


def _label(file: int, number: int, text: str, prefixes: Sequence[LineShape]) -> Line:
    labels: dict[str, str] = {}
    tag = _MPIRUN.search(text)
    if tag is not None:  # a line that a process wrote in parts has one before each
        text = text[: tag.end()] + text[tag.end() :].replace(tag[0], "")
    body = _bared(text, prefixes, labels)
    glued = None if "rank" in labels else _GLUED.search(body)
    if glued is not None and glued.start() > 0:
        body = _bared(body[glued.start() :], prefixes, labels)
    indent = body[: len(body) - len(body.lstrip(" "))]
    return Line(file=file, number=number, text=collapse(text), body=indent + collapse(body), labels=labels)


def collapse(text: str) -> str:
    """Return a text with one blank for each run of them, and none at its ends.

    >>> collapse("  rank      : 2 ")
    'rank : 2'
    """
    return " ".join(part for part in text.split(" ") if part)


def _bared(body: str, prefixes: Sequence[LineShape], labels: dict[str, str]) -> str:
    for _ in range(MOST_PREFIXES):
        shorter = _strip(body, prefixes, labels)
        if shorter == body:
            break
        body = shorter
    return body


def _strip(body: str, prefixes: Sequence[LineShape], labels: dict[str, str]) -> str:
    for shape in prefixes:
        found = shape.pattern.match(body)
        if found is not None and found.end() > 0:
            labels.update({n: part for n, part in zip(shape.gives, found.groups(), strict=True) if part is not None})
            labels[f"by-{shape.id}"] = ""
            return body[found.end() :]
    return body


def _date(line: Line, times: Sequence[LineShape]) -> None:
    front = line.text[:_FRONT]
    for shape in times:
        found = shape.pattern.search(front)
        if found is None:
            continue
        part = dict(zip(shape.gives, found.groups(), strict=True))
        month = part["month"] or "1"
        months = _MONTH.index(month) + 1 if month in _MONTH else int(month)
        seconds = int(part["hour"] or 0) * 3600 + int(part["minute"] or 0) * 60 + int(part["second"] or 0)
        fraction = ((part.get("fraction") or "") + "000000")[:6]
        line.time = ((months * 31 + int(part["day"] or 1)) * 86_400 + seconds) * 1_000_000 + int(fraction)
        line.stamp = found.group().strip(" [:]")
        return


def read_world(lines: Sequence[Line], index: Index) -> World:
    """Collect what the lines say of ranks, processes and their number."""
    pids: dict[str, set[int]] = {}
    locals_: dict[str, set[int]] = {}
    sizes: set[int] = set()
    starts: list[tuple[int, int, int, str]] = []
    spoken: list[tuple[int, int, int]] = []
    seen_pid_local: list[tuple[str, str]] = []
    rank: int | None = None
    for line in lines:
        said = _first(index.shapes["maps"], line.body)
        if "world" in said and "group_rank" not in said:
            sizes.add(int(said["world"]))
        if "peers" in said:
            sizes.add(int(said["peers"]) + 1)
        if "rank" in said:
            own = int(said["rank"])
            spoken.append((line.file, line.number, own))
            pid = said.get("pid", line.labels.get("pid", ""))
            if pid:
                pids.setdefault(pid, set()).add(own)
            if pid or "world" in said:
                starts.append((line.file, line.number, own, pid))
            if "pid" in said and "local" in line.labels:
                locals_.setdefault(line.labels["local"], set()).add(own)
        if "local" in said and "pid" in said and "rank" not in said:
            seen_pid_local.append((said["pid"], said["local"]))
        if "rank" in line.labels and "local" in line.labels:
            locals_.setdefault(line.labels["local"], set()).add(int(line.labels["rank"]))
        table = _first(index.shapes["summary"], line.body)
        if "rank" in table:
            rank = int(table["rank"])
            locals_.setdefault(table["local"], set()).add(rank)
        elif "pid" in table and rank is not None:
            pids.setdefault(table["pid"], set()).add(rank)
    size = max(sizes) if sizes else None
    by_local = {local: min(ranks) for local, ranks in locals_.items() if len(ranks) == 1}
    for pid, local in seen_pid_local:
        pids.setdefault(pid, set()).add(by_local.get(local, int(local)))
    return World(
        size=size,
        by_pid={pid: min(ranks) for pid, ranks in pids.items() if len(ranks) == 1},
        by_local=by_local,
        by_pod=_alone_in_pods(lines, spoken, size),
        starts=tuple(starts),
        one_host=len({line.labels.get("pod") or line.labels.get("host") for line in lines} - {None}) <= 1,
        speakers=tuple(spoken),
        contradictory=any(len(ranks) > 1 for ranks in pids.values()),
    )


def _alone_in_pods(lines: Sequence[Line], spoken: Sequence[tuple[int, int, int]], size: int | None) -> dict[str, int]:
    """Return which pod is which rank, where there are as many pods as ranks and each says one of its own."""
    said = {(file, number): rank for file, number, rank in spoken}
    pods: dict[str, set[int]] = {line.labels["pod"]: set() for line in lines if "pod" in line.labels}
    for line in lines if pods else ():
        own = said.get((line.file, line.number), line.labels.get("rank"))
        if "pod" in line.labels and own is not None:
            pods[line.labels["pod"]].add(int(own))
    told = {pod: min(ranks) for pod, ranks in pods.items() if len(ranks) == 1}
    return told if len(told) == len(pods) == len(set(told.values())) == size else {}


def assign_speakers(lines: Sequence[Line], world: World, names: Sequence[str]) -> None:
    """Say for each line which rank wrote it, where that is known."""
    of_file = [_RANK_FILE.search(name.replace("\\", "/").rsplit("/", 1)[-1]) for name in names]
    mixed = {line.file for line in lines if _is_of_several(line, of_file[line.file])}
    for line in lines:
        line.rank = _speaker(line.labels, world)
        named = of_file[line.file]
        if line.rank is None and named is not None and line.file not in mixed:
            line.rank = int(named.group(1))


def _is_of_several(line: Line, named: re.Match[str] | None) -> bool:
    """Whether a line shows that a file named after a rank holds more than that rank's output."""
    if named is None:
        return False
    of_launcher = "relay" in line.labels or ("by-torch-logger" in line.labels and "rank" not in line.labels)
    return of_launcher or int(line.labels.get("rank", named.group(1))) != int(named.group(1))


def _speaker(labels: Mapping[str, str], world: World) -> int | None:
    """Return the rank that labels tell, the surest first; a relay's line has none but that of the text it hands on."""
    known: list[int | None] = [int(labels["rank"])] if "rank" in labels else []
    if "relay" not in labels:
        if "inner_rank" in labels and "group_rank" not in labels:
            known.append(int(labels["inner_rank"]))
        known.append(world.by_pid.get(labels.get("pid", "")))
        known += [int(labels["task"])] if "task" in labels else []
        known.append(world.by_local.get(labels.get("local", "")))
        known.append(world.by_pod.get(labels.get("pod", "")))
    return next((rank for rank in known if rank is not None), None)


def _first(shapes: Sequence[LineShape], text: str) -> dict[str, str]:
    for shape in shapes:
        said = shape.read(text)
        if said is not None:
            return said
    return {}
