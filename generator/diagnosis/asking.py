"""What is known of a failure -> the one fact that would decide what is open, as a question and a command.

The cheapest confirmation that separates the best answer from the next; else what the state of knowledge calls for. What
a line of the log has answered, or could no longer change, is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.diagnosis.blame import is_waiting
from generator.diagnosis.match import Event
from generator.diagnosis.verdict import ESTABLISHED, NOT_IN_LOG, SUPPORTED, Scene, Verdict
from generator.index import Card, Question

Told = Mapping[str, Any]
_SIGKILL = -9
_SHOWN = 16
"""Ranks that are named; of more only the number is."""
_MOST_FILES = 8
_PART = re.compile("\\[([^][]*)\\]")
"""A part of a question that is left out where a blank in it stays empty."""
_LOG = re.compile("(?<=[ <])[a-z_*-]+\\.log(?![A-Za-z0-9_./-])")
"""An entry's name for the log that a reader has."""
_NAME = re.compile("[A-Za-z0-9_./@%+=:,][A-Za-z0-9_./@%+=:, -]*")
"""A file's name that needs no more than quotes in a shell."""


def what_status(verdict: Verdict, entries: Sequence[Told]) -> str:
    """Say how sure the first entry is."""
    return status_of(verdict.causes[0]) if entries else NOT_IN_LOG


def status_of(first: Event) -> str:
    """Say how sure an event makes its entry."""
    sure = first.specificity == 2 and first.role in ("cause", "confirmation", "external")
    return ESTABLISHED if sure else SUPPORTED


def missing_fact(
    scene: Scene, verdict: Verdict, who: Told, entries: Sequence[Told], runner_up: Told | None, *, names: Sequence[str]
) -> dict[str, Any] | None:
    """Ask for one fact; None when nothing is open, or nothing failed."""
    if verdict.outcome not in ("failed", "cancelled", "cut_off"):
        return None
    quiet = _quiet(scene, verdict)
    if quiet is not None:
        return _filled(scene.index.asks["quiet"], scene, {**who, "ranks": [quiet], "pids": _pids(quiet, scene)})
    status = what_status(verdict, entries)
    asked = list(_open(scene.index.cards[entries[0]["slug"]], scene)) if status == SUPPORTED else []
    if runner_up is not None:
        for question in asked:
            if runner_up["slug"] in question.separates_from:
                return _of_log(question, names)
    state = next(_states(scene, verdict, status), None)
    if state is not None:
        return _filled(scene.index.asks[state], scene, who)
    return _of_log(asked[0], names) if asked else None


def _quiet(scene: Scene, verdict: Verdict) -> int | None:
    """Return the one rank in the log that reports no time-out, where nobody is named and several others report one."""
    told = (*verdict.causes, *verdict.collateral) if verdict.who_status == NOT_IN_LOG else ()
    waiting = {e.rank for e in told if e.rule is not None and e.rank is not None and is_waiting(e, scene)}
    quiet = scene.seen - waiting
    return min(quiet) if len(quiet) == 1 and len(waiting) > 1 else None


def _pids(rank: int, scene: Scene) -> list[str]:
    return sorted(pid for pid, owner in scene.world.by_pid.items() if owner == rank)


def _open(card: Card, scene: Scene) -> Iterator[Question]:
    """Yield the questions of an entry that no line of it in the log has answered."""
    shown = {"detector" if e.rule is None else e.rule.id for e in scene.events if e.slug == card.slug}
    yield from (question for question in card.questions if not shown.intersection(question.settled_by))


def _states(scene: Scene, verdict: Verdict, status: str) -> Iterator[str]:
    """Name what is open, the most telling first."""
    if verdict.outcome == "cancelled":
        yield "cancelled"
    if verdict.ended is not None and verdict.ended.code == _SIGKILL and status != ESTABLISHED:
        yield "killed"
    nobody = verdict.who_status == NOT_IN_LOG
    if nobody and is_folded(scene):
        yield "folded"
    witness = verdict.witness
    if verdict.ranks and not verdict.all_ranks and witness is not None and witness.rank not in (None, *verdict.ranks):
        yield "silent"
    size = scene.world.size
    if nobody and size is not None and len(scene.seen) < size:
        yield "other-ranks"
    if verdict.ended is not None and verdict.unclassified is None and status == NOT_IN_LOG:
        yield "no-traceback"


def is_folded(scene: Scene) -> bool:
    """Whether Ray wrote equal lines of different workers once."""
    return any("[repeated " in line.text and "across cluster]" in line.text for line in scene.lines)


def _of_log(question: Question, names: Sequence[str]) -> dict[str, Any]:
    """Ask, with the names of the files that were given where the command reads a log."""
    command = question.command
    if command is not None and len(names) <= _MOST_FILES and all(_is_on_disk(name) for name in names):
        files = " ".join(f"'{name}'" if " " in name else name for name in names)
        command = _LOG.sub(lambda _: files, command)
    return {"ask": question.ask, "command": command}


def _is_on_disk(name: str) -> bool:
    """Whether a name is that of a file that grep reads: not of standard input, nor of a packed one."""
    return _NAME.fullmatch(name) is not None and "." in name and not name.endswith((".gz", ".zip"))


def _filled(words: tuple[str, str], scene: Scene, who: Told) -> dict[str, Any]:
    ask, command = words
    known = {
        "rank": ", ".join(map(str, who["ranks"])),
        "ranks": ranks_text(sorted(scene.seen)) if scene.seen else "",
        "pid": ", ".join(map(str, who["pids"])),
        "host": ", ".join(who["hosts"]),
    }
    empty = ["{" + blank + "}" for blank, text in known.items() if text == ""]
    ask = _PART.sub(lambda part: "" if any(blank in part[1] for blank in empty) else part[1], ask)
    for blank, text in known.items():
        ask = ask.replace("{" + blank + "}", text)
        command = command.replace("{" + blank + "}", text or blank.upper())
    return {"ask": ask, "command": command}


def ranks_text(ranks: Sequence[int]) -> str:
    """Say ranks in words.

    >>> ranks_text([3]), ranks_text([0, 2, 5])
    ('rank 3', 'ranks 0, 2, 5')
    """
    shown = ", ".join(map(str, ranks[:_SHOWN]))
    more = f" and {len(ranks) - _SHOWN} more" if len(ranks) > _SHOWN else ""
    return ("rank " if len(ranks) == 1 else "ranks ") + shown + more
