"""The schema as it is written -> the same rules as validators and messages like them.

Row 2. `schema/entry.schema.json` stays the only definition of a valid entry; nothing is added or left out here:
references are followed once, a vocabulary (`oneOf` of nothing but `const`) becomes an `enum`, and a pattern is spelt so
that Python and Rust read it as JavaScript does. Knows no validator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from generator.model import Term

FORM: Final = "x-form"
"""Where a pattern comes from a definition: the definition's own description, which says the form in words."""

FORBIDDEN: Final[dict[str, Any]] = {"not": {}}
"""The schema `false` for a key; jsonschema 4.26 does not say which key broke it when it is written `false`."""

_SPACES = r"\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What `\\s` means in JavaScript; Python's holds four more characters and lacks one."""
_ATOM = re.compile(r"\\.|[\[\]$]|[^\\\[\]$]+", re.DOTALL)


def flatten(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Follow every reference and simplify every vocabulary; raises ValueError on a reference to itself."""
    flat = _flatten(dict(schema), schema["$defs"], ())
    return {key: value for key, value in flat.items() if key not in ("$defs", "$id")}


def vocabularies(schema: Mapping[str, Any]) -> dict[str, dict[str, Term]]:
    """Collect the closed lists: definition name to value to term, in the schema's order."""
    return {
        name: {
            option["const"]: Term(
                value=option["const"],
                title=option["title"],
                description=option["description"],
                group=option.get("x-group", ""),
            )
            for option in definition["oneOf"]
        }
        for name, definition in schema["$defs"].items()
        if _is_vocabulary(definition)
    }


def homes(flat: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Say for each key in which mappings it may stand, `signatures[].wordings[]`; the top is empty text."""
    found: dict[str, list[str]] = {}
    for place, key in _keys(flat, ""):
        found.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in found.items()}


def python_pattern(pattern: str) -> str:
    r"""Spell a pattern so that `re` reads it as JavaScript does: `$` only at the very end.

    >>> python_pattern("^[$]x$")
    '^[$]x\\Z'
    """
    return "".join(r"\Z" if atom == "$" and not inside else atom for atom, inside in _atoms(pattern))


def _keys(node: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    for key, value in node.get("properties", {}).items():
        yield place, key
        inner = f"{place}.{key}" if place else key
        yield from _keys(value, inner)
        yield from _keys(value.get("items", {}), f"{inner}[]")


def _flatten(node: Any, definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_flatten(item, definitions, inside) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        if name in inside:
            raise ValueError(f"the schema's definition {name} refers to itself")
        base = _flatten(definitions[name], definitions, (*inside, name))
        return _join(base, {key: _flatten(value, definitions, inside) for key, value in node.items() if key != "$ref"})
    flat = {key: _flatten(value, definitions, inside) for key, value in node.items() if key != "$defs"}
    if _is_vocabulary(flat):
        flat["enum"] = [option["const"] for option in flat.pop("oneOf")]
    if "properties" in flat:
        flat["properties"] = {key: FORBIDDEN if rule is False else rule for key, rule in flat["properties"].items()}
    if isinstance(flat.get("pattern"), str):
        flat["pattern"] = _portable_pattern(flat["pattern"])
    return flat


def _join(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Join a definition with what stands beside the reference to it; both hold."""
    joined = dict(base)
    for key, value in own.items():
        if key == "description":
            if "pattern" in base:
                joined[FORM] = base[key]
            joined[key] = value
        elif key == "maxLength" and key in base:
            joined[key] = min(value, base[key])
        elif key in base:
            joined["allOf"] = [*joined.get("allOf", []), {key: value}]
        else:
            joined[key] = value
    return joined


def _is_vocabulary(node: Any) -> bool:
    return isinstance(node, dict) and "oneOf" in node and all("const" in option for option in node["oneOf"])


def _portable_pattern(pattern: str) -> str:
    """Spell out what engines read differently; raises ValueError on what cannot be."""
    spelt = []
    for atom, inside in _atoms(pattern):
        if atom == r"\s":
            spelt.append(_SPACES if inside else f"[{_SPACES}]")
        elif atom == r"\S" and not inside:
            spelt.append(f"[^{_SPACES}]")
        elif atom.startswith("\\") and atom[1:].isalpha() and atom != r"\n":
            raise ValueError(f"spell {atom} out in the schema's pattern {pattern}")
        else:
            spelt.append(atom)
    return "".join(spelt)


def _atoms(pattern: str) -> Iterator[tuple[str, bool]]:
    """Split a pattern into escapes, brackets and the rest, each with whether it stands inside brackets."""
    inside = False
    for atom in _ATOM.findall(pattern):
        yield atom, inside
        if atom in "[]":
            inside = atom == "["
