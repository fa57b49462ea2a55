"""The fields of an entry -> the bodies of its page's sections, one function each; None where no field is filled.

A section is printed only when its function returns something. Refuses to know order, headings and looks.
"""

from __future__ import annotations

from generator.entry_page.bodies import (
    Affected,
    AffectedRow,
    CauseCard,
    Check,
    DeadEndRow,
    Explanation,
    FixCard,
    Lookalike,
    Monitoring,
    MonitorRow,
    Observation,
    Passage,
    Preventing,
    PreventionRow,
    Related,
    RelatedGroup,
    Rule,
    SymptomRow,
)
from generator.entry_page.links import Link, Printed, Statement
from generator.entry_page.lookup import Lookup
from generator.entry_page.phrases import own
from generator.model import Entry
from generator.parts import Cause, Line, Signature
from generator.template import compile_template

TELLING = ("cause", "confirmation", "accusation", "either", "external")
"""Roles of lines that a reader looks for, most telling first."""

_INVERSE = {"causes": "caused_by", "caused_by": "causes"}


def explanation(look: Lookup) -> Explanation | None:
    """Say what this failure is, and what people call it."""
    told, names = look.entry.explanation, look.entry.also_known_as
    if not (told or names):
        return None
    return Explanation(
        text=told.text if told else None, names=names, evidence=look.evidence(told.evidence) if told else None
    )


def mechanism(look: Lookup) -> tuple[Passage, ...] | None:
    """Tell how each cause produces the failure."""
    passages = tuple(
        Passage(
            text=cause.mechanism,
            evidence=look.evidence(cause.evidence),
            anchor=f"mechanism-{cause.id}",
            name=look.part("cause", cause.id),
        )
        for cause in look.entry.causes
    )
    return passages or None


def observation(look: Lookup) -> Observation | None:
    """Say when it shows, what it prints and how it looks as the job grows."""
    entry = look.entry
    phases = look.badges("Phase", "phase", entry.phase)
    lines = printed(look)
    scale = _scale(look)
    if not (phases or lines or scale or entry.silent):
        return None
    return Observation(
        phases=phases[0].chips if phases else (),
        printed=lines[:4],
        silent=entry.silent,
        seen=scale,
        evidence=look.evidence(entry.scale.evidence) if entry.scale else None,
    )


def printed(look: Lookup) -> tuple[Printed, ...]:
    """List the lines that tell this failure, as software prints them, most telling first."""
    entry = look.entry
    telling = sorted((s for s in entry.signatures if s.role in TELLING), key=lambda s: TELLING.index(s.role))
    own = tuple(_printed(look, entry, signature) for signature in telling)
    owners = (look.catalog.signatures.get(share.signature) for share in entry.shares)
    return own + tuple(_printed(look, *owner) for owner in owners if owner)


def _printed(look: Lookup, owner: Entry, signature: Signature) -> Printed:
    """Take the part that matters of the shortest sample: what a reader compares with their own line."""
    wording = signature.wordings[0]
    line = min((sample.line for sample in wording.samples), key=len)
    begin, end = compile_template(wording.template).span(line) or (0, len(line))
    return Printed(text=line[begin:end].strip(), signature=look.signature_link(owner.signature_id(signature)))


def _scale(look: Lookup) -> tuple[Statement, ...]:
    scale = look.entry.scale
    rows = (("On one GPU", scale.one_gpu), ("On many GPUs", scale.many_gpus)) if scale else ()
    return tuple(Statement(label=label, items=((own(text),),)) for label, text in rows if text)


def symptoms(look: Lookup) -> tuple[SymptomRow, ...] | None:
    """Make a row of each symptom."""
    return (
        tuple(
            SymptomRow(
                anchor=f"symptom-{part.id}",
                part=part,
                where=look.term("symptom_place", part.where),
                cause=look.part("cause", part.because),
                signature=look.signature_link(part.signature) if part.signature else None,
                evidence=look.evidence(part.evidence),
            )
            for part in look.entry.symptoms
        )
        or None
    )


def affected(look: Lookup) -> Affected | None:
    """Say on what systems and in which versions it shows."""
    entry = look.entry
    if not (entry.frameworks or entry.hardware or entry.affected or entry.not_version_bound):
        return None
    return Affected(
        systems=(
            *look.badges("Frameworks", "framework", entry.frameworks),
            *look.badges("Hardware", "hardware", entry.hardware),
        ),
        rows=tuple(AffectedRow(part=part, evidence=look.evidence(part.evidence)) for part in entry.affected),
        not_version_bound=entry.not_version_bound,
    )


