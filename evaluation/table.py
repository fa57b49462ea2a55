"""Scores -> the page `docs/evaluation.md`: figures with their intervals, baselines beside them, failures listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.score import JobScore, Share, ThreadScore

FRONT = """---
description: How the diagnosis does on logs with known truth, with the cases in which it fails.
---

# How good is the diagnosis?

The figures below come from `make eval`, which runs the command's engine over the logs in
[`tests/corpora`]({repo}tests/corpora/). Each share stands with its Wilson interval (95 %), since the corpora are small.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """All that was measured."""

    jobs: Mapping[str, JobScore]
    """By corpus."""
    threads: ThreadScore
    alarms: Share
    alarmed: Sequence[str]
    damaged: Mapping[str, Share]
    """Kind of damage to the answers that weakened or stayed."""
    turned: Sequence[str]
    baselines: Mapping[str, Mapping[str, Share]]
    """Corpus to method to right ranks."""


_JOBS = (
    ("outcome", "The outcome is right: failed, ended from outside, or well"),
    ("rank", "The initiating rank is named, of the jobs that have one"),
    ("nobody", "No rank is named, of the jobs that have one"),
    ("wrong", "A wrong rank is named"),
    ("echo_first", "A rank that only echoes is named"),
    ("evidence", "The first line of evidence is one that shows the cause, within 3 lines"),
)
_THREADS = (
    ("answered", "An entry is named"),
    ("first", "The first entry is right, of those named"),
    ("among_three", "A right one is among the first three"),
    ("forbidden", "The first entry is one that its label rules out"),
    ("honest", "Left open, and the excerpt allows no more, of those left open"),
    ("alarms", "A failure is reported where nothing failed"),
)
_CORPORA = {
    "jobs": "Jobs with planted faults, first corpus: the engine was written with these in view",
    "own": "Jobs with planted faults, made by the scripts in `tests/corpora/faults`",
    "strange": "Jobs unlike those above, chosen since the engine once failed on them, and mended since",
}


def page(results: Results, repo: str) -> str:
    """Return the page as Markdown; the repository's address ends in a slash."""
    parts = [FRONT.format(repo=f"{repo}tree/main/")]
    for name, score in results.jobs.items():
        parts.append(f"## {_CORPORA[name]}\n")
        rows = [(title, str(getattr(score, field))) for field, title in _JOBS]
        rows += [(f"For comparison: the {method}", str(share)) for method, share in results.baselines[name].items()]
        parts.append(_table(("What", "Share"), rows))
        parts.append(_failures(score.failures))
    parts.append("## Excerpts of public threads\n")
    parts.append(
        "A hundred short excerpts, re-rendered from public issue threads and labelled; the threads are named in"
        " `tests/corpora/threads`. Counted are those that an entry, draft or published, covers. The signatures were"
        " written with these excerpts in view, so the figures say little about excerpts nobody has seen.\n"
    )
    parts.append(
        _table(("What", "Share"), [(title, str(getattr(results.threads, field))) for field, title in _THREADS])
    )
    parts.append(_failures(results.threads.failures))
    parts.append("## Healthy logs\n")
    parts.append(
        "Logs of programs that did what they should, warnings and handled errors included: a report here is a false"
        " alarm.\n"
    )
    parts.append(_table(("What", "Share"), [("A failure is reported", str(results.alarms))]))
    parts.append(_failures(results.alarmed))
    parts.append("## Damaged logs\n")
    parts.append(
        "The jobs above, damaged by drawn changes: other launchers' prefixes, times taken out, rows cut at a width,"
        " ranks or the launcher left out, ends cut off. The answer may weaken, but must not turn into another.\n"
    )
    parts.append(_table(("Changes hold", "Share"), [(name, str(share)) for name, share in results.damaged.items()]))
    parts.append(_failures(results.turned))
    return "\n".join(part for part in parts if part)


def _table(head: tuple[str, str], rows: Sequence[tuple[str, str]]) -> str:
    lines = [f"| {head[0]} | {head[1]} |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)]
    return "\n".join(lines) + "\n"


def _failures(failures: Sequence[str]) -> str:
    if not failures:
        return ""
    return "Cases in which it fails:\n\n" + "\n".join(f"- {failure}" for failure in failures) + "\n"
