"""What an entry's page holds: sections, questions, names, links, and what happens when a field is empty."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from generator.entry_page.grades import GRADES, grade_of
from generator.entry_page.page import EntryPage
from generator.expand import expand, maturity_of
from generator.model import Entry, Registration
from generator.parts import Line, Relation, Review, Share
from generator.render import Renderer, anchors_of
from generator.twin import twin
from tests.pages import ROOT, catalog_of, example, hostile, look_at, minimal

ORDER = [
    "quick-answer",
    "perspectives",
    "what-this-is",
    "mechanism",
    "observe",
    "symptoms",
    "affected",
    "confirm",
    "causes",
    "fixes",
    "dead-ends",
    "prevention",
    "monitoring",
    "examples",
    "signatures",
    "related",
    "faq",
    "references",
    "verified",
]
QUESTIONS = [
    "production",
    "hardware-or-software",
    "how-long",
    "training-or-inference",
    "cheapest-check",
    "automatic-detection",
    "check-next",
    "recurrence",
    "scale",
    "what-to-monitor",
    "documentation",
    "working-code",
]
OPTIONAL = [f for f in fields(Entry) if f.name not in ("file", "id", "title", "status", "category", "summary")]


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(ROOT / "overrides")


def page_of(entry: Entry, *others: Entry) -> EntryPage:
    return expand(entry, catalog_of(entry, *others))


def sections_of(page: EntryPage) -> list[str]:
    return [section.anchor for section in page.sections]


def questions_of(page: EntryPage) -> list[str]:
    return [question.anchor.removeprefix("faq-") for question in body_of(page, "faq")]


def without(entry: Entry, *names: str) -> Entry:
    defaults = {f.name: f.default for f in fields(Entry)}
    changes: dict[str, Any] = {name: defaults[name] for name in names}
    return replace(entry, **changes)


def body_of(page: EntryPage, anchor: str) -> Any:
    return next(section.body for section in page.sections if section.anchor == anchor)


def test_the_order_is_the_designs() -> None:
    page = page_of(example())
    assert sections_of(page) == ORDER
    assert questions_of(page) == [*QUESTIONS, "why-does-the-first-number-not-equal-my-batch-size"]


@pytest.mark.parametrize(
    ("names", "gone", "unasked"),
    [
        (["impact"], [], []),
        (["explanation", "also_known_as"], ["what-this-is"], []),
        (["causes"], ["mechanism", "causes"], ["hardware-or-software"]),
        (["layer", "failure_domain"], [], ["hardware-or-software"]),
        (["phase"], [], ["training-or-inference"]),
        (["scale"], [], ["scale"]),
        (["phase", "scale", "signatures", "shares"], ["observe", "signatures"], ["training-or-inference", "scale"]),
        (["symptoms"], ["symptoms"], ["production"]),
        (["affected", "frameworks", "hardware"], ["affected"], []),
        (["confirm"], ["confirm"], ["cheapest-check"]),
        (["fixes"], ["fixes"], ["how-long"]),
        (["dead_ends"], ["dead-ends"], []),
        (["prevention", "recurs_when"], ["prevention"], ["recurrence"]),
        (["monitor", "detector"], ["monitoring"], ["what-to-monitor"]),
        (["signatures", "shares", "monitor"], ["monitoring", "signatures"], ["automatic-detection", "what-to-monitor"]),
        (["examples"], ["examples"], ["working-code"]),
        (["relations"], ["related"], ["check-next"]),
        (["references"], ["references"], ["documentation"]),
        (["questions"], [], ["why-does-the-first-number-not-equal-my-batch-size"]),
    ],
)
def test_an_empty_field_drops_its_section_and_its_question(
    names: list[str], gone: list[str], unasked: list[str]
) -> None:
    whole, page = page_of(example()), page_of(without(example(), *names))
    assert sections_of(page) == [anchor for anchor in ORDER if anchor not in gone]
    assert questions_of(page) == [name for name in questions_of(whole) if name not in unasked]


@pytest.mark.parametrize("name", [f.name for f in OPTIONAL])
def test_any_field_may_be_missing(renderer: Renderer, name: str) -> None:
    page = page_of(without(example(), name))
    seen = look_at(renderer.entry(page, lambda address: f"/{address}"))
    assert [link for link in seen.links if link.startswith("#") and link[1:] not in seen.ids] == []


def test_a_draft_with_nothing_filled_says_so() -> None:
    page = page_of(minimal())
    assert sections_of(page) == ["quick-answer", "verified"]
    assert page.notice is not None
    assert page.notice.status.title == "Draft"
    assert page.badges == ()


def test_the_outline_shows_sections_and_the_causes_and_fixes_in_them(renderer: Renderer) -> None:
    outline = page_of(example()).outline
    assert [heading.anchor for heading in outline] == ORDER
    nested = {heading.anchor: [child.title for child in heading.children] for heading in outline if heading.children}
    assert nested == {
        "causes": ["Counted wrong", "Width of data", "Weight of another model"],
        "fixes": ["Ask the layers", "Check the row", "Pool to a fixed size"],
    }
    html = renderer.entry(page_of(example()), lambda address: f"/{address}")
    shown = {heading.anchor for heading in outline} | {c.anchor for heading in outline for c in heading.children}
    assert shown <= anchors_of(html)


def test_badges() -> None:
    page = page_of(example())
    shown = {badge.label: [(chip.text, chip.address) for chip in badge.chips] for badge in page.badges}
    assert list(shown) == ["Severity", "Phase", "Layer", "Versions", "Maturity", "Verified on"]
    assert shown["Severity"] == [("Medium", "severity/medium/")]
    assert shown["Phase"] == [("Forward", "phase/forward/"), ("Evaluation", "phase/evaluation/")]
    assert shown["Versions"] == [("torchvision from 0.1.6 up to 0.2.1", "#affected")]
    assert shown["Maturity"] == [("Reviewed", "#verified")]
    assert shown["Verified on"] == [("2026-11-30", "#verified")]


def test_quick_answer() -> None:
    quick = body_of(page_of(example()), "quick-answer")
    printed = quick.printed
    assert printed.text == "mat1 and mat2 shapes cannot be multiplied (4x5408 and 6272x10)"
    assert printed.signature.address == "#mlfe-0000-1"
    assert quick.check.command == "grep -h -A1 'F.linear' train.log"
    assert quick.fix.more.address == "#fix-ask-the-layers"
    assert quick.restart.answer.title == "Yes"


def test_what_prints_nothing_shows_its_first_symptom() -> None:
    entry = replace(without(example(), "signatures", "shares"), silent=True)
    quick = body_of(page_of(entry), "quick-answer")
    assert quick.printed is None
    assert quick.symptom == example().symptoms[0].observe


def test_names_are_spelt_as_the_entry_spells_them() -> None:
    causes = body_of(page_of(hostile()), "causes")
    assert [card.name for card in causes] == ["Why", "KV cache GPU"]


def test_maturity_is_computed() -> None:
    entry = example()
    assert maturity_of(entry).title == "Reviewed"
    own = replace(entry, reviews=(Review(by=entry.authors[0], date="2026-11-30"),))
    assert maturity_of(own).title == "Reproduced"
    unrun = replace(own, examples=tuple(e for e in entry.examples if e.kind != "broken"))
    assert maturity_of(unrun).title == "Signature tested"
    silent = replace(without(unrun, "signatures", "examples"), silent=True)
    assert maturity_of(silent).title == "From sources"
    assert maturity_of(replace(silent, examples=tuple(e for e in entry.examples if e.kind == "confirm"))).title == (
        "Signature tested"
    )
    assert maturity_of(replace(entry, status="draft")).title == "From sources"


def test_a_draft_claims_nothing_that_nobody_said() -> None:
    draft = replace(without(example(), "signatures", "examples"), status="draft", silent=False)
    page = page_of(draft)
    assert "Maturity" not in [badges.label for badges in page.badges]
    assert "Verified on" in [badges.label for badges in page.badges]
    verified = body_of(page, "verified")
    assert verified.maturity is None
    assert [step.term.title for step in verified.steps] == ["Reproduced", "Reviewed"]
    told = twin(page)
    for claim in ("prints no line of its own", "Unverified", "nothing on the page"):
        assert claim not in told
    assert "It prints no line of its own" in twin(page_of(replace(draft, silent=True)))


def test_each_reference_has_its_grade_and_the_best_one_stands_for_all() -> None:
    grades = {reference.id: grade_of(reference).value for reference in example().references}
    assert grades == {
        "addmm-source": "source_line",
        "meta-source": "source_line",
        "th-source": "source_line",
        "linear-source": "vendor_doc",
        "resnet-pooling": "captured_log",
        "vgg-pooling": "single_report",
        "feature-width": "captured_log",
        "turbo-diffusion": "captured_log",
    }
    fixes = body_of(page_of(example()), "fixes")
    shown = {card.anchor: card.evidence.grade.title for card in fixes}
    assert shown == {
        "fix-ask-the-layers": "Reproduced",
        "fix-check-the-row": "Documentation",
        "fix-pool-to-a-fixed-size": "Captured log",
    }
    assert next(iter(GRADES)) == "reproduced"


def test_references_link_to_what_they_bear_out() -> None:
    sources = body_of(page_of(example()), "references")
    first = sources[0]
    assert [(link.text, link.address) for link in first.supports] == [
        ("explanation", "#what-this-is"),
        ("signatures", "#signatures"),
        ("confirm: Read the numbers", "#confirm-read-the-numbers"),
        ("dead ends", "#dead-ends"),
        ("questions", "#faq"),
        ("monitor", "#monitoring"),
    ]


def test_relations_that_others_name_are_shown_here_too() -> None:
    other = replace(minimal(), status="published", relations=(Relation(type="causes", slug=example().slug),))
    related = body_of(page_of(example(), other), "related")
    groups = {g.kind.title: [link.text for link, _ in g.entries] for g in related.groups}
    assert groups == {"Causes": ["torchrun-child-failed-summary"], "Caused by": ["A draft"]}
    draft = replace(other, status="draft")
    related = body_of(page_of(example(), draft), "related")
    assert [group.kind.title for group in related.groups] == ["Causes"]


def test_a_shared_line_is_told_on_both_pages() -> None:
    sharer = replace(minimal(), status="published", shares=(Share(signature="MLFE-0000-1", when=Line("Only then.")),))
    cards = body_of(page_of(example(), sharer), "signatures")
    assert [link.text for link in cards.cards[0].also] == ["A draft"]
    shared = body_of(page_of(sharer, example()), "signatures")
    card = shared.shared[0]
    assert card.search_key == "mat1 and mat2 shapes cannot be multiplied (<rows>x<given> and <wanted>x<out>)"
    assert card.signature.address == "model-code/linear-layer-input/#mlfe-0000-1"


def test_conditions_are_told_in_words() -> None:
    card = body_of(page_of(example()), "signatures").cards[0]
    assert [" ".join(phrase.text for phrase in condition) for condition in card.conditions] == [
        "Counts only when given is at least 1.",
        "Counts only when out is at least 1 and at most 1000000.",
        "Counts only with return F.linear(input, self.weight, self.bias) within the same multi-line record, such as"
        " one traceback; it comes before this line, at most 3 lines away.",
        "Counts only without size mismatch for <name>: copying a param with shape within the same multi-line record,"
        " such as one traceback; it may come before or after.",
    ]


def test_a_merged_entry_is_a_tombstone_that_keeps_its_anchors(renderer: Renderer) -> None:
    entry = replace(
        example(), status="merged", reason=Line("Its twin says it all."), replaced_by="a-draft", signatures=()
    )
    register = {
        entry.id: Registration(id=entry.id, address=entry.address, status="merged", signatures=(1, 2)),
    }
    catalog = replace(catalog_of(entry, replace(minimal(), status="published")), register=register)
    page = expand(entry, catalog)
    assert sections_of(page) == ["signatures"]
    assert page.badges == ()
    html = renderer.entry(page, lambda address: f"/{address}")
    seen = look_at(html)
    assert {"mlfe-0000-1", "mlfe-0000-2"} <= set(seen.ids)
    assert "Its twin says it all." in seen.text
    assert "/memory/a-draft/" in seen.links


def test_a_signature_that_is_gone_keeps_its_anchor() -> None:
    entry = example()
    register = {entry.id: Registration(id=entry.id, address=entry.address, status="published", signatures=(1, 2, 3))}
    page = expand(entry, replace(catalog_of(entry), register=register))
    assert [link.text for link in body_of(page, "signatures").retired] == ["MLFE-0000-3"]
