"""An entry in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalog import read_catalog
from generator.explain import explain_entry, find_entry
from generator.model import Catalog

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog(ROOT / "entries", ROOT / "schema/entry.schema.json").catalog


@pytest.mark.parametrize(
    "name",
    ["MLFE-6612", "mlfe-6612", "6612", "MLFE-6612-1", "cuda-out-of-memory", "memory/cuda-out-of-memory/"],
)
def test_an_entry_is_found_by_every_name_it_has(catalog: Catalog, name: str) -> None:
    assert find_entry(catalog, name).slug == "cuda-out-of-memory"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MLFE-0001", "no entry has the id MLFE-0001."),
        ("cuda-out-of-memroy", "no entry 'cuda-out-of-memroy': did you mean 'cuda-out-of-memory'?"),
        ("zzz", "no entry 'zzz'."),
    ],
)
def test_a_wrong_name_is_said_to_be_one(catalog: Catalog, name: str, message: str) -> None:
    with pytest.raises(LookupError) as missing:
        find_entry(catalog, name)
    assert missing.value.args == (message,)


def test_an_entry_is_printed_for_a_terminal(catalog: Catalog) -> None:
    entry = catalog.by_slug["cuda-out-of-memory"]
    text = explain_entry(entry, catalog, colour=False, width=80)
    lines = text.splitlines()
    assert lines[0].startswith("CUDA out of memory")
    assert lines[1] == "=" * len(lines[0])
    assert "Quick answer" in lines
    prose = [line for line in lines if not line.startswith("    ") and " " in line.strip()]
    assert all(len(line) <= 80 or "https://" in line or len(line.split()) < 5 for line in prose)
    assert "\x1b" not in text
    outside_code = "\n".join(line for line in lines if not line.startswith("    "))
    for mark in ("{ #", "{: #", "](#", "**", "```"):
        assert mark not in outside_code, mark
    commands = [step.command for step in entry.confirm if step.command]
    assert commands
    for command in commands:
        assert "\n".join("    " + line for line in command.splitlines()) in text


def test_headings_are_bold_when_colour_is_wanted(catalog: Catalog) -> None:
    text = explain_entry(catalog.by_slug["nan-loss"], catalog, colour=True, width=80)
    assert "\x1b[1mQuick answer\x1b[0m" in text
