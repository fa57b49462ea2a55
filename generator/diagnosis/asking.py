"""What is known of a failure -> the one fact that would decide what is open, as a question and a command.

The cheapest confirmation that separates the best answer from the next; else what the state of knowledge calls for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.diagnosis.verdict import ESTABLISHED, NOT_IN_LOG, SUPPORTED, Scene, Verdict
from generator.index import Card

Told = Mapping[str, Any]
_SIGKILL = -9
_SHOWN = 16
"""Ranks that are named; of more only the number is."""


def what_status(verdict: Verdict, entries: Sequence[Told]) -> str:
    """Say how sure the first entry is."""
    if not entries:
        return NOT_IN_LOG
    first = verdict.causes[0]
    sure = first.specificity == 2 and first.role in ("cause", "confirmation", "external")
    return ESTABLISHED if sure else SUPPORTED


def missing_fact(
    scene: Scene, verdict: Verdict, who: Told, entries: Sequence[Told], runner_up: Told | None
) -> dict[str, Any] | None:
    """Ask for one fact; None when nothing is open, or nothing failed."""
    if verdict.outcome not in ("failed", "cancelled", "cut_off"):
        return None
    card = scene.index.cards[entries[0]["slug"]] if entries else None
    if card is not None and runner_up is not None:
        for question in card.questions:
            if runner_up["slug"] in question.separates_from:
                return {"ask": question.ask, "command": question.command}
    state = next(_states(scene, verdict, entries), None)
    if state is not None:
        return _filled(scene.index.asks[state], scene, who)
    return _first_question(card) if what_status(verdict, entries) == SUPPORTED else None


def _states(scene: Scene, verdict: Verdict, entries: Sequence[Told]) -> Iterator[str]:
    """Name what is open, the most telling first."""
    if verdict.outcome == "cancelled":
        yield "cancelled"
    if verdict.ended is not None and verdict.ended.code == _SIGKILL:
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
    if verdict.ended is not None and verdict.unclassified is None and not entries:
        yield "no-traceback"


def is_folded(scene: Scene) -> bool:
    """Whether Ray wrote equal lines of different workers once."""
    return any("[repeated " in line.text and "across cluster]" in line.text for line in scene.lines)


def _first_question(card: Card | None) -> dict[str, Any] | None:
    if card is None or not card.questions:
        return None
    return {"ask": card.questions[0].ask, "command": card.questions[0].command}


def _filled(words: tuple[str, str], scene: Scene, who: Told) -> dict[str, Any]:
    ask, command = words
    known = {
        "rank": ", ".join(map(str, who["ranks"])),
        "ranks": ranks_text(sorted(scene.seen)),
        "pid": ", ".join(map(str, who["pids"])),
        "host": ", ".join(who["hosts"]),
    }
    for blank, text in known.items():
        ask = ask.replace("{" + blank + "}", text or "unknown")
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
