"""What the text of a placeholder becomes: bytes, milliseconds, a shape, the inside of quotes.

Row 1 of the house. Exact whole numbers only, half rounded up, so that every implementation reads a line alike; a
number that is not whole stays text.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = int | str | tuple[int, ...]
"""A captured value: an integer (bytes and milliseconds too), a text, or a shape."""

_UNITS = {"B": 1, "bytes": 1} | {
    f"{letter}{infix}B": base**power
    for power, letter in enumerate("KMGT", 1)
    for infix, base in (("", 1000), ("i", 1024))
}
"""Bytes of a unit: KiB is 1,024 and KB 1,000, as they are defined; a program that prints GB for GiB is read as written.

PyTorch's allocator writes KiB, MiB and GiB. Facts compare sizes of one line, where the unit is the same.
"""

MILLISECONDS = {
    "ns": Fraction(1, 1_000_000),
    "us": Fraction(1, 1_000),
    "ms": Fraction(1),
    "s": Fraction(1_000),
    "seconds": Fraction(1_000),
    "minutes": Fraction(60_000),
    "hours": Fraction(3_600_000),
}
"""Milliseconds of a unit."""


def read_bytes(text: str) -> int:
    """Return the bytes of a size, half a byte rounded up.

    >>> read_bytes("20.00 MiB"), read_bytes("1.5KB"), read_bytes("7 bytes")
    (20971520, 1500, 7)
    """
    return _scaled(text, _UNITS)


def read_milliseconds(text: str) -> int:
    """Return the milliseconds of a duration, half a millisecond rounded up.

    >>> read_milliseconds("30 minutes"), read_milliseconds("600060ms"), read_milliseconds("1.5 us")
    (1800000, 600060, 0)
    """
    return _scaled(text, MILLISECONDS)


def read_shape(text: str) -> tuple[int, ...]:
    """Return the dimensions of a shape.

    >>> read_shape("torch.Size([64, 16])"), read_shape("64x16"), read_shape("()")
    ((64, 16), (64, 16), ())
    """
    return tuple(int(dimension) for dimension in re.findall(r"-?[0-9]+", text))


def read_quoted(text: str) -> str:
    """Return what stands between the quotes.

    >>> read_quoted("'lm_head.weight'")
    'lm_head.weight'
    """
    return text[1:-1]


def _scaled(text: str, factors: dict[str, int] | dict[str, Fraction]) -> int:
    number = text.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    exact = Fraction(number.strip()) * factors[text[len(number) :]]
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
