"""An entry's raw data and the schema -> problems, the same from either validator.

The only module that knows jsonschema. The optional jsonschema-rs only says whether data is valid, which it does many
times as fast; what is wrong with the rest is always worked out by jsonschema, so that both lead to the same problems.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from generator.issues import Issue, Path, Problem
from generator.load import Document
from generator.model import Term
from generator.reading.describe import Fault, describe, repeats
from generator.reading.keys import Condition, Keys, Missing
from generator.reading.schema import flatten, homes, python_pattern, vocabularies
from generator.reading.source import Unread

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_MOST_ERRORS = 200
"""Errors of one file that are looked at; nobody mends more in one go."""

Engine: TypeAlias = Literal["jsonschema", "jsonschema-rs"]


@dataclass(frozen=True, kw_only=True)
class Schema:
    """What a valid entry is, ready to be asked many times."""

    flat: Mapping[str, Any]
    """The schema with its references followed."""
    vocabularies: Mapping[str, Mapping[str, Term]]
    """Definition name (`category`, `likelihood`) to value to term, in the schema's order."""
    accepts: Callable[[Any], bool]
    """Says quickly that data is valid; anything it does not accept is looked at closely."""

    @cached_property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """For each key, the mappings in which it may stand."""
        return homes(self.flat)

    @cached_property
    def errors(self) -> Callable[[Any], Iterable[ValidationError]]:
        """Find every broken rule; made when first needed, because jsonschema takes a while to import."""
        return _slow_validator(self.flat)


def load_schema(path: FilePath, engine: Engine | None = None) -> Schema:
    """Read the schema; without a choice of engine, jsonschema-rs is used where it is installed.

    Raises OSError when the file cannot be read, ValueError when it is no schema, ImportError when the engine asked for
    is not installed.
    """
    raw = json.loads(path.read_text(encoding="utf-8"))
    flat = flatten(raw)
    return Schema(flat=flat, vocabularies=vocabularies(raw), accepts=_fast_validator(flat, engine))


def check_document(document: Document, schema: Schema) -> tuple[Issue, ...]:
    """Return everything wrong with one file, in its YAML and against the schema, located and sorted."""
    found = list(document.issues)
    if document.data is not None:
        found += [document.issue(problem) for problem in validate(document.data, schema)]
    return tuple(sorted(found, key=lambda issue: issue.sort_key))


def validate(data: Any, schema: Schema) -> list[Problem]:
    """Return every problem of one entry's data, each once; an empty list means valid."""
    if schema.accepts(data):
        return []
    faults = [fault for error in islice(schema.errors(data), _MOST_ERRORS) for fault in _faults(error)]
    mappings: dict[Path, Keys] = {}
    values = [fault for fault in faults if not _is_about_keys(fault, mappings, data, schema)]
    problems = [problem for fault in _strongest(values) for problem in describe(fault)]
    broken = {problem.path for problem in problems}
    for keys in mappings.values():
        keys.missing = [m for m in keys.missing if _is_settled(m.condition, keys, broken)]
        problems += keys.problems(schema.homes)
    return list(dict.fromkeys(problems))