def checklist(look: Lookup) -> tuple[Check, ...] | None:
    """Make the confirmation steps, in the entry's order."""
    return (
        tuple(
            Check(
                anchor=f"confirm-{part.id}",
                part=part,
                separates=tuple(look.entry_link(slug) for slug in part.separates_from),
                cost=look.term("cost", part.cost),
                safety=look.term("safety", part.safety),
                evidence=look.evidence(part.evidence),
            )
            for part in look.entry.confirm
        )
        or None
    )


def causes(look: Lookup) -> tuple[CauseCard, ...] | None:
    """Make a card of each cause, with what it shows as and what removes it."""
    return tuple(_cause(look, part) for part in look.entry.causes) or None


def _cause(look: Lookup, part: Cause) -> CauseCard:
    entry = look.entry
    return CauseCard(
        anchor=f"cause-{part.id}",
        name=look.name(part.id),
        part=part,
        likelihood=look.term("likelihood", part.likelihood),
        mechanism=Link(text="How it comes about", address=f"#mechanism-{part.id}"),
        symptoms=tuple(look.part("symptom", s.id) for s in entry.symptoms if s.because == part.id),
        fixes=tuple(look.part("fix", f.id) for f in entry.fixes if part.id in f.for_),
        evidence=look.evidence(part.evidence),
    )


def fixes(look: Lookup) -> tuple[FixCard, ...] | None:
    """Make a card of each fix, what can be done now first."""
    horizons = list(look.catalog.vocabularies["horizon"])
    return (
        tuple(
            FixCard(
                anchor=f"fix-{part.id}",
                name=look.name(part.id),
                part=part,
                horizon=look.term("horizon", part.horizon),
                kind=look.term("fix_kind", part.kind),
                causes=tuple(look.part("cause", cause) for cause in part.for_),
                evidence=look.evidence(part.evidence),
            )
            for part in sorted(look.entry.fixes, key=lambda fix: horizons.index(fix.horizon))
        )
        or None
    )


def dead_ends(look: Lookup) -> tuple[DeadEndRow, ...] | None:
    """List what does not help."""
    return tuple(DeadEndRow(part=p, evidence=look.evidence(p.evidence)) for p in look.entry.dead_ends) or None


def prevention(look: Lookup) -> Preventing | None:
    """List what keeps it away, and what brings it back."""
    entry = look.entry
    if not (entry.prevention or entry.recurs_when):
        return None
    rows = tuple(
        PreventionRow(part=part, kind=look.term("prevention_kind", part.kind), evidence=look.evidence(part.evidence))
        for part in entry.prevention
    )
    return Preventing(rows=rows, recurs_when=entry.recurs_when)


def monitoring(look: Lookup) -> Monitoring | None:
    """List what to alert on."""
    entry = look.entry
    if not (entry.monitor or entry.detector):
        return None
    rows = tuple(
        MonitorRow(
            part=part,
            source=look.term("monitor_source", part.source),
            signature=look.signature_link(part.signature) if part.signature else None,
            evidence=look.evidence(part.evidence),
        )
        for part in entry.monitor
    )
    rule = Rule(part=entry.detector, kind=look.term("detector_kind", entry.detector.kind)) if entry.detector else None
    return Monitoring(rows=rows, rule=rule)


def related(look: Lookup) -> Related | None:
    """Put look-alikes with what tells them apart first, then the other relations, those that others name included."""
    entry = look.entry
    alike = tuple(
        Lookalike(
            entry=look.entry_link(relation.slug),
            summary=other.summary if (other := look.catalog.by_slug.get(relation.slug)) else None,
            discriminator=relation.discriminator or Line(""),
            checks=tuple(look.part("confirm", c.id) for c in entry.confirm if relation.slug in c.separates_from),
        )
        for relation in entry.relations
        if relation.type == "looks_like"
    )
    named: dict[str, dict[str, tuple[Link, Line | None]]] = {}
    for relation in entry.relations:
        if relation.type != "looks_like":
            told = (look.entry_link(relation.slug), relation.discriminator)
            named.setdefault(relation.type, {})[relation.slug] = told
    for other, relation in look.catalog.referrers.get(entry.slug, ()):
        if (inverse := _INVERSE.get(relation.type)) and other.status == "published":
            named.setdefault(inverse, {}).setdefault(other.slug, (look.entry_link(other.slug), relation.discriminator))
    groups = tuple(
        RelatedGroup(kind=term, entries=tuple(named[kind].values()))
        for kind, term in look.catalog.vocabularies["relation_type"].items()
        if kind in named
    )
    return Related(lookalikes=alike, groups=groups) if alike or groups else None
