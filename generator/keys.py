"""Keys that a mapping has and may not have, or lacks -> problems, a misspelt and a missing one merged into one.

Row 2: takes key names; knows no validator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.issues import Path, Problem
from generator.naming import SCHEMA_FILE, listed, nearest, quoted, within
from generator.source import shown

_FEW_HOMES = 2


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
        for key in self.unknown:
            guess = nearest(key, absent)
            if guess is not None:
                absent.remove(guess)
                missing = [m for m in missing if guess not in m.names]
            yield self._problem(key, "unknown-key", f"unknown key {quoted(key)}", self._advice(key, guess, homes))
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
        first = lack.names[0]
        why = f", needed {lack.condition}" if lack.condition else ""
        if len(lack.names) > 1:
            named = " or ".join(f"'{key}'" for key in lack.names)
            message, mend = (
                f"missing key {named}{within(self.path)}{why}",
                f"Add one of them; {SCHEMA_FILE} says what each means.",
            )
        else:
            description = self.properties.get(first, {}).get("description", "")
            message, mend = f"missing key '{first}'{within(self.path)}{why}", f"Add '{first}': {description}"
        return Problem(path=(*self.path, first), at_key=True, code="missing-key", message=message, mend=mend)

    def _advice(self, key: str, guess: str | None, homes: Mapping[str, tuple[str, ...]]) -> str:
        if guess is not None:
            return f"Did you mean '{guess}'?"
        places = homes.get(key, ())
        if 0 < len(places) <= _FEW_HOMES:
            where = " or ".join(place or "the top of the file" for place in places)
            return f"'{shown(key)}' belongs to {where}; look at the indentation."
        if not self.properties:
            return "Remove it."
        return listed([k for k in self.properties if k not in self.present], "Still free here")
