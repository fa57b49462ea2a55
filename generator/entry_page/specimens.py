"""Signatures and examples as cards of an entry's page: what people search for, and what they run.

`part` is the entry's own part; texts are plain. Knows no HTML and no catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator import parts
from generator.entry_page.links import Copy, Link
from generator.entry_page.phrases import Item
from generator.model import Term


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleCard:
    anchor: str
    name: str
    part: parts.Example
    kind: Term
    run: Term
    outcome: tuple[Item, ...]
    """What running it must show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCard:
    """A sample, cut at the part that the template matched."""

    before: str
    matched: str
    after: str
    origin: Term
    reference: Link | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingCard:
    search_key: str
    versions: str
    source: Link
    """The upstream file, on its own site."""
    reference: Link | None
    samples: tuple[SampleCard, ...]
    near_misses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureCard:
    anchor: str
    id: str
    part: parts.Signature
    role: Term
    specificity: Term
    place: Term
    search_key: str
    wordings: tuple[WordingCard, ...]
    conditions: tuple[Item, ...]
    copies: tuple[Copy, ...]
    also: tuple[Link, ...]
    """Entries that share this line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedCard:
    """A line that another entry owns."""

    anchor: str
    search_key: str
    signature: Link
    owner: Link
    part: parts.Share
    conditions: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    cards: tuple[SignatureCard, ...]
    shared: tuple[SharedCard, ...]
    retired: tuple[Link, ...]
    """Signatures that were published and are gone: their anchors stay."""
