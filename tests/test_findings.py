"""A diagnosis as people and programs get it: text, Markdown, annotations, masks, exit status."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from markdown import markdown

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


def test_a_cut_gzip_is_read_as_far_as_it_goes_and_said_to_be_cut(index_file: Path, tmp_path: Path) -> None:
    cut, named = tmp_path / "cut.log.gz", tmp_path / "plain.gz"
    cut.write_bytes(gzip.compress(KILLED.read_bytes() + b"more\n" * 900)[:-20])
    ran = run(index_file, cut)
    assert ran.exit_code == 1
    assert "A DataLoader worker process dies" in ran.output
    last = ran.output.partition("What this log cannot show\n")[2]
    assert last.startswith("  - cut.log.gz: the gzip data ends early; what was there was read.\n")
    named.write_bytes(KILLED.read_bytes())
    ran = run(index_file, named)
    assert ran.exit_code == 1
    assert "gzip" not in ran.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty."),
        (b"\n\n \n", "there is no text in the file."),
        (bytes(range(128, 256)) * 3, "the file is binary, no text."),
    ],
)
def test_what_is_no_log_is_called_by_its_name(index_file: Path, tmp_path: Path, content: bytes, said: str) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(content)
    ran = run(index_file, log)
    assert (ran.exit_code, ran.output) == (0, f"This is no job's log\n  a.log: {said}\n")
    ran = run(index_file, log, JOBS / "healthy_noisy.log")
    assert ran.output.endswith(f"What this log cannot show\n  - a.log: {said}\n")


FULL = """\
Traceback (most recent call last):
  File "/job/__main__.py", line 88, in main
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.17 GiB is free. Including non-PyTorch memory, this process has 77.97 GiB memory in use. Of the allocated memory 70.24 GiB is allocated by PyTorch, and 6.41 GiB is reserved by PyTorch but unallocated.
"""  # noqa: E501 -- one line of the allocator


def test_every_line_of_a_command_is_indented(index_file: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(FULL)
    shown = run(index_file, log).output.partition("The one fact that is missing\n")[2]
    [ask, *command] = shown.rstrip("\n").split("\n")
    assert ask.startswith("  Print the peak of each step")
    assert [row[:14] for row in command] == ["    print(torc", "    torch.cuda"]


def test_markdown_gives_each_sentence_its_paragraph_and_ends_its_lists(index_file: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(FULL)
    html = markdown(run(index_file, "--format", "markdown", log).output, extensions=["fenced_code"])
    assert "<p>Which rank started it: not in this log</p>\n<p>a.log:4</p>" in html
    assert "<p>https://encyclopedia.example/memory/cuda-out-of-memory/</p>\n<p>The line is its signature" in html
    assert re.search(r"<li>a\.log:4 +<code>torch\.OutOfMemoryError.*</li>\n</ul>\n<p>Or inference-memory-leak: ", html)
    assert "<li>The job's own code stood at /job/__main__.py, line 88. (a.log:4)</li>" in html


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


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("peer fe80::1ff:fe23:4567:890a up", "peer <ip> up"),
        ("fe80::1%eth0 and [2001:db8::7]:29500", "<ip> and [<ip>]:29500"),
        ("git clone https://alice:s3cretpw@hub.lab.example/a", "git clone https://<login>/a"),
        ("on node-3.cluster.local, std::bad_alloc at 10:05:03", "on <host>, std::bad_alloc at 10:05:03"),
    ],
)
def test_an_address_is_masked_whole(text: str, masked: str) -> None:
    assert redact(text, read_index(None).shapes["secrets"], []) == masked


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
