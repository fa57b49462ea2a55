"""An entry or a part of one -> the data it was made of, as its file has it."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any

from generator.model import Entry


def to_data(part: Any) -> Any:
    """Return the data of a part; what the file left out is left out.

    Entry.from_raw of it gives the same entry again.
    """
    if is_dataclass(part):
        found = ((key, getattr(part, name), default) for name, key, default in _plan(part.__class__))
        return {key: to_data(value) for key, value, default in found if value != default}
    if isinstance(part, tuple):
        return [to_data(one) for one in part]
    return part


@cache
def _plan(kind: Any) -> tuple[tuple[str, str, Any], ...]:
    """List the fields of a kind of part: its name, its key, its default. The file's path is no part of what it says."""
    listed = [field for field in fields(kind) if not (kind is Entry and field.name == "file")]
    return tuple((field.name, field.name.removesuffix("_"), _default(field)) for field in listed)


def _default(field: Any) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default
