"""The command and the build where the surroundings are bad: a full disk, something in the way, a tool that is missing.

Each ends in one clear line and exit 2, and what was there before is there after. `test_plugin.py` has the disks that a
build meets.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.catalog import read_catalog
from generator.site.sitecheck import files_of
from tests.site import ROOT, TOOLS

HOUSE = ROOT / "tests/data/house"
SILENT = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
FULL = Path("/dev/full")
DRAFT = ("new", "--title", "A title", "--category", "numerics", "--summary", "It fails.")

full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


def run(
    *words: str, place: Path, largest_file: int | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a tool in a folder; a limit on the size of files stands for a disk that runs full."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file or 0, largest_file or 0))

    return subprocess.run(
        [TOOLS / words[0], *words[1:]],
        cwd=place,
        env={**os.environ, **SILENT, **environment},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit if largest_file else None,
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file under a folder, hidden ones too."""
    return {file: (folder / file).read_bytes() for file in files_of(folder)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(HOUSE, root)
    for name in ("schema", "docs", "overrides"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "mkdocs.yml", root)
    return root


@pytest.fixture
def without(tmp_path: Path) -> Callable[..., str]:
    """Make a PATH on which only some programs are."""

    def path(*programs: str) -> str:
        folder = tmp_path / "few"
        folder.mkdir()
        for program in programs:
            (folder / program).symlink_to(shutil.which(program) or "/nowhere")
        return str(folder)

    return path


@full
@pytest.mark.parametrize("words", [("check",), ("check", "--format", "json"), ("explain", "loss-is-nan"), ("--help",)])
def test_an_answer_onto_a_full_disk(project: Path, words: tuple[str, ...]) -> None:
    with FULL.open("w") as disk:
        ran = subprocess.run(
            [TOOLS / "encyclopedia", *words], cwd=project, stdout=disk, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ran.returncode, ran.stderr) == (2, "Error: the answer could not be written: No space left on device\n")


def test_a_reader_that_has_seen_enough_is_no_error(project: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = subprocess.run(
            [TOOLS / "encyclopedia", "explain", "loss-is-nan"],
            cwd=project,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, "")


def test_a_step_summary_that_cannot_be_written(project: Path) -> None:
    summary = project / "nowhere/summary.md"
    ran = run("encyclopedia", "check", "--format", "github", place=project, GITHUB_STEP_SUMMARY=str(summary))
    assert (ran.returncode, ran.stderr) == (2, f"Error: {summary}: No such file or directory\n")


def test_a_draft_onto_a_full_disk_leaves_nothing(project: Path) -> None:
    before = contents(project)
    ran = run("encyclopedia", *DRAFT, place=project, largest_file=1000)
    assert (ran.returncode, ran.stderr) == (2, f"Error: {project}/entries: File too large\n")
    assert contents(project) == before


def test_an_export_onto_a_full_disk_leaves_the_earlier_one(project: Path) -> None:
    target = project / "export"
    assert run("encyclopedia", "export", "--markdown", "export", place=project).returncode == 0
    before = contents(project)
    assert f"{target.name}/docs/index.md" in before
    ran = run("encyclopedia", "export", "--markdown", "export", place=project, largest_file=20_000)
    assert ran.returncode == 2
    assert ran.stderr.startswith("Error: export")
    assert ran.stderr.endswith(": File too large\n")
    assert ran.stderr.count("\n") == 1
    assert contents(project) == before


def test_an_export_to_where_a_file_is_leaves_it(project: Path) -> None:
    (project / "export").write_text("mine")
    before = contents(project)
    ran = run("encyclopedia", "export", "--markdown", "export", place=project)
    assert (ran.returncode, ran.stderr) == (2, "Error: export: Not a directory\n")
    assert contents(project) == before


def test_a_clone_without_git_to_ask_is_not_built(project: Path, without: Callable[..., str]) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    (project / "site").mkdir()
    (project / "site/index.html").write_text("as it was")
    before = contents(project)
    path = without("env")
    said = "git, which knows what was changed, is not on PATH"
    built = run("mkdocs", "build", "--strict", place=project, PATH=path)
    assert (built.returncode, built.stdout.strip()) == (2, f"The site was not built into {project}/site: {said}.")
    assert "Traceback" not in built.stderr
    exported = run("encyclopedia", "export", "--markdown", "export", place=project, PATH=path)
    assert (exported.returncode, exported.stderr) == (2, f"Error: export: {said}\n")
    assert contents(project) == before


def test_a_copy_that_is_no_clone_needs_no_git(project: Path, without: Callable[..., str]) -> None:
    built = run("mkdocs", "build", "--strict", place=project, PATH=without("env"))
    assert built.returncode == 0, built.stdout + built.stderr
    assert "last changed" not in (project / "site/numerics/loss-is-nan/index.html").read_text(encoding="utf-8")


def test_no_browser_and_no_way_to_get_one(without: Callable[..., str]) -> None:
    ran = subprocess.run(
        [shutil.which("bash") or "bash", ROOT / "scripts/chromium"],
        env={"PATH": without("id")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "No Chromium: install the package 'chromium', or set CHROMIUM to the path of one.\n"


def test_what_only_looks_like_an_entry_is_named(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/invalid/unregistered-id/entries", tmp_path / "entries")
    folder = tmp_path / "entries/memory"
    (folder / "dir.yaml").mkdir(parents=True)
    (folder / "link.yaml").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.yaml")
    reading = read_catalog(tmp_path / "entries", ROOT / "schema/entry.schema.json")
    told = [(issue.location.file, issue.message) for issue in reading.issues if issue.code == "no-file"]
    assert told == [
        ("entries/memory/dir.yaml", "a folder has the name of an entry"),
        ("entries/memory/link.yaml", "a link leads to nothing"),
        ("entries/memory/pipe.yaml", "this is no ordinary file"),
    ]


def test_a_closed_output_ends_in_one_line() -> None:
    command = f"{TOOLS / 'encyclopedia'} --help >&-"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (2, "Error: the answer could not be written: standard output is closed\n")
