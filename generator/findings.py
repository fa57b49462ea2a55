"""A diagnosis -> text for a terminal, Markdown for an issue, annotations for GitHub.

Takes the JSON form alone. Whatever a log holds, no character of it moves the cursor, ends a code block or is read as a
workflow command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from generator.reading.source import visible
from generator.report import command_data, command_property

Found = Mapping[str, Any]
OUTCOMES = {
    "failed": "The job failed",
    "cancelled": "The job was ended from outside",
    "succeeded": "The job came to its end",
    "cut_off": "The log ends in the middle of a failure",
    "no_failure_found": "No failure found in this text",
    "not_a_job_log": "This is no job's log",
}
HOW_SURE = {"established": "established", "supported": "supported", "not_in_log": "not in this log"}
_MARKED = re.compile(r"[\\`*_\[\]<>|~#]")
"""What Markdown reads as more than a character."""
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def exit_status(diagnosis: Found) -> int:
    """Return 1 for a failure with an entry, 3 for one without, 0 for none."""
    if diagnosis["outcome"] not in ("failed", "cancelled", "cut_off"):
        return 0
    return 1 if diagnosis["what"]["entries"] else 3


def to_json(diagnosis: Found) -> str:
    """Return it as JSON."""
    return json.dumps(diagnosis, ensure_ascii=False, indent=2) + "\n"


def to_text(diagnosis: Found, *, colour: bool = False) -> str:
    """Return it for a terminal: verdict first, evidence with file and line, then what to do."""
    blocks = [_block(title, list(lines), colour=colour) for title, lines in _parts(diagnosis)]
    return "\n".join(block for block in blocks if block)


def to_markdown(diagnosis: Found, *, with_text: bool = True) -> str:
    """Return it for an issue; without text it holds ids, ranks, files and line numbers only."""
    blocks = []
    for title, lines in _parts(diagnosis, with_text=with_text, fenced=True):
        kept = list(lines)
        if kept:
            blocks.append(f"**{title}**\n\n{_paragraphs(kept)}")
    return "\n\n".join(blocks) + "\n"


def _paragraphs(lines: list[str]) -> str:
    """Join lines so that each is a paragraph of its own, but for those of one list or one block of code."""
    text = lines[0]
    for before, line in pairwise(lines):
        text += ("\n" if before.startswith("- ") and line.startswith("- ") else "\n\n") + line
    return text


def to_github(diagnosis: Found) -> str:
    """Return workflow commands: an error for each entry's first evidence, a notice for what is missing."""
    commands = []
    for entry in diagnosis["what"]["entries"]:
        for shown in entry["evidence"][:1]:
            message = f"{entry['title']} ({entry['id']}): {entry['url']}"
            commands.append(_command("error", shown["file"], shown["line"], message))
    blind = diagnosis["unclassified"]
    if blind is not None and not commands:
        commands.append(_command("error", blind["file"], blind["line"], f"{blind['exception']}: {blind['text']}"))
    missing = diagnosis["missing_fact"]
    if missing is not None:
        commands.append(f"::notice::{command_data(missing['ask'])}")
    return "".join(command + "\n" for command in commands)


def _command(kind: str, file: str, line: int, message: str) -> str:
    place = command_property(file)
    return f"::{kind} file={place},line={line}::{command_data(message)}"


def _parts(
    diagnosis: Found, *, with_text: bool = True, fenced: bool = False
) -> Iterator[tuple[str, Iterator[str] | list[str]]]:
    writer = _Writer(with_text=with_text, fenced=fenced)
    yield OUTCOMES[diagnosis["outcome"]], writer.who(diagnosis["who"], diagnosis)
    yield "What it is", writer.what(diagnosis)
    yield "Why", [f"- {writer.plain(fact['says'])}{writer.at(fact['evidence'])}" for fact in diagnosis["why"]]
    yield "Do now", [writer.plain(diagnosis["next_action"])] if diagnosis["next_action"] else []
    yield "See that it helped", writer.step(diagnosis["verify"], "expect")
    yield "The one fact that is missing", writer.step(diagnosis["missing_fact"], "ask")
    yield "Echoes, not causes", writer.echoes(diagnosis["collateral"])
    yield "There too", [f"- {s['slug']}{writer.at(s['evidence'])}" for s in diagnosis["secondary"]]
    yield (
        "Looks bad, is not",
        [f"- {writer.plain(n['title'])}. {n['because']}{writer.at(n['evidence'])}" for n in diagnosis["notices"]],
    )
    yield "Attempts", writer.attempts(diagnosis["attempts"])
    gaps = [] if diagnosis["outcome"] == "not_a_job_log" else diagnosis["gaps"]
    yield "What this log cannot show", [f"- {writer.plain(gap)}" for gap in gaps]


