"""Keys that a mapping has and may not have, or lacks -> problems, a misspelt and a missing one merged into one.

Row 2: takes key names; knows no validator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.issues import Path, Problem
from generator.reading.naming import SCHEMA_FILE, listed, nearest, quoted, within
from generator.reading.source import shown

_FEW_HOMES = 2
_MOST_UNKNOWN = 50
"""A mapping with more unknown keys than this is something else altogether."""


@dataclass(frozen=True, slots=True)
class Condition:
    """When a key is needed or forbidden: another key beside it has, or has not, a value."""

    key: str
    value: Any
    holds: bool

    def __str__(self) -> str:
        return f"{'when' if self.holds else 'unless'} {self.key} is {quoted(self.value)}"


@dataclass(frozen=True, slots=True)
class Missing:
    """A key that must be there, or one of several of which one must."""

    names: tuple[str, ...]
    condition: Condition | None = None


@dataclass(slots=True)
class Keys:
    """What is wrong with the keys of one mapping."""

    path: Path
    properties: Mapping[str, Any]
    """Keys the schema knows here, with their subschemas."""
    present: frozenset[str]
    unknown: tuple[str, ...] = ()
    missing: list[Missing] = field(default_factory=list)
    forbidden: list[tuple[str, Condition | None]] = field(default_factory=list)
    rivals: list[tuple[str, ...]] = field(default_factory=list)
    """Keys of which only one may be there."""

    def problems(self, homes: Mapping[str, tuple[str, ...]]) -> Iterator[Problem]:
        """Yield one problem for each key; `homes` says where else a key may stand."""
        missing = list(dict.fromkeys(self.missing))
        absent = [key for key in self.properties if key not in self.present]
        for key in self.unknown[:_MOST_UNKNOWN]:
            guess = nearest(key, absent)
            if guess is not None:
                absent.remove(guess)
                missing = [m for m in missing if guess not in m.names]
            yield self._problem(
                key, "unknown-key", f"unknown key {quoted(key)}", self._advice(key, guess, absent, homes)
            )
        for lack in missing:
            yield self._lacking(lack)
        for key, condition in dict.fromkeys(self.forbidden):
            mend = f"Remove {key}" + (f", or {condition.key}." if condition else ".")
            message = f"{key} cannot stand" + (within(self.path) or " here") + (f" {condition}" if condition else "")
            yield Problem(path=(*self.path, key), at_key=True, code="conflicting-keys", message=message, mend=mend)
        for names in self.rivals:
            both = " and ".join(f"'{key}'" for key in names)
            yield self._problem(names[-1], "conflicting-keys", f"{both} cannot stand together", "Keep one of them.")

    def _problem(self, key: str, code: str, message: str, mend: str) -> Problem:
        return Problem(path=(*self.path, key), at_key=True, code=code, message=message + within(self.path), mend=mend)

    def _lacking(self, lack: Missing) -> Problem:
        """Place a key that is always missing on the mapping's own key, one that a value asks for on that value."""
        *others, last = (f"'{key}'" for key in lack.names)
        named = f"{', '.join(others)} or {last}" if others else last
        message = f"missing key {named}{within(self.path)}"
        mend = f"Add one of them; {SCHEMA_FILE} says what each means."
        if not others:
            mend = f"Add {named}: {self.properties.get(lack.names[0], {}).get('description', '')}"
        if lack.condition:
            path = (*self.path, lack.condition.key)
            return Problem(path=path, code="missing-key", message=f"{message}, needed {lack.condition}", mend=mend)
        return Problem(path=(*self.path, lack.names[0]), at_key=True, code="missing-key", message=message, mend=mend)

    @staticmethod
    def _advice(key: str, guess: str | None, free: list[str], homes: Mapping[str, tuple[str, ...]]) -> str:
        if guess is not None:
            return f"Did you mean '{guess}'?"
        places = homes.get(key, ())
        if 0 < len(places) <= _FEW_HOMES:
            where = " or ".join(place or "the top of the file" for place in places)
            return f"'{shown(key)}' belongs to {where}; look at the indentation."
        return listed(free, "Allowed here") if free else "Remove it; every key that may stand here does so already."
