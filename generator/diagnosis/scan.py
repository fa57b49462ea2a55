"""The chunks of a log -> its excerpt: the pieces round every hit, the first and the last, and how much there was.

One pass, in memory that does not grow with the log; everything behind it reads the excerpt alone. The result is the
same however the bytes were chunked and whichever search the gate uses. Twin: `scan.mjs`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TypeAlias

from generator.diagnosis.gate import Gate, shapes
from generator.diagnosis.pieces import Block, blocks

FIRST = 400
"""Pieces kept from the beginning, whatever they say."""
LAST = 2_000
"""Pieces kept from the end."""
BEFORE = 20
"""Pieces kept before a hit."""
BEHIND = 120
"""Pieces kept behind a hit."""
WINDOWED = 2_000
"""Of the pieces round hits, so many from the beginning and so many from the end are kept."""

_REMEMBERED = 6 << 20
"""Bytes of shapes known to hold nothing."""
_OVERHEAD = 80
"""Bytes that a remembered shape takes beside its text."""
_HOT = 4_000
"""Shapes of suspects that are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A line, or a part of it between carriage returns."""

    number: int
    """Of the line, from 1."""
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is kept of a log."""

    pieces: tuple[Piece, ...]
    total_lines: int
    hits: int
    """Pieces that hold a literal of the gate."""
    dropped: int
    """Pieces round hits that were too many to keep."""


def scan(chunks: Iterable[bytes], gate: Gate) -> Excerpt:
    """Read a log once and keep what a diagnosis may need."""
    sieve = _Sieve(gate)
    kept = _Kept()
    hits = first = total = 0
    line = 1
    for data in blocks(chunks):
        size, suspects, pieces = sieve.suspects(data)
        block = Block(data=data, first=first, first_line=line, size=size, split=pieces)
        found: list[int] = []
        if suspects:
            held = gate.hits([block.pieces[i] for i, _ in suspects], [literals for _, literals in suspects])
            found = [suspects[i][0] for i in held]
        hits += len(found)
        kept.add(block, found)
        first, line, total = block.end, block.next_line, block.last_line
    return Excerpt(pieces=tuple(kept.pieces()), total_lines=total, hits=hits, dropped=kept.windows.dropped)


Suspect: TypeAlias = tuple[int, tuple[str, ...] | None]
"""Number of a piece in its block, and the literals that it can hold; None if any."""


