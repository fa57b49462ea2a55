"""A diagnosis as people and programs get it: text, Markdown, annotations, masks, exit status."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.diagnosing import read_index
from generator.redact import redact

ROOT = Path(__file__).parent.parent
JOBS = ROOT / "tests" / "corpora" / "jobs"
KILLED = JOBS / "dataloader_worker_killed.log"
UNKNOWN = JOBS / "one_rank_raises.log"


@pytest.fixture(scope="module")
def index_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index made once, as the site serves it."""
    from generator.indexing import build, to_text
    from tests.pages import real_catalog

    path = tmp_path_factory.mktemp("index") / "signatures.json"
    path.write_text(to_text(build(real_catalog(), "https://encyclopedia.example/")), encoding="utf-8")
    return path


def run(index_file: Path, *words: str | Path, input: bytes | None = None) -> Result:  # noqa: A002 -- click's name
    return CliRunner().invoke(main, ["diagnose", "--index", str(index_file), *map(str, words)], input=input)


def test_the_verdict_comes_first(index_file: Path) -> None:
    ran = run(index_file, KILLED)
    assert ran.exit_code == 1
    head, *rest = ran.output.split("\n")
    assert head == "The job failed"
    assert rest[0] == "  Rank 1 started it: supported"
    assert "A DataLoader worker process dies (MLFE-2173, supported)" in ran.output
    assert "dataloader_worker_killed.log:22  [rank1]: RuntimeError: DataLoader worker (pid 32552)" in ran.output
    assert "Do now" in ran.output
    assert "See that it helped" in ran.output


def test_an_exception_that_no_entry_knows(index_file: Path) -> None:
    ran = run(index_file, UNKNOWN)
    assert ran.exit_code == 3
    assert "An exception that no entry knows:\n  - one_rank_raises.log:18  KeyError: 'label'\n" in ran.output


def test_a_healthy_log_ends_with_0(index_file: Path) -> None:
    ran = run(index_file, JOBS / "healthy_noisy.log")
    assert (ran.exit_code, ran.output.split("\n")[0]) == (0, "The job came to its end")


def test_standard_input_compressed_files_and_patterns(index_file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "a.log.gz"
    packed.write_bytes(gzip.compress(KILLED.read_bytes()[:900]) + gzip.compress(KILLED.read_bytes()[900:]))
    plain = run(index_file, "--format", "json", KILLED)
    expected = plain.output.replace("dataloader_worker_killed.log", "{}")
    assert run(index_file, "--format", "json", packed).output == expected.replace("{}", "a.log.gz")
    stdin = run(index_file, "--format", "json", "-", input=KILLED.read_bytes())
    assert stdin.output == expected.replace("{}", "stdin")
    both = run(index_file, "--format", "json", JOBS / "two_nodes.node*.log")
    assert json.loads(both.output)["who"]["ranks"] == [2]


def test_what_cannot_be_read(index_file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "b.gz"
    damaged.write_bytes(gzip.compress(KILLED.read_bytes())[:-8] + bytes(8))
    for words, said in (
        (["nowhere.log"], "Error: nowhere.log: no such file, and no file matches it as a pattern.\n"),
        ([tmp_path], f"Error: {tmp_path} is a folder: name its logs, for example '{tmp_path}/*.log'.\n"),
        (["-", "-"], "Error: '-' stands for standard input and can be given once.\n"),
    ):
        ran = run(index_file, *words)
        assert (ran.exit_code, ran.output) == (2, said)
    ran = run(index_file, damaged)
    assert ran.exit_code == 2
    assert ran.output.startswith(f"Error: {damaged.name}: damaged gzip data (")
    ran = run(KILLED, KILLED)
    assert ran.exit_code == 2
    assert "no signature index of this version in it" in ran.output


def test_markdown_holds_a_hostile_line(index_file: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nMyError: ```` <b> @all\n')
    ran = run(index_file, "--format", "markdown", log)
    assert "- a.log:3  ````` MyError: ```` <b> @all `````" in ran.output


def test_annotations_name_file_and_line(index_file: Path) -> None:
    ran = run(index_file, "--format", "github", KILLED)
    first = ran.output.split("\n")[0]
    assert first.startswith(
        "::error file=dataloader_worker_killed.log,line=22::A DataLoader worker process dies (MLFE-"
    )


def test_two_files_of_one_name_are_told_apart(index_file: Path, tmp_path: Path) -> None:
    for node in ("node0", "node1"):
        (tmp_path / node).mkdir()
        (tmp_path / node / "job.log").write_bytes((JOBS / f"two_nodes.{node}.log").read_bytes())
    ran = run(index_file, "--format", "json", tmp_path / "node0/job.log", tmp_path / "node1/job.log")
    assert json.loads(ran.output)["who"]["file"] == "node1/job.log"


SECRETS = (
    "token=hf_abcdefghijklmnopqrstuvwxyz01 jane.doe@lab.example 10.1.2.3 gpu-7.cluster.local /home/jane/train.py "
    "WANDB_API_KEY=0123456789abcdef0123456789abcdef Authorization: Bearer abcdefgh12345678"
)


def test_masks() -> None:
    index = read_index(None)
    masked = redact(
        {"text": SECRETS, "url": "https://a.example/", "n": [1, "node-9 up"]}, index.shapes["secrets"], ["node-9"]
    )
    for secret in ("hf_abc", "jane", "10.1.2.3", "gpu-7", "0123456789", "abcdefgh1234", "node-9"):
        assert secret not in json.dumps(masked)
    assert masked["text"].startswith("token=<token> <e-mail> <ip> <host> /home/<user>/train.py WANDB_API_KEY=<key>")
    assert masked["url"] == "https://a.example/"
    assert masked["n"] == [1, "<host> up"]


def test_masked_answers_name_no_host(index_file: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(KILLED.read_bytes().replace(b"localhost", b"train-node-17"))
    assert "train-node-17" in run(index_file, log).output
    for form in ("text", "json", "markdown", "github"):
        assert "train-node-17" not in run(index_file, "--redact", "--format", form, log).output


def test_the_command_answers_into_a_pipe_without_colour(index_file: Path) -> None:
    command: list[str | Path] = [
        Path(sys.executable).parent / "encyclopedia",
        "diagnose",
        "--index",
        index_file,
        KILLED,
    ]
    ran = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "TERM": "xterm"})
    assert ran.returncode == 1
    assert b"\x1b" not in ran.stdout
    assert ran.stderr == b""
