"""The corpora: truth has its form, evidence stands where the truth says, and no log names the machine that made it."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

CORPORA = Path(__file__).parent / "corpora"
TRUTHS = sorted([*CORPORA.glob("jobs/*.json"), *CORPORA.glob("own/*.json"), *CORPORA.glob("strange/*.json")])
LOGS = sorted(
    [
        *CORPORA.glob("own/*.log"),
        *CORPORA.glob("strange/*.log"),
        *CORPORA.glob("healthy/*/*.log"),
        *CORPORA.glob("healthy/*/*.log.gz"),
    ]
)
FIELDS = {
    "name", "script", "what", "command", "env", "nproc", "mode", "exit_codes", "wall_s", "logs", "versions", "truth",
    "planted", "evidence_lines", "agent_claims",
}  # fmt: skip
TRUTH = {"outcome", "initiating_ranks", "cause", "evidence_regex", "collateral_ranks", "entry_hint"}
MACHINE = re.compile(
    rb"/root/|/home/(?!user\b)[a-z]|/tmp/(?:healthy-|run-|hc/|w/)|/work/|\.pyenv|process_api"
    rb"|pypi\.org|pythonhost|registry\.npmjs|deb\.debian|(?<![\w./-])vm(?=: |$)|\bhost +: (?!localhost|node-)"
)


def text_of(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def names(path: Path) -> str:
    return str(path.relative_to(CORPORA))


@pytest.mark.parametrize("path", TRUTHS, ids=names)
def test_truth_has_its_form(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    truth = case["truth"]
    assert set(case) >= FIELDS
    assert set(truth) >= TRUTH
    assert case["name"] == path.stem
    assert truth["outcome"] in {"failed", "cancelled", "succeeded"}
    assert not set(truth["initiating_ranks"]) & set(truth["collateral_ranks"])
    assert case["logs"] == sorted(log.name for log in path.parent.glob(f"{path.stem}.*log"))
    if truth["outcome"] == "succeeded":
        assert not truth["initiating_ranks"]
        assert not case["evidence_lines"]
    elif truth["outcome"] == "failed":
        assert truth["initiating_ranks"] or truth.get("initiator")
    assert truth["evidence_regex"] is None or case["evidence_lines"]


@pytest.mark.parametrize("path", TRUTHS, ids=names)
def test_evidence_stands_where_the_truth_says(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    pattern = case["truth"]["evidence_regex"]
    for place in case["evidence_lines"]:
        lines = (path.parent / place["file"]).read_bytes().split(b"\n")
        assert re.search(pattern, lines[place["line"] - 1].decode("utf-8", "replace")), place


@pytest.mark.parametrize("path", [path for path in TRUTHS if path.parent.name == "own"], ids=names)
def test_the_truth_stays_out_of_the_log(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in case["logs"]:
        data = (path.parent / name).read_bytes()
        assert b"planted" not in data.replace(b"loop.planted", b"")
        assert Path(case["script"]).name.encode() not in data


@pytest.mark.parametrize("path", LOGS, ids=names)
def test_no_log_names_the_machine_that_made_it(path: Path) -> None:
    found = MACHINE.search(text_of(path))
    assert found is None, found


def test_every_kind_has_enough() -> None:
    assert len(list(CORPORA.glob("own/*.json"))) >= 40
    assert len(list(CORPORA.glob("healthy/*/*.log*"))) >= 300
    assert sum(path.stat().st_size for path in CORPORA.glob("healthy/*/*")) < 20_000_000


def test_every_thread_has_a_label_and_an_address() -> None:
    logs = [
        json.loads(line) for line in (CORPORA / "threads/logs.jsonl").read_text(encoding="utf-8").split("\n") if line
    ]
    labels = [
        json.loads(line) for line in (CORPORA / "threads/labels.jsonl").read_text(encoding="utf-8").split("\n") if line
    ]
    assert [log["id"] for log in logs] == [label["id"] for label in labels]
    assert len({log["id"] for log in logs}) == 100
    for log, label in zip(logs, labels, strict=True):
        assert log["source"].startswith("https://")
        assert log["log"].strip()
        assert label["kind"] in {"positive", "negative"}
        assert label["kind"] == "negative" or label["expect"] or label["abstain_ok"]