class _Sieve:
    """Rules out pieces by their shape, most of them because the shape is known to hold nothing."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._cold: set[bytes] = set()
        self._size = 0
        self._hot: dict[bytes, tuple[str, ...] | None] = {}

    def suspects(self, data: bytes) -> tuple[int, Sequence[Suspect], Sequence[bytes] | None]:
        """Return how many pieces a block has, which of them must be cleaned, and all of them if they had to be made."""
        is_open = not data.endswith((b"\n", b"\r"))
        if not self._gate.search.reads_shapes:
            text = data.replace(b"\r", b"\n")
            places = list(self._gate.search.find(text))
            if not places:
                return text.count(b"\n") + is_open, (), None
            pieces = text.split(b"\n")  # takes little more than to count the line ends
            if not is_open:
                pieces.pop()
            numbers = _numbers_at(text, places, pieces)
            return len(pieces), [(i, self._literals(shapes(pieces[i]))) for i in numbers], pieces
        each = shapes(data).split(b"\n")
        if not is_open:
            each.pop()
        fresh = set(each)
        fresh -= self._cold
        if not fresh:
            return len(each), (), None
        joined = b"\n".join(fresh)
        hot = {shape: self._literals(shape) for shape in _pieces_at(joined, self._gate.search.find(joined))}
        self._remember(fresh.difference(hot), len(joined))
        if not hot:
            return len(each), (), None
        found = [(i, hot[each[i]]) for i in compress(range(len(each)), map(hot.__contains__, each))]
        return len(each), found, None

    def _remember(self, cold: set[bytes], size: int) -> None:
        self._size += size + _OVERHEAD * len(cold)
        if self._size > _REMEMBERED:  # what the log repeats comes back at once
            self._cold = cold
            self._size = size + _OVERHEAD * len(cold)
        else:
            self._cold |= cold

    def _literals(self, shape: bytes) -> tuple[str, ...] | None:
        """Return what a piece of this shape can hold; worth finding out for a shape that comes back."""
        known = self._hot.get(shape)
        if known is None and shape in self._hot:
            known = self._gate.held_by(shape)
        if len(self._hot) >= _HOT:
            self._hot.clear()
        self._hot[shape] = known
        return known


def _pieces_at(text: bytes, places: Iterable[int]) -> Iterator[bytes]:
    for place in places:
        end = text.find(b"\n", place)
        yield text[text.rfind(b"\n", 0, place) + 1 : end if end >= 0 else len(text)]


def _numbers_at(text: bytes, places: Iterable[int], pieces: Sequence[bytes]) -> Iterator[int]:
    """Turn places, in order, into the numbers of the pieces there; a search finds all pieces that are alike."""
    number = -1
    for piece in _pieces_at(text, places):
        number = pieces.index(piece, number + 1)
        yield number


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """Pieces that follow each other in the file."""

    first: int
    numbers: Sequence[int]
    pieces: Sequence[bytes]

    def __len__(self) -> int:
        return len(self.pieces)

    def cut(self, start: int, end: int) -> _Span:
        """Return what of it is between two places in the file."""
        low, high = max(start - self.first, 0), max(end - self.first, 0)
        return _Span(first=self.first + low, numbers=self.numbers[low:high], pieces=self.pieces[low:high])


class _Windows:
    """The pieces round hits, too many of them dropped from the middle."""

    def __init__(self) -> None:
        self._early: list[_Span] = []
        self._late: deque[_Span] = deque()
        self._room = WINDOWED
        self._held = 0
        self.dropped = 0

    def add(self, span: _Span) -> None:
        """Take the next pieces."""
        if self._room:
            early = span.cut(span.first, span.first + self._room)
            self._early.append(early)
            self._room -= len(early)
            span = span.cut(span.first + len(early), span.first + len(span))
        if not span.pieces:
            return
        self._late.append(span)
        self._held += len(span)
        while self._held - len(self._late[0]) >= WINDOWED:
            self._drop(len(self._late[0]))
            self._late.popleft()

    def spans(self) -> Sequence[_Span]:
        """Return what is kept."""
        if self._held > WINDOWED:
            surplus = self._held - WINDOWED
            oldest = self._late.popleft()
            self._late.appendleft(oldest.cut(oldest.first + surplus, oldest.first + len(oldest)))
            self._drop(surplus)
        return (*self._early, *self._late)

    def _drop(self, count: int) -> None:
        self.dropped += count
        self._held -= count


class _Kept:
    """The pieces kept so far."""

    def __init__(self) -> None:
        self.windows = _Windows()
        self._first: list[_Span] = []
        self._recent: deque[Block] = deque()  # enough for the last pieces of the file, and for those before a hit
        self._given = 0  # windows are complete up to here
        self._until = 0  # the last window ends here

    def add(self, block: Block, hits: Sequence[int]) -> None:
        """Take the next block, with the numbers of its pieces that are hits."""
        if block.first < FIRST:
            self._first.append(_span(block, 0, FIRST))
        self._recent.append(block)
        for hit in hits:
            start = block.first + hit - BEFORE
            if start > self._until:
                self._give(block.end)
                self._given = start
            self._until = block.first + hit + BEHIND + 1
        self._give(block.end)
        while block.end - self._recent[0].end >= LAST:
            self._recent.popleft()

    def _give(self, read: int) -> None:
        """Put the pieces of the open window, as far as they are read, among the others."""
        end = min(self._until, read)
        if self._given < end:
            for span in self._between(self._given, end):
                self.windows.add(span)
            self._given = end

    def _between(self, start: int, end: int) -> Iterator[_Span]:
        for block in self._recent:
            if block.end > start and block.first < end:
                yield _span(block, start, end)

    def pieces(self) -> Iterator[Piece]:
        """Yield all that is kept, in order."""
        end = self._recent[-1].end if self._recent else 0
        spans = (*self._first, *self.windows.spans(), *self._between(max(end - LAST, 0), end))
        place = 0
        for span in sorted(spans, key=lambda span: span.first):
            rest = span.cut(place, span.first + len(span))
            for number, data in zip(rest.numbers, rest.pieces, strict=True):
                yield Piece(number=number, data=data)
            place = max(place, span.first + len(span))


def _span(block: Block, start: int, end: int) -> _Span:
    return _Span(first=block.first, numbers=block.numbers, pieces=block.pieces).cut(start, end)
