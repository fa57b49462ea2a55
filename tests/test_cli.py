"""The command as a user meets it: what it prints, and the status it ends with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.index_pages.diagnose import COMMAND

ROOT = Path(__file__).parent.parent
GOOD = ROOT / "tests/invalid/unregistered-id"
DRAFT = ("new", "--title", 'Loss is `nan`: a "draft"', "--category", "numerics", "--summary", "It's a loss: nan # x")


def run(*words: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, words)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with one entry, which is all right but for the register, and then registered."""
    shutil.copytree(GOOD / "entries", tmp_path / "entries")
    shutil.copytree(ROOT / "schema", tmp_path / "schema")
    (tmp_path / "mkdocs.yml").touch()
    line = "MLFE-4821 data-pipeline/dataloader-worker-killed published 1\n"
    (tmp_path / "entries/ids.lock").write_text(line, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_check_of_a_clean_catalogue(project: Path) -> None:
    result = run("check")
    assert (result.exit_code, result.output) == (0, "1 file checked, no problems.\n")


def test_check_reports_only_what_was_named_but_knows_the_rest(project: Path) -> None:
    broken = project / "entries/memory/broken.yaml"
    broken.parent.mkdir()
    broken.write_text("id: [\n", encoding="utf-8")
    assert run("check", "entries/data-pipeline").exit_code == 0
    result = run("check", "entries/memory/broken.yaml")
    assert result.exit_code == 1
    assert result.output.startswith("entries/memory/broken.yaml:")
    assert run("check").exit_code == 1


def test_check_finds_the_project_from_a_folder_below(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "entries/ids.lock").write_text("", encoding="utf-8")
    monkeypatch.chdir(project / "entries/data-pipeline")
    result = run("check")
    assert result.output.startswith("../../entries/data-pipeline/dataloader-worker-killed.yaml:2:5: error: MLFE-4821")


def test_check_of_what_does_not_exist(project: Path) -> None:
    result = run("check", "entries/nothing.yaml")
    assert (result.exit_code, result.output) == (2, "Error: entries/nothing.yaml: no such file or folder\n")


def test_check_outside_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("check")
    assert (result.exit_code, result.output) == (2, "Error: .: no entries/ in this folder or above it\n")


def test_check_of_a_file_that_may_not_be_read(project: Path) -> None:
    (project / "entries/ids.lock").unlink()
    (project / "entries/ids.lock").mkdir()
    result = run("check")
    assert result.exit_code == 2
    assert result.output == f"Error: {project / 'entries/ids.lock'}: Is a directory\n"


def test_check_as_json(project: Path) -> None:
    (project / "entries/ids.lock").write_text("", encoding="utf-8")
    result = run("check", "--format", "json")
    assert result.exit_code == 1
    (issue,) = json.loads(result.output)["issues"]
    assert (issue["file"], issue["line"], issue["column"], issue["code"]) == (
        "entries/data-pipeline/dataloader-worker-killed.yaml", 2, 5, "unregistered-id",
    )  # fmt: skip


def test_check_for_github_writes_the_step_summary_too(project: Path) -> None:
    (project / "entries/ids.lock").write_text("", encoding="utf-8")
    summary = project / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    result = run("check", "--format", "github", GITHUB_STEP_SUMMARY=str(summary))
    assert result.exit_code == 1
    assert result.output.startswith("::error file=entries/data-pipeline/dataloader-worker-killed.yaml,line=2,")
    assert summary.read_text(encoding="utf-8").startswith("before\n")
    assert "MLFE-4821 does not stand in entries/ids.lock" in summary.read_text(encoding="utf-8")


def test_wrong_usage() -> None:
    assert run("check", "--format", "xml").exit_code == 2
    assert run("chekc").exit_code == 2


def test_new_writes_a_valid_registered_draft(project: Path) -> None:
    result = run(*DRAFT)
    assert result.exit_code == 0, result.output
    file = project / "entries/numerics/loss-is-nan-a-draft.yaml"
    assert file.is_file()
    assert run("check").output == "2 files checked, no problems.\n"
    lines = (project / "entries/ids.lock").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert any(line.endswith(" numerics/loss-is-nan-a-draft draft -") for line in lines)


def test_new_asks_for_what_is_missing(project: Path) -> None:
    result = CliRunner().invoke(main, ["new"], input="A title\nnumerics\nWhat happens.\n")
    assert result.exit_code == 0, result.output
    assert (project / "entries/numerics/a-title.yaml").is_file()


def test_new_lists_the_categories_and_asks_again_at_once(project: Path) -> None:
    typed = ["x" * 81, "A title", "memroy", "qqq", "Memory", "y" * 301, "What happens."]
    result = CliRunner().invoke(main, ["new"], input="\n".join(typed) + "\n")
    assert result.exit_code == 0, result.output
    told = result.output
    assert told.index("title has 81 characters; at most 80 are allowed") < told.index("  memory  ")
    assert told.index("  numerics  ") < told.index("Category: ")
    assert "Error: no category 'memroy': did you mean 'memory'?\nCategory: " in told
    assert "Error: no category 'qqq': choose memory, numerics, " in told
    assert "summary has 301 characters; at most 300 are allowed" in told
    text = (project / "entries/memory/a-title.yaml").read_text(encoding="utf-8")
    assert "title: 'A title'" in text
    assert "summary: 'What happens.'" in text


def test_new_asks_for_another_slug_when_the_title_has_none_left(project: Path) -> None:
    typed = "DataLoader worker killed\nmemory\nWhat happens.\nOther One\nother-one\n"
    result = CliRunner().invoke(main, ["new"], input=typed)
    assert result.exit_code == 0, result.output
    assert "the slug 'dataloader-worker-killed' is taken" in result.output
    assert "'Other One' is no slug" in result.output
    assert (project / "entries/memory/other-one.yaml").is_file()


def test_new_looks_at_the_options_before_it_asks(project: Path) -> None:
    result = run("new", "--category", "memroy")
    assert (result.exit_code, result.output) == (2, "Error: no category 'memroy': did you mean 'memory'?\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--category", "numeric"), "no category 'numeric'"),
        (("--slug", "dataloader-worker-killed"), "the slug 'dataloader-worker-killed' is taken"),
        (("--slug", "../up"), "'../up' is no slug"),
        (("--title", "?!?!"), "'' is no slug"),
        (("--title", "a" * 81, "--slug", "long"), "title"),
        (("--summary", "see <b>this</b> " + "x" * 300), "summary"),
    ],
)
def test_new_refuses_and_writes_nothing(project: Path, words: tuple[str, ...], message: str) -> None:
    before = sorted(project.rglob("*"))
    result = run(*DRAFT, *words)
    assert result.exit_code == 2
    assert message in result.output
    assert sorted(project.rglob("*")) == before


