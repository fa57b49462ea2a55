"""The entry to copy: valid, complete, and true where a CPU can tell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.checks import evidence, prose, signatures
from generator.parts import Example
from generator.template import compile_template
from tests.pages import ROOT, SCHEMA, catalog_of, example

PATH = ROOT / "entries" / "_example.yaml"
IN_COMMENTS = {"reason", "replaced_by", "not_version_bound", "detector", "silent"}
"""What cannot stand in one true entry together with the rest; each is shown in a comment."""


def properties(node: Any, definitions: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the path of every property that the schema knows, lists and definitions unfolded."""
    if "$ref" in node:
        yield from properties(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions, path)
    for name, value in node.get("properties", {}).items():
        yield f"{path}{name}"
        yield from properties(value, definitions, f"{path}{name}.")
    if isinstance(node.get("items"), dict):
        yield from properties(node["items"], definitions, path)


def defined(path: str) -> str:
    """Name a property of something that is defined once and used in several places by its definition."""
    path = re.sub(r"^(?:shares|signatures)\.(?:requires|absent)\.", "neighbour.", path)
    return re.sub(r"^(?:shares|signatures)\.facts\.", "fact.", path)


def used(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield f"{path}{name}"
            yield from used(inner, f"{path}{name}.")
    elif isinstance(value, list):
        for inner in value:
            yield from used(inner, path)


def test_it_uses_every_property() -> None:
    schema = json.loads(SCHEMA.read_text())
    known = {path for path in properties(schema, schema["$defs"]) if path.split(".")[0] not in IN_COMMENTS}
    raw = yaml.safe_load(PATH.read_text())
    assert {defined(path) for path in known} - {defined(path) for path in used(raw)} == set()


def test_the_others_are_shown_in_comments() -> None:
    comments = [line[1:].strip() for line in PATH.read_text().splitlines() if line.startswith("#")]
    shown = yaml.safe_load("\n".join(c for c in comments if re.match(r"[a-z_]+: ", c)))
    assert set(shown) >= IN_COMMENTS - {"detector"}
    schema = json.loads(SCHEMA.read_text())
    of_detector = set(schema["properties"]["detector"]["properties"])
    assert {c.partition(":")[0] for c in comments} >= {"detector", *of_detector}


def test_its_first_line_points_to_the_schema() -> None:
    first = PATH.read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=../schema/entry.schema.json"
    assert (PATH.parent / first.partition("=")[2]).resolve() == SCHEMA


def test_it_keeps_the_truth_contract() -> None:
    entry = example()
    catalog = catalog_of(entry)
    checks = (signatures.check, *evidence.CHECKS, *prose.CHECKS)
    assert [problem.message for check in checks for problem in check(entry, catalog)] == []


@pytest.mark.parametrize("part", [e for e in example().examples if e.run == "cpu"], ids=lambda part: part.id)
def test_its_programs_do_what_it_says(part: Example, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(part.code)
    ran = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert part.expect is not None
    assert ran.returncode == (part.expect.exit_code or 0)
    if part.expect.stdout:
        assert part.expect.stdout in ran.stdout
    lines = (ran.stdout + ran.stderr).splitlines()
    found = {
        example().signature_id(signature)
        for signature in example().signatures
        for wording in signature.wordings
        if any(compile_template(wording.template).match(line) for line in lines)
    }
    assert found == ({part.expect.signature} if part.expect.signature else set()) or part.kind == "confirm"
