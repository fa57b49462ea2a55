"""Terms: the cases that the browser's twin must give too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tokens import LONGEST, phrase_of, terms_of

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "conformance/terms.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:30])
def test_case(case: dict[str, Any]) -> None:
    assert terms_of(case["text"]) == case["terms"]
    assert phrase_of(case["text"]) == case["phrase"]


@given(st.text())
def test_terms_are_short_lower_case_and_unique(text: str) -> None:
    terms = terms_of(text)
    assert len(set(terms)) == len(terms)
    assert all(0 < len(term) <= LONGEST and term == term.lower() and term.isascii() for term in terms)


@given(st.lists(st.sampled_from(["gpu", "hang", "OutOfMemory", "nccl", "xid", "79", "torch.load"]), unique=True))
def test_a_phrase_does_not_depend_on_the_order_of_words(words: list[str]) -> None:
    assert phrase_of(" ".join(words)) == phrase_of(" ".join(reversed(words)))


@pytest.mark.parametrize(
    ("one", "other"),
    [("hangs", "hanging"), ("killed", "kill"), ("caches", "caching"), ("tried", "try"), ("processes", "process"),
     ("leaks", "leaking"), ("truncated", "truncate"), ("stopped", "stops"), ("workers", "worker")],
)  # fmt: skip
def test_inflections_are_one_term(one: str, other: str) -> None:
    assert terms_of(one) == terms_of(other)