def _faults(error: ValidationError) -> Iterator[Fault]:
    """Turn an error into faults; of several branches the one that fits the value's type is taken."""
    if isinstance(error.instance, Unread):
        return
    if error.validator in ("oneOf", "anyOf") and not _of_keys(error.validator_value):
        branches: dict[Any, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(inner.schema_path[0], []).append(inner)
        fitting = [b for b in branches.values() if all(e.validator != "type" or len(e.path) for e in b)]
        if len(fitting) == 1:
            for inner in fitting[0]:
                yield from _faults(inner)
            return
    yield Fault(
        path=tuple(error.absolute_path),
        rule=str(error.validator),
        limit=error.validator_value,
        value=error.instance,
        schema=error.schema if isinstance(error.schema, dict) else {},
        schema_path=tuple(error.absolute_schema_path),
    )


def _of_keys(branches: Any) -> bool:
    """Tell a choice between keys from a choice between values."""
    return all(set(branch) == {"required"} for branch in branches)


def _is_about_keys(fault: Fault, mappings: dict[Path, Keys], data: Any, schema: Schema) -> bool:
    """Note a fault with the mapping whose keys it is about; False when it is about a value."""
    chooses = fault.rule in ("oneOf", "anyOf") and _of_keys(fault.limit)
    if not chooses and fault.rule not in ("not", "required", "additionalProperties"):
        return False
    path = fault.path[:-1] if fault.rule == "not" else fault.path
    keys = mappings.setdefault(path, _keys_at(path, data, schema))
    condition = _condition(fault, schema)
    if fault.rule == "not":
        keys.forbidden.append((str(fault.path[-1]), condition))
    elif fault.rule == "additionalProperties":
        keys.properties = fault.schema.get("properties", {})
        keys.unknown = tuple(key for key in fault.value if key not in keys.properties)
    elif fault.rule == "required":
        keys.missing += [Missing((name,), condition) for name in fault.limit if name not in fault.value]
    else:
        names = tuple(name for branch in fault.limit for name in branch["required"])
        there = tuple(name for name in names if name in fault.value)
        if there:
            keys.rivals.append(there)
        else:
            keys.missing.append(Missing(names, condition))
    return True


def _keys_at(path: Path, data: Any, schema: Schema) -> Keys:
    node: Any = schema.flat
    for part in path:
        data = data[part]
        node = node.get("items", {}) if isinstance(part, int) else node.get("properties", {}).get(part, {})
    return Keys(path, node.get("properties", {}), frozenset(data))


def _condition(fault: Fault, schema: Schema) -> Condition | None:
    """Find the `if` that the broken rule depends on: one key with one value."""
    node: Any = schema.flat
    found = None
    for step in fault.schema_path:
        if step in ("then", "else") and "if" in node:
            ((key, rule),) = node["if"]["properties"].items()
            found = Condition(key, rule["const"], step == "then")
        node = node[step]
    return found


def _is_settled(condition: Condition | None, keys: Keys, broken: Iterable[Path]) -> bool:
    """Tell whether the key that decides has a value one can build on."""
    if condition is None or condition.holds:
        return True
    return condition.key in keys.present and (*keys.path, condition.key) not in broken


def _strongest(faults: list[Fault]) -> Iterator[Fault]:
    """Drop what only follows from another fault of the same value: its type, or the form of a date."""
    first: dict[Path, str] = {}
    for rule in ("type", "pattern"):
        for fault in faults:
            if fault.rule == rule:
                first.setdefault(fault.path, rule)
    for fault in faults:
        strongest = first.get(fault.path)
        if strongest in (None, fault.rule) or (strongest == "pattern" and fault.rule != "format"):
            yield fault


def _fast_validator(flat: Mapping[str, Any], engine: Engine | None) -> Callable[[Any], bool]:
    if engine == "jsonschema":
        return lambda data: False
    try:
        fast = import_module("jsonschema_rs")
    except ImportError:
        if engine is not None:
            raise
        return lambda data: False
    is_valid = fast.Draft202012Validator(flat, validate_formats=True, formats={"date": _is_date}).is_valid

    def accepts(data: Any) -> bool:
        try:
            return bool(is_valid(data))
        except ValueError:  # data that JSON cannot hold: a refused value
            return False

    return accepts


def _slow_validator(flat: Mapping[str, Any]) -> Callable[[Any], Iterable[ValidationError]]:
    """Make a validator whose patterns mean what they mean in JavaScript, and whose lists take no quadratic time."""
    from jsonschema import Draft202012Validator, FormatChecker, ValidationError
    from jsonschema.validators import extend

    @cache
    def search(pattern: str) -> Callable[[str], object]:
        return re.compile(python_pattern(pattern)).search

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not search(wanted)(value):
            yield ValidationError("form")

    def enum(_: Any, choices: list[str], value: Any, __: Any) -> Iterator[ValidationError]:
        if not (isinstance(value, str) and value in choices):
            yield ValidationError("choice")

    def unique(_: Any, wanted: bool, value: Any, __: Any) -> Iterator[ValidationError]:
        if wanted and isinstance(value, list) and any(True for _ in repeats(value)):
            yield ValidationError("repeated")

    dates = FormatChecker(formats=())
    dates.checks("date")(_is_date)
    keywords = {"pattern": pattern, "enum": enum, "uniqueItems": unique}
    make: Any = extend
    find: Callable[[Any], Iterable[ValidationError]]
    find = make(Draft202012Validator, keywords)(flat, format_checker=dates).iter_errors
    return find


def _is_date(value: object) -> bool:
    """Tell whether a text names a day that exists."""
    if not isinstance(value, str):
        return True
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True
