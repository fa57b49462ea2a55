"""Lines copied from a screen of fixed width -> the lines that were printed.

A terminal cuts what is longer than its width; some ways of copying also pad each row to it. Padded: nearly all rows
have one width, and those without padding go on in the next. Not padded: several different rows have the greatest width,
what follows them begins as no line does, and some are cut inside a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

LEAST_ROWS = 5
NARROWEST = 40
"""Columns under which equal lengths are no screen's."""
_SHARE = 5
"""Padded: all rows but one in so many have the width."""
_LEAST_CUT = 3
"""Rows that are cut, where none is padded."""
_LEAST_SURE = 4
"""Those of different text and those cut inside a word, together."""
_HEAD = 4
"""Characters by which beginnings of lines are compared."""
_IN_WORD = re.compile("[A-Za-z0-9_]{2}")


def width_of(texts: Sequence[str]) -> int | None:
    """Return the width of the screen that rows were copied from; None if it was none."""
    rows = [text for text in texts if text != ""]
    if len(rows) < LEAST_ROWS:
        return None
    width = max(len(text) for text in rows)
    if width < NARROWEST:
        return None
    full = [text for text in rows if len(text) == width]
    if _is_padded(rows, width):
        return (
            width if any(text.endswith(" ") for text in full) and not all(text.endswith(" ") for text in full) else None
        )
    return width if _are_cut(rows, width) else None


def unwrap(rows: Sequence[tuple[int, str]], width: int) -> list[tuple[int, str]]:
    """Join rows that go on in the next; each line has the number of its first row."""
    texts = [text for _, text in rows if text != ""]
    padded = _is_padded(texts, width)
    heads = set() if padded else _heads(texts, width)
    lines: list[tuple[int, str]] = []
    goes_on = False
    for number, text in rows:
        if goes_on and text[:_HEAD] not in heads:
            first, begun = lines[-1]
            lines[-1] = (first, begun + text)
        else:
            lines.append((number, text))
        goes_on = len(text) == width and not (padded and text.endswith(" "))
    return [(number, text.rstrip(" ")) for number, text in lines]


def _is_padded(rows: Sequence[str], width: int) -> bool:
    return sum(1 for text in rows if len(text) == width) * _SHARE > len(rows) * (_SHARE - 1)


def _are_cut(rows: Sequence[str], width: int) -> bool:
    heads = _heads(rows, width)
    full = [(before, after) for before, after in pairwise(rows) if len(before) == width]
    cut = [(before, after) for before, after in full if after[:_HEAD] not in heads]
    different = {re.sub("[0-9]+", "0", before) for before, _ in cut}
    inside = sum(1 for before, after in cut if _IN_WORD.fullmatch(before[-1] + after[0]))
    return len(cut) >= _LEAST_CUT and inside > 0 and inside + len(different) >= _LEAST_SURE and len(cut) * 2 > len(full)


def _heads(rows: Sequence[str], width: int) -> set[str]:
    """Return how lines begin: what stands behind a row that is not full."""
    return {rows[0][:_HEAD], *(after[:_HEAD] for before, after in pairwise(rows) if len(before) < width)}
