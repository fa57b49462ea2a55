"""Parser events -> plain data, with what is wrong in it as issues and, when asked, the place of every value.

Row 1: knows no parser; an event is anything with marks, a value, an anchor and a tag. One stack and no recursion, no
node graph, no object but text, numbers, true, false, null, lists and dictionaries.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from generator.issues import Issue, Path
from generator.reading.source import Source, Unread, shown
from generator.reading.syntax import DEEP, DEEPEST, QUOTE

_WORDS: Final = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"[-+]?[0-9]{1,4000}")  # Python refuses to read longer ones
_BASED = re.compile(r"0o[0-7]{1,400}|0x[0-9a-fA-F]{1,400}")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?")
_UNFIT = re.compile("[\0\ud800-\udfff]")

_NO_KEY: Final = object()
_NOWHERE: Final[Any] = object()
"""The key of a value that is read for its own problems and then dropped."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a token begins and ends; lines and columns from 0, as parsers count."""

    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def width(self) -> int | None:
        """The token's length on its first line, None when it goes on to the next."""
        return self.end_column - self.column if self.line == self.end_line else None


Spans: TypeAlias = dict[Path, tuple[Span | None, Span]]
"""Path to the span of its key, if it has one, and of its value."""


class _Frame:
    """A list or dictionary being filled."""

    __slots__ = ("container", "key", "key_span", "lines", "path", "spoiled")

    def __init__(self, container: Any, path: Path) -> None:
        self.container = container
        self.path = path
        self.key: Any = _NO_KEY
        """The key whose value comes next."""
        self.key_span: Span | None = None
        self.lines: dict[str, int] = {}
        """Each key and the line it stands on, from 0."""
        self.spoiled = False
        """Whether a refused key makes the whole of it unreadable."""

    @property
    def awaits_key(self) -> bool:
        return self.key is _NO_KEY and type(self.container) is dict


