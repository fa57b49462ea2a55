"""One broken rule of the schema -> what is wrong with which value, and what to do.

Row 2: takes a rule, its limit and the value; knows no validator. The words come from the schema's own descriptions; a
pattern is never shown. What concerns keys rather than values is in `keys`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.issues import Path, Problem
from generator.reading.naming import dotted, listed, name, nearest, quoted
from generator.reading.schema import FORM
from generator.reading.source import Unread
from generator.reading.syntax import QUOTE

_KINDS = {
    "string": "text",
    "array": "a list",
    "object": "a mapping",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
_NUMERIC = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One rule that a value breaks."""

    path: Path
    rule: str
    """The schema's keyword."""
    limit: Any
    """What stands beside the keyword."""
    value: Any
    schema: Mapping[str, Any]
    """The subschema that holds the keyword."""
    schema_path: tuple[str | int, ...] = ()

    @property
    def name(self) -> str:
        return name(self.path)

    def problem(self, code: str, message: str, mend: str, *, at_key: bool = False) -> Problem:
        return Problem(path=self.path, code=code, message=message, mend=mend, at_key=at_key)


def describe(fault: Fault) -> Iterator[Problem]:
    """Yield the problem of one value; several when a list repeats itself more than once."""
    if fault.rule == "uniqueItems":
        yield from _repeated(fault)
    elif fault.value is None:
        yield _nothing(fault)
    else:
        yield _DESCRIPTIONS.get(fault.rule, _other)(fault)


def repeats(values: Iterable[Any]) -> Iterator[int]:
    """Yield the position of each item that stood there before; equal means of one type and written alike.

    >>> list(repeats(["a", "b", "a", 1, True]))
    [2]
    """
    seen = set()
    for position, item in enumerate(values):
        mark = (type(item), repr(item))
        if mark in seen and not isinstance(item, Unread):
            yield position
        seen.add(mark)


def _nothing(fault: Fault) -> Problem:
    message = f"{fault.name} must be {_wanted(fault)}, but nothing is written there"
    mend = "Write it, or remove the key. A text that begins with '#' needs quotes, or YAML takes it for a comment."
    return fault.problem("empty", message, mend, at_key=True)


def _wrong_type(fault: Fault) -> Problem:
    message = f"{fault.name} must be {_wanted(fault)}, but YAML reads it as {_read_as(fault.value)}"
    return fault.problem("wrong-type", message, _retype(fault))


