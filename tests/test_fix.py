"""`check --fix` mends what a program can, says what, and changes nothing else: no value, no comment."""

from __future__ import annotations

import io
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from generator.cli import main
from generator.fix import comments, fix
from generator.load import load
from generator.validate import Schema, load_schema
from tests.site import ROOT
from tests.test_register_changes import LOCK, Clone, add, clone, on_branches

__all__ = ["clone"]

ENTRIES = (*sorted((ROOT / "entries").glob("*/*.yaml")), ROOT / "entries/_example.yaml")


@cache
def schema() -> Schema:
    return load_schema(ROOT / "schema/entry.schema.json")


def read(text: str) -> Any:
    document = load(text.encode(), "entry.yaml")
    assert document.issues == ()
    return document.data


def fixed(text: str) -> str:
    return fix(text, "entry.yaml", schema()).text


@pytest.mark.parametrize("file", ENTRIES, ids=lambda file: file.stem)
def test_the_entries_are_in_order(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert fixed(text) == text


@cache
def originals() -> tuple[str, ...]:
    """The shortest entries, and the example that has every property."""
    texts = sorted((file.read_text(encoding="utf-8") for file in ENTRIES[:-1]), key=len)[:6]
    return (*texts, ENTRIES[-1].read_text(encoding="utf-8"))


def scrambled(text: str, source: random.Random) -> str:
    """Write an entry with the keys of every mapping in another order, with blanks at the ends of its plain lines."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 100_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    data = yaml.load(text)
    _shuffle(data, source)
    made = io.StringIO()
    yaml.dump(data, made)
    return made.getvalue()


def _shuffle(value: Any, source: random.Random) -> None:
    if isinstance(value, dict):
        keys = list(value)
        source.shuffle(keys)
        for key in keys:
            value.move_to_end(key)  # type: ignore[attr-defined]  # ruamel's mapping
            _shuffle(value[key], source)
    elif isinstance(value, list):
        for one in value:
            _shuffle(one, source)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 6), st.randoms(use_true_random=False), st.booleans())
def test_whatever_the_order_the_entry_says_the_same(which: int, source: random.Random, is_dos: bool) -> None:
    original = originals()[which]
    text = scrambled(original, source)
    assert read(text) == read(original)
    if is_dos:
        text = text.replace("\n", "\r\n")
    mended = fixed(text)
    assert read(mended) == read(original)
    assert comments(mended) == comments(text.replace("\r\n", "\n"))
    assert fixed(mended) == mended
    assert "\r" not in mended
    assert list(read(mended)) == list(read(original))


BEFORE = """\
# yaml-language-server: $schema=../schema/entry.schema.json
title: It fails   # says what
# The id comes first.
id: mlfe-4821
symptoms:
  - observe: A line, with '# this'
    # Drawn by hand.
    id: one
affected:
- introduced: 2.10
  package: torch
signatures:
  - role: cause
    note: |
      kept as it is   
      # no comment
  - k: 4
    role: either
# The end.
"""  # noqa: W291 -- blanks at the end of a line are what is tested
AFTER = """\
# yaml-language-server: $schema=../schema/entry.schema.json
# The id comes first.
id: MLFE-4821
title: It fails   # says what
affected:
- package: torch
  introduced: '2.10'
symptoms:
    # Drawn by hand.
  - id: one
    observe: A line, with '# this'
signatures:
  - k: 5
    role: cause
    note: |
      kept as it is   
      # no comment
  - k: 4
    role: either
# The end.
"""  # noqa: W291


def test_what_is_mended_and_what_is_said_of_it() -> None:
    found = fix(BEFORE, "entry.yaml", schema())
    assert found.text == AFTER
    assert found.told == (
        "line 4: MLFE-4821 in capitals",
        "line 10: quotes",
        "line 13: k: 5",
        "order of keys",
        "order of keys in affected[0]",
        "order of keys in symptoms[0]",
    )


@pytest.mark.parametrize(
    "text", ["id: [\n", "", "\t- x", "a: 1\na: 2\n", "- a\n- b\n", "id: &x 1\n", "\x00", "a" * 100_000]
)
def test_what_cannot_be_read_stays_as_it_is(text: str) -> None:
    assert fix(text, "entry.yaml", schema()) == fix(fixed(text), "entry.yaml", schema())
    assert fixed(text) == text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_whatever_the_text_nothing_is_raised(text: str) -> None:
    mended = fixed(text)
    assert load(mended.encode("utf-8", "replace"), "e").data == load(text.encode("utf-8", "replace"), "e").data


def check(*words: str) -> tuple[int, list[str]]:
    result = CliRunner().invoke(main, ("check", *words))
    return result.exit_code, result.output.splitlines()


def test_the_command_mends_and_then_checks(clone: Clone) -> None:
    clone.change("entries/data-pipeline/dataloader-worker-killed.yaml", "id: MLFE-4821\n", "")
    file = clone.root / "entries/data-pipeline/dataloader-worker-killed.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "id: mlfe-4821\n", encoding="utf-8")
    code, lines = check("--fix", "entries/data-pipeline")
    assert code == 0
    assert lines == [
        "mended entries/data-pipeline/dataloader-worker-killed.yaml: line 77: MLFE-4821 in capitals",
        "mended entries/data-pipeline/dataloader-worker-killed.yaml: order of keys",
        "1 file checked, no problems.",
    ]
    assert check("--fix") == (0, ["2 files checked, no problems."])


def test_two_entries_that_took_one_id_are_told_apart(clone: Clone) -> None:
    on_branches(clone, lambda: add(clone, "The host swaps", "MLFE-9999"), lambda: add(clone, "A leak", "MLFE-9999"))
    code, lines = check("--fix")
    assert code == 0, lines
    assert lines[0].startswith(f"mended {LOCK}: MLFE-")
    assert lines[0].endswith("for entries/memory/a-leak.yaml, since MLFE-9999 is another entry's")
    leads = clone.leads()
    assert leads["r/9999/"] == "memory/the-host-swaps/"
    assert sum(target == "memory/a-leak/" for target in leads.values()) == 3


def test_the_one_that_main_has_keeps_its_id(clone: Clone) -> None:
    add(clone, "The host swaps", "MLFE-9999")
    clone.commit("entries: one")
    clone.git("checkout", "-q", "-b", "mine")
    add(clone, "A leak", "MLFE-9998")
    clone.change("entries/memory/a-leak.yaml", "MLFE-9998", "MLFE-9999")
    clone.change(LOCK, "MLFE-9998 memory/a-leak draft -\n", "")
    assert check("--fix")[0] == 0
    assert clone.leads()["r/9999/"] == "memory/the-host-swaps/"


def test_a_conflict_in_the_register_is_mended(clone: Clone) -> None:
    text = clone.read(LOCK)
    (clone.root / LOCK).write_text(f"<<<<<<< a\n{text}=======\n{text}>>>>>>> b\n", encoding="utf-8")
    assert check("--fix")[0] == 0
    assert clone.read(LOCK) == text


def test_a_lost_line_of_the_register_is_written_again(clone: Clone) -> None:
    text = clone.read(LOCK)
    (clone.root / LOCK).write_text("", encoding="utf-8")
    assert check("--fix")[0] == 0
    assert clone.read(LOCK) == text


def test_a_folder_that_cannot_be_found_is_one_line() -> None:
    assert check("--fix", "nowhere") == (2, ["Error: nowhere: no such file or folder"])
