"""Which lines a logger wrote, and which as a warning or worse."""

from __future__ import annotations

import re

from generator.diagnosis.labels import Line

_LOGGED = re.compile("(?:^|[^A-Za-z])(?:ERROR|WARNING|WARN|EXCEPTION|CRITICAL)(?:[^A-Za-z]|$)", re.ASCII)
_LEVEL_FIRST = re.compile(
    "^ *(?:[|:-] )?(?:INFO|ERROR|WARNING|WARN|CRITICAL)(?::| [|:-] )|^ {12,40}(?:INFO|ERROR|WARNING|CRITICAL) ",
    re.ASCII,
)
_LOGGERS = ("by-python-logger", "by-logging-basic", "by-json-logger", "by-json-rank-level", "by-json-level-rank",
            "by-letter-logger", "by-deepspeed-logger", "by-clock", "by-level", "by-rich-logger")  # fmt: skip


def is_record(line: Line) -> bool:
    """Whether a logger wrote the line."""
    return any(name in line.labels for name in _LOGGERS) or _LEVEL_FIRST.match(line.body) is not None


def is_logged(line: Line) -> bool:
    """Whether a logger wrote the line as a warning or worse, so that a traceback behind it is part of it."""
    if not is_record(line):
        return False
    bad_level = line.labels.get("level", "").upper()[:1] in ("W", "E", "C", "F")
    return bad_level or _LOGGED.search(line.text[:200]) is not None
