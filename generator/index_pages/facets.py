"""Catalog -> the indexes by vocabulary: category, framework, phase, layer, severity, hardware, tag.

Decides which values have a page and what stands there: one page that lists the values in use, one list of entries for
each. Knows no HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from generator.entry_page.page import Heading
from generator.index_pages.listing import FULL_ROWS, Choice, Crumb, Group, IndexPage, Row, group_by, headings, leaves
from generator.model import Catalog, Entry, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """A vocabulary to browse by."""

    vocabulary: str
    plural: str
    prefix: str
    """What the title of a value's page begins with; a category's needs nothing."""
    address: str
    """Address of the page that lists its values."""
    stem: str
    """What stands before a value in the address of its own page."""
    values: Callable[[Entry], Sequence[str]]
    lead: str
    sort: bool = False
    """List the values by name; otherwise the schema's order means something."""


FACETS = (
    Facet(
        vocabulary="category",
        plural="Categories",
        prefix="",
        address="categories/",
        stem="",
        values=lambda e: (e.category,),
        lead="What breaks. Each failure stands in one category.",
    ),
    Facet(
        vocabulary="framework",
        plural="Frameworks",
        prefix="Framework: ",
        address="framework/",
        stem="framework/",
        values=lambda e: e.frameworks,
        lead="The libraries, engines and tools in which failures show.",
        sort=True,
    ),
    Facet(
        vocabulary="phase",
        plural="Phases",
        prefix="Phase: ",
        address="phase/",
        stem="phase/",
        values=lambda e: e.phase,
        lead="When in a job's life failures show.",
    ),
    Facet(
        vocabulary="layer",
        plural="Layers",
        prefix="Layer: ",
        address="layer/",
        stem="layer/",
        values=lambda e: e.layer,
        lead="Where the causes live, from the hardware upwards.",
    ),
    Facet(
        vocabulary="severity",
        plural="Severity",
        prefix="Severity: ",
        address="severity/",
        stem="severity/",
        values=lambda e: (e.severity,) if e.severity else (),
        lead="How bad it is, worst first.",
    ),
    Facet(
        vocabulary="hardware",
        plural="Hardware",
        prefix="Hardware: ",
        address="hardware/",
        stem="hardware/",
        values=lambda e: e.hardware,
        lead="The hardware on which failures show.",
    ),
    Facet(
        vocabulary="tag",
        plural="Tags",
        prefix="Tag: ",
        address="tag/",
        stem="tag/",
        values=lambda e: e.tags,
        lead="Topics that readers look for.",
        sort=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview(IndexPage):
    """The values of one vocabulary with their counts."""

    template: ClassVar[str] = "overview.html"
    groups: tuple[Group[Choice], ...]

    @property
    def outline(self) -> tuple[Heading, ...]:
        return headings(self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList(IndexPage):
    """The entries that share a value."""

    template: ClassVar[str] = "list.html"
    count: int
    """Published entries on all leaves together."""
    full: bool
    """Show summaries and signatures too."""
    by_category: bool
    """The rows are of several categories, so that each must say its own."""
    groups: tuple[Group[Row], ...]
    drafts: tuple[Row, ...]
    closed: tuple[Row, ...]
    """Withdrawn and merged entries, whose pages stay."""

    @property
    def outline(self) -> tuple[Heading, ...]:
        apart = ((self.drafts, "Drafts", "drafts"), (self.closed, "Withdrawn or merged", "closed"))
        return headings(self.groups) + tuple(
            Heading(title=title, anchor=anchor, level=2) for rows, title, anchor in apart if rows
        )


def facet_pages(catalog: Catalog, rows: Mapping[str, Row]) -> Iterator[Overview | EntryList]:
    """Yield, for each vocabulary, the page that lists its values, then the pages of each value that occurs."""
    for facet in FACETS:
        yield from _facet_pages(facet, catalog, rows)


def _facet_pages(facet: Facet, catalog: Catalog, rows: Mapping[str, Row]) -> Iterator[Overview | EntryList]:
    terms = list(catalog.vocabularies[facet.vocabulary].values())
    if facet.sort:
        terms.sort(key=lambda term: term.title.casefold())
    by_value: dict[str, list[Row]] = {term.value: [] for term in terms}
    for entry in catalog.entries:
        for value in facet.values(entry):
            by_value[value].append(rows[entry.slug])
    used = [(term, by_value[term.value]) for term in terms if by_value[term.value]]
    choices = [
        (
            term,
            Choice(
                label=term.title,
                address=f"{facet.stem}{term.value}/",
                count=sum(row.status == "published" for row in found),
                note=term.description,
                drafts=sum(row.draft for row in found),
            ),
        )
        for term, found in used
        if any(row.listed for row in found)
    ]
    if choices:
        yield _overview(facet, choices)
    for term, found in used:
        yield from _value_pages(facet, term, found)


def _overview(facet: Facet, choices: Sequence[tuple[Term, Choice]]) -> Overview:
    return Overview(
        address=facet.address,
        title=facet.plural,
        summary=facet.lead,
        groups=tuple(
            Group(anchor=g.anchor, heading=g.heading, rows=tuple(choice for _, choice in g.rows))
            for g in group_by(choices, lambda pair: _term_group(facet, pair[0]))
        ),
    )


def _term_group(facet: Facet, term: Term) -> tuple[str, str]:
    """Head hardware by its vendor; phases are grouped in the schema too, but stand in the order of a job."""
    heading = term.group if facet.vocabulary == "hardware" else ""
    return heading.lower().replace(" ", "-"), heading


def _value_pages(facet: Facet, term: Term, rows: list[Row]) -> Iterator[EntryList]:
    by_category = facet.vocabulary != "category"
    published = sorted(
        (row for row in rows if row.status == "published"),
        key=lambda row: (row.category.title if by_category else "", row.sort_key),
    )
    drafts, closed = (
        tuple(sorted((row for row in rows if row.status in statuses), key=lambda row: row.sort_key))
        for statuses in (("draft",), ("withdrawn", "merged"))
    )
    heading = partial(_category_heading, shown=by_category and len(published) > 6)
    address = f"{facet.stem}{term.value}/"
    for here, part, links in leaves(published, address, lambda row: row.title):
        yield EntryList(
            address=here,
            title=facet.prefix + term.title,
            summary=term.description,
            crumbs=(Crumb(label=facet.plural, address=facet.address),) if published or drafts else (),
            leaves=links,
            count=len(published),
            full=len(published) <= FULL_ROWS,
            groups=group_by(part, heading),
            by_category=by_category,
            drafts=drafts if here == address else (),
            closed=closed if here == address else (),
        )


def _category_heading(row: Row, *, shown: bool) -> tuple[str, str]:
    return (row.category.value, row.category.title) if shown else ("", "")
