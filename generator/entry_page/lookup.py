"""Ids, slugs and vocabulary values of one entry -> links, terms, names and evidence for its page.

What is not in the catalogue keeps its permanent address, so that no link of a page depends on the order in which
entries are written. Refuses to know which sections a page has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from generator.entry_page.grades import best, grade_of
from generator.entry_page.links import Badges, Chip, Evidence, Link
from generator.entry_page.phrases import Item, Origin, Phrase, ours, own_code, own_text
from generator.model import Catalog, Entry, Term
from generator.parts import Neighbour, Signature
from generator.prose import plain_text
from generator.template import compile_template

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b|(?<=\()[A-Z][a-z]+\b")
_WORD = re.compile(r"(?<![\w.])[A-Za-z][A-Za-z0-9]*(?!\w)")


@dataclass(frozen=True, slots=True)
class Lookup:
    """One entry with the catalogue it stands in."""

    entry: Entry
    catalog: Catalog
    _sources: dict[str, tuple[Link, Term]] = field(init=False)
    _spellings: dict[str, str] = field(init=False)
    anchors: frozenset[str] = field(init=False)
    """Of the entry's parts and signatures: `cause-context-length`, `mlfe-6612-1`."""

    def __post_init__(self) -> None:
        """Learn how the entry spells its words, number its references and grade all sources."""
        object.__setattr__(self, "_spellings", _spellings(self.entry))
        sources = {
            reference.id: (
                Link(text=str(number), address=f"#ref-{reference.id}", note=f"Reference {number}: {reference.title}"),
                grade_of(reference),
            )
            for number, reference in enumerate(self.entry.references, 1)
        }
        for example in self.entry.examples:
            name = self.name(example.id)
            link = Link(text=name, address=f"#example-{example.id}", note=f"Example: {name}")
            sources.setdefault(example.id, (link, grade_of(example)))
        object.__setattr__(self, "_sources", sources)
        object.__setattr__(self, "anchors", frozenset(_anchors(self.entry)))

    def term(self, vocabulary: str, value: str) -> Term:
        """Return the value as the schema describes it."""
        return self.catalog.vocabularies[vocabulary][value]

    def badges(self, label: str, vocabulary: str, values: Sequence[str]) -> tuple[Badges, ...]:
        """Return values as chips that link to their indexes, under one label; nothing without a value."""
        stem = "" if vocabulary == "category" else f"{vocabulary}/"
        chips = tuple(
            Chip(
                text=term.title,
                address=f"{stem}{term.value}/",
                note=term.description,
                kind=f"{vocabulary}-{term.value}",
            )
            for term in (self.term(vocabulary, value) for value in values)
        )
        return (Badges(label=label, chips=chips),) if chips else ()

    def name(self, part_id: str) -> str:
        """Turn a part's id into words, spelt as the entry spells them.

        `kv-dtype` becomes "KV dtype" on a page that speaks of the KV cache.
        """
        words = [self._spellings.get(word, word) for word in part_id.split("-")]
        words[0] = words[0][:1].upper() + words[0][1:]
        return " ".join(words)

    def part(self, kind: str, part_id: str) -> Link:
        """Link to a cause, fix, confirmation, symptom or example of this entry; one it lacks is only named."""
        anchor = f"{kind}-{part_id}"
        return Link(text=self.name(part_id), address=f"#{anchor}" if anchor in self.anchors else "")

    def evidence(self, ids: Iterable[str]) -> Evidence | None:
        """Grade the sources named and link to them; None without any."""
        sources = [self._sources[source] for source in ids if source in self._sources]
        if not sources:
            return None
        return Evidence(grade=best(grade for _, grade in sources), sources=tuple(link for link, _ in sources))

    def source_link(self, source: str) -> Link | None:
        """Link to a reference or example of this entry by its id."""
        found = self._sources.get(source)
        return found[0] if found else None

    def entry_link(self, slug: str) -> Link:
        """Link to another entry by its slug; one that is not in the catalogue is only named."""
        other = self.catalog.by_slug.get(slug)
        if other is None:
            return Link(text=slug, address="")
        return Link(text=plain_text(other.title), address=f"{other.address}/", note=plain_text(other.summary))

    def signature_link(self, signature_id: str) -> Link:
        """Link to a signature by its permanent id, wherever it stands."""
        if signature_id.rpartition("-")[0] == self.entry.id:
            anchor = signature_id.lower()
            address = f"#{anchor}" if anchor in self.anchors else ""
            return Link(text=signature_id, address=address, note=self.search_key(signature_id))
        owner = self.catalog.signatures.get(signature_id)
        if owner is None:
            return Link(text=signature_id, address=f"r/{signature_id.removeprefix('MLFE-')}/")
        note = f"{plain_text(owner[0].title)}: {self.search_key(signature_id)}"
        return Link(text=signature_id, address=f"{owner[0].address}/#{signature_id.lower()}", note=note)

    def search_key(self, signature_id: str) -> str:
        """Return what to search for: the newest wording with its placeholders shown plainly; empty when unknown."""
        if signature_id.rpartition("-")[0] == self.entry.id:
            own = next((s for s in self.entry.signatures if self.entry.signature_id(s) == signature_id), None)
            return key_of(own) if own else ""
        owner = self.catalog.signatures.get(signature_id)
        return key_of(owner[1]) if owner else ""

    def neighbour(self, neighbour: Neighbour, *, absent: bool = False) -> Item:
        """Say in words which other line must, or must not, be there."""
        if neighbour.signature:
            link = self.signature_link(neighbour.signature)
            line = own_text(link.text, link.address)
        else:
            line = own_code(key_of_template(neighbour.template or ""))
        within = f", at most {neighbour.lines} lines away" if neighbour.lines else ""
        order = self.term("order", neighbour.order).description.rstrip(".").lower()
        scope = self.term("scope", neighbour.scope).description.rstrip(".").lower()
        return (
            ours("Counts only without" if absent else "Counts only with"),
            line,
            Phrase(text=f"{scope}; {order}{within}.", origin=Origin.TERM),
        )


def key_of(signature: Signature) -> str:
    """Return the search key of a signature's newest wording."""
    return key_of_template(signature.wordings[0].template)


@lru_cache(maxsize=16384)
def key_of_template(template: str) -> str:
    """Return a template with its placeholders shown plainly."""
    return compile_template(template).search_key


def _anchors(entry: Entry) -> Iterator[str]:
    for kind, parts in (
        ("cause", entry.causes),
        ("symptom", entry.symptoms),
        ("confirm", entry.confirm),
        ("fix", entry.fixes),
        ("example", entry.examples),
    ):
        yield from (f"{kind}-{part.id}" for part in parts)
    yield from (entry.signature_id(signature).lower() for signature in entry.signatures)


def _spellings(entry: Entry) -> dict[str, str]:
    """Learn the words that the entry never writes in lower case: {"kv": "KV", "pcie": "PCIe", "xid": "Xid"}.

    A capital letter alone counts only in the middle of a sentence.
    """
    texts = [entry.title, entry.summary, *(cause.mechanism for cause in entry.causes)]
    words = {word for text in texts for word in _WORD.findall(text)}
    named = {word for word in words if len(word) > 1 and not word[1:].islower()}
    named |= {word for text in texts for word in _NAME.findall(text)}
    return {word.lower(): word for word in named if word.lower() not in words}
