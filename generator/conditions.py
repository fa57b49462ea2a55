"""Decides conditions on captured values: `when` of a signature, and the comparisons that facts make.

Row 2 of the house: knows captured values, not where they come from. Integers only, so that every engine decides alike:
sizes are bytes and durations milliseconds, and a decimal number cannot be compared. What was not captured leaves a
condition undecided: the answer is None, neither true nor false.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from generator.language.values import Value
from generator.parts import Condition

_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_AND = "and"
_TOKEN = re.compile(r" *(?:(?P<name>[a-z][a-z0-9_]*)|(?P<number>[0-9]+)|(?P<sign>[<>=!]=|[<>*+-]))")


class ComparisonError(ValueError):
    """A comparison that cannot be read, with the place of the fault: a character counted from 0."""

    def __init__(self, position: int, message: str, mend: str) -> None:
        super().__init__(f"{message}, at character {position + 1}. {mend}")
        self.position = position
        self.message = message
        self.mend = mend


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Captures and numbers multiplied, counted positive or negative: `- 10 * allocated`."""

    sign: int
    factors: tuple[int | str, ...]

    def value(self, captures: Mapping[str, int]) -> int:
        """Return the product; every capture in it must be there."""
        return self.sign * prod(captures[f] if isinstance(f, str) else f for f in self.factors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Two sums compared."""

    left: tuple[Product, ...]
    operator: str
    right: tuple[Product, ...]

    @property
    def names(self) -> frozenset[str]:
        """The captures it speaks of."""
        return frozenset(f for part in (*self.left, *self.right) for f in part.factors if isinstance(f, str))

    def holds(self, captures: Mapping[str, Value]) -> bool | None:
        """Decide it, or return None when a capture is missing or no integer."""
        known = {name: value for name, value in captures.items() if isinstance(value, int)}
        if not self.names <= known.keys():
            return None
        left, right = (sum(part.value(known) for part in side) for side in (self.left, self.right))
        return _OPERATORS[self.operator](left, right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Clauses that must all hold."""

    text: str
    clauses: tuple[Clause, ...]

    @property
    def names(self) -> frozenset[str]:
        """The captures it speaks of."""
        return frozenset().union(*(clause.names for clause in self.clauses))

    def holds(self, captures: Mapping[str, Value]) -> bool | None:
        """Decide it: false when a clause is false, else None when one is undecided."""
        return _all_of(clause.holds(captures) for clause in self.clauses)


@lru_cache(maxsize=4096)
def parse_comparison(text: str) -> Comparison:
    """Read comparisons of sums and products joined by `and`; raises ComparisonError.

    >>> parse_comparison("free + 10 * unused >= requested").holds({"free": 4, "unused": 3, "requested": 30})
    True
    """
    reader = _Reader(text)
    clauses = [_clause(reader)]
    while reader.take_and():
        clauses.append(_clause(reader))
    if reader.kind != "end":
        raise reader.wrong("'and' or the end")
    return Comparison(text=text, clauses=tuple(clauses))


def compare(text: str, captures: Mapping[str, Value]) -> bool | None:
    """Decide a comparison over captured values; raises ComparisonError when it cannot be read.

    >>> compare("free >= requested", {"free": 4}) is None
    True
    """
    return parse_comparison(text).holds(captures)


def meets(condition: Condition, captures: Mapping[str, Value]) -> bool | None:
    """Decide whether captured values meet a condition: accepted values or a range for each name.

    >>> meets({"xid": [48, 63], "count": {"min": 1}}, {"xid": 48, "count": 0})
    False
    """
    return _all_of(_accepts(accepted, captures.get(name)) for name, accepted in condition.items())


def _accepts(accepted: object, value: Value | None) -> bool | None:
    """Decide one value; undecided when it is of another kind than what is accepted."""
    if isinstance(accepted, Mapping):
        if not isinstance(value, int):
            return None
        least, most = accepted.get("min"), accepted.get("max")
        return (least is None or least <= value) and (most is None or value <= most)
    alike = [one for one in accepted if type(one) is type(value)] if isinstance(accepted, (list, tuple)) else []
    return value in alike if alike else None


def _all_of(answers: Iterator[bool | None]) -> bool | None:
    given = set(answers)
    if False in given:
        return False
    return None if None in given else True


class _Reader:
    """The tokens of a comparison, one at a time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.end)
        if found is None or found.lastgroup is None:
            rest = self.text[self.end :]
            self.start = self.end + len(rest) - len(rest.lstrip(" "))
            self.kind, self.token = ("end" if self.start == len(self.text) else "odd"), self.text[self.start :][:1]
        else:
            self.kind, self.token = found.lastgroup, found[found.lastgroup]
            self.start, self.end = found.start(found.lastgroup), found.end()

    def take_and(self) -> bool:
        taken = self.token == _AND
        if taken:
            self.advance()
        return taken

    def take_sign(self, *signs: str) -> str | None:
        if self.kind != "sign" or self.token not in signs:
            return None
        token = self.token
        self.advance()
        return token

    def wrong(self, expected: str) -> ComparisonError:
        found = "the comparison ends" if self.kind == "end" else f"'{self.token}' stands"
        return ComparisonError(
            self.start,
            f"{found} where {expected} should be",
            "Compare sums of captures and whole numbers, as in `free + 10 * unused >= requested and count > 0`.",
        )


def _clause(reader: _Reader) -> Clause:
    left = _sum(reader)
    compared = reader.take_sign(*_OPERATORS)
    if compared is None:
        raise reader.wrong("one of < <= > >= == !=")
    return Clause(left=left, operator=compared, right=_sum(reader))


def _sum(reader: _Reader) -> tuple[Product, ...]:
    parts = []
    sign = reader.take_sign("-") or "+"
    while True:
        factors = [_factor(reader)]
        while reader.take_sign("*"):
            factors.append(_factor(reader))
        parts.append(Product(sign=-1 if sign == "-" else 1, factors=tuple(factors)))
        following = reader.take_sign("+", "-")
        if following is None:
            return tuple(parts)
        sign = following


def _factor(reader: _Reader) -> int | str:
    token, kind = reader.token, reader.kind
    if kind not in ("name", "number") or token == _AND:
        raise reader.wrong("a capture or a whole number")
    reader.advance()
    return int(token) if kind == "number" else token
