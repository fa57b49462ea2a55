"""Everything an entry's page holds, as frozen dataclasses: what `expand` makes and `render` and `twin` print.

Texts are plain unless their type is `Line` or `Prose`, which are Markdown. Addresses are site addresses
(`memory/cuda-out-of-memory/#fixes`), anchors of this page (`#fixes`) or https addresses. Knows no HTML and no catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from generator import parts
from generator.model import Entry, Term
from generator.parts import Line, Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    text: str
    address: str
    note: str = ""
    """A tooltip; never the only place where something is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A small labelled fact that links to its index."""

    label: str
    text: str
    address: str
    note: str = ""
    kind: str = ""
    """What the look may depend on: `severity-high`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A text to copy; `{url}` in it stands for the full address of `address`."""

    label: str
    text: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """How well a statement is borne out: the grade of its best source, and all of them."""

    grade: Term
    sources: tuple[Link, ...]


class Origin(StrEnum):
    """Who wrote a phrase: the entry's authors, the schema's vocabularies, or this program."""

    ENTRY = "entry"
    TERM = "term"
    OURS = "ours"


class Form(StrEnum):
    """How a phrase is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words that stay together, with where they come from and where they lead."""

    text: str
    origin: Origin
    form: Form = Form.TEXT
    address: str = ""


Item: TypeAlias = tuple[Phrase, ...]
"""Phrases printed one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something said under a label, in one sentence or several items."""

    label: str
    items: tuple[Item, ...]
    more: Link | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A log line as software prints it, with the signature that recognises it."""

    text: str
    signature: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCheck:
    do: Line
    command: str
    expect: Line
    more: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFix:
    steps: tuple[Line, ...]
    code: parts.CodeBlock | None
    more: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    answer: Term | None
    check: Line | None
    recoverability: Term | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickAnswer:
    """The first screen: what it is, whether this is the place, what to run, what to do, whether to restart."""

    summary: Line
    printed: Printed | None
    symptom: Line | None
    """What is seen when nothing is printed."""
    cause: Statement | None
    check: FirstCheck | None
    fix: FirstFix | None
    restart: Restart | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Perspective:
    anchor: str
    title: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    text: Prose
    evidence: Evidence | None
    name: Link | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """When and how the failure shows."""

    phases: tuple[Chip, ...]
    printed: tuple[Printed, ...]
    silent: bool
    seen: tuple[Statement, ...]
    """What is seen by where it is seen, and how it looks on one GPU and on many."""
    evidence: Evidence | None
    """Of how it looks at scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SymptomRow:
    anchor: str
    part: parts.Symptom
    where: Term
    cause: Link
    signature: Link | None
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedRow:
    part: parts.Affected
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    frameworks: tuple[Link, ...]
    hardware: tuple[Link, ...]
    rows: tuple[AffectedRow, ...]
    not_version_bound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    anchor: str
    part: parts.Confirmation
    separates: tuple[Link, ...]
    cost: Term
    safety: Term
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseCard:
    anchor: str
    name: str
    part: parts.Cause
    likelihood: Term
    mechanism: Link
    symptoms: tuple[Link, ...]
    fixes: tuple[Link, ...]
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FixCard:
    anchor: str
    name: str
    part: parts.Fix
    horizon: Term
    kind: Term
    causes: tuple[Link, ...]
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEndRow:
    part: parts.DeadEnd
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreventionRow:
    part: parts.Prevention
    kind: Term
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preventing:
    rows: tuple[PreventionRow, ...]
    recurs_when: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorRow:
    part: parts.Monitor
    source: Term
    signature: Link | None
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A detector, for what no single line says."""

    part: parts.Detector
    kind: Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    rows: tuple[MonitorRow, ...]
    rule: Rule | None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookalike:
    entry: Link
    summary: Line
    discriminator: Line
    checks: tuple[Link, ...]
    """Confirmation steps that tell the two apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedGroup:
    kind: Term
    entries: tuple[tuple[Link, Line | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    lookalikes: tuple[Lookalike, ...]
    groups: tuple[RelatedGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with an answer in phrases (derived) or in prose (authored)."""

    anchor: str
    question: Line
    items: tuple[Item, ...] = ()
    answer: Prose | None = None
    more: Link | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    anchor: str
    number: int
    part: parts.Reference
    kind: Term
    voice: Term | None
    supports: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One rung of maturity: whether it is reached, and why or why not."""

    term: Term
    reached: bool
    why: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    maturity: Term
    steps: tuple[Step, ...]
    grades: tuple[Term, ...]
    """The evidence grades used on the page, best first."""
    copies: tuple[Copy, ...]
    """Ways to link to and to cite the page."""
    files: tuple[Link, ...]
    """The same entry as Markdown and as JSON."""
    filed: tuple[Chip, ...]
    """Category, frameworks, hardware and tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What must be known before anything else: a draft, a withdrawn or a merged entry."""

    status: Term
    reason: Line | None = None
    successor: Link | None = None


Body: TypeAlias = (
    QuickAnswer
    | Passage
    | Observation
    | Affected
    | Preventing
    | Monitoring
    | Signatures
    | Related
    | Verified
    | tuple[Perspective, ...]
    | tuple[Passage, ...]
    | tuple[SymptomRow, ...]
    | tuple[Check, ...]
    | tuple[CauseCard, ...]
    | tuple[FixCard, ...]
    | tuple[DeadEndRow, ...]
    | tuple[ExampleCard, ...]
    | tuple[Question, ...]
    | tuple[Source, ...]
)


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
    chips: tuple[Chip, ...]
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