class Builder:
    """Turns events into data, and into issues or spans."""

    def __init__(self, source: Source, spans: Spans | None = None) -> None:
        self.source = source
        self.spans = spans
        """Filled when given."""
        self.issues: list[Issue] = []
        self.data: Any = None
        """The top mapping, once the events came to their end."""
        self._root: Any = _NOWHERE
        self._root_mark: Any = None
        self._stack: list[_Frame] = []
        self._aliases: set[str] = set()
        self._documents = 0

    def finish(self) -> None:
        """Take what was built, if it is a mapping."""
        if isinstance(self._root, dict):
            self.data = self._root
        elif self._root is _NOWHERE or self._root is None:
            mend = "Copy entries/_example.yaml, or run `encyclopedia new`."
            self.issues.append(self.source.issue(1, 1, code="empty-file", message="the file holds no entry", mend=mend))
        elif not isinstance(self._root, Unread):
            kind = "a list" if isinstance(self._root, list) else "one text"
            message = f"an entry is a mapping of keys, but YAML reads this file as {kind}"
            mend = "Begin with 'id:' at the left margin; entries/_example.yaml shows a whole entry."
            self.report(self._root_mark, "not-a-mapping", message, mend)

    def document(self, event: Any) -> bool:
        """Begin a document; this and the other steps return whether to go on."""
        self._documents += 1
        if self._documents > 1:
            mend = "Remove the line '---'; one file holds one entry."
            self.report(event.start_mark, "several-documents", "a second document begins here", mend, width=3)
            self.finish()
            return False
        return True

    def scalar(self, event: Any) -> bool:
        value = event.value
        if event.tag is not None or event.anchor is not None:
            self._refuse_properties(event)
        if event.style == '"' and _UNFIT.search(value):
            message = "the text holds a zero or half a character, which no page can show"
            self.report(event.start_mark, "control-character", message, "Remove the escape.", width=_width(event))
            value = _UNFIT.sub("\ufffd", value)
        if self._stack and self._stack[-1].awaits_key:
            self._take_key(self._stack[-1], value, event)
        else:
            self._put(_resolve(value) if event.implicit[0] else value, event)
        return True

    def _take_key(self, frame: _Frame, key: str, event: Any) -> None:
        mark = event.start_mark
        if key in frame.lines:
            message = f"the key '{shown(key)}' stands here twice, first on line {frame.lines[key] + 1}"
            mend = "Keep one of them; YAML would silently drop the first."
            self.report(mark, "duplicate-key", message, mend, width=_width(event))
            frame.key = _NOWHERE
            return
        frame.key = key
        frame.lines[key] = mark.line
        if self.spans is not None:
            frame.key_span = span = _span(event)
            around, value = self.spans.get(frame.path, (None, span))
            if value.width == 0:  # a block mapping is shown by its first key
                self.spans[frame.path] = (around, span)

    def _put(self, value: Any, event: Any) -> Path:
        """Put a value where it belongs and return its path."""
        if not self._stack:
            if self._root is _NOWHERE:
                self._root, self._root_mark = value, event.start_mark
            path: Path = ()
            key_span = None
        else:
            frame = self._stack[-1]
            key, key_span = frame.key, frame.key_span
            if type(frame.container) is list:
                key = len(frame.container)
                frame.container.append(value)
            elif key is not _NOWHERE:
                frame.container[key] = value
            frame.key, frame.key_span = _NO_KEY, None
            path = (*frame.path, key)
        if self.spans is not None:
            self.spans[path] = (key_span, _span(event))
        return path

    def start_mapping(self, event: Any) -> bool:
        return self._start({}, event)

    def start_sequence(self, event: Any) -> bool:
        return self._start([], event)

    def _start(self, container: Any, event: Any) -> bool:
        if event.tag is not None or event.anchor is not None:
            self._refuse_properties(event)
        if len(self._stack) >= DEEPEST:
            self.report(event.start_mark, DEEP.code, DEEP.message, DEEP.mend)
            return False
        if self._stack and self._stack[-1].awaits_key:
            path = self._refuse_key(self._stack[-1], "a list" if container == [] else "a mapping", event)
        else:
            path = self._put(container, event)
        self._stack.append(_Frame(container, path))
        return True

    def end(self, event: Any) -> bool:
        frame = self._stack.pop()
        if frame.spoiled:
            refused = Unread("key")
            if not frame.path:
                self._root = refused
            elif frame.path[-1] is not _NOWHERE:
                self._stack[-1].container[frame.path[-1]] = refused
        return True

    def alias(self, event: Any) -> bool:
        name = event.anchor
        if name not in self._aliases:
            self._aliases.add(name)
            mend = "Write the value out here. If the text itself begins with '*', put it in single quotes."
            self.report(
                event.start_mark, "anchor", f"the alias '*{shown(name)}' is not allowed", mend, width=_width(event)
            )
        if self._stack and self._stack[-1].awaits_key:
            self._stack[-1].key = _NOWHERE
        else:
            self._put(Unread(name), event)
        return True

    def _refuse_key(self, frame: _Frame, kind: str, event: Any) -> Path:
        """Report a list or mapping that stands where a key belongs, `[rank0]: text` or `{{ name }}`."""
        message = f"a key must be text, but YAML reads {kind} here"
        mend = "A text that begins with '[' or '{' needs quotes. " + QUOTE
        self.report(event.start_mark, "key-not-text", message, mend)
        frame.spoiled, frame.key = True, _NOWHERE
        return (*frame.path, _NOWHERE)

    def _refuse_properties(self, event: Any) -> None:
        """Report an anchor or a tag in front of a value."""
        if event.anchor is not None:
            mend = "Remove it. If the text itself begins with '&', put it in single quotes."
            message = f"the anchor '&{shown(event.anchor)}' is not allowed"
            self.report(event.start_mark, "anchor", message, mend, width=len(event.anchor) + 1)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            mend = "Remove it. If the text itself begins with '!', put it in single quotes."
            self.report(event.start_mark, "tag", f"the tag '{shown(tag)}' is not allowed", mend, width=len(tag))

    def report(self, mark: Any, code: str, message: str, mend: str, *, width: int | None = 1) -> None:
        place = self.source.issue(mark.line + 1, mark.column + 1, width=width, code=code, message=message, mend=mend)
        self.issues.append(place)


def _span(event: Any) -> Span:
    start, end = event.start_mark, event.end_mark
    return Span(start.line, start.column, end.line, end.column)


def _width(event: Any) -> int | None:
    return _span(event).width


def _resolve(text: str) -> Any:
    """Resolve a word without quotes as YAML 1.2's core schema does, exponents without a point left as text.

    >>> [_resolve(text) for text in ("true", "no", "-7", "0x1F", "2.10", "22:30", "1e3", "~")]
    [True, 'no', -7, 31, 2.1, '22:30', '1e3', None]
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _WHOLE.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text[2:], 8 if text[1] == "o" else 16)
    if _DECIMAL.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    return text
