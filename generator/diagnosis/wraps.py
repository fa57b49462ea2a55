"""Lines copied from a screen of fixed width -> the lines that were printed.

A terminal pads each row to its width and cuts what is longer. Where nearly all rows have one width and some end in
padding, rows without padding go on in the next.
"""

from __future__ import annotations

from collections.abc import Sequence

LEAST_ROWS = 5
NARROWEST = 40
"""Columns under which equal lengths are no screen's."""
_SHARE = 5
"""All rows but one in so many have the width."""


def width_of(texts: Sequence[str]) -> int | None:
    """Return the width of the screen that rows were copied from, their padding included; None if it was none."""
    rows = [text for text in texts if text != ""]
    if len(rows) < LEAST_ROWS:
        return None
    width = max(len(text) for text in rows)
    full = [text for text in rows if len(text) == width]
    padded = sum(1 for text in full if text.endswith(" "))
    if width < NARROWEST or len(full) * _SHARE <= len(rows) * (_SHARE - 1) or padded in (0, len(full)):
        return None
    return width


def unwrap(rows: Sequence[tuple[int, str]], width: int) -> list[tuple[int, str]]:
    """Join rows that go on in the next; each line has the number of its first row."""
    lines: list[tuple[int, str]] = []
    goes_on = False
    for number, text in rows:
        if goes_on:
            first, begun = lines[-1]
            lines[-1] = (first, begun + text)
        else:
            lines.append((number, text))
        goes_on = len(text) == width and not text.endswith(" ")
    return [(number, text.rstrip(" ")) for number, text in lines]
