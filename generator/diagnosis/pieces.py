"""The chunks of a file, cut anywhere -> blocks of whole pieces; the same whatever the chunks were.

A piece is a line, or what stands between two lone carriage returns of one. Knows the encodings, the line ends and how
long a piece may be; not what a piece says. Memory is bounded on any input. Twin: `pieces.mjs`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

LONGEST = 8192
"""Bytes of a piece; a longer one keeps its HEAD first and TAIL last."""
HEAD = 6144
TAIL = 2048
BLOCK = 1 << 17
"""Bytes read into one block: small enough for the processor's cache, large enough to hide what a block costs."""

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_SPAN = LONGEST // 2
_PIECE = re.compile(rb"[^\n\r]+")


@dataclass(frozen=True, kw_only=True)
class Block:
    """Some whole pieces of a file and where they stand in it."""

    data: bytes
    first: int
    """Pieces before it."""
    first_line: int
    """Number of the line of its first piece."""
    size: int
    """Pieces in it."""
    split: Sequence[bytes] | None = None
    """Its pieces, if they are made already."""

    @property
    def end(self) -> int:
        """Pieces up to its end."""
        return self.first + self.size

    @property
    def last_line(self) -> int:
        """Number of the line of its last piece."""
        return self.next_line - (1 if self.data.endswith(b"\n") else 0)

    @cached_property
    def next_line(self) -> int:
        """Number of the line in which the next block begins."""
        if b"\r" in self.data or not self.data.endswith(b"\n"):
            return self.first_line + self.data.count(b"\n")
        return self.first_line + self.size

    @cached_property
    def pieces(self) -> Sequence[bytes]:
        """Their bytes, without line ends."""
        return self.split or self.data.replace(b"\r", b"\n").split(b"\n")[: self.size]

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The number of each piece's line."""
        if b"\r" not in self.data:
            return range(self.first_line, self.first_line + self.size)
        lines = enumerate(self.data.split(b"\n"), self.first_line)
        return [number for number, line in lines for _ in range(line.count(b"\r") + 1)][: self.size]


def blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut a file's bytes into blocks of whole pieces.

    Each piece has its line end, LF, or CR where the line goes on; the last of the file may have none. A long piece is
    cut to its head and tail.
    """
    for data in _whole_pieces(_gathered(_as_utf_8(chunks))):
        yield _cut_long(data)


def _as_utf_8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Drop a byte order mark and transcode what is marked as UTF-16."""
    source = iter(chunks)
    start = b""
    for chunk in source:
        start += chunk
        if len(start) >= len(codecs.BOM_UTF8):
            break
    encoding = _UTF_16.get(start[:2])
    if encoding is None:
        yield start.removeprefix(codecs.BOM_UTF8)
        yield from source
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(start[2:]).encode()
    for chunk in source:
        yield decoder.decode(chunk).encode()
    yield decoder.decode(b"", final=True).encode()


def _gathered(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Join small chunks and cut large ones."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        for at in range(0, len(chunk), BLOCK):
            part = chunk[at : at + BLOCK]
            held.append(part)
            size += len(part)
            if size >= BLOCK:
                yield b"".join(held)
                held, size = [], 0
    if held:
        yield b"".join(held)


def _whole_pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut behind line ends, which become LF or lone CR; of a piece without end only head and tail are held."""
    carry = held = b""
    for chunk in chunks:
        data = held + chunk
        held = b""
        returns = b"\r" in data
        if returns:
            if data.endswith(b"\r"):  # an LF may follow
                data, held = data[:-1], b"\r"
            data = data.replace(b"\r\n", b"\n")
        cut = 1 + (max(data.rfind(b"\n"), data.rfind(b"\r")) if returns else data.rfind(b"\n"))
        if cut:
            yield b"".join((carry, memoryview(data)[:cut]))
            carry = data[cut:]
        else:
            carry += data
            if len(carry) > 2 * LONGEST:
                carry = carry[:LONGEST] + carry[-LONGEST:]
    if carry or held:
        yield carry + held


def _cut_long(data: bytes) -> bytes:
    """Cut pieces that are too long; such a one covers a whole span that begins at a multiple of its size."""
    for at in range(0, len(data) - _SPAN + 1, _SPAN):
        if data.find(b"\n", at, at + _SPAN) < 0 and data.find(b"\r", at, at + _SPAN) < 0:
            return _PIECE.sub(_cut, data)
    return data


def _cut(piece: re.Match[bytes]) -> bytes:
    data = piece[0]
    if len(data) <= LONGEST:
        return data
    head, tail = HEAD, len(data) - TAIL
    while head > HEAD - 3 and _continues(data[head]):
        head -= 1
    while tail < len(data) - TAIL + 3 and _continues(data[tail]):
        tail += 1
    return data[:head] + b" " + data[tail:]


def _continues(byte: int) -> bool:
    """Whether a byte stands inside a UTF-8 character."""
    return byte & 0xC0 == 0x80