class _Writer:
    """Writes parts of a diagnosis as lines."""

    def __init__(self, *, with_text: bool, fenced: bool) -> None:
        self._with_text = with_text
        self._fenced = fenced

    def plain(self, text: str) -> str:
        """Make a text safe to print, so that it reads as it is."""
        shown = visible(text)
        return _MARKED.sub(r"\\\g<0>", shown) if self._fenced else shown

    def code(self, text: str) -> str:
        """Show a text as it is: in a code span that it cannot end, or as it stands on a terminal."""
        shown = visible(text)
        if not self._fenced:
            return shown
        ticks = "`" * (max((len(run) for run in _runs(shown)), default=0) + 1)
        return f"{ticks} {shown} {ticks}"

    def at(self, evidence: list[Found]) -> str:
        """Name the lines."""
        return "".join(
            f" ({self.plain(e['file'])}:{e['line']})" if self._fenced else f" [{visible(e['file'])}:{e['line']}]"
            for e in evidence[:1]
        )

    def evidence(self, evidence: list[Found]) -> Iterator[str]:
        """Show the lines."""
        for shown in evidence:
            text = f"  {self.code(shown['text'])}" if self._with_text else ""
            yield f"- {self.plain(shown['file'])}:{shown['line']}{text}"

    def who(self, who: Found, diagnosis: Found) -> Iterator[str]:
        """Say who started it."""
        if diagnosis["outcome"] == "not_a_job_log":
            yield from map(self.plain, diagnosis["gaps"])
        if diagnosis["outcome"] not in ("failed", "cancelled", "cut_off"):
            return
        if diagnosis["outcome"] != "cancelled":
            ranks = ", ".join(map(str, who["ranks"]))
            several = "s" if len(who["ranks"]) > 1 else ""
            unnamed = "All ranks fail" if who["all_ranks"] else "Which rank started it"
            name = f"Rank{several} {ranks} started it" if ranks else unnamed
            alike = ", all alike" if who["all_ranks"] else ""
            yield f"{name}{alike}: {HOW_SURE[who['status']]}"
        told = [f"host {', '.join(map(self.plain, who['hosts']))}"] if who["hosts"] else []
        told += [f"pid {', '.join(map(str, who['pids']))}"] if who["pids"] else []
        told += [f"at {self.plain(who['time'])}"] if who["time"] else []
        told += [f"{self.plain(who['file'])}:{who['line']}"] if who["line"] is not None else []
        if told:
            yield " · ".join(told)

    def what(self, diagnosis: Found) -> Iterator[str]:
        """Name the entries, or the exception that none knows."""
        what = diagnosis["what"]
        for place, entry in enumerate(what["entries"]):
            sure = f", {HOW_SURE[what['status']]}" if place == 0 else ""
            draft = ", draft" if entry["status"] == "draft" else ""
            yield f"{self.plain(entry['title'])} ({entry['id']}{sure}{draft})"
            yield entry["url"]
            yield f"{self.plain(entry['because'])}"
            yield from self.evidence(entry["evidence"])
        if what["runner_up"] is not None:
            yield f"Or {what['runner_up']['slug']}: {self.plain(what['runner_up']['discriminator'])}"
        blind = diagnosis["unclassified"]
        if blind is not None:
            yield "An exception that no entry knows:"
            text = f"{blind['exception']}: {blind['text']}" if self._with_text else blind["exception"]
            yield f"- {self.plain(blind['file'])}:{blind['line']}  {self.code(text)}"

    def step(self, step: Found | None, said: str) -> Iterator[str]:
        """Give a command and what is asked or expected of it."""
        if step is None:
            return
        yield self.plain(step[said])
        if step["command"]:
            rows = step["command"].split("\n")
            yield from (["\n".join(["```", *rows, "```"])] if self._fenced else [f"  {row}" for row in rows])

    def echoes(self, groups: list[Found]) -> Iterator[str]:
        """Count the echoes."""
        for group in groups:
            ranks = f" on rank {', '.join(map(str, group['ranks']))}" if group["ranks"] else ""
            first, last = group["first"], group["last"]
            yield (
                f"- {group['kind']}: {group['count']}{ranks}, {self.plain(first['file'])}:{first['line']}"
                f" to {self.plain(last['file'])}:{last['line']}"
            )

    def attempts(self, attempts: list[Found]) -> Iterator[str]:
        """List the attempts of a job that was restarted."""
        if len(attempts) < 2:
            return
        for number, attempt in enumerate(attempts, 1):
            slug = f", {attempt['slug']}" if attempt["slug"] else ""
            yield f"- {number}: lines {attempt['first_line']} to {attempt['last_line']}, {attempt['outcome']}{slug}"


def _runs(text: str) -> list[str]:
    runs, run = [], ""
    for character in text + " ":
        if character == "`":
            run += character
        elif run:
            runs.append(run)
            run = ""
    return runs


def _block(title: str, lines: list[str], *, colour: bool) -> str:
    head = f"{_BOLD}{title}{_RESET}" if colour else title
    indented = "".join(f"  {line}\n" for line in lines)
    return f"{head}\n{indented}" if lines or title in OUTCOMES.values() else ""