def _wanted(fault: Fault) -> str:
    kinds = fault.schema.get("type")
    if kinds is None:
        return quoted(fault.schema["const"]) if "const" in fault.schema else "something else"
    return " or ".join(_KINDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _read_as(value: Any) -> str:
    if isinstance(value, bool):
        return f"the truth value {quoted(value)}"
    if isinstance(value, int | float):
        return f"the number {quoted(value)}"
    return "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, list) else "text"


def _retype(fault: Fault) -> str:
    """Say how to write the value so that YAML reads it as wanted."""
    value = fault.value
    if fault.limit == "array":
        return "Begin each item with '- ', on a line of its own."
    if fault.limit == "object":
        keys = listed(tuple(fault.schema.get("properties", ())), "Write its keys on lines of their own, indented")
        return f"Remove the '- '. {keys}" if isinstance(value, list) else keys
    if isinstance(value, dict):
        return f"A colon followed by a space starts a mapping. {QUOTE}"
    if isinstance(value, list):
        return f"A text that begins with '[' or '- ' is read as a list. {QUOTE}"
    return _as_text(fault) if fault.limit == "string" else _as_number(fault)


def _as_text(fault: Fault) -> str:
    if "enum" in fault.schema:
        return listed(fault.schema["enum"], "Allowed")
    if isinstance(fault.value, float):
        return "Put it in single quotes; without them 2.10 and 2.1 are the same number."
    return f"Put it in single quotes: '{quoted(fault.value)}'."


def _as_number(fault: Fault) -> str:
    if isinstance(fault.value, str) and _NUMERIC.fullmatch(fault.value):
        return f"Write {fault.value} without quotes."
    return f"Write {_wanted(fault)}."


def _unknown_value(fault: Fault) -> Problem:
    at_item = fault.path and isinstance(fault.path[-1], int)
    place = f"in {dotted(fault.path[:-1])}" if at_item else f"for {fault.name}"
    guess = nearest(fault.value, fault.limit) if isinstance(fault.value, str) else None
    mend = f"Did you mean '{guess}'?" if guess else listed(fault.limit, "Allowed")
    return fault.problem("unknown-value", f"unknown value {quoted(fault.value)} {place}", mend)


def _constant(fault: Fault) -> Problem:
    message = f"{fault.name} must be {quoted(fault.limit)}, but YAML reads it as {_read_as(fault.value)}"
    return fault.problem("wrong-type", message, f"Write {quoted(fault.limit)} without quotes, or remove the key.")


def _form(fault: Fault) -> Problem:
    if _is_blank(fault.value):
        return _blank(fault)
    message = f"{fault.name} {quoted(fault.value)} does not have the expected form"
    return fault.problem("wrong-form", message, fault.schema.get(FORM, fault.schema.get("description", "")))


def _format(fault: Fault) -> Problem:
    message = f"{fault.name} {quoted(fault.value)} is no day of the calendar"
    return fault.problem("impossible-date", message, "Correct the month or the day.")


def _is_blank(text: str) -> bool:
    return not text.replace("\ufeff", "").strip()


def _blank(fault: Fault) -> Problem:
    return fault.problem("empty", f"{fault.name} is empty", "Write some text, or remove the key.")


def _too_short(fault: Fault) -> Problem:
    if _is_blank(fault.value):
        return _blank(fault)
    message = f"{fault.name} has {_count(len(fault.value), 'character')}; at least {fault.limit} are needed"
    return fault.problem("too-short", message, fault.schema.get("description", ""))


def _too_long(fault: Fault) -> Problem:
    message = f"{fault.name} has {len(fault.value):,} characters; at most {fault.limit:,} are allowed"
    mend = f"Shorten it by {len(fault.value) - fault.limit:,}. {fault.schema.get('description', '')}"
    return fault.problem("too-long", message, mend.rstrip())


def _too_few(fault: Fault) -> Problem:
    message = f"{fault.name} is empty" if not fault.value else f"{fault.name} needs at least {fault.limit} items"
    return fault.problem("empty", message, "Write at least one item, or remove the key.", at_key=True)


def _no_keys(fault: Fault) -> Problem:
    keys = listed(tuple(fault.schema.get("properties", ())), "Write at least one key, or remove it; allowed")
    if not fault.schema.get("properties"):
        keys = "Write at least one key, or remove it."
    return fault.problem("empty", f"{fault.name} is empty", keys, at_key=True)


def _repeated(fault: Fault) -> Iterator[Problem]:
    for position in repeats(fault.value):
        message = f"{quoted(fault.value[position])} stands in {dotted(fault.path)} twice"
        yield Problem(path=(*fault.path, position), code="repeated", message=message, mend="Remove one of them.")


def _too_small(fault: Fault) -> Problem:
    message = f"{fault.name} is {quoted(fault.value)}; it must be at least {fault.limit:,}"
    return fault.problem("out-of-range", message, fault.schema.get("description", ""))


def _too_great(fault: Fault) -> Problem:
    message = f"{fault.name} is {quoted(fault.value)}; it may be at most {fault.limit:,}"
    return fault.problem("out-of-range", message, fault.schema.get("description", ""))


def _no_branch(fault: Fault) -> Problem:
    message = f"{fault.name} cannot be {_read_as(fault.value)}"
    return fault.problem("wrong-type", message, fault.schema.get("description", ""))


def _other(fault: Fault) -> Problem:
    """Describe a rule that the schema did not use when this was written: plain, but never silent."""
    message = f"{fault.name} breaks the schema's rule {fault.rule}: {quoted(fault.limit)}"
    return fault.problem("schema", message, fault.schema.get("description", ""))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


_DESCRIPTIONS: Mapping[str, Callable[[Fault], Problem]] = {
    "type": _wrong_type,
    "enum": _unknown_value,
    "const": _constant,
    "pattern": _form,
    "format": _format,
    "minLength": _too_short,
    "maxLength": _too_long,
    "minItems": _too_few,
    "minProperties": _no_keys,
    "minimum": _too_small,
    "maximum": _too_great,
    "oneOf": _no_branch,
    "anyOf": _no_branch,
}
DESCRIBED = frozenset(_DESCRIPTIONS) | {"uniqueItems"}
"""Rules that have words of their own."""
