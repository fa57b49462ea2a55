"""The bytes of one entry file -> plain data and everything wrong with its YAML, each issue with line and column.

The only module that knows PyYAML, and of it the parser alone. Knows nothing of the schema. Never raises, whatever the
bytes.

What YAML allows and an entry does not is refused: equal keys (YAML keeps the last and says nothing), anchors, tags,
several documents, keys that are not text. Plain words are resolved as YAML 1.2 has it, so `no`, `22:30` and dates stay
text. Positions are worked out only when an issue asks for one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from generator.issues import Issue, Problem
from generator.reading.source import Source, decode
from generator.reading.syntax import QUOTE, explain
from generator.reading.tree import Builder, Span, Spans

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser where PyYAML was built with it: many times as fast, and the same events."""

_MOST_ISSUES = 100
"""After so many the file is not read on: nobody mends more in one go, and a report stays a report."""
_TOP = Span(0, 0, 0, 1)


@dataclass(frozen=True, kw_only=True)
class Document:
    """One file, read as far as it could be."""

    file: str
    text: str
    data: Any
    """A dictionary; None when the file holds none, or broken syntax. A refused value within it is `Unread`."""
    issues: tuple[Issue, ...]
    """What is wrong with the file as YAML, sorted."""

    def issue(self, problem: Problem) -> Issue:
        """Place a problem on its value or key; what is missing is placed on the key it is missing under."""
        path, at_key = problem.path, problem.at_key
        while path and path not in self.spans:
            path, at_key = path[:-1], True
        key, value = self.spans.get(path, (None, _TOP)) if path else (None, _TOP)
        span = key if at_key and key else value
        return self._source.issue(
            span.line + 1,
            span.column + 1,
            width=span.width,
            code=problem.code,
            message=problem.message,
            mend=problem.mend,
            severity=problem.severity,
        )

    @cached_property
    def _source(self) -> Source:
        return Source(file=self.file, text=self.text)

    @cached_property
    def spans(self) -> Spans:
        """Where each value and its key stand, by path; lines and columns from 0."""
        spans: Spans = {}
        if self.data is not None:
            _read(Builder(self._source, spans))
        return spans


def load(raw: bytes, file: str) -> Document:
    """Read one file; whatever the bytes, the answer has data or at least one issue."""
    source, issues, readable = decode(raw, file)
    if not readable:
        return Document(file=file, text=source.text, data=None, issues=issues)
    builder = Builder(source)
    _read(builder)
    found = sorted((*issues, *builder.issues), key=lambda issue: issue.sort_key)
    return Document(file=file, text=source.text, data=builder.data, issues=tuple(found))


def _read(builder: Builder) -> None:
    """Feed the parser's events to a builder: all of them, or those up to where the syntax breaks."""
    steps: dict[type, Callable[[Any], bool]] = {
        yaml.ScalarEvent: builder.scalar,
        yaml.MappingStartEvent: builder.start_mapping,
        yaml.SequenceStartEvent: builder.start_sequence,
        yaml.MappingEndEvent: builder.end,
        yaml.SequenceEndEvent: builder.end,
        yaml.AliasEvent: builder.alias,
        yaml.DocumentStartEvent: builder.document,
    }
    last: Any = None
    try:
        for event in yaml.parse(builder.source.text, Loader=_LOADER):
            last = event
            step = steps.get(type(event))
            if step is not None and (not step(event) or len(builder.issues) >= _MOST_ISSUES):
                return
    except yaml.MarkedYAMLError as error:
        _break(builder, error)
    except (ValueError, OverflowError):  # the pure parser, of an escape such as "\UFFFFFFFF"
        builder.report(last.end_mark, "syntax", "what follows holds an escape for no character", QUOTE)
    else:
        builder.finish()


def _break(builder: Builder, error: yaml.MarkedYAMLError) -> None:
    """Report where the syntax breaks."""
    place = _inside(builder.source, error.problem_mark or error.context_mark)
    line = builder.source.lines[place.line]
    trouble = explain(f"{error.context or ''}: {error.problem or ''}", line, place.column + 1)
    if trouble.at_context and error.context_mark:
        place = _inside(builder.source, error.context_mark)
    message = trouble.message
    if trouble.code == "tab" and (others := _more_tabs(builder.source.lines, place.line)):
        message += f"; so it is in {others} too"
    builder.report(place, trouble.code, message, trouble.mend)


def _more_tabs(lines: list[str], first: int) -> str:
    """Name the other lines that a tab indents: those of the block below a line (from 0), and any that begin with one.

    Further down, a tab behind spaces may be text of a block of code.
    """
    found: list[list[int]] = []
    block = True
    for number, line in enumerate(lines[first + 1 :], first + 2):
        indent = line[: len(line) - len(line.lstrip())]
        block = block and ("\t" in indent or not line.strip())
        if line.strip() and (line.startswith("\t") or (block and "\t" in indent)):
            if found and found[-1][1] == number - 1:
                found[-1][1] = number
            else:
                found.append([number, number])
    several = len(found) > 1 or any(begin != end for begin, end in found)
    names = ", ".join(f"{begin}" if begin == end else f"{begin} to {end}" for begin, end in found)
    return f"{'lines' if several else 'line'} {names}" if found else ""


def _inside(source: Source, mark: Any) -> Span:
    """Return a place of the file for a mark; libyaml counts a line more when the last one has no line end."""
    line = min(mark.line, len(source.lines) - 1)
    column = mark.column if line == mark.line else len(source.lines[line])
    return Span(line, column, line, column)
