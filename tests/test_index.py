"""The signature index: its schema, what it says of entries, and how both ends of it agree."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaluation.corpora import healthy
from generator.conditions import compare
from generator.diagnosis.diagnose import diagnose
from generator.diagnosis.gate import shapes
from generator.index import SHORTEST, Index
from generator.indexing import build, to_text
from generator.model import Entry
from generator.parts import Sample, Signature
from generator.prose import plain_text
from tests.pages import real_catalog as catalog

ROOT = Path(__file__).parent.parent
SITE = "https://encyclopedia.example/"
SCHEMA = Draft202012Validator(json.loads((ROOT / "schema/signatures.schema.json").read_text(encoding="utf-8")))
DECIDING = ("cause", "either", "external", "accusation")


@cache
def raw() -> dict[str, Any]:
    return build(catalog(), SITE)


@cache
def index() -> Index:
    loaded: Index = Index.from_json(json.loads(to_text(raw())))
    return loaded


def test_it_keeps_its_schema() -> None:
    assert [error.message for error in SCHEMA.iter_errors(raw())] == []


def test_the_same_entries_give_the_same_bytes() -> None:
    assert to_text(build(catalog(), SITE)) == to_text(raw())


def test_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="the index has version 99, not 1"):
        Index.from_json({**raw(), "index_version": 99})
    with pytest.raises(ValueError, match="the index has no exits"):
        Index.from_json({**raw(), "shapes": {k: v for k, v in raw()["shapes"].items() if k != "exits"}})


def test_an_answer_says_what_the_entry_says() -> None:
    card = index().cards["dataloader-worker-killed"]
    entry = catalog().by_slug["dataloader-worker-killed"]
    now = next(fix for fix in entry.fixes if fix.horizon == "now")
    assert card.url == f"{SITE}data-pipeline/dataloader-worker-killed/"
    assert card.next_action is not None
    assert card.next_action.startswith(plain_text(now.steps[0]))
    assert card.verify is not None
    assert card.verify["command"] == now.verify.command
    assert len(card.questions) == len(entry.confirm)


def test_facts_decide_as_their_text_does() -> None:
    seen = 0
    for entry in catalog().entries:
        for signature in entry.signatures:
            facts = {fact.id: fact for fact in signature.facts}
            for fact in index().by_id[entry.signature_id(signature)].facts:
                for wording in index().by_id[entry.signature_id(signature)].wordings:
                    for sample in (s.line for w in signature.wordings for s in w.samples):
                        captures = wording.match(sample)
                        if captures is not None:
                            assert fact.holds(captures) == (compare(facts[fact.id].when, captures) is True)
                            seen += 1
    assert seen


def samples() -> list[tuple[Entry, Signature, Sample]]:
    return [
        (entry, signature, sample)
        for entry in catalog().entries
        if entry.status in ("published", "draft")
        for signature in entry.signatures
        for wording in signature.wordings
        for sample in wording.samples
        if signature.role in DECIDING and signature.specificity != "generic" and not signature.requires
    ]


def test_each_sample_leads_to_its_entry_or_to_one_that_shares_it() -> None:
    wrong = []
    for entry, signature, sample in samples():
        found = diagnose([("sample.log", [sample.text.encode()])], index())
        slugs = [told["slug"] for told in found["what"]["entries"]]
        meant = {entry.slug, *(card.slug for card, _ in index().sharers.get(entry.signature_id(signature), ()))}
        if not slugs or slugs[0] not in meant:
            wrong.append((entry.signature_id(signature), slugs, sample.line))
    assert wrong == []


def test_what_is_benign_or_a_hint_leads_nowhere() -> None:
    wrong = []
    for entry in catalog().entries:
        for signature in entry.signatures:
            for sample in (s for w in signature.wordings for s in w.samples if signature.role in ("benign", "advice")):
                found = diagnose([("sample.log", [sample.line.encode()])], index())
                if found["outcome"] == "failed" and signature.role == "benign":
                    wrong.append(sample.line)
    assert wrong == []


def test_what_a_log_is_searched_for_is_rare_in_healthy_logs() -> None:
    """Also by its shape, without digits and blanks: what differs from a common line by these alone slows every scan."""
    text = shapes(b"\n".join(data for case in healthy() for _, data in case.files))
    most = text.count(b"\n") // 200
    common = {literal for literal in index().literals if text.count(shapes(literal.encode())) > most}
    assert common <= {"Traceback (most recent call last)"}
    assert min(len(literal.encode()) for literal in index().literals) >= SHORTEST
