"""The bytes of one file -> its text, and places in that text -> issues that show the line.

Row 1: knows neither YAML nor the schema. Lines end at LF, CR LF or a lone CR; lines and columns start at 1, a column
counts characters, and a byte order mark counts as nothing. Whatever the bytes, there is a text and no exception.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from generator.issues import Issue, Location, Severity

LIMIT = 1_000_000
"""Most bytes an entry file may have; real entries have a fiftieth of that."""
_SHOWN = 120
"""Most characters of a line that an issue shows."""
_BEFORE = 50
"""Of those, how many stand before the caret when the line is cut."""
_NAMED = 60
"""Most characters of a key or value that a message repeats."""
_MOST_CHARACTERS = 20
"""How many lines with forbidden characters are reported before the file counts as hopeless."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_FORBIDDEN = re.compile(
    "[^\\t\\n\\r\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
)
"""What YAML refuses, and the three rare line ends (U+0085, U+2028, U+2029) that YAML and editors count differently."""
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_SAVE = "Save it as plain UTF-8 text."


class Unread(str):
    """Stands in a file's data for a value that was refused, so that nothing else is said about it."""

    __slots__ = ()


def visible(text: str) -> str:
    r"""Show every character that has no face of its own as one that has, and let none move the cursor.

    >>> visible("a\tb\x1b[31m\xa0\u202e")
    'a␉b␛[31m␣�'
    """
    return text if text.isprintable() else "".join(map(_face, text))


def _face(char: str) -> str:
    if char.isprintable():
        return char
    if char < " ":
        return chr(0x2400 + ord(char))
    return "␡" if char == "\x7f" else "␣" if unicodedata.category(char) == "Zs" else "\ufffd"


def shown(text: str) -> str:
    """Cut a text so that a message can name it."""
    return visible(text if len(text) <= _NAMED else text[: _NAMED - 1] + "…")


@dataclass(frozen=True, kw_only=True)
class Source:
    """One file's text, able to point at a place in itself."""

    file: str
    """Path of the file as reported."""
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their ends; at least one."""
        return _LINE_END.split(self.text)

    def issue(
        self,
        line: int,
        column: int,
        *,
        code: str,
        message: str,
        mend: str,
        width: int | None = 1,
        severity: Severity = Severity.ERROR,
    ) -> Issue:
        """Place an issue; a width of None underlines to the end of the line."""
        whole = self.lines[line - 1]
        cut = max(0, column - 1 - _BEFORE) if len(whole) > _SHOWN else 0
        source = whole[cut : cut + _SHOWN]
        if cut:
            source = "…" + source[1:]
        if len(whole) > cut + _SHOWN:
            source = source[:-1] + "…"
        room = len(source) - (column - 1 - cut)
        return Issue(
            location=Location(self.file, line, column),
            severity=severity,
            code=code,
            message=message,
            mend=mend,
            source=visible(source),
            width=max(1, room if width is None else min(width, room)),
            cut=cut,
        )

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character of the text."""
        before = _LINE_END.split(self.text[:offset])
        return len(before), len(before[-1]) + 1


def decode(raw: bytes, file: str) -> tuple[Source, tuple[Issue, ...], bool]:
    """Turn bytes into text; return it with what is wrong and whether it is worth parsing.

    Forbidden characters are replaced one for one, so that the rest of the file can still be looked at.
    """
    if len(raw) > LIMIT:
        source = Source(file=file, text=raw[:LIMIT].decode("utf-8", "replace"))
        issue = source.issue(
            1,
            1,
            code="too-large",
            message=f"the file has {len(raw):,} bytes; at most {LIMIT:,} are read",
            mend="Keep the decisive lines of a log and link to the rest.",
        )
        return source, (issue,), False
    for mark, name in _MARKS:
        if raw.startswith(mark):
            source = Source(file=file, text=raw.decode("utf-8", "replace"))
            message = f"the file is {name}, not UTF-8"
            return source, (source.issue(1, 1, code="encoding", message=message, mend=_SAVE),), False
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    zero, bad = raw.find(0), None
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        bad, text = error.start, raw.decode("utf-8", "replace")
    source = Source(file=file, text=text)
    if bad is not None and not 0 <= zero < bad:
        line, column = source.place(len(raw[:bad].decode()))
        message = f"byte 0x{raw[bad]:02X} is not UTF-8"
        return source, (source.issue(line, column, code="encoding", message=message, mend=_SAVE),), False
    if zero >= 0:
        line, column = source.place(len(raw[:zero].decode()))
        message = "the file holds a zero byte: it is binary, or saved as UTF-16"
        return source, (source.issue(line, column, code="binary", message=message, mend=_SAVE),), False
    if _FORBIDDEN.search(text) is None:
        return source, (), True
    issues = tuple(_forbidden(source))
    clean = Source(file=file, text=_FORBIDDEN.sub("\ufffd", text))
    return clean, issues, len(issues) < _MOST_CHARACTERS


def _forbidden(source: Source) -> Iterator[Issue]:
    """Yield the first forbidden character of each line."""
    found = ((number, _FORBIDDEN.search(line)) for number, line in enumerate(source.lines, 1))
    hits = [(number, hit) for number, hit in found if hit]
    for number, hit in hits[:_MOST_CHARACTERS]:
        code = ord(hit.group())
        escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
        yield source.issue(
            number,
            hit.start() + 1,
            code="control-character",
            message=f"the character U+{code:04X} cannot stand in YAML",
            mend=f"Remove it; where a log line needs it, write {escape} in double quotes.",
        )
