"""Shapes of lines keep their word, in every engine's language."""

from __future__ import annotations

import re

import pytest
import re2  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.indexing import SHAPES
from generator.shapes.shape import Shape

ALL = [shape for shapes in SHAPES.values() for shape in shapes]


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: shape.id)
def test_a_shape_matches_its_samples_and_gives_their_parts(shape: Shape) -> None:
    pattern = re.compile(shape.pattern, re.ASCII)
    assert pattern.groups == len(shape.gives)
    assert shape.samples
    for text, parts in shape.samples.items():
        found = pattern.search(text)
        assert found is not None, text
        assert tuple(part or "" for part in found.groups()) == parts


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: shape.id)
def test_a_shape_passes_over_what_looks_alike(shape: Shape) -> None:
    assert not [text for text in shape.misses if re.search(shape.pattern, text, re.ASCII)]


@pytest.mark.parametrize("shape", [shape for shape in ALL if shape.needs], ids=lambda shape: shape.id)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_a_shape_needs_stands_in_all_it_matches(shape: Shape, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(re.compile(shape.pattern, re.ASCII)))
    assert any(need in text for need in shape.needs)


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: shape.id)
def test_a_shape_is_linear(shape: Shape) -> None:
    re2.compile(shape.pattern)  # knows neither lookaround nor references: linear in the text


def test_ids_within_a_kind_are_unique() -> None:
    for shapes in SHAPES.values():
        assert len({shape.id for shape in shapes}) == len(shapes)
