"""Catalog -> the indexes that lead from what is seen to an entry: by symptom, by code, by signature.

Decides rows and order. Knows no HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from generator.entry_page.page import Heading
from generator.index_pages.codes import KINDS, Code, mentions
from generator.index_pages.listing import Crumb, Group, IndexPage, Row, group_by, headings, leaves
from generator.index_pages.symptoms import Suspect, suspects
from generator.model import Catalog, Entry, Term
from generator.parts import Signature
from generator.prose import plain_text
from generator.template import compile_template

SUSPECTS = 40
"""Symptoms on one page; each takes several lines."""
USES = 30
"""Entries named beside one code; a code that more entries name is better searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SymptomRow:
    """An entry under a complaint: what is seen and what settles it soonest."""

    row: Row
    observe: str
    do: str
    command: str
    cost: Term | None
    if_yes: str
    if_no: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SymptomList(IndexPage):
    """Failures that print no error, by what the job does."""

    template: ClassVar[str] = "symptoms.html"
    groups: tuple[Group[SymptomRow], ...]

    @property
    def outline(self) -> tuple[Heading, ...]:
        return headings(self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """An entry that names a code."""

    title: str
    address: str
    """With the anchor of the signature, where one names it."""
    draft: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRow:
    """A code and the entries that name it."""

    code: Code
    uses: tuple[Use, ...]
    more: int
    """Entries left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeList(IndexPage):
    """Codes by family."""

    template: ClassVar[str] = "codes.html"
    groups: tuple[Group[CodeRow], ...]
    sources: tuple[str, ...]
    """Where the names beside the numbers come from."""

    @property
    def outline(self) -> tuple[Heading, ...]:
        return headings(self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureRow:
    """A line that software prints, and what it stands for."""

    id: str
    key: str
    role: Term
    emitter: str
    row: Row
    address: str
    """With the signature's anchor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureList(IndexPage):
    """Every signature."""

    template: ClassVar[str] = "signatures.html"
    count: int
    groups: tuple[Group[SignatureRow], ...]

    @property
    def outline(self) -> tuple[Heading, ...]:
        return headings(self.groups)


def symptom_pages(catalog: Catalog, rows: Mapping[str, Row]) -> Iterator[SymptomList]:
    """Yield the index by symptom, if any entry prints no error."""
    found = [(suspect, _symptom_row(suspect, rows, catalog)) for suspect in suspects(catalog)]
    if not found:
        return
    notes = {suspect.complaint.id: suspect.complaint.note for suspect, _ in found}
    for here, part, links in leaves(found, "symptoms/", lambda pair: pair[0].complaint.heading, SUSPECTS):
        groups = group_by(part, lambda pair: (pair[0].complaint.id, pair[0].complaint.heading))
        yield SymptomList(
            address=here,
            title="No error message",
            summary="For jobs that print no error: what is seen, what may be behind it, and the cheapest way to tell.",
            crumbs=_first_leaf("No error message", "symptoms/", here),
            leaves=links,
            groups=tuple(
                Group(anchor=g.anchor, heading=g.heading, note=notes[g.anchor], rows=tuple(row for _, row in g.rows))
                for g in groups
            ),
        )


def _symptom_row(suspect: Suspect, rows: Mapping[str, Row], catalog: Catalog) -> SymptomRow:
    check = suspect.check
    return SymptomRow(
        row=rows[suspect.entry.slug],
        observe=plain_text(suspect.seen.observe) if suspect.seen else rows[suspect.entry.slug].summary,
        do=plain_text(check.do) if check else "",
        command=(check.command or "") if check else "",
        cost=catalog.vocabularies["cost"][check.cost] if check else None,
        if_yes=plain_text(check.expect_if_yes) if check else "",
        if_no=plain_text(check.expect_if_no) if check and check.expect_if_no else "",
    )


def code_pages(catalog: Catalog, rows: Mapping[str, Row]) -> Iterator[CodeList]:
    """Yield the index by code, if any entry names one."""
    uses: dict[Code, dict[str, Use]] = {}
    for entry in catalog.entries:
        if (row := rows.get(entry.slug)) is None:
            continue
        for mention in mentions(entry):
            use = Use(title=row.title, address=_place(row, entry, mention.k), draft=row.draft)
            uses.setdefault(mention.code, {}).setdefault(entry.slug, use)  # the first is the most telling
    if not uses:
        return
    groups = []
    for kind in KINDS:
        codes = sorted((code for code in uses if code.kind == kind.id), key=lambda code: (code.rank, code.text))
        if codes:
            table = tuple(_code_row(code, tuple(uses[code].values())) for code in codes)
            groups.append(Group(anchor=kind.id, heading=kind.heading, note=kind.note, rows=table))
    shown = {group.anchor for group in groups}
    yield CodeList(
        address="codes/",
        title="Error codes",
        summary="Exit codes, signals, Xid numbers, CUDA, cuBLAS, cuDNN and NCCL status names, and errno, as entries"
        " name them.",
        groups=tuple(groups),
        sources=tuple(f"{kind.heading}: {kind.source}" for kind in KINDS if kind.source and kind.id in shown),
    )


def _code_row(code: Code, uses: tuple[Use, ...]) -> CodeRow:
    shown = tuple(sorted(uses, key=lambda use: (use.draft, use.title.casefold()))[:USES])
    return CodeRow(code=code, uses=shown, more=len(uses) - len(shown))


def signature_pages(catalog: Catalog, rows: Mapping[str, Row]) -> Iterator[SignatureList]:
    """Yield the list of all signatures, by category and entry."""
    listed = [(entry, rows[entry.slug]) for entry in catalog.entries if entry.slug in rows]
    listed.sort(key=lambda pair: (pair[1].draft, pair[1].category.title, pair[1].sort_key))
    found = [_signature_row(entry, row, s, catalog) for entry, row in listed for s in entry.signatures]
    published = sum(not row.row.draft for row in found)
    if not found:
        return
    for here, part, links in leaves(found, "signatures/", lambda row: row.row.category.title):
        yield SignatureList(
            address=here,
            title="Signatures",
            summary="Every log line the encyclopedia recognises, with the failure it stands for.",
            crumbs=_first_leaf("Signatures", "signatures/", here),
            leaves=links,
            count=published,
            groups=group_by(part, _signature_heading),
        )


def _signature_row(entry: Entry, row: Row, signature: Signature, catalog: Catalog) -> SignatureRow:
    return SignatureRow(
        id=entry.signature_id(signature),
        key=compile_template(signature.wordings[0].template).search_key,
        role=catalog.vocabularies["role"][signature.role],
        emitter=signature.emitter,
        row=row,
        address=_place(row, entry, signature.k),
    )


def _signature_heading(row: SignatureRow) -> tuple[str, str]:
    return ("drafts", "Drafts") if row.row.draft else (row.row.category.value, row.row.category.title)


def _place(row: Row, entry: Entry, k: int | None) -> str:
    """Return the address of an entry, or of one of its signatures."""
    return row.address if k is None else f"{row.address}#{entry.id.lower()}-{k}"


def _first_leaf(title: str, address: str, here: str) -> tuple[Crumb, ...]:
    """Lead from a later leaf back to the first."""
    return () if here == address else (Crumb(label=title, address=address),)
