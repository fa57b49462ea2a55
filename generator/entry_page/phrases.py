"""Words with their author: what a sentence composed from an entry's fields is made of.

A derived answer may not be our own boilerplate with a slot, so each phrase says who wrote it and a test counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from generator.model import Term
from generator.prose import plain_text


class Origin(StrEnum):
    """Who wrote a phrase: the entry's authors, those of another entry, the schema's vocabularies, or this program."""

    ENTRY = "entry"
    OTHER = "other"
    TERM = "term"
    OURS = "ours"


class Form(StrEnum):
    """How a phrase is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words that stay together, with who wrote them and where they lead."""

    text: str
    origin: Origin
    form: Form = Form.TEXT
    address: str = ""
    end: str = ""
    """A sign that follows, outside the link."""


Item: TypeAlias = tuple[Phrase, ...]
"""Phrases printed one after the other, with a blank between them."""


def own(text: str) -> Phrase:
    """Take Markdown from the entry."""
    return Phrase(text=text, origin=Origin.ENTRY, form=Form.MARKDOWN)


def own_text(text: str, address: str = "", end: str = "") -> Phrase:
    """Take plain words from the entry, such as a part's name."""
    return Phrase(text=text, origin=Origin.ENTRY, address=address, end=end)


def own_code(text: str) -> Phrase:
    """Take a command, a search key or a metric from the entry."""
    return Phrase(text=text, origin=Origin.ENTRY, form=Form.CODE)


def termed(term: Term, end: str = "") -> Phrase:
    """Take a value's title from its vocabulary."""
    return Phrase(text=term.title, origin=Origin.TERM, end=end)


def described(term: Term) -> Phrase:
    """Take a value's meaning from its vocabulary."""
    return Phrase(text=term.description, origin=Origin.TERM)


def enumerated(phrases: Iterable[Phrase], end: str = ".") -> Item:
    """Set commas between phrases, and a sign at their end."""
    told = tuple(phrases)
    signs = [","] * (len(told) - 1) + [end]
    return tuple(replace(phrase, end=sign) for phrase, sign in zip(told, signs, strict=False))


def ours(text: str, address: str = "") -> Phrase:
    """Add words of this program's own."""
    return Phrase(text=text, origin=Origin.OURS, address=address)


def words_by_origin(items: Iterable[Item]) -> dict[Origin, list[str]]:
    """Sort the words of some items by who wrote them.

    >>> words_by_origin([(ours("Watch for"), own("a `nan` loss"))])[Origin.ENTRY]
    ['a', 'nan', 'loss']
    """
    words: dict[Origin, list[str]] = {origin: [] for origin in Origin}
    for phrase in (phrase for item in items for phrase in item):
        text = plain_text(phrase.text) if phrase.form is Form.MARKDOWN else phrase.text
        words[phrase.origin] += [word for word in text.split() if any(c.isalnum() for c in word)]
    return words
