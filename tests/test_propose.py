"""`new --from-log`: a log becomes proposals that hold, a draft that checks, a page; nothing secret goes with it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.cli import main
from generator.propose import template_of
from generator.template import compile_template
from tests.pages import real_catalog
from tests.site import ROOT, build
from tests.test_register_changes import LOCK, Clone, clone

__all__ = ["clone"]

LOG = """\
2026-12-01 10:00:01 INFO step 41 loss 2.31
[rank1]: Traceback (most recent call last):
[rank1]:   File "/home/ann/train.py", line 40, in <module>
[rank1]:     frob(x)
[rank1]: FrobnicationError: lattice 'alpha' has 17 nodes, 12.5 MiB of /data/lattice/a.bin were read at 0x7f3a2c
[rank1]: FrobnicationError: lattice is closed
error: token=hf_abcdefghijklmnopqrstuvwxyz1234 of ann@lab.example could not be renewed
"""
GIVEN = (
    "--title",
    "A lattice is read short",
    "--category",
    "memory",
    "--summary",
    "A lattice is read short, and it ends.",
)
DRAFT = "entries/memory/a-lattice-is-read-short.yaml"


def new(*words: str, given: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(main, ("new", *words), input=given)
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("line", "template"),
    [
        ("RuntimeError: size 13 at 0x7f", "RuntimeError: size {int} at {hex}"),
        ("connect to 10.0.0.1:29500 timed out after 300 s", "connect to {addr} timed out after {duration}"),
        ("needs 1.5 GiB, has {'a': 3}", "needs {bytes}, has {{{quoted}: {int}}}"),
        ("shape [64, 16] != (3, 4) in torch 2.13.0", "shape {shape} != {shape} in torch {version}"),
        ("loss 1e-5 is nan", "loss {number} is nan"),
        ("nothing varies", "nothing varies"),
    ],
)
def test_what_varies_becomes_a_placeholder(line: str, template: str) -> None:
    assert template_of(line) == template


def test_a_template_matches_the_line_it_was_made_of() -> None:
    lines = {s.line for e in real_catalog().entries for g in e.signatures for w in g.wordings for s in w.samples}
    made = {line: template_of(line) for line in lines}
    assert all(compile_template(template).match(line) for line, template in made.items() if template is not None)
    assert sum(template is None for template in made.values()) * 10 < len(made)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_whatever_the_line_a_proposal_holds(line: str) -> None:
    template = template_of(line)
    assert template is None or compile_template(template).match(line)


def test_a_log_becomes_a_draft(clone: Clone) -> None:
    log = clone.root / "job.log"
    log.write_text(LOG, encoding="utf-8")
    code, output = new("--from-log", str(log), *GIVEN)
    assert code == 0, output
    assert "line 5: FrobnicationError: lattice 'alpha' has 17 nodes" in output
    assert "  template: lattice {quoted} has {int} nodes, {bytes} of {path} were read at {hex}\n" in output
    text = clone.read(DRAFT)
    assert "#       - template: 'lattice {quoted} has {int} nodes, {bytes} of {path} were read at {hex}'\n" in text
    assert "#           - 'FrobnicationError: lattice is closed'\n" in text
    assert "hf_abc" not in text + output
    assert "ann@" not in text + output
    assert clone.check() == []


def test_a_log_that_an_entry_knows_is_said_to_be(clone: Clone) -> None:
    log = clone.root / "job.log"
    log.write_text("RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed.\n", encoding="utf-8")
    code, output = new("--from-log", str(log), *GIVEN)
    known = "MLFE-4821, entries/data-pipeline/dataloader-worker-killed.yaml"
    assert (code, output) == (2, f"Error: {log} is {known}: add its line there as a sample, or say --anyway.\n")
    assert not (clone.root / DRAFT).exists()
    assert new("--from-log", str(log), "--anyway", *GIVEN)[0] == 0


@pytest.mark.parametrize("content", [b"", b"step 1\nstep 2\n", b"\0" * 1000, bytes(range(128, 256)) * 40])
def test_a_log_without_an_error_gives_nothing(clone: Clone, content: bytes) -> None:
    log = clone.root / "job.log"
    log.write_bytes(content)
    code, output = new("--from-log", str(log), *GIVEN)
    assert (code, output) == (2, f"Error: {log}: no line of it reads like an error; give one that does, or none.\n")
    assert not (clone.root / DRAFT).exists()


def test_a_log_that_is_not_there_is_one_line(clone: Clone) -> None:
    code, output = new("--from-log", "nowhere.log", *GIVEN)
    assert (code, output.count("\n")) == (2, 1)


def test_a_contributors_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft from a log; three mistakes, each mended from its message alone; a page; its permanent address."""
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "mine"], check=True)
    monkeypatch.chdir(tmp_path / "mine")
    mine = Clone(tmp_path / "mine")
    (tmp_path / "job.log").write_text(LOG, encoding="utf-8")
    assert new("--from-log", "../job.log", *GIVEN)[0] == 0
    [id_] = re.findall("^(MLFE-[0-9]{4}) memory/a-lattice", mine.read(LOCK), re.MULTILINE)
    mine.change(DRAFT, "\nstatus: draft", "\nstatus: drafted")
    mine.change(DRAFT, "\n# tags: [out-of-memory]", "\ntag: [out-of-memory]")
    mine.change(LOCK, f"{id_} memory/a-lattice-is-read-short", f"{id_} memory/a-lattice")
    said = CliRunner().invoke(main, ("check",)).output
    assert f"{DRAFT}:8:9: error: unknown value 'drafted' for status" in said
    assert f"{DRAFT}:37:1: error: unknown key 'tag'" in said
    mends = re.findall("Did you mean '([a-z]+)'", said)
    assert mends == ["draft", "tags"]
    mine.change(DRAFT, "status: drafted", f"status: {mends[0]}")
    mine.change(DRAFT, "\ntag: [", f"\n{mends[1]}: [")
    said = CliRunner().invoke(main, ("check",)).output
    [line] = re.findall(f"write `({id_} [^`]*)` in entries/ids.lock", said)
    mine.change(LOCK, f"{id_} memory/a-lattice draft -", line)
    assert mine.check() == []
    site = tmp_path / "site"
    build(site, root=mine.root)
    assert "A lattice is read short" in (site / "memory/a-lattice-is-read-short/index.html").read_text(encoding="utf-8")
    stub = (site / f"r/{id_.removeprefix('MLFE-')}/index.html").read_text(encoding="utf-8")
    assert 'href="../../memory/a-lattice-is-read-short/"' in stub
