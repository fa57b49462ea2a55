"""Catalog -> the row of each entry that indexes list, made once for all of them.

Decides what of an entry a list shows. Knows neither the indexes nor HTML.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.index_pages.listing import Row, address_of
from generator.model import Catalog, Entry
from generator.prose import plain_text
from generator.template import compile_template

_TELLING = ("cause", "either", "external", "accusation", "confirmation")
"""Roles by which a reader recognises a failure, most telling first."""


def rows(catalog: Catalog, added: Mapping[str, str]) -> dict[str, Row]:
    """Make a row of every entry, by slug.

    `added` says on which day an entry's file was added, by file; the day it was verified stands in for it.
    """
    return {entry.slug: _row(entry, catalog, added.get(entry.file, "")) for entry in catalog.entries}


def _row(entry: Entry, catalog: Catalog, added: str) -> Row:
    terms = catalog.vocabularies
    return Row(
        address=address_of(entry),
        title=plain_text(entry.title),
        summary=plain_text(entry.summary),
        id=entry.id,
        category=terms["category"][entry.category],
        severity=terms["severity"][entry.severity] if entry.severity else None,
        signature=_telling_line(entry),
        silent=entry.silent,
        status=entry.status,
        added=added or (entry.verified_on.date if entry.verified_on else ""),
    )


def _telling_line(entry: Entry) -> str:
    """Return the search key of the signature by which a reader recognises the failure."""
    telling = [signature for signature in entry.signatures if signature.role in _TELLING]
    first = min(telling, key=lambda signature: _TELLING.index(signature.role), default=None)
    return compile_template(first.wordings[0].template).search_key if first else ""
