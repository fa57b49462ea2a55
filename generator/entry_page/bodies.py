"""What stands in each section of an entry's page, as frozen dataclasses.

`part` is the entry's own part, printed as it is; the other fields are what had to be looked up or decided. Texts are
plain unless their type is `Line` or `Prose`, which are Markdown. Knows no HTML and no catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from generator import parts
from generator.entry_page.links import Badges, Chip, Copy, Evidence, Link, Printed, Statement
from generator.entry_page.phrases import Item
from generator.entry_page.specimens import ExampleCard, Signatures
from generator.model import Term
from generator.parts import Line, Prose


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
    own_line: bool
    """It is a line of this failure alone, and not one of another entry that can also mean it."""
    symptom: Line | None
    """What is seen, where no line of its own is printed."""
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
class Explanation:
    text: Prose | None
    names: tuple[str, ...]
    """What people call it."""
    evidence: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """How one cause works."""

    text: Prose
    evidence: Evidence | None
    anchor: str
    name: Link


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
    systems: tuple[Badges, ...]
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
class Lookalike:
    entry: Link
    summary: Line | None
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
    why: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    maturity: Term | None
    """None for a draft: what it has reached so far stands in the steps."""
    steps: tuple[Step, ...]
    grades: tuple[Term, ...]
    """The evidence grades used on the page, best first."""
    copies: tuple[Copy, ...]
    """Ways to link to and to cite the page."""
    files: tuple[Link, ...]
    """The same entry in other forms."""
    filed: tuple[Badges, ...]
    """Category, frameworks, hardware and tags."""


Body: TypeAlias = (
    QuickAnswer
    | Explanation
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
