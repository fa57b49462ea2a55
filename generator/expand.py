"""Entry and Catalog -> EntryPage: all a page needs, decided here.

Which sections exist, in which order, under which headings and anchors, and where each link leads. A section whose
fields are empty does not exist. Knows neither HTML nor Markdown files.
"""

from __future__ import annotations

from collections.abc import Callable

from generator.entry_page.answer import perspectives, quick_answer
from generator.entry_page.bodies import Body, CauseCard, FixCard, Verified
from generator.entry_page.cards import examples, markdown_label, retired, signatures
from generator.entry_page.faq import questions
from generator.entry_page.grades import GRADES, MATURITY, maturity
from generator.entry_page.links import Badges, Chip, Copy, Link
from generator.entry_page.lookup import Lookup
from generator.entry_page.page import EntryPage, Notice, Section
from generator.entry_page.sections import (
    affected,
    causes,
    checklist,
    dead_ends,
    explanation,
    fixes,
    mechanism,
    monitoring,
    observation,
    prevention,
    related,
    symptoms,
)
from generator.entry_page.sources import references
from generator.entry_page.specimens import Signatures
from generator.model import Catalog, Entry, Term
from generator.prose import plain_text

_ORDER: tuple[tuple[str, str, Callable[[Lookup], Body | None]], ...] = (
    ("quick-answer", "Quick answer", quick_answer),
    ("perspectives", "Three perspectives", perspectives),
    ("what-this-is", "What this failure is", explanation),
    ("mechanism", "Mechanism", mechanism),
    ("observe", "What you will observe", observation),
    ("symptoms", "Symptoms", symptoms),
    ("affected", "Systems and versions affected", affected),
    ("confirm", "Confirmation checklist", checklist),
    ("causes", "Causes", causes),
    ("fixes", "Fixes", fixes),
    ("dead-ends", "Dead ends", dead_ends),
    ("prevention", "Prevention", prevention),
    ("monitoring", "Monitoring", monitoring),
    ("examples", "Code examples", examples),
    ("signatures", "Searchable signatures", signatures),
    ("related", "Looks like, and related", related),
    ("faq", "Questions and answers", questions),
)


def expand(entry: Entry, catalog: Catalog) -> EntryPage:
    """Decide everything on an entry's page; a withdrawn or merged entry becomes a tombstone."""
    look = Lookup(entry, catalog)
    gone = entry.status in ("withdrawn", "merged")
    return EntryPage(
        entry=entry,
        address=f"{entry.address}/",
        permanent=f"r/{entry.number}/",
        title=plain_text(entry.title),
        description=plain_text(entry.summary),
        category=Link(text=look.term("category", entry.category).title, address=f"{entry.category}/"),
        notice=_notice(look),
        badges=() if gone else _badges(look),
        tags=tuple(look.term("tag", value) for value in entry.tags),
        sections=_tombstone(look) if gone else _sections(look),
    )


def _sections(look: Lookup) -> tuple[Section, ...]:
    filled = [(anchor, title, body) for anchor, title, make in _ORDER if (body := make(look)) is not None]
    sections = [Section(anchor=a, title=t, body=b, parts=_parts(b)) for a, t, b in filled]
    anchors = look.anchors | {section.anchor for section in sections}
    if (sources := references(look, anchors)) is not None:
        sections.append(Section(anchor="references", title="References", body=sources))
    sections.append(Section(anchor="verified", title="How this page was verified", body=_verified(look)))
    return tuple(sections)


def _parts(body: Body) -> tuple[Link, ...]:
    """List the headings below a section's own that the outline shows."""
    if not isinstance(body, tuple):
        return ()
    return tuple(Link(text=c.name, address=f"#{c.anchor}") for c in body if isinstance(c, CauseCard | FixCard))


def _tombstone(look: Lookup) -> tuple[Section, ...]:
    """Keep the anchors of every signature that was ever published here."""
    entry = look.entry
    own = tuple(Link(text=entry.signature_id(s), address=f"#{entry.signature_id(s).lower()}") for s in entry.signatures)
    gone = (*own, *retired(look))
    if not gone:
        return ()
    body = Signatures(cards=(), shared=(), retired=gone)
    return (Section(anchor="signatures", title="Former signatures", body=body),)


