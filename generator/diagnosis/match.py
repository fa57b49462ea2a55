"""Lines and rules -> events: which signature stands on which line, said by whom, and where its conditions hold.

An exception that no signature knows is an event too, without a rule. What a rule requires or excludes is decided
against all lines of the attempt; an event whose requirement is not met is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.diagnosis.endings import Told
from generator.diagnosis.labels import Line, World
from generator.diagnosis.quoted import is_numbered_code, without_strings
from generator.diagnosis.records import Raised, Record
from generator.index import Index, Neighbour, Rule, Value, Wording

WRAPPERS = ("ChildFailedError", "ProcessRaisedException", "ProcessExitedException", "RayTaskError",
            "CalledProcessError", "SignalException", "KeyboardInterrupt", "SystemExit",
            "RendezvousClosedError", "RendezvousGracefulExitError")  # fmt: skip
"""Exceptions that launchers raise about others."""
_COLLECTIVE = ("torch/distributed/distributed_c10d.py", "torch/distributed/c10d_logger.py")
"""Where a rank stands while it waits for others."""
_WRAPPING = ("torch/distributed/", "torch/nn/parallel/distributed.py")
"""What also stands round the job's own code: telling only as the innermost frame."""
_OF_TRANSPORT = re.compile(r"\[[^\]\n]{0,300}/gloo/[A-Za-z0-9_/]{0,100}\.")
"""How a message of the library begins that carries tensors from rank to rank: it speaks of a peer."""
_RANK_TOLD = re.compile("(?:^|[^A-Za-z_])[Rr]ank[ :=#]{0,2}([0-9]{1,6})(?![0-9])", re.ASCII)
MOST_RANKS = 1_000_000
"""A number beyond it is no rank."""
_SPECIFIC = {"unique": 2, "shared": 1, "generic": 0}


@dataclass(slots=True, kw_only=True)
class Event:
    """Something that a line says, in the light of a rule, or an exception without one."""

    line: Line
    rule: Rule | None
    role: str
    rank: int | None
    captures: Mapping[str, Value] = field(default_factory=dict)
    record: Record | None = None
    exception: tuple[str, str] | None = None
    """Type and text, where the line ends a traceback or is an exception."""
    card: str | None = None
    """The entry whose detector speaks, where no rule does."""

    @property
    def slug(self) -> str | None:
        """The entry that owns the rule, or the detector."""
        return self.card if self.rule is None else self.rule.slug

    @property
    def specificity(self) -> int:
        """2 for a unique message, 1 for one that a few failures print, 0 for a generic one or none."""
        if self.rule is None:
            return 0 if self.card is None else 1
        return max(_SPECIFIC[self.rule.specificity], 1 if self.rule.requires else 0)

    @property
    def stream(self) -> tuple[int, int | None, str]:
        """The process that wrote its line."""
        return self.line.stream

    @property
    def may_be_survived(self) -> bool:
        """Whether it is an exception that the program may have handled."""
        record = self.record
        return (
            record is not None and not record.hooked and not record.in_summary and self.role not in ("benign", "advice")
        )

    @property
    def key(self) -> tuple[int, int]:
        """Its place: file and line."""
        return self.line.file, self.line.number


