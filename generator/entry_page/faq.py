"""The fields of an entry -> the twelve questions a reader asks of any failure, answered from them alone.

Each answer is made of the entry's own sentences and links to the section that says more; a question whose fields are
empty is not asked. How long a fix takes is told as horizons, never as a time that nobody measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeAlias, TypeVar

from generator.entry_page.bodies import Question
from generator.entry_page.links import Link
from generator.entry_page.lookup import Lookup, key_of
from generator.entry_page.phrases import (
    Item,
    Origin,
    Phrase,
    enumerated,
    ours,
    own,
    own_code,
    own_text,
    termed,
    words_by_origin,
)
from generator.entry_page.sections import TELLING
from generator.parts import Line, Monitor
from generator.prose import first_sentence, plain_text

_FEW = 4
_DOCUMENTS = ("upstream_doc", "vendor_doc", "paper")
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")

T = TypeVar("T")
Answer: TypeAlias = tuple[tuple[Item, ...], Link] | None
"""What is said, and where more is said; None when the fields are empty."""


def questions(look: Lookup) -> tuple[Question, ...] | None:
    """Ask and answer all that the entry can answer: the derived questions first, then its own."""
    derived = (
        Question(anchor=f"faq-{name}", question=Line(question), items=found[0], more=found[1])
        for name, question, answer in _DERIVED
        if (found := answer(look)) and found[0]
    )
    authored = (
        Question(
            anchor=f"faq-{_slug(own_question.q)}",
            question=own_question.q,
            answer=own_question.a,
            evidence=look.evidence(own_question.evidence),
        )
        for own_question in look.entry.questions
    )
    return (*derived, *authored) or None


def answer_words(question: Question) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a derived answer that the entry's authors wrote, and those that stand on any page.

    The name of another entry, which is linked, is neither.
    """
    words = words_by_origin(question.items)
    return tuple(words[Origin.ENTRY]), (*words[Origin.TERM], *words[Origin.OURS])


def _production(look: Lookup) -> Answer:
    symptoms = _few(look.entry.symptoms, lambda s: (own(s.observe),))
    return symptoms, Link(text="All symptoms", address="#symptoms")


def _nature(look: Lookup) -> Answer:
    entry = look.entry
    if not entry.causes:
        return None
    domain = (termed(look.term("failure_domain", entry.failure_domain), "."),) if entry.failure_domain else ()
    where = _listed(look, "layer", entry.layer)
    if not (domain or where):
        return None
    causes = _few(entry.causes, lambda c: (own(first_sentence(c.mechanism)),))
    return ((*domain, *where), *causes), Link(text="All causes", address="#causes")


def _duration(look: Lookup) -> Answer:
    horizons = look.catalog.vocabularies["horizon"]
    fixes = sorted(look.entry.fixes, key=lambda fix: list(horizons).index(fix.horizon))
    items = _few(fixes, lambda f: (termed(horizons[f.horizon], ":"), own(f.steps[0])))
    return items, Link(text="All fixes", address="#fixes")


def _training(look: Lookup) -> Answer:
    entry = look.entry
    if not entry.phase:
        return None
    phases = _listed(look, "phase", entry.phase)
    found = {look.term("phase", value).group for value in entry.phase}
    groups = [group for group in ("training", "inference") if group in found]
    lead = (Phrase(text=" and ".join(groups).capitalize(), origin=Origin.TERM, end=":"),) if groups else ()
    return ((*lead, *phases), (own(entry.summary),)), Link(text="What you will observe", address="#observe")


def _cheapest(look: Lookup) -> Answer:
    costs, safeties = list(look.catalog.vocabularies["cost"]), list(look.catalog.vocabularies["safety"])
    if not look.entry.confirm:
        return None
    step = min(look.entry.confirm, key=lambda c: (costs.index(c.cost), safeties.index(c.safety)))
    items: list[Item] = [(own(step.do),)]
    if step.command and "\n" not in step.command:
        items.append((own_code(step.command),))
    items.append((ours("If it is:"), own(step.expect_if_yes)))
    if step.expect_if_no:
        items.append((ours("If not:"), own(step.expect_if_no)))
    return tuple(items), Link(text="The whole checklist", address="#confirm")


