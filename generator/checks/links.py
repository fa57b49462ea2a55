"""Every name an entry uses resolves: references, causes, signatures, other entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from difflib import get_close_matches

from generator.issues import Path, Problem
from generator.model import Catalog, Entry, walk
from generator.parts import Neighbour

_PART_LISTS = ("symptoms", "causes", "confirm", "fixes", "examples", "references")


def check_part_ids(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Ids are unique within their list; references and examples share one list, as evidence names both."""
    seen: dict[tuple[str, str], str] = {}
    for name in _PART_LISTS:
        space = "evidence" if name in ("examples", "references") else name
        for position, part in enumerate(getattr(entry, name)):
            first = seen.setdefault((space, part.id), f"{name}[{position}]")
            if first != f"{name}[{position}]":
                yield Problem(
                    path=(name, position, "id"),
                    code="doubled-part-id",
                    message=f"the id '{part.id}' is already used by {first}",
                    mend="Give this part another id; the id is part of its address on the page.",
                )


def check_evidence(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Evidence names references of this entry, or examples that the tests run."""
    references = {reference.id for reference in entry.references}
    examples = {example.id: example for example in entry.examples}
    for path, name in _evidence_uses(entry):
        if name in references:
            continue
        example = examples.get(name)
        if example is None:
            yield _unknown(path, "reference", name, references | set(examples), "Add it under references")
        elif example.run != "cpu":
            yield Problem(
                path=path,
                code="evidence-not-run",
                message=f"the example '{name}' is not run by the tests, so it bears nothing out",
                mend="Name a reference, or an example with `run: cpu`.",
            )


def check_references_used(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Each reference bears something out, and says what."""
    used = {name for _, name in _evidence_uses(entry)}
    ids = {name: {part.id for part in getattr(entry, name)} for name in _PART_LISTS}
    known = set(entry.__dataclass_fields__) - {"file"}
    for position, reference in enumerate(entry.references):
        if reference.id not in used:
            yield Problem(
                path=("references", position, "id"),
                code="unused-reference",
                message=f"nothing names the reference '{reference.id}'",
                mend="Name it as evidence where it bears a statement out, or remove it.",
            )
        for place, supported in enumerate(reference.supports):
            field, _, part = supported.partition(".")
            path = ("references", position, "supports", place)
            if field not in known:
                yield _unknown(path, "field", field, known, "Name a property of this entry")
            elif part and part not in ids.get(field, ()):
                yield _unknown(path, f"part of {field}", part, ids.get(field, ()), "Name the id of such a part")


def check_causes_named(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """`because` of a symptom and `for` of a fix name causes of this entry."""
    causes = {cause.id for cause in entry.causes}
    named: list[tuple[Path, str]] = [(("symptoms", i, "because"), s.because) for i, s in enumerate(entry.symptoms)]
    named += [(("fixes", i, "for", j), c) for i, fix in enumerate(entry.fixes) for j, c in enumerate(fix.for_)]
    for path, name in named:
        if name not in causes:
            yield _unknown(path, "cause", name, causes, "Add it under causes")


def check_signatures_named(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Signature ids used anywhere belong to an entry of the catalogue."""
    for path, name in _signature_uses(entry):
        if name not in catalog.signatures:
            yield _unknown(path, "signature", name, catalog.signatures, "Give the id of a signature that an entry owns")
    for position, share in enumerate(entry.shares):
        if share.signature.startswith(entry.id + "-"):
            yield Problem(
                path=("shares", position, "signature"),
                code="shares-own-signature",
                message=f"{share.signature} is this entry's own signature",
                mend="An entry shares the signatures of other entries only; remove this one.",
            )


def check_entries_named(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Slugs in relations, confirmations and `replaced_by` are entries, and not this one."""
    named: list[tuple[Path, str]] = [(("relations", i, "slug"), r.slug) for i, r in enumerate(entry.relations)]
    named += [
        (("confirm", i, "separates_from", j), slug)
        for i, step in enumerate(entry.confirm)
        for j, slug in enumerate(step.separates_from)
    ]
    named += [(("replaced_by",), entry.replaced_by)] if entry.replaced_by else []
    for path, slug in named:
        if slug not in catalog.by_slug:
            yield _unknown(path, "entry", slug, catalog.by_slug, "Give the slug of an existing entry, or leave it out")
        elif slug == entry.slug:
            yield Problem(
                path=path,
                code="names-itself",
                message="an entry cannot stand in relation to itself",
                mend="Name another entry, or remove this.",
            )


def check_look_alikes(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """A look-alike stands on both sides, so that a reader of either page learns to tell them apart."""
    doubled = Counter((relation.type, relation.slug) for relation in entry.relations)
    for position, relation in enumerate(entry.relations):
        if doubled[relation.type, relation.slug] > 1:
            yield Problem(
                path=("relations", position, "slug"),
                code="doubled-relation",
                message=f"'{relation.type}' stands twice for '{relation.slug}'",
                mend="Keep one, with the better discriminator.",
            )
            doubled[relation.type, relation.slug] = 0
        other = catalog.by_slug.get(relation.slug)
        if relation.type != "looks_like" or other is None or other is entry:
            continue
        if not any(back.type == "looks_like" and back.slug == entry.slug for back in other.relations):
            yield Problem(
                path=("relations", position, "slug"),
                code="one-sided-look-alike",
                message=f"'{relation.slug}' does not list '{entry.slug}' as a look-alike",
                mend=f"Add it to relations in {other.file}, with a discriminator.",
            )


def _evidence_uses(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Yield the path and name of each use of a reference or example."""
    for path, part, _ in walk(entry):
        for position, name in enumerate(getattr(part, "evidence", ())):
            yield (*path, "evidence", position), name
    for i, signature in enumerate(entry.signatures):
        for j, wording in enumerate(signature.wordings):
            base: Path = ("signatures", i, "wordings", j)
            yield (*base, "provenance", "reference"), wording.provenance.reference
            for n, sample in enumerate(wording.samples):
                if sample.reference is not None:
                    yield (*base, "samples", n, "reference"), sample.reference


def _signature_uses(entry: Entry) -> Iterator[tuple[Path, str]]:
    neighbours: list[tuple[Path, tuple[Neighbour, ...]]] = []
    for i, share in enumerate(entry.shares):
        yield ("shares", i, "signature"), share.signature
        neighbours.append((("shares", i, "requires"), share.requires))
    for i, signature in enumerate(entry.signatures):
        neighbours.append((("signatures", i, "requires"), signature.requires))
        neighbours.append((("signatures", i, "absent"), signature.absent))
    for path, several in neighbours:
        for position, neighbour in enumerate(several):
            if neighbour.signature is not None:
                yield (*path, position, "signature"), neighbour.signature
    settled = [(i, j, name) for i, step in enumerate(entry.confirm) for j, name in enumerate(step.settled_by)]
    yield from ((("confirm", i, "settled_by", j), name) for i, j, name in settled if name != "detector")
    for i, symptom in enumerate(entry.symptoms):
        if symptom.signature is not None:
            yield ("symptoms", i, "signature"), symptom.signature
    for i, monitor in enumerate(entry.monitor):
        if monitor.signature is not None:
            yield ("monitor", i, "signature"), monitor.signature
    for i, example in enumerate(entry.examples):
        if example.expect is not None and example.expect.signature is not None:
            yield ("examples", i, "expect", "signature"), example.expect.signature


def _unknown(path: Path, kind: str, name: str, known: Collection[str], otherwise: str) -> Problem:
    close = get_close_matches(name, known, n=1)
    mend = f"Did you mean '{close[0]}'?" if close else f"{otherwise}."
    return Problem(
        path=path,
        code=f"unknown-{kind.split(' ', maxsplit=1)[0]}",
        message=f"there is no {kind} '{name}'",
        mend=mend,
    )


CHECKS = (
    check_part_ids,
    check_evidence,
    check_references_used,
    check_causes_named,
    check_signatures_named,
    check_entries_named,
    check_look_alikes,
)
