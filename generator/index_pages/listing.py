"""What every index page is made of: rows of entries in groups, cut into pages of bounded length.

Plain data and arithmetic. Knows nothing of which indexes there are (`indexes`) or how they look (`overrides/`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from generator.entry_page.page import Heading
from generator.model import Entry, Term

PAGE_ROWS = 200
"""Rows on one page; more are continued on `<address>2/`, so that no page grows with the catalogue."""
FULL_ROWS = 40
"""Up to this many rows an index shows summaries; a longer one is read by its titles."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry as a line of an index."""

    address: str
    """Address of the page within the site, with a slash at its end."""
    title: str
    """Plain text, as is the summary."""
    summary: str
    id: str
    category: Term
    severity: Term | None
    signature: str
    """The search key of the line that gives it away; empty when it prints none."""
    silent: bool
    status: str
    added: str = ""
    """Day it was added, `2026-11-30`, or nothing where that is not known."""

    @property
    def draft(self) -> bool:
        """Tell whether it is listed without being counted."""
        return self.status == "draft"

    @property
    def listed(self) -> bool:
        """Tell whether the indexes show it; a withdrawn or merged entry only has its page, and a place to find it."""
        return self.status in ("published", "draft")

    @property
    def sort_key(self) -> tuple[str, str]:
        """Order of a reader's alphabet: case and leading punctuation do not count."""
        return (self.title.casefold().lstrip("`'\"([ "), self.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Generic[T]):
    """Rows under one heading; the heading may be empty."""

    anchor: str
    heading: str
    rows: tuple[T, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """A page above this one."""

    label: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One page of several that continue each other."""

    number: int
    address: str
    label: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value or page to browse by, and how many published entries stand there, where that is counted."""

    label: str
    address: str
    count: int | None
    note: str = ""
    drafts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """What all index pages have; each kind adds its own content and names its template."""

    template: ClassVar[str]
    address: str
    """Address within the site, with a slash at its end; empty for the home page."""
    title: str
    summary: str
    """One sentence, for the page's head and its first line."""
    crumbs: tuple[Crumb, ...] = ()
    leaves: tuple[Leaf, ...] = ()

    @property
    def outline(self) -> tuple[Heading, ...]:
        """The headings below the title."""
        return ()


def headings(groups: Sequence[Group[T]]) -> tuple[Heading, ...]:
    """List the headings of groups."""
    return tuple(Heading(title=group.heading, anchor=group.anchor, level=2) for group in groups if group.heading)


def group_by(rows: Sequence[T], key: Callable[[T], tuple[str, str]]) -> tuple[Group[T], ...]:
    """Put rows that follow each other and share a key, (anchor, heading), into one group each."""
    groups: list[Group[T]] = []
    run: list[T] = []
    for position, row in enumerate(rows):
        run.append(row)
        here = key(row)
        if position + 1 == len(rows) or key(rows[position + 1]) != here:
            groups.append(Group(anchor=here[0], heading=here[1], rows=tuple(run)))
            run = []
    return tuple(groups)


def leaves(
    rows: Sequence[T], address: str, label: Callable[[T], str], size: int = PAGE_ROWS
) -> Iterator[tuple[str, tuple[T, ...], tuple[Leaf, ...]]]:
    """Cut rows into pages: yield each page's address, its rows and the links between all of them.

    >>> [(a, r, len(ls)) for a, r, ls in leaves("abc", "a-z/", str, size=2)]
    [('a-z/', ('a', 'b'), 2), ('a-z/2/', ('c',), 2)]
    """
    cuts = [tuple(rows[start : start + size]) for start in range(0, len(rows), size)] or [()]
    places = [address if number == 1 else f"{address}{number}/" for number in range(1, len(cuts) + 1)]
    for here, cut in zip(places, cuts, strict=True):
        yield (
            here,
            cut,
            ()
            if len(cuts) == 1
            else tuple(
                Leaf(number=n, address=place, label=label(part[0]), current=place == here)
                for n, (place, part) in enumerate(zip(places, cuts, strict=True), 1)
            ),
        )


def initial(text: str) -> str:
    """Name the letter a title is filed under; digits and signs share one.

    >>> initial("`nan` loss"), initial("2 ranks wait")
    ('N', '0-9')
    """
    first = text.lstrip("`'\"([ ")[:1].upper()
    return first if first.isascii() and first.isalpha() else "0-9"


def address_of(entry: Entry) -> str:
    """Return the address of an entry's page, with the slash at its end."""
    return f"{entry.address}/"
