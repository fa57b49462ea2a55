"""Literals -> what says, of many pieces of a log at once, which of them hold one when cleaned.

Two steps, both on text joined by LF. The first works on shapes: a piece without its digits, blanks, control characters
and bytes beyond ASCII. Cleaning changes nothing else, escape sequences apart, so a piece whose shape holds neither the
shape of a literal nor what may be an escape sequence can be ruled out without being cleaned. The second cleans and
searches what is left. Knows nothing of files. Twin: `gate.mjs`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol

from generator.diagnosis.lines import clean

_DELETED = bytes(b for b in range(256) if (b <= 0x20 and b not in b"\n\r\x1b") or b in b"0123456789" or b >= 0x7F)
_FOLDED = bytes(range(256)).replace(b"\r", b"\n")
_ESCAPES = ("\x1b", *("[" + ";" * count + "m" for count in range(8)))
"""Shapes of escape sequences, and of those that lost their ESC."""
_COMMON = "ertaison-l:cp/d.^um=,_hkgybf[]*v()FIw\"NOxT'E|RSCDjG<UA>MPBzL`%\\Wq+;HV~!X{}Y#K?ZJQ&$"
"""Characters of logs, the most frequent first; each is about a thirteenth rarer than the one before."""


def shapes(data: bytes) -> bytes:
    r"""Reduce pieces to their shapes, each behind the other with an LF between them.

    >>> shapes(b"[rank3]:  step 12/50\rstep 13/50")
    b'[rank]:step/\nstep/'
    """
    return data.translate(_FOLDED, _DELETED)


class Search(Protocol):
    """Finds places in shapes."""

    def find(self, text: bytes) -> Iterable[int]:
        """Yield a place in each piece that has one, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The literals, ready for the search."""

    search: Search
    is_fast: bool
    """Whether the search may be given whole blocks; else only shapes not seen before."""
    texts: re.Pattern[str]
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
        by_shape = [(shapes(text.encode()), text) for text in texts]
        wanted = {shape.decode() for shape, _ in by_shape}.union(_ESCAPES)
        use_extra = find_spec("daachorse") is not None if extra is None else extra
        search: Search
        if "" in wanted:  # nothing of that literal is in a shape: every piece must be cleaned
            search = _Everything()
        elif use_extra:
            search = _Automaton(wanted)
        else:
            search = _Pattern(wanted)
        return cls(search=search, is_fast=use_extra, texts=re.compile(_alternation(texts)), by_shape=by_shape)

    def literals_of(self, shape: bytes) -> tuple[str, ...] | None:
        """Return the literals that a piece of this shape can hold; None if any, for it may have escape sequences."""
        if any(escape.encode() in shape for escape in _ESCAPES):
            return None
        return tuple(text for reduced, text in self.by_shape if reduced in shape)

    def hits(self, pieces: Sequence[bytes], literals: Sequence[tuple[str, ...] | None]) -> list[int]:
        """Return which of the pieces, once cleaned, hold one of their literals."""
        text = clean(b"\n".join(pieces))
        kinds = set(literals)
        if None not in kinds and not any(literal in text for kind in kinds for literal in kind or ()):
            return []  # as with literals that differ from what is common by a digit
        lines = text.split("\n")
        return [i for i, (line, texts) in enumerate(zip(lines, literals, strict=True)) if self._holds(line, texts)]

    def _holds(self, line: str, texts: tuple[str, ...] | None) -> bool:
        if texts is None:
            return self.texts.search(line) is not None
        return any(text in line for text in texts)


class _Everything:
    def find(self, text: bytes) -> Iterator[int]:
        yield 0
        yield from (found.end() for found in re.finditer(b"\n", text))


class _Pattern:
    """The standard library's way."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._pattern = re.compile(_alternation(texts).encode())

    def find(self, text: bytes) -> Iterator[int]:
        at = 0
        while found := self._pattern.search(text, at):
            yield found.start()
            at = text.find(b"\n", found.end())
            if at < 0:
                return


class _Automaton:
    """The extra package's way: Aho and Corasick's."""

    def __init__(self, texts: Iterable[str]) -> None:
        from daachorse import DoubleArrayAhoCorasick

        self._automaton = DoubleArrayAhoCorasick([text.encode() for text in sorted(texts)])

    def find(self, text: bytes) -> Iterator[int]:
        behind = -1
        for start, _, _ in self._automaton.find(text):
            if start > behind:
                yield start
                behind = text.find(b"\n", start)
                if behind < 0:
                    return


def _alternation(texts: Iterable[str]) -> str:
    """Write a pattern that is found where one of the texts ends.

    `re` skips fast over characters that cannot begin a match and is slow at the others. So a text is not looked for at
    its beginning but from a rare character in it, the same few for all; what was before it is looked at last.
    """
    known = sorted(set(texts), key=len)
    needed = [text for place, text in enumerate(known) if not any(other in text for other in known[:place])]
    rare = _rare_characters(needed)
    parts = []
    for text in sorted(needed):
        start = min((i for i in range(len(_starts(text))) if text[i] in rare), key=lambda i: (_frequency(text[i]), i))
        parts.append((text[start:], text))
    return _trie(parts) if parts else "(?!)"


def _starts(text: str) -> str:
    """Return the characters of a text at which its search may begin: enough must follow."""
    return text[:-2] or text[:1]


def _rare_characters(texts: Sequence[str]) -> frozenset[str]:
    """Choose few rare characters so that each text has one."""
    chosen: list[str] = []
    left = list(texts)
    while left:
        counts: dict[str, int] = defaultdict(int)
        for text in left:
            for character in set(_starts(text)):
                counts[character] += 1
        best = min(counts, key=lambda c: (_frequency(c) / counts[c], c))
        chosen.append(best)
        left = [text for text in left if best not in _starts(text)]
    for character in sorted(chosen, key=lambda c: (-_frequency(c), c)):
        others = [other for other in chosen if other != character]
        if all(any(other in _starts(text) for other in others) for text in texts):
            chosen = others
    return frozenset(chosen)


def _frequency(character: str) -> float:
    place = _COMMON.find(character)
    return 0.925 ** (place if place >= 0 else len(_COMMON))


def _trie(parts: Sequence[tuple[str, str]]) -> str:
    """Write a pattern for (what is left of a text, the text)."""
    branches = [f"(?<={re.escape(text)})" for rest, text in parts if not rest]
    by_first: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for rest, text in parts:
        if rest:
            by_first[rest[0]].append((rest[1:], text))
    for first, followers in by_first.items():
        prefix, tails = first, followers
        while all(rest for rest, _ in tails) and len({rest[0] for rest, _ in tails}) == 1:
            prefix += tails[0][0][0]
            tails = [(rest[1:], text) for rest, text in tails]
        branches.append(re.escape(prefix) + _trie(tails))
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