def _notice(look: Lookup) -> Notice | None:
    entry = look.entry
    if entry.status == "published":
        return None
    return Notice(
        status=look.term("status", entry.status),
        reason=entry.reason,
        successor=look.entry_link(entry.replaced_by) if entry.replaced_by else None,
    )


def _badges(look: Lookup) -> tuple[Badges, ...]:
    """Make the badges under the title."""
    entry = look.entry
    reached, _ = maturity(entry)
    versions = _versions(entry)
    maturity_chip = Chip(
        text=reached.title, address="#verified", note=reached.description, kind=f"maturity-{reached.value}"
    )
    ranked = entry.status == "published"  # of a draft the notice says all
    date = entry.verified_on.date if entry.verified_on else ""
    return (
        *look.badges("Severity", "severity", (entry.severity,) if entry.severity else ()),
        *look.badges("Phase", "phase", entry.phase),
        *look.badges("Layer", "layer", entry.layer),
        *((Badges(label="Versions", chips=(Chip(text=versions, address="#affected"),)),) if versions else ()),
        *((Badges(label="Maturity", chips=(maturity_chip,)),) if ranked else ()),
        *((Badges(label="Verified on", chips=(Chip(text=date, address="#verified"),)),) if date else ()),
    )


def _versions(entry: Entry) -> str:
    """Say in a few words which versions are affected."""
    if entry.not_version_bound:
        return "any"
    if not entry.affected:
        return ""
    first, *others = entry.affected
    since = f" from {first.introduced}" if first.introduced else ""
    until = f" up to {first.last_affected}" if first.last_affected else f" before {first.fixed}" if first.fixed else ""
    more = f" and {len(others)} more" if others else ""
    return f"{first.package}{since}{until}{more}"


def _verified(look: Lookup) -> Verified:
    entry = look.entry
    reached, steps = maturity(entry)
    title = plain_text(entry.title)
    permanent = f"r/{entry.number}/"
    label = f"{entry.id}: {title}"
    authors = f"{', '.join(entry.authors)}. " if entry.authors else ""
    cite = f"{authors}{title}. ML Failure Encyclopedia, {entry.id}."
    return Verified(
        maturity=reached if entry.status == "published" else None,
        steps=steps,
        grades=_grades(look),
        copies=(
            Copy(label="Copy link", text="{url}", address=permanent),
            Copy(label="Copy Markdown", text=f"[{markdown_label(label)}]({{url}})", address=permanent),
            Copy(label="Copy for Jira", text=f"[{label.translate(_JIRA)}|{{url}}]", address=permanent),
            Copy(label="Copy for Slack", text=f"<{{url}}|{label.translate(_SLACK)}>", address=permanent),
            Copy(label="Copy citation", text=f"{cite} {{url}}", address=permanent),
        ),
        files=(Link(text="Markdown", address=f"{entry.address}/index.md"),),
        filed=(
            *look.badges("Category", "category", (entry.category,)),
            *look.badges("Frameworks", "framework", entry.frameworks),
            *look.badges("Hardware", "hardware", entry.hardware),
            *look.badges("Tags", "tag", entry.tags),
        ),
    )


_JIRA = str.maketrans("[]|", "()/")
_SLACK = str.maketrans("<>|", "()/")


def _grades(look: Lookup) -> tuple[Term, ...]:
    """List the grades of all sources, best first: those that the page can show."""
    ids = (*(reference.id for reference in look.entry.references), *(example.id for example in look.entry.examples))
    found = {evidence.grade.value for i in ids if (evidence := look.evidence((i,)))}
    return tuple(term for value, term in GRADES.items() if value in found)


def maturity_of(entry: Entry) -> Term:
    """Return an entry's maturity, for lists and the API."""
    return maturity(entry)[0] if entry.status == "published" else MATURITY["unverified"]
