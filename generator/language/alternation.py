"""Texts -> one pattern that is found where one of them ends, which `re` searches fast, hundreds of them too."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

_COMMON = "ertaison-l:cp/d.^um=,_hkgybf[]*v()FIw\"NOxT'E|RSCDjG<UA>MPBzL`%\\Wq+;HV~!X{}Y#K?ZJQ&$"
"""Characters of logs, the most frequent first; each is about a thirteenth rarer than the one before."""


@lru_cache(maxsize=8)
def alternation(texts: tuple[str, ...]) -> str:
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
