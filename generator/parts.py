"""The parts of an entry as frozen dataclasses.

Field names equal the schema's property names (a test holds the two to the same set), so what a field means stands in
`schema/entry.schema.json` alone. The types `Line` and `Prose` mark text that is Markdown; plain `str` is printed as
written. `model` builds these from data the schema has accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NewType

Line = NewType("Line", str)
"""One paragraph of inline Markdown."""
Prose = NewType("Prose", str)
"""Markdown paragraphs and lists."""

Condition = Mapping[str, Any]
"""Capture name to accepted values (a list) or to a range (`min`, `max`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    text: Prose
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeSafe:
    answer: str
    check: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    package: str
    introduced: str | None = None
    fixed: str | None = None
    last_affected: str | None = None
    note: Line | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    id: str
    observe: Line
    where: str
    because: str
    signature: str | None = None
    normal_when: Line | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    id: str
    mechanism: Prose
    likelihood: str
    evidence: tuple[str, ...]
    condition: Line | None = None
    no_known_fix: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    scope: str
    signature: str | None = None
    template: str | None = None
    order: str = "any"
    lines: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    id: str
    when: str
    say: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    project: str
    path: str
    version: str
    reference: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    text: str
    origin: str
    match: str | None = None
    reference: str | None = None

    @property
    def line(self) -> str:
        """The one line the template must match."""
        return self.match if self.match is not None else self.text.rstrip("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    template: str
    provenance: Provenance
    samples: tuple[Sample, ...]
    near_misses: tuple[str, ...]
    versions: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    k: int
    role: str
    specificity: str
    where: str
    emitter: str
    wordings: tuple[Wording, ...]
    note: Line | None = None
    when: Condition | None = None
    requires: tuple[Neighbour, ...] = ()
    absent: tuple[Neighbour, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    signature: str
    when: Line
    requires: tuple[Neighbour, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    kind: str
    metrics: tuple[str, ...] = ()
    floor: float | None = None
    min_points: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    id: str
    do: Line
    expect_if_yes: Line
    cost: str
    safety: str
    ask: Line | None = None
    command: str | None = None
    expect_if_no: Line | None = None
    separates_from: tuple[str, ...] = ()
    settled_by: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    expect: Line
    command: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    id: str
    for_: tuple[str, ...]
    horizon: str
    kind: str
    steps: tuple[Line, ...]
    verify: Verification
    evidence: tuple[str, ...]
    code: CodeBlock | None = None
    trade_off: Line | None = None
    applies_to: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    action: Line
    why_not: Line
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prevention:
    do: Line
    kind: str
    code: CodeBlock | None = None
    metric: str | None = None
    threshold: str | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    what: Line
    source: str
    query: str | None = None
    signature: str | None = None
    threshold: str | None = None
    note: Line | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    one_gpu: Line | None = None
    many_gpus: Line | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    signature: str | None = None
    no_signature: bool = False
    stdout: str | None = None
    exit_code: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    id: str
    kind: str
    language: str
    stack: str
    code: str
    why: Line
    run: str
    expect: Expectation | None = None
    requires: tuple[str, ...] = ()
    why_not_run: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    type: str
    slug: str
    discriminator: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    q: Line
    a: Prose
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    id: str
    type: str
    url: str
    title: str
    accessed: str
    supports: tuple[str, ...]
    voice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    by: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedOn:
    date: str
    versions: tuple[str, ...]