class Matcher:
    """The lines of one attempt with what the rules find in them."""

    def __init__(
        self, lines: Sequence[Line], records: Sequence[Record], told: Told, world: World, index: Index
    ) -> None:
        self._lines = lines
        self._text = "\n".join(line.text for line in lines)
        self._world = world
        self._index = index
        self._of_wording: dict[Wording, list[Line]] = {}
        self._of_line = {id(line): record for record in records for line in record.lines}
        code = {id(line) for record in records for line in record.code()}
        spoken = (line for line in lines if not is_numbered_code(line.body))
        found = [event for line in spoken for event in self._on(line, told, is_code=id(line) in code)]
        by_rule: dict[str, list[Event]] = {}
        for event in found:
            if event.rule is not None:
                by_rule.setdefault(event.rule.id, []).append(event)
        self._by_rule = by_rule
        kept = [event for event in found if self._stands(event)]
        self.events = sorted([*kept, *_unknown(records, kept)], key=lambda event: event.key)
        """Events in the order of files and lines."""

    def meets(self, event: Event, neighbours: Sequence[Neighbour]) -> bool:
        """Whether every neighbouring line stands where it is required."""
        return all(self._near(event, neighbour) for neighbour in neighbours)

    def _stands(self, event: Event) -> bool:
        rule = event.rule
        if rule is None:
            return True
        return self.meets(event, rule.requires) and not any(self._near(event, n) for n in rule.absent)

    def _on(self, line: Line, told: Told, *, is_code: bool) -> Iterator[Event]:
        if len(line.text) < 8:
            return
        found = self._index.match(without_strings(line.text) if is_code else line.text)
        if any(rule.role == "benign" for rule, _ in found):
            found = [(rule, captures) for rule, captures in found if rule.role == "benign"]
        tabled = told.tabled.get(id(line))
        record = self._of_line.get(id(line))
        for rule, captures in found:
            rank = tabled.rank if tabled is not None else self._rank(line, rule, captures)
            if rank is None and record is not None and record.rank is not None:
                rank = record.rank
            role = "collateral" if tabled is not None and tabled.code in (-15, 143) else rule.role
            raised = next((one for one in (record.chain if record is not None else ()) if one.line is line), None)
            exception = (raised.type, raised.text) if raised is not None else None
            yield Event(
                line=line, rule=rule, role=role, rank=rank, captures=captures, record=record, exception=exception
            )

    def _rank(self, line: Line, rule: Rule, captures: Mapping[str, Value]) -> int | None:
        """Say whose failure a line is about: who wrote it, or who a launcher's or kernel's line names."""
        if line.rank is not None and rule.where != "launcher":
            return line.rank
        pid = captures.get("pid")
        if pid is not None and str(pid) in self._world.by_pid:
            return self._world.by_pid[str(pid)]
        for name in ("rank", "task"):
            value = captures.get(name)
            if isinstance(value, int) and is_rank(value) and rule.role != "accusation":
                return value
        local = captures.get("local_rank")
        if local is not None:
            return self._world.by_local.get(str(local))
        return line.rank

    def _near(self, event: Event, neighbour: Neighbour) -> bool:
        return any(self._is_near(event, line, neighbour) for line in self._found(neighbour))

    def _found(self, neighbour: Neighbour) -> list[Line]:
        if neighbour.signature is not None:
            return [event.line for event in self._by_rule.get(neighbour.signature, ())]
        wording = neighbour.wording
        if wording is None:
            return []
        if wording not in self._of_wording:
            is_there = any(text in self._text for text in wording.gate)
            lines = [line for line in self._lines if wording.match(line.text) is not None] if is_there else []
            self._of_wording[wording] = lines
        return self._of_wording[wording]

    def _is_near(self, event: Event, line: Line, neighbour: Neighbour) -> bool:
        here, place = event.line, (line.file, line.number)
        if not self._in_scope(here, line, neighbour.scope):
            return False
        if neighbour.lines is not None and (line.file != here.file or abs(line.number - here.number) > neighbour.lines):
            return False
        return {"before": place < event.key, "after": place > event.key}.get(neighbour.order, True)

    def _in_scope(self, here: Line, line: Line, scope: str) -> bool:
        if scope == "record":
            record = self._of_line.get(id(here))
            return line is here or (record is not None and self._of_line.get(id(line)) is record)
        if scope == "stream":
            return line.file == here.file
        return scope != "rank" or line.rank == here.rank


def _unknown(records: Sequence[Record], events: Sequence[Event]) -> Iterator[Event]:
    """Yield an event for each record of which no signature says what it is."""
    known: dict[int, list[Event]] = {}
    for event in events:
        if event.record is not None and event.role not in ("advice", "benign", "confirmation"):
            known.setdefault(id(event.record), []).append(event)
    for record in records:
        raised = next((r for r in record.chain if not is_wrapper(r.type)), None)
        if raised is None or record.in_summary:
            continue
        said = known.get(id(record), [])
        if any(event.role != "collateral" or event.line is raised.line or len(record.chain) == 1 for event in said):
            continue
        yield Event(
            line=raised.line,
            rule=None,
            role="either" if _may_be_echo(raised, record) else "cause",
            rank=record.rank,
            record=record,
            exception=(raised.type, raised.text),
        )


def _may_be_echo(raised: Raised, record: Record) -> bool:
    return record.torn or _is_waiting_for_others(raised) or _names_another(raised, record.rank)


def _names_another(raised: Raised, own: int | None) -> bool:
    """Whether an exception speaks of another rank than the one that raises it."""
    told = {int(rank) for rank in _RANK_TOLD.findall(raised.text)}
    return own is not None and bool(told) and own not in told


def _is_waiting_for_others(raised: Raised) -> bool:
    if _OF_TRANSPORT.match(raised.text):
        return True
    files = [file for file, _ in raised.frames]
    return any(part in file for file in files for part in _COLLECTIVE) or any(
        part in file for file in files[-1:] for part in _WRAPPING
    )


def is_rank(value: object) -> bool:
    """Whether a captured value can be a rank."""
    return isinstance(value, int) and 0 <= value < MOST_RANKS


def is_wrapper(name: str) -> bool:
    """Whether an exception is one that launchers raise about others."""
    return name.rsplit(".", 1)[-1] in WRAPPERS


def message_of(event: Event) -> str:
    """Return what makes events of several ranks the same: the rule, or the exception without its numbers."""
    return event.rule.id if event.rule is not None else masked(": ".join(event.exception or (event.card or "",)))


def masked(text: str) -> str:
    """Return a text without its numbers and addresses, so that the same message of several ranks is one.

    >>> masked("[rank3]: index 50257 at 0x7f01")
    '[rank#]: index # at #'
    """
    return re.sub("0x[0-9a-fA-F]+|[0-9]+", "#", text)
