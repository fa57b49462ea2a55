"""Issues -> text for people, JSON for programs, annotations and a summary for GitHub.

Row 4: the only place that knows what a report looks like. Returns text; prints nothing. Whatever a file holds, no
character of it can move the cursor, end a code block or be read as a workflow command.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable

from generator.issues import Issue, Severity
from generator.reading.source import visible

_BOLD, _RED, _YELLOW, _BLUE, _RESET = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[0m"
_SUMMARY_LINES = 2_000
"""GitHub refuses a summary of more than 1 MiB."""


def to_text(issues: Iterable[Issue], files_checked: int, *, closing: str = "", colour: bool = False) -> str:
    """Return each issue with its line, caret and mend, then the tally; `closing` ends it, `The site was not built.`."""
    found = _sorted(issues)
    blocks = [_block(issue, colour=colour) for issue in found]
    tally = f"{_tally(found, files_checked)} {closing}".rstrip()
    return "\n\n".join([*blocks, tally]) + "\n"


def to_json(issues: Iterable[Issue], files_checked: int) -> str:
    """Return the issues and their number as one JSON object."""
    found = _sorted(issues)
    report = {
        "files_checked": files_checked,
        "errors": _number(found, Severity.ERROR),
        "warnings": _number(found, Severity.WARNING),
        "issues": [
            {
                "file": issue.location.file,
                "line": issue.location.line,
                "column": issue.location.column,
                "width": issue.width,
                "severity": issue.severity,
                "code": issue.code,
                "message": issue.message,
                "mend": issue.mend,
                "source": issue.source,
            }
            for issue in found
        ],
    }
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def to_github(issues: Iterable[Issue]) -> str:
    """Return one workflow command for each issue, which GitHub shows beside the line."""
    return "".join(_command(issue) + "\n" for issue in _sorted(issues))


def to_step_summary(issues: Iterable[Issue], files_checked: int) -> str:
    """Return Markdown for the summary of a workflow run: the text report in a fence that it cannot leave."""
    found = _sorted(issues)
    tally = _tally(found, files_checked)
    if not found:
        return f"### {tally}\n"
    lines = to_text(found, files_checked).split("\n")[:-3]
    if len(lines) > _SUMMARY_LINES:
        lines = [*lines[:_SUMMARY_LINES], "… the rest stands in the log."]
    text = "\n".join(lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"### {tally}\n\n{fence}text\n{text}\n{fence}\n"


def _sorted(issues: Iterable[Issue]) -> list[Issue]:
    return sorted(issues, key=lambda issue: issue.sort_key)


def _block(issue: Issue, *, colour: bool) -> str:
    """Write one issue: where and what, the line with a caret, what to do."""

    def paint(style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if colour else text

    place = issue.location
    tint = _RED if issue.severity is Severity.ERROR else _YELLOW
    where = visible(f"{place.file}:{place.line}:{place.column}:")
    rows = [f"{paint(_BOLD, where)} {paint(tint, issue.severity + ':')} {visible(issue.message)} [{issue.code}]"]
    if issue.source:
        number = f"  {place.line} |"
        start = place.column - 1 - issue.cut
        before, marked = issue.source[:start], issue.source[start : start + issue.width]
        caret = " " * _cells(before) + paint(tint, "^" * max(1, _cells(marked)))
        rows.append(f"{paint(_BLUE, number)} {visible(issue.source)}")
        rows.append(f"{paint(_BLUE, ' ' * (len(number) - 1) + '|')} {caret}")
    if issue.mend:
        rows.append(f"  {visible(issue.mend)}")
    return "\n".join(rows)


def _cells(text: str) -> int:
    """Count the terminal cells a text takes: two for a wide character, none for a combining one."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _tally(issues: Collection[Issue], files_checked: int) -> str:
    """Count: `4 errors in 2 files; 41 files checked.`."""
    checked = f"{_count(files_checked, 'file')} checked"
    if not issues:
        return f"{checked}, no problems."
    numbers = ((_number(issues, severity), severity) for severity in Severity)
    named = " and ".join(_count(number, severity) for number, severity in numbers if number)
    return f"{named} in {_count(len({issue.location.file for issue in issues}), 'file')}; {checked}."


def _number(issues: Iterable[Issue], severity: Severity) -> int:
    return sum(issue.severity is severity for issue in issues)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _command(issue: Issue) -> str:
    """Write one workflow command; see GitHub's "Workflow commands" for what must be escaped where."""
    place = issue.location
    properties = {
        "file": place.file,
        "line": place.line,
        "endLine": place.line,
        "col": place.column,
        "endColumn": place.column + issue.width,
        "title": issue.code,
    }
    named = ",".join(f"{key}={command_property(str(value))}" for key, value in properties.items())
    said = "\n".join(filter(None, (issue.message, issue.mend)))
    return f"::{issue.severity} {named}::{command_data(said)}"


def command_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    return command_data(text).replace(":", "%3A").replace(",", "%2C")
