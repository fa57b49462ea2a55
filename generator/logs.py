"""Names given to the command -> the logs to read: files, patterns, compressed files, standard input.

The disk end of a diagnosis. Bytes are handed on in chunks as they are; what they mean is not known here.
"""

from __future__ import annotations

import errno
import glob
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

CHUNK = 1 << 17
"""Bytes read at a time: those of a block of the scan, which then copies none."""
_WINDOW = 31
"""zlib's word for gzip with its largest window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One log."""

    name: str
    """Its file's name, as answers print it."""
    path: Path | None
    """None: standard input."""

    def chunks(self, progress: Callable[[str], None], note: Callable[[str], None]) -> Iterator[bytes]:
        """Yield its bytes, unpacked if they are compressed with gzip; note what is lacking.

        Raises OSError when it cannot be read or unpacked.
        """
        try:
            yield from unpacked(
                self._read(progress),
                on_cut=lambda: note(f"{self.name}: the gzip data ends early; what was there was read."),
            )
        except zlib.error as error:
            raise OSError(errno.EILSEQ, f"damaged gzip data ({error})", self.name) from None

    def _read(self, progress: Callable[[str], None]) -> Iterator[bytes]:
        with nullcontext(sys.stdin.buffer) if self.path is None else self.path.open("rb") as file:
            size = 0 if self.path is None else self.path.stat().st_size
            done = 0
            while chunk := file.read(CHUNK):
                yield chunk
                done += len(chunk)
                progress(f"{self.name} {min(99, done * 100 // size)} %" if size else f"{self.name} {done >> 20} MiB")


def unpacked(chunks: Iterator[bytes], *, on_cut: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    """Yield the bytes of a stream, unpacked where it begins as gzip does, several members too.

    A cut end gives what is there, and is told. Raises zlib.error when the bytes are damaged.
    """
    first = next(chunks, b"")
    if not first.startswith(b"\x1f\x8b"):
        yield first
        yield from chunks
        return
    packed = zlib.decompressobj(_WINDOW)
    is_begun = False
    for chunk in chain([first], chunks):
        rest = chunk
        while rest:
            yield packed.decompress(rest, CHUNK)
            rest, is_begun = packed.unconsumed_tail, not packed.eof
            if packed.eof:
                rest, packed = packed.unused_data, zlib.decompressobj(_WINDOW)
    if is_begun:
        yield packed.flush()
        on_cut()


def find_sources(names: Sequence[str]) -> list[Source]:
    """Find the logs that names mean; `-` is standard input, a pattern stands for the files it matches, sorted.

    Raises ValueError when one means nothing that can be read.
    """
    paths: list[Path | None] = []
    for name in names:
        if name == "-":
            paths.append(None)
        elif Path(name).is_dir():
            raise ValueError(f"{name} is a folder: name its logs, for example '{name.rstrip('/')}/*.log'.")
        elif Path(name).exists():
            paths.append(Path(name))
        elif found := sorted(glob.glob(name, recursive=True)):
            paths += [Path(one) for one in found if not Path(one).is_dir()]
        else:
            raise ValueError(f"{name}: no such file, and no file matches it as a pattern.")
    if paths.count(None) > 1:
        raise ValueError("'-' stands for standard input and can be given once.")
    return [Source(name=name, path=path) for name, path in zip(_names(paths), paths, strict=True)]


def _names(paths: Sequence[Path | None]) -> list[str]:
    """Name each log by as many parts of its path as tell it from the others."""
    names = []
    for path in paths:
        if path is None:
            names.append("stdin")
            continue
        alike = [other for other in paths if other is not None and other.name == path.name and other != path]
        parts = 1
        while alike and parts < len(path.parts):
            parts += 1
            alike = [other for other in alike if other.parts[-parts:] == path.parts[-parts:]]
        names.append("/".join(path.parts[-parts:]))
    return names
