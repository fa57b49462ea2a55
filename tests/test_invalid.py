"""Every folder of `tests/invalid` holds a broken entry and the exact report it gets.

A case is `entry.yaml`, one file whatever its bytes, or `entries/`, a small catalogue for what only checks can see.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import generator.load
from generator.issues import Issue
from generator.load import load
from generator.report import to_text
from generator.validate import Schema, check_document, load_schema

ROOT = Path(__file__).parent.parent
CASES = sorted(path.parent.relative_to(ROOT) for path in (ROOT / "tests/invalid").glob("*/expected.txt"))
FILES = [case for case in CASES if (ROOT / case / "entry.yaml").is_file()]


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_schema(ROOT / "schema/entry.schema.json")


@pytest.fixture(scope="module")
def slow_schema() -> Schema:
    return load_schema(ROOT / "schema/entry.schema.json", "jsonschema")


def check_file(case: Path, schema: Schema) -> tuple[Issue, ...]:
    file = case / "entry.yaml"
    return check_document(load((ROOT / file).read_bytes(), file.as_posix()), schema)


def report(case: Path, schema: Schema) -> str:
    """Report a case as `encyclopedia check` does from the project's folder."""
    if case in FILES and (issues := check_file(case, schema)):
        return to_text(issues, 1)
    from generator.selection import read_selection

    reading = read_selection([case / "entry.yaml" if case in FILES else case], lambda file: None)
    return to_text(reading.issues, len(reading.files))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_report_is_the_stored_one(case: Path, schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert report(case, schema) == (ROOT / case / "expected.txt").read_text(encoding="utf-8")


def test_every_folder_is_a_case() -> None:
    folders = {path for path in (ROOT / "tests/invalid").iterdir() if path.is_dir()}
    assert folders == {ROOT / case for case in CASES}


def test_stored_reports_are_reports_of_errors() -> None:
    assert len(FILES) >= 35
    for case in CASES:
        text = (ROOT / case / "expected.txt").read_text(encoding="utf-8")
        assert ": error: " in text, case
        assert "Traceback" not in text, case


@pytest.mark.parametrize("case", FILES, ids=lambda case: case.name)
def test_engines_agree(case: Path, schema: Schema, slow_schema: Schema) -> None:
    pytest.importorskip("jsonschema_rs")
    assert check_file(case, schema) == check_file(case, slow_schema)


@pytest.mark.parametrize("case", FILES, ids=lambda case: case.name)
def test_parsers_agree_on_lines(case: Path, schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML's own parser steps in where libyaml is missing; some columns differ, the lines and checks do not."""
    usual = [(issue.location.line, issue.code) for issue in check_file(case, schema)]
    monkeypatch.setattr(generator.load, "_LOADER", yaml.SafeLoader)
    assert [(issue.location.line, issue.code) for issue in check_file(case, schema)] == usual
