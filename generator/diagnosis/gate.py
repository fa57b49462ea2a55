"""Literals -> what says, of many pieces of a log at once, which of them hold one in their text.

Two steps, both on pieces joined by LF. The first rules out nearly all of them by their bytes alone. The standard
library's search does so on shapes: a piece without its digits, blanks, control characters and bytes beyond ASCII; what
makes a piece's text changes nothing else, escape sequences apart, and most shapes come back. The extra package's looks
through the bytes for the literals as they are, and for what may stand in them unseen. The second step makes the texts
of what is left and searches those. Knows nothing of files. Twin: `gate.mjs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Protocol

from generator.diagnosis.lines import ODD_BLANKS, UNSEEN, searched
from generator.language.alternation import alternation

_DELETED = bytes(b for b in range(256) if (b <= 0x20 and b not in b"\n\r\x1b") or b in b"0123456789" or b >= 0x7F)
_FOLDED = bytes(range(256)).replace(b"\r", b"\n")

_ENOUGH = 10
"""Characters that tell lines apart well."""
_UNTIL_PATTERN = 1_000
"""Lines after which making a pattern of all literals costs less than to go on without."""
_LONG = 4
"""Characters of a word before which a run of blanks is rare."""


def shapes(data: bytes) -> bytes:
    r"""Reduce pieces to their shapes, each behind the other with an LF between them.

    >>> shapes(b"[rank3]:  step 12/50\rstep 13/50")
    b'[rank]:step/\nstep/'
    """
    return data.translate(_FOLDED, _DELETED)


class Search(Protocol):
    """Finds places in bytes."""

    reads_shapes: bool
    """Whether it is given shapes, of which most come back, and not the bytes as they are."""

    def find(self, text: bytes) -> Iterable[int]:
        """Yield a place in each piece that has one, in order."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The literals, ready for the search."""

    search: Search
    by_shape: Sequence[tuple[bytes, str]]
    """Each literal behind its shape."""

    @classmethod
    def of(cls, literals: Iterable[str], *, extra: bool | None = None) -> Gate:
        """Make the gate of some literals, with or without the extra package; if not said, with it if it is there.

        Raises ValueError for a literal without text.
        """
        texts = sorted(set(literals))
        if "" in texts:
            raise ValueError("a literal is empty")
        return cls(
            search=_search(texts, extra=find_spec("hyperscan") is not None if extra is None else extra),
            by_shape=[(shapes(text.encode()), text) for text in texts],
        )

    def held_by(self, shape: bytes) -> tuple[str, ...] | None:
        """Return the literals that a piece of this shape can hold; None if any, for it may have escape sequences."""
        return None if b"\x1b" in shape else tuple(text for reduced, text in self.by_shape if reduced in shape)

    def hits(self, pieces: Sequence[bytes], literals: Sequence[tuple[str, ...] | None]) -> list[int]:
        """Return which of the pieces hold, in their text, one of their literals; None stands for any."""
        lines = searched(b"\n".join(pieces)).split("\n")
        return [i for i, (line, texts) in enumerate(zip(lines, literals, strict=True)) if self._holds(line, texts)]

    def _holds(self, line: str, texts: tuple[str, ...] | None) -> bool:
        return self._any.holds(line) if texts is None else any(text in line for text in texts)

    @cached_property
    def _any(self) -> _Any:
        return _Any([text for _, text in self.by_shape])


class _Any:
    """Whether a line holds one of many texts: looked for one by one, until so often that a pattern pays."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._left = _UNTIL_PATTERN

    def holds(self, line: str) -> bool:
        if self._left > 0:
            self._left -= 1
            return any(text in line for text in self._texts)
        return self._pattern.search(line) is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(alternation(tuple(self._texts)))


def _search(texts: Sequence[str], *, extra: bool) -> Search:
    wanted = {shapes(text.encode()).decode() for text in texts}
    if "" in wanted or not all(map(str.strip, texts)):  # nothing to look for: every piece may be one
        return _Everything()
    return _Database(texts) if extra else _Pattern({*wanted, "\x1b"})


class _Everything:
    reads_shapes = True

    def find(self, text: bytes) -> Iterator[int]:
        yield 0
        yield from (found.end() for found in re.finditer(b"\n", text))


class _Pattern:
    """The standard library's way."""

    reads_shapes = True

    def __init__(self, texts: Iterable[str]) -> None:
        self._pattern = re.compile(alternation(tuple(sorted(texts))).encode())

    def find(self, text: bytes) -> Iterator[int]:
        at = 0
        while found := self._pattern.search(text, at):
            yield found.start()
            at = text.find(b"\n", found.end())
            if at < 0:
                return


class _Database:
    """The extra package's way: Hyperscan's literals."""

    reads_shapes = False

    def __init__(self, texts: Iterable[str]) -> None:
        import hyperscan

        wanted = {char for char in _characters() if UNSEEN.match(char) or (ODD_BLANKS.match(char) and char != "\t")}
        for text in map(_telling_end, texts):
            wanted.add(text)
            for blank in re.finditer(" ", text):  # where a run of blanks may stand for one
                wanted.update(text[: blank.start()] + run for run in ("  ", "\t", " \t"))
        # Bytes in hexadecimal are literals to it; its interface for literals alone takes none that holds NUL.
        self._database = hyperscan.Database()
        expressions = ["\\x" + text.encode().hex("x").replace("x", "\\x") for text in wanted]
        self._database.compile(expressions=expressions)
        self._ends: list[int] = []

    def find(self, text: bytes) -> Iterator[int]:
        self._ends.clear()
        self._database.scan(text, match_event_handler=self._take)
        behind = -1
        for end in self._ends:
            if end > behind:
                yield end - 1
                behind = text.find(b"\n", end)
                if behind < 0:
                    return

    def _take(self, _id: int, _start: int, end: int, *_: object) -> None:
        self._ends.append(end)


def _telling_end(literal: str) -> str:
    """Return a literal from its first word on that is long, if enough follows."""
    text = literal.strip()
    words = re.finditer(r"[^ ]+", text)
    return text[next((w.start() for w in words if len(w[0]) >= _LONG and len(text) - w.start() >= _ENOUGH), 0) :]


def _characters() -> Iterator[str]:
    """Yield the characters that may be blanks or unseen, but no line end."""
    yield from (chr(code) for code in range(0x3100) if chr(code) not in "\n\r")
    yield "\ufeff"
