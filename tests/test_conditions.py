"""Conditions on captures: what is read, what holds, and what stays undecided."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.conditions import ComparisonError, compare, meets, parse_comparison
from generator.language.values import Value

MEND = "Compare sums of captures and whole numbers, as in `free + 10 * unused >= requested and count > 0`."
CAPTURED: dict[str, Value] = {"free": 4, "want": 10, "unused": 3, "name": "python", "shape": (2, 3), "big": 2**70}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("free < want", True),
        ("free >= want", False),
        ("free == 4", True),
        ("free != 4", False),
        ("free <= 4 and want > 9", True),
        ("free <= 4 and want > 10", False),
        ("free + 2 * unused >= want", True),
        ("2 * unused + free > want", False),
        ("want - free - unused == 3", True),
        ("-free < 0 - unused", True),
        ("free * unused * 2 == 24", True),
        ("big * big > big + 1", True),
        ("free<want", True),
        ("missing > 1", None),
        ("name > 1", None),
        ("shape > 1", None),
        ("missing > 1 and free == 4", None),
        ("missing > 1 and free == 5", False),
    ],
)
def test_comparisons(text: str, expected: bool | None) -> None:
    assert compare(text, CAPTURED) is expected


def test_a_comparison_knows_the_captures_it_needs() -> None:
    assert parse_comparison("2 * free + unused >= want and free > 0").names == {"free", "unused", "want"}


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "the comparison ends where a capture or a whole number should be"),
        ("free", 4, "the comparison ends where one of < <= > >= == != should be"),
        ("free = 3", 5, "'=' stands where one of < <= > >= == != should be"),
        ("free > ", 7, "the comparison ends where a capture or a whole number should be"),
        ("free > 1.5", 8, "'.' stands where 'and' or the end should be"),
        ("free > 1 or want > 2", 9, "'or' stands where 'and' or the end should be"),
        ("1 < free < 3", 9, "'<' stands where 'and' or the end should be"),
        ("free > (want)", 7, "'(' stands where a capture or a whole number should be"),
        ("free > and", 7, "'and' stands where a capture or a whole number should be"),
        ("free * * 2 > 1", 7, "'*' stands where a capture or a whole number should be"),
        ("Free > 1", 0, "'F' stands where a capture or a whole number should be"),
    ],
)
def test_a_comparison_that_cannot_be_read(text: str, position: int, message: str) -> None:
    with pytest.raises(ComparisonError) as raised:
        parse_comparison(text)
    error = raised.value
    assert (error.position, error.message, error.mend) == (position, message, MEND)
    assert str(error) == f"{message}, at character {position + 1}. {MEND}"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"free": [3, 4]}, True),
        ({"free": [5]}, False),
        ({"name": ["python", "pt_main_thread"]}, True),
        ({"name": ["java"]}, False),
        ({"free": {"min": 4}}, True),
        ({"free": {"min": 5}}, False),
        ({"free": {"max": 4}}, True),
        ({"free": {"min": 1, "max": 3}}, False),
        ({"free": [4], "want": {"min": 11}}, False),
        ({"missing": [1]}, None),
        ({"missing": [1], "free": [4]}, None),
        ({"missing": [1], "free": [5]}, False),
        ({"name": {"min": 1}}, None),
        ({"free": ["4"]}, None),
        ({"free": ["4", 5]}, False),
        ({"shape": [2, 3]}, None),
    ],
)
def test_conditions(condition: dict[str, Any], expected: bool | None) -> None:
    assert meets(condition, CAPTURED) is expected


@given(st.text(st.sampled_from("ab1 29*+-<>=!.(and"), max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        names = parse_comparison(text).names
    except ComparisonError as error:
        position = error.position
    else:
        position = 0
        assert compare(text, dict.fromkeys(names, 1)) in (True, False)
    assert 0 <= position <= len(text)
