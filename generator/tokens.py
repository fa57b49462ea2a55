"""Text -> the terms it is found by; the twin of `overrides/assets/search/tokens.mjs`, held to it by shared cases.

Error text is not prose: `torch.OutOfMemoryError` must be found whole, by its parts and by the words its capitals show,
while sizes, addresses and counters of one run must not matter. Only ASCII letters and digits make terms.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST = 40
"""A longer word is an address or a hash, not something people search for."""

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_WHOLE = re.compile(r"[A-Za-z0-9_]+(?:(?:::|[./-])[A-Za-z0-9_]+)*")
_PART = re.compile(r"[A-Za-z0-9]+")
_LETTER = re.compile(r"[A-Za-z]")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_HEX = re.compile(r"0x[0-9A-Fa-f]+")
_NUMBER = re.compile(r"[0-9]{1,4}")
_SAME = {
    **dict.fromkeys(("stuck", "hung", "freez", "froz", "frozen", "froze", "deadlock", "stall"), "hang"),
    **dict.fromkeys(("fell", "fallen"), "fall"),
    **dict.fromkeys(("died", "dying", "dead", "dies"), "die"),
    **dict.fromkeys(("grew", "grown", "grow", "increas", "ris", "rise", "climb"), "grow"),
    **dict.fromkeys(("lost", "losing", "lose"), "los"),
    **dict.fromkeys(("disappear", "vanish"), "disappear"),
    **dict.fromkeys(("brok", "broken"), "break"),
    **dict.fromkeys(("damag", "corrupt"), "corrupt"),
    **dict.fromkeys(("ran",), "run"),
    **dict.fromkeys(("vram",), "memory"),
}
"""Forms that no ending shows to be the same, and words that people use for the same sight."""
_ENDINGS = (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", ""))
_STOP = frozenset(
    """a an and are as at be but by can do does for from has have how i if in is it its my no not of on or so that the
    then there this to was what when which while why will with you your during does kib mib gib tib""".split()  # noqa: SIM905 -- fifty
)


def terms_of(text: str) -> list[str]:
    """Return the terms of a text, each once, in order of appearance.

    >>> terms_of("torch.OutOfMemoryError: Tried to allocate 20.00 MiB")
    ['torch.outofmemoryerror', 'torch', 'outofmemoryerror', 'out', 'memory', 'error', 'try', 'allocat']
    """
    found: dict[str, None] = {}
    for match in _WHOLE.finditer(_ANSI.sub("", unicodedata.normalize("NFKC", text))):
        for term in _terms_of_word(match.group()):
            found[term] = None
    return list(found)


def phrase_of(text: str) -> str:
    """Return one term for a whole short text whatever the order of its words: `=cuda|oom`.

    >>> phrase_of("OOM (CUDA)")
    '=cuda|oom'
    """
    return "=" + "|".join(sorted(set(terms_of(text))))


@lru_cache(maxsize=1 << 15)
def _terms_of_word(whole: str) -> tuple[str, ...]:
    """Return the terms of a word with its dots, slashes and underscores: itself, its parts, what its capitals show."""
    found = []
    parts = _PART.findall(whole)
    if len(parts) > 1 and len(whole) <= LONGEST and _LETTER.search(whole):
        found.append(whole.lower())
    if len(parts) > 1 and all(part.isdigit() for part in parts):
        return ()
    if len(parts) == 2 and all(part.isalpha() for part in parts) and len(whole) < 18:
        found.append(_stem("".join(parts).lower()))  # all_reduce is also written allreduce
    for part in parts:
        if _HEX.fullmatch(part):
            continue
        pieces = [piece for piece in _PIECE.findall(part) if len(piece) > 2 or piece.isdigit()]
        found += [term for piece in (part, *pieces) if (term := _term(piece)) is not None]
    return tuple(found)


def _term(piece: str) -> str | None:
    lower = piece.lower()
    if lower.isdigit():
        return lower if _NUMBER.fullmatch(lower) else None
    if lower in _STOP or len(lower) < 2 or len(lower) > LONGEST:
        return None
    return _stem(lower)


def _stem(word: str) -> str:
    """Take the ending off an inflected word, so that `hangs`, `hanging` and `hang` are one term."""
    if len(word) <= 3 or not word.isalpha():
        return _SAME.get(word, word)
    for ending, rest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(rest) >= 3:
            if ending == "s" and word[-2] in "siu":
                break
            word = _undouble(word[: -len(ending)] + rest)
            break
    word = word[:-1] if len(word) > 4 and word.endswith("e") else word
    return _SAME.get(word, word)


def _undouble(stem: str) -> str:
    """Undo `running` -> `runn`, but leave `full` and `miss`."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
        return stem[:-1]
    return stem
