"""Catalog -> all index pages: every way into the encyclopedia but the search.

An index without an entry does not exist; drafts stand apart and are in no count. Knows no HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from generator.index_pages.diagnose import diagnose_page
from generator.index_pages.facets import Overview, facet_pages
from generator.index_pages.letters import alphabet_pages
from generator.index_pages.lines import SymptomList, code_pages, signature_pages, symptom_pages
from generator.index_pages.listing import Choice, IndexPage, Row
from generator.index_pages.shelf import rows
from generator.model import Catalog

LATEST = 6
WORST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Home(IndexPage):
    """The first page."""

    template: ClassVar[str] = "home.html"
    entries: int
    signatures: int
    silent: int
    drafts: int
    categories: tuple[Choice, ...]
    ways: tuple[Choice, ...]
    """The other indexes, with how much stands in each."""
    worst: tuple[Row, ...]
    latest: tuple[Row, ...]


def index_pages(catalog: Catalog, added: Mapping[str, str], changed: str = "") -> tuple[IndexPage, ...]:
    """Make all index pages, the home page first.

    `added` says on which day an entry's file was added, by file; `changed`, on which day the newest change was made.
    """
    everything = rows(catalog, added)
    shelf = {slug: row for slug, row in everything.items() if row.listed}
    facets = tuple(facet_pages(catalog, everything))
    tables: tuple[IndexPage, ...] = (
        *symptom_pages(catalog, shelf),
        *code_pages(catalog, shelf),
        *signature_pages(catalog, shelf),
        *alphabet_pages(catalog, shelf),
    )
    symptoms = tuple(page for page in tables if isinstance(page, SymptomList))
    diagnose = (diagnose_page(catalog, symptoms, changed),) if shelf else ()
    return (_home(catalog, shelf, facets, tables), *diagnose, *facets, *tables)


def _home(catalog: Catalog, shelf: Mapping[str, Row], facets: Sequence[IndexPage], tables: Sequence[IndexPage]) -> Home:
    published = sorted((shelf[entry.slug] for entry in catalog.published), key=lambda row: row.sort_key)
    overviews = {page.address: page for page in facets if isinstance(page, Overview)}
    categories = overviews.pop("categories/", None)
    ways = (*(page for page in tables if not page.crumbs), *overviews.values())
    return Home(
        address="",
        title="ML Failure Encyclopedia",
        summary="What breaks in machine-learning training and serving: how to recognise it, how to confirm it,"
        " what to do now.",
        entries=len(published),
        signatures=sum(len(entry.signatures) for entry in catalog.published),
        silent=sum(row.silent for row in published),
        drafts=len(shelf) - len(published),
        categories=tuple(choice for group in categories.groups for choice in group.rows) if categories else (),
        ways=tuple(Choice(label=page.title, address=page.address, count=None, note=page.summary) for page in ways),
        worst=_worst(published, list(catalog.vocabularies["severity"])),
        latest=tuple(sorted(published, key=lambda row: row.added, reverse=True)[:LATEST]),
    )


def _worst(published: Sequence[Row], severities: Sequence[str]) -> tuple[Row, ...]:
    graded = [(severities.index(row.severity.value), row) for row in published if row.severity]
    return tuple(row for _, row in sorted(graded, key=lambda pair: pair[0])[:WORST])
