"""The derived questions, over the whole catalogue: asked only when answered, and answered in the entry's own words."""

from __future__ import annotations

import re

import pytest

from generator.entry_page.bodies import Question
from generator.entry_page.faq import answer_words
from generator.entry_page.page import prose_of
from generator.entry_page.phrases import Form, Origin
from generator.expand import expand
from generator.model import Catalog, Entry
from tests.pages import catalog_of, example, real_catalog

TIME = re.compile(r"\b\d+ ?(?:s|sec|seconds?|min|minutes?|h|hours?|days?)\b")


def questions_of(entry: Entry, catalog: Catalog) -> list[Question]:
    body = next(section.body for section in expand(entry, catalog).sections if section.anchor == "faq")
    assert isinstance(body, tuple)
    return [question for question in body if isinstance(question, Question)]


def every_page() -> list[tuple[Entry, Catalog]]:
    real = real_catalog()
    return [(example(), catalog_of(example())), *((entry, real) for entry in real.entries)]


@pytest.mark.parametrize(("entry", "catalog"), every_page(), ids=lambda value: getattr(value, "slug", ""))
def test_at_most_half_of_an_answer_is_ours(entry: Entry, catalog: Catalog) -> None:
    """Vocabulary texts count as ours: they were not written for this entry."""
    asked = [question for question in questions_of(entry, catalog) if question.items]
    assert asked
    for question in asked:
        own, ours = answer_words(question)
        assert len(own) >= len(ours), f"{question.anchor}: {' '.join(ours)} | {' '.join(own)}"


@pytest.mark.parametrize(("entry", "catalog"), every_page(), ids=lambda value: getattr(value, "slug", ""))
def test_what_counts_as_the_entrys_own_words_stands_in_the_entry(entry: Entry, catalog: Catalog) -> None:
    written = prose_of(expand(entry, catalog))
    for question in questions_of(entry, catalog):
        for phrase in (phrase for item in question.items for phrase in item):
            if phrase.origin is Origin.ENTRY and phrase.form is Form.MARKDOWN:
                assert any(phrase.text in text for text in written)


@pytest.mark.parametrize(("entry", "catalog"), every_page(), ids=lambda value: getattr(value, "slug", ""))
def test_an_answer_links_to_the_section_that_says_it(entry: Entry, catalog: Catalog) -> None:
    anchors = {f"#{section.anchor}" for section in expand(entry, catalog).sections}
    for question in questions_of(entry, catalog):
        assert question.more is None or question.more.address in anchors
        assert (question.more is None) == (question.answer is not None)


@pytest.mark.parametrize(("entry", "catalog"), every_page(), ids=lambda value: getattr(value, "slug", ""))
def test_how_long_is_a_horizon_and_no_time_of_ours(entry: Entry, catalog: Catalog) -> None:
    how_long = [question for question in questions_of(entry, catalog) if question.anchor == "faq-how-long"]
    horizons = {term.title for term in catalog.vocabularies["horizon"].values()}
    for question in how_long:
        assert {item[0].text for item in question.items} <= horizons
        assert not TIME.search(" ".join(answer_words(question)[1]))


def test_answers_of_the_example() -> None:
    answers = {
        question.anchor: [" ".join(phrase.text + phrase.end for phrase in item) for item in question.items]
        for question in questions_of(example(), catalog_of(example()))
    }
    assert answers["faq-hardware-or-software"] == [
        "Workload. Model code, Data.",
        "`in_features` was computed by hand from an image size, a stride or a padding that the layers in front do not"
        " have.",
        "A row of the data brings more or fewer features than the layer was built for, because a column was added, a"
        " category got a new value, or a text encoder was exchanged for one with another width.",
        "A layer was taken from a model with another hidden size, so that it fits its file but not the layer in front.",
    ]
    assert answers["faq-how-long"] == [
        "Now: Run the layers in front once with one empty image, without gradients.",
        "Now: Compare the number of columns with `in_features` where a row is read, and name the row that differs.",
        "Short term: Put `AdaptiveAvgPool2d` in front of `Flatten`, so that the layer sees the same width for all image"
        " sizes.",
    ]
    assert answers["faq-automatic-detection"] == [
        "mat1 and mat2 shapes cannot be multiplied (<rows>x<given> and <wanted>x<out>)",
        "a and b must have same reduction dim, but got <given> X <wanted>.",
    ]
    assert answers["faq-documentation"] == ["torch.nn.Linear"]
    assert answers["faq-training-or-inference"][0] == "Training: Forward, Evaluation."