def test_new_writes_nothing_when_the_register_cannot_be_written(project: Path) -> None:
    (project / "entries/ids.new").mkdir()
    result = run(*DRAFT)
    assert (result.exit_code, result.output) == (2, f"Error: {project / 'entries/ids.new'}: Is a directory\n")
    assert not list(project.glob("entries/numerics/*"))


def test_explain_says_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    missing = run("explain", "MLFE-6612-99")
    assert missing.exit_code == 2
    assert missing.output.startswith("Error: no signature has the id MLFE-6612-99: MLFE-6612 has MLFE-6612-1, ")
    near = run("explain", "RuntimeError: CUDA out of memory. Tried...")
    assert near.exit_code == 0
    assert near.output.startswith("MLFE-6612  CUDA out of memory: the allocator cannot serve a request\n  https://")
    none = run("explain", "qqzz xxyy")
    assert none.exit_code == 2
    assert none.output == "Error: no entry is near that. For a whole log: encyclopedia diagnose job.log\n"
    short, full = run("explain", "MLFE-6612"), run("explain", "--full", "MLFE-6612")
    assert len(short.output) < len(full.output) / 4
    assert "\x1b" not in full.output


def test_the_help_names_each_command_in_one_whole_line() -> None:
    commands = run("--help").output.partition("Commands:")[2]
    assert "..." not in commands
    assert len(commands.strip().splitlines()) == len(main.commands)


def test_the_texts_name_only_commands_that_a_clone_has() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (command,) = project["scripts"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"called `{project['name']}`, its command `{command}`" in " ".join(readme.split())
    assert f".venv/bin/{command} diagnose job.log" == COMMAND
    assert COMMAND in readme
    for text in (readme, *(file.read_text(encoding="utf-8") for file in (ROOT / "docs").glob("*.md"))):
        for install in re.findall(r"(?:pipx?) (?:install|run) (\S+)", text):
            assert install.strip("`;,") in (".", "--spec"), install


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from generator.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('yaml', 'jsonschema', 'jinja2', 'markdown', 'pygments', 'mkdocs') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_the_installed_command_starts() -> None:
    command = Path(sys.executable).with_name("encyclopedia")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, check=True, env={**os.environ})
    assert ran.stdout.startswith("encyclopedia, version ")
