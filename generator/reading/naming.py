"""What a message calls a place in an entry, and the words it offers.

Row 1: plain values in, plain text out; knows neither YAML nor the schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from generator.issues import Path
from generator.reading.source import shown

_LISTED = 12
"""Most words a message lists before it refers to the schema."""
_ALIKE = 0.7
"""How alike two words must be for "did you mean"; lower ones guess, higher ones miss swapped letters."""
_NO_NOUNS = ("also_known_as", "requires", "supports")
SCHEMA_FILE = "schema/entry.schema.json"


def dotted(path: Path) -> str:
    """Write a path the way people say it.

    >>> dotted(("signatures", 0, "wordings", 2, "template"))
    'signatures[0].wordings[2].template'
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{shown(part)}" for part in path).removeprefix(".")


def within(path: Path) -> str:
    """Say in which mapping a key stands; nothing for the top."""
    return f" in {dotted(path)}" if path else ""


def name(path: Path) -> str:
    """Call a value by its key, an item of a list by the singular of it.

    >>> name(("signatures", 0, "wordings", 2, "near_misses", 0)), name(("layer", 1)), name(("title",))
    ('near_miss', 'layer[1]', 'title')
    """
    if not path:
        return "the entry"
    if not isinstance(path[-1], int):
        return shown(path[-1])
    word = path[-2] if len(path) > 1 else ""
    if not isinstance(word, str) or not word.endswith("s") or word in _NO_NOUNS:
        return dotted(path[-2:])
    return word[:-2] if word.endswith(("sses", "xes", "iases")) else word[:-1]


def quoted(value: Any) -> str:
    """Write a value as a message repeats it.

    >>> quoted("a"), quoted(True), quoted(3)
    ("'a'", 'true', '3')
    """
    if isinstance(value, str):
        return f"'{shown(value)}'"
    return shown(str(value).lower() if isinstance(value, bool) else str(value))


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Find the choice that was probably meant, whatever the case and the joins.

    >>> nearest("PyTorhc", ["jax", "pytorch"])
    'pytorch'
    """
    plain = {_plain(choice): choice for choice in choices}
    found = get_close_matches(_plain(word[:100]), list(plain), n=1, cutoff=_ALIKE)
    return plain[found[0]] if found else None


def listed(choices: Sequence[str], lead: str) -> str:
    """List what is allowed; a long list is cut and refers to the schema.

    >>> listed(["a", "b"], "Allowed")
    'Allowed: a, b.'
    """
    if len(choices) <= _LISTED:
        return f"{lead}: {', '.join(choices)}."
    return f"{lead}: {', '.join(choices[:_LISTED])} … ({len(choices)} in all, described in {SCHEMA_FILE})."


def _plain(word: str) -> str:
    return word.lower().replace("_", "-").replace(" ", "-")
