"""Catalog -> the small pages that send a reader on: permanent addresses of ids, and addresses that pages once had.

Decides which addresses there are and where each leads. Knows no HTML.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.index_pages.listing import address_of
from generator.model import Catalog, Entry
from generator.prose import plain_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """One target and every address that leads there; all of them lie equally deep."""

    addresses: tuple[str, ...]
    """With a slash at their end: `r/6612/`, `r/MLFE-6612/`, `r/mlfe-6612/`."""
    target: str
    anchor: str
    """Of the target, `mlfe-6612-1`, or nothing."""
    title: str
    description: str


def redirects(catalog: Catalog) -> Iterator[Redirect]:
    """Yield the redirects of every entry: its id, its signatures' ids, its old addresses."""
    for entry in catalog.entries:
        title, description, target = plain_text(entry.title), plain_text(entry.summary), address_of(entry)
        for name, anchor in _names(entry, catalog):
            yield Redirect(
                addresses=(f"r/{name}/", f"r/MLFE-{name}/", f"r/mlfe-{name}/"),
                target=target,
                anchor=anchor,
                title=title,
                description=description,
            )
        if entry.aliases:
            yield Redirect(
                addresses=tuple(f"{alias}/" for alias in entry.aliases),
                target=target,
                anchor="",
                title=title,
                description=description,
            )


def _names(entry: Entry, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Yield the numbers that name the entry and each signature it ever had, with their anchors."""
    yield entry.number, ""
    registered = catalog.register.get(entry.id)
    given_out = {*(registered.signatures if registered else ()), *(signature.k for signature in entry.signatures)}
    for k in sorted(given_out):
        yield f"{entry.number}-{k}", f"{entry.id.lower()}-{k}"
