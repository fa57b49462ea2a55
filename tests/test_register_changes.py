"""What main gave out stays: entries renamed, merged, withdrawn; lines deleted, ids used again, branches merged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.catalog import read_catalog
from generator.cli import main
from generator.index_pages.listing import address_of
from generator.site.redirects import redirects
from tests.test_invalid import ROOT

ENTRY = "data-pipeline/dataloader-worker-killed"
LINE = f"MLFE-4821 {ENTRY} published 1\n"
FILE = f"entries/{ENTRY}.yaml"
LOCK = "entries/ids.lock"
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


class Clone:
    """A project of two entries, one of them a draft, with its history."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *words: str, ok: bool = True) -> str:
        name = ("-c", "user.name=A", "-c", "user.email=a@b.example")
        command = ["git", "-C", str(self.root), *name, *words]
        ran = subprocess.run(command, check=False, capture_output=True, text=True, env=ENVIRONMENT)
        assert (ran.returncode == 0) is ok, ran.stdout + ran.stderr
        return ran.stdout

    def commit(self, subject: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", subject)

    def read(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    def change(self, file: str, old: str, new: str) -> None:
        text = self.read(file)
        assert text.count(old) == 1, (file, old)
        (self.root / file).write_text(text.replace(old, new), encoding="utf-8")

    def new(self, title: str) -> str:
        """Add a draft and return its id."""
        given = ("--title", title, "--category", "memory", "--summary", f"{title}, and nobody knows why.")
        result = CliRunner().invoke(main, ("new", *given))
        assert result.exit_code == 0, result.output
        return str(re.findall(r"MLFE-\d{4}", result.output)[0])

    def check(self) -> list[str]:
        """Return the file and message of each issue that `encyclopedia check` reports."""
        result = CliRunner().invoke(main, ("check",))
        found = re.findall(r"^(entries/.*):[0-9]+:[0-9]+: error: (.*) \[[a-z-]+\]$", result.output, re.MULTILINE)
        assert result.exit_code == (1 if found else 0), result.output
        return [f"{file}: {message}" for file, message in found]

    def leads(self) -> dict[str, str]:
        """Return where each permanent or old address of the site leads."""
        catalog = read_catalog(self.root / "entries", self.root / "schema/entry.schema.json").catalog
        pages = {address_of(entry) for entry in catalog.entries}
        found = {address: redirect.target for redirect in redirects(catalog) for address in redirect.addresses}
        assert set(found.values()) <= pages
        return found


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    shutil.copytree(ROOT / "tests/invalid/unregistered-id/entries", tmp_path / "entries")
    shutil.copytree(ROOT / "schema", tmp_path / "schema")
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    (tmp_path / "mkdocs.yml").touch()
    (tmp_path / LOCK).write_text(LINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = Clone(tmp_path)
    made.git("init", "-q", "-b", "main")
    made.new("Pinned memory runs out")
    made.commit("entries: two")
    assert made.check() == []
    return made


def test_a_renamed_entry_keeps_its_old_address_as_an_alias(clone: Clone) -> None:
    (clone.root / FILE).rename(clone.root / "entries/data-pipeline/worker-dies.yaml")
    clone.change(LOCK, ENTRY, "data-pipeline/worker-dies")
    assert clone.check() == [
        f"{LOCK}: MLFE-4821 was given out for '{ENTRY}' and stands here for 'data-pipeline/worker-dies'"
    ]
    clone.change("entries/data-pipeline/worker-dies.yaml", "status:", f"aliases: [{ENTRY}]\nstatus:")
    assert clone.check() == []
    leads = clone.leads()
    addresses = ("r/4821/", "r/MLFE-4821/", "r/mlfe-4821-1/", f"{ENTRY}/")
    assert {leads[address] for address in addresses} == {"data-pipeline/worker-dies/"}


def test_a_merged_entry_and_a_withdrawn_one_keep_their_page(clone: Clone) -> None:
    clone.change(
        FILE, "status: published", "status: merged\nreason: It is the same.\nreplaced_by: pinned-memory-runs-out"
    )
    clone.change(LOCK, "published", "merged")
    assert clone.check() == []
    assert clone.leads()["r/4821-1/"] == f"{ENTRY}/"
    clone.commit("entries: one merged")
    clone.change(FILE, "status: merged", "status: withdrawn")
    clone.change(LOCK, "merged", "withdrawn")
    assert clone.check() == [f"{LOCK}: MLFE-4821 was merged and is withdrawn here"]


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_status_does_not_move_back(clone: Clone, is_committed: bool) -> None:
    clone.change(FILE, "status: published", "status: draft")
    clone.change(LOCK, "published", "draft")
    if is_committed:  # on main itself, where nothing else is left to compare with
        clone.commit("entries: a draft again")
    assert clone.check() == [f"{LOCK}: MLFE-4821 was published and is draft here"]


def test_a_deleted_line_is_missed(clone: Clone) -> None:
    clone.change(LOCK, LINE, "")
    (clone.root / FILE).unlink()
    assert clone.check() == [f"{LOCK}: MLFE-4821 was given out and stands here no more"]
    said = CliRunner().invoke(main, ("check",)).output
    assert f"Put the line `{LINE.strip()}` back." in said


def test_a_signature_number_is_not_given_up(clone: Clone) -> None:
    clone.change(LOCK, "published 1", "published 2")
    clone.change(FILE, "- k: 1", "- k: 2")
    clone.change(FILE, "signature: MLFE-4821-1", "signature: MLFE-4821-2")
    assert clone.check() == [f"{LOCK}: MLFE-4821-1 was given out and stands here no more"]


def test_an_id_is_not_used_for_another_failure(clone: Clone) -> None:
    (clone.root / FILE).unlink()
    other = clone.new("Pages are swapped out")
    file = "entries/memory/pages-are-swapped-out.yaml"
    clone.change(file, other, "MLFE-4821")
    text = clone.read(LOCK).replace(LINE, "")
    (clone.root / LOCK).write_text(text, encoding="utf-8")
    lines = [line.replace(other, "MLFE-4821") for line in clone.read(LOCK).splitlines()]
    (clone.root / LOCK).write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    assert clone.check() == [
        f"{LOCK}: MLFE-4821 was given out for '{ENTRY}' and stands here for 'memory/pages-are-swapped-out'",
        f"{LOCK}: MLFE-4821-1 was given out and stands here no more",
        f"{LOCK}: MLFE-4821 was published and is draft here",
    ]


def on_branches(clone: Clone, *works: Callable[[], None]) -> None:
    """Do each work on a branch of its own and merge them all into main."""
    for number, work in enumerate(works):
        clone.git("checkout", "-q", "-b", f"branch-{number}", "main")
        work()
        clone.commit(f"entries: of branch {number}")
    clone.git("checkout", "-q", "main")
    for number, _ in enumerate(works):
        clone.git("merge", "-q", "--no-edit", f"branch-{number}")


def test_two_branches_that_each_add_an_entry_are_merged(clone: Clone) -> None:
    on_branches(clone, lambda: add(clone, "The host swaps", "MLFE-9998"), lambda: add(clone, "A leak", "MLFE-9999"))
    assert clone.check() == []
    leads = clone.leads()
    assert (leads["r/9998/"], leads["r/mlfe-9999/"]) == ("memory/the-host-swaps/", "memory/a-leak/")


def test_two_branches_that_took_the_same_id_are_told_which_is_second(clone: Clone) -> None:
    on_branches(clone, lambda: add(clone, "The host swaps", "MLFE-9999"), lambda: add(clone, "A leak", "MLFE-9999"))
    found = clone.check()
    assert f"{LOCK}: MLFE-9999 already stands on line 3" in found
    assert any("MLFE-9999 is also the id of" in headline for headline in found)


def test_a_conflict_that_was_committed_is_named(clone: Clone) -> None:
    clone.change(LOCK, LINE, f"<<<<<<< main\n{LINE}=======\n>>>>>>> other\n")
    assert clone.check() == [f"{LOCK}: a merge left a conflict here"] * 3


def test_work_on_a_branch_is_compared_with_where_it_left_main(clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "mine")
    clone.git("checkout", "-q", "main")
    add(clone, "Another failure", "MLFE-9998")
    clone.commit("entries: another")
    clone.git("checkout", "-q", "mine")
    assert clone.check() == []


def test_a_shallow_clone_has_nothing_to_compare_with(clone: Clone, tmp_path_factory: pytest.TempPathFactory) -> None:
    clone.change(LOCK, "published", "draft")
    clone.change(FILE, "status: published", "status: draft")
    clone.commit("entries: a draft again")
    shallow = tmp_path_factory.mktemp("shallow") / "clone"
    clone.git("clone", "-q", "--depth", "1", clone.root.as_uri(), str(shallow))
    os.chdir(shallow)
    assert Clone(shallow).check() == []


def add(clone: Clone, title: str, id_: str) -> None:
    given = clone.new(title)
    slug = re.sub("[^a-z]+", "-", title.lower())
    clone.change(f"entries/memory/{slug}.yaml", given, id_)
    lines = [line.replace(given, id_) for line in clone.read(LOCK).splitlines()]
    rows = sorted(line for line in lines if not line.startswith("#"))
    heads = [line for line in lines if line.startswith("#")]
    (clone.root / LOCK).write_text("\n".join([*heads, *rows]) + "\n", encoding="utf-8")
