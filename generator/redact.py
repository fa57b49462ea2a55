"""Text -> the same without what should not be handed on: tokens, e-mails, addresses, hosts, home folders.

Masks what it knows by its form, and the hosts that a diagnosis names; it cannot know every secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from generator.index import LineShape


def redact(value: Any, shapes: Iterable[LineShape], hosts: Iterable[str]) -> Any:
    """Mask every text inside a value made of lists and dictionaries; keys stay."""
    kept = tuple(shapes)
    names = sorted((host for host in hosts if len(host) > 2 and host != "localhost"), key=lambda h: (-len(h), h))
    return _value(value, kept, names)


def _value(value: Any, shapes: tuple[LineShape, ...], hosts: list[str]) -> Any:
    if isinstance(value, str):
        return _text(value, shapes, hosts)
    if isinstance(value, list):
        return [_value(item, shapes, hosts) for item in value]
    if isinstance(value, dict):
        return {key: item if key in _OWN else _value(item, shapes, hosts) for key, item in value.items()}
    return value


_OWN = frozenset({"url", "title", "slug", "id", "index", "status", "outcome"})
"""What the encyclopedia says, not the log."""


def _text(text: str, shapes: tuple[LineShape, ...], hosts: list[str]) -> str:
    for host in hosts:
        text = text.replace(host, "<host>")
    for shape in shapes:
        keep, tail = (rf"\g<{shape.gives.index(name) + 1}>" if name in shape.gives else "" for name in ("keep", "tail"))
        text = shape.pattern.sub(f"{keep}<{shape.id}>{tail}", text)
    return text
