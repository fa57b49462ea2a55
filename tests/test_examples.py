"""Every example marked `run: cpu` is run, and shows what its entry says it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.load import load
from generator.model import Entry
from generator.parts import Example, Signature
from generator.template import compile_template

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 170
"""Seconds after which an example counts as hanging; it is a safety net, not a measure."""
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _entries() -> list[Entry]:
    files = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("entries/*/*.yaml"))]
    return [Entry.from_raw(load((ROOT / file).read_bytes(), file).data, file) for file in files]


CASES = [
    pytest.param(entry, example, id=f"{entry.slug}:{example.id}")
    for entry in _entries()
    for example in entry.examples
    if example.run == "cpu"
]


def run_example(example: Example, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run an example as a reader would, in an empty folder."""
    program = {"python": (sys.executable, "example.py"), "bash": ("bash", "example.sh")}[example.language]
    (folder / program[1]).write_text(example.code + "\n", encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONWARNINGS": "default",
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.run(
        program,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LONGEST,
        check=False,
    )


def lines_matching(signature: Signature, output: str) -> list[str]:
    """Return the lines of an output that a signature recognises."""
    templates = [compile_template(wording.template) for wording in signature.wordings]
    lines = [ANSI.sub("", line) for line in output.splitlines()]
    return [line for line in lines if any(template.match(line) for template in templates)]


@pytest.mark.parametrize(("entry", "example"), CASES)
def test_example_shows_what_it_says(entry: Entry, example: Example, tmp_path: Path) -> None:
    ran = run_example(example, tmp_path)
    output = ran.stdout + ran.stderr
    expect = example.expect
    assert expect is not None
    if expect.exit_code is not None:
        assert ran.returncode == expect.exit_code, output
    elif example.kind == "broken":
        assert ran.returncode != 0, output
    else:
        assert ran.returncode == 0, output
    if expect.stdout is not None:
        assert expect.stdout in ran.stdout, output
    if expect.signature is not None:
        owned = {entry.signature_id(signature): signature for signature in entry.signatures}
        signature = owned.get(expect.signature) or _elsewhere(expect.signature)
        assert lines_matching(signature, output), output
    if expect.no_signature:
        for signature in entry.signatures:
            assert lines_matching(signature, output) == []


def test_a_broken_example_has_a_fixed_one() -> None:
    """A reader who sees the failure run also sees it gone."""
    for entry in _entries():
        kinds = {example.kind for example in entry.examples if example.run == "cpu"}
        assert "broken" not in kinds or "fixed" in kinds, entry.file


def _elsewhere(signature_id: str) -> Signature:
    (found,) = (s for entry in _entries() for s in entry.signatures if entry.signature_id(s) == signature_id)
    return found
