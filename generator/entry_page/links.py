"""The small things that a page is full of: links, chips, texts to copy, evidence, labelled statements.

Texts are plain. Addresses are site addresses (`memory/cuda-out-of-memory/#fixes`), anchors of this page (`#fixes`) or
https addresses; an empty one leads nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.entry_page.phrases import Item
from generator.model import Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    text: str
    address: str
    note: str = ""
    """A tooltip; never the only place where something is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A small fact that links to its index."""

    text: str
    address: str
    note: str = ""
    kind: str = ""
    """What the look may depend on: `severity-high`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Badges:
    """Chips that answer one question."""

    label: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A text to copy; `{url}` in it stands for the full address of `address`."""

    label: str
    text: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """How well a statement is borne out: the grade of its best source, and all of them."""

    grade: Term
    sources: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something said under a label, in one sentence or several items."""

    label: str
    items: tuple[Item, ...]
    more: Link | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A log line as software prints it, with the signature that recognises it."""

    text: str
    signature: Link