def _detection(look: Lookup) -> Answer:
    entry = look.entry
    lines = [signature for signature in entry.signatures if signature.role in TELLING]
    keys = _few(lines, lambda s: (own_code(key_of(s)),))
    if keys:
        return keys, Link(text="The signatures", address="#signatures")
    watched = _few(entry.monitor, lambda m: (own(m.what),))
    return watched, Link(text="What to watch", address="#monitoring")


def _next(look: Lookup) -> Answer:
    told = [relation for relation in look.entry.relations if relation.discriminator]
    items: list[Item] = []
    for relation in told[:_FEW]:
        link = look.entry_link(relation.slug)
        name = Phrase(text=link.text, origin=Origin.OTHER, address=link.address, end=":")
        items.append((name, own(relation.discriminator or "")))
    return tuple(items), Link(text="All related failures", address="#related")


def _recurrence(look: Lookup) -> Answer:
    entry = look.entry
    back = _few(entry.recurs_when, lambda text: (own(text),))
    away = _few(entry.prevention, lambda part: (own(part.do),))
    return (*back, *away[: 1 if back else _FEW]), Link(text="What keeps it away", address="#prevention")


def _scale(look: Lookup) -> Answer:
    scale = look.entry.scale
    if scale is None:
        return None
    rows = (("On one:", scale.one_gpu), ("On many:", scale.many_gpus))
    items = tuple((ours(label), own(text)) for label, text in rows if text)
    return items, Link(text="What you will observe", address="#observe")


def _monitor(look: Lookup) -> Answer:
    return _few(look.entry.monitor, _watched), Link(text="Queries and thresholds", address="#monitoring")


def _watched(part: Monitor) -> Item:
    return (own(part.what), *((ours("Alert when:"), own_text(part.threshold, end=".")) if part.threshold else ()))


def _documentation(look: Lookup) -> Answer:
    documents = [reference for reference in look.entry.references if reference.type in _DOCUMENTS]
    return _few(documents, lambda r: (own_text(r.title, r.url),)), Link(text="All references", address="#references")


def _code(look: Lookup) -> Answer:
    items = _few(
        look.entry.examples,
        lambda e: (own_text(look.name(e.id), f"#example-{e.id}", end=":"), own(e.why), _run(look, e.run)),
    )
    return items, Link(text="All examples", address="#examples")


def _run(look: Lookup, run: str) -> Phrase:
    return Phrase(text=look.term("example_run", run).description, origin=Origin.TERM)


def _listed(look: Lookup, vocabulary: str, values: tuple[str, ...]) -> Item:
    """Name values of a vocabulary one after the other, each linked to its index."""
    terms = (look.term(vocabulary, value) for value in values)
    return enumerated(
        Phrase(text=term.title, origin=Origin.TERM, address=f"{vocabulary}/{term.value}/") for term in terms
    )


def _few(parts: Iterable[T], say: Callable[[T], Item]) -> tuple[Item, ...]:
    return tuple(say(part) for part in islice(parts, _FEW))


def _slug(question: str) -> str:
    return _NOT_A_WORD.sub("-", plain_text(question).lower()).strip("-")[:60].rstrip("-")


_DERIVED: tuple[tuple[str, str, Callable[[Lookup], Answer]], ...] = (
    ("production", "How does it look in production?", _production),
    ("hardware-or-software", "Is it hardware or software?", _nature),
    ("how-long", "How long does the fix take?", _duration),
    ("training-or-inference", "Does it happen in training or in inference?", _training),
    ("cheapest-check", "What is the cheapest way to confirm it?", _cheapest),
    ("automatic-detection", "Can it be detected automatically?", _detection),
    ("check-next", "Which failure should I check next?", _next),
    ("recurrence", "Will it come back?", _recurrence),
    ("scale", "What changes from one GPU to a thousand?", _scale),
    ("what-to-monitor", "What should I monitor?", _monitor),
    ("documentation", "Where is the official documentation?", _documentation),
    ("working-code", "Is there working code?", _code),
)
