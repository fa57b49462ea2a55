"""Catalog -> the alphabetical index: titles, and the names people use with the title they lead to.

Decides order and leaves. Knows no HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from generator.entry_page.page import Heading
from generator.index_pages.listing import Crumb, Group, IndexPage, Row, group_by, headings, initial, leaves
from generator.model import Catalog

TERMS = 400
"""Lines on one page; each is short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A line of the alphabet: a title, or another name that leads to one."""

    text: str
    row: Row
    other_name: bool

    @property
    def sort_key(self) -> tuple[str, bool, str]:
        return (self.text.casefold().lstrip("`'\"([ "), self.other_name, self.row.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alphabet(IndexPage):
    """A stretch of the alphabet."""

    template: ClassVar[str] = "alphabet.html"
    groups: tuple[Group[Word], ...]

    @property
    def outline(self) -> tuple[Heading, ...]:
        return headings(self.groups)


def alphabet_pages(catalog: Catalog, rows: Mapping[str, Row]) -> Iterator[Alphabet]:
    """Yield the alphabet from A to Z, with what people call a failure beside what it is called here."""
    words = [Word(text=row.title, row=row, other_name=False) for row in rows.values()]
    for entry in catalog.entries:
        if row := rows.get(entry.slug):
            words += (Word(text=name, row=row, other_name=True) for name in entry.also_known_as)
    words.sort(key=lambda word: (initial(word.text) != "0-9", word.sort_key))
    if not words:
        return
    for here, part, links in leaves(words, "a-z/", lambda word: word.text, TERMS):
        yield Alphabet(
            address=here,
            title="A to Z",
            summary="Every failure by its title, and by the names people use for it.",
            crumbs=() if here == "a-z/" else (Crumb(label="A to Z", address="a-z/"),),
            leaves=links,
            groups=group_by(part, lambda word: _letter(word.text)),
        )


def _letter(text: str) -> tuple[str, str]:
    letter = initial(text)
    return letter.lower(), letter
