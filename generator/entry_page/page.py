"""An entry's page: what `expand` makes and `render` and `twin` print.

Texts are plain unless their type is `Line` or `Prose`, which are Markdown. Knows no HTML and no catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.entry_page.bodies import Body
from generator.entry_page.links import Badges, Link
from generator.model import Entry, Term, prose_fields
from generator.parts import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What must be known before anything else: a draft, a withdrawn or a merged entry."""

    status: Term
    reason: Line | None = None
    successor: Link | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page under a heading of the second level."""

    anchor: str
    title: str
    body: Body
    parts: tuple[Link, ...] = ()
    """Headings of the third level that the outline shows."""

    @property
    def template(self) -> str:
        """Name of the macro that prints it."""
        return self.anchor.replace("-", "_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A node of the outline."""

    title: str
    anchor: str
    level: int
    children: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When the entry's file was added and last changed, `2026-11-30`; empty where that is not known."""

    added: str = ""
    changed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    entry: Entry
    address: str
    """The page's address within the site, with a slash at its end."""
    permanent: str
    """The address that never changes, `r/6612/`."""
    title: str
    """Plain text; the heading prints the entry's own title."""
    description: str
    """Plain text, one line."""
    category: Link
    notice: Notice | None
    badges: tuple[Badges, ...]
    tags: tuple[Term, ...]
    sections: tuple[Section, ...]

    @property
    def outline(self) -> tuple[Heading, ...]:
        """The page's headings below its title."""
        return tuple(
            Heading(
                title=section.title,
                anchor=section.anchor,
                level=2,
                children=tuple(
                    Heading(title=part.text, anchor=part.address.removeprefix("#"), level=3) for part in section.parts
                ),
            )
            for section in self.sections
        )


def prose_of(page: EntryPage) -> tuple[str, ...]:
    """Return the Markdown texts on a page that its entry's authors wrote."""
    return tuple(text for _, text, _ in prose_fields(page.entry))
