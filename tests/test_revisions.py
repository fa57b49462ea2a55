"""Days of files come from git in one call; without git there are none."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from generator.site.revisions import Revisions, parse_log, read_revisions


def commit(root: Path, day: str) -> None:
    when = f"{day}T12:00:00+00:00"
    environment = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    settings = ("-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", root, "add", "-A"], check=True)
    subprocess.run(["git", "-C", root, *settings, "commit", "-qm", day], check=True, env=environment)


def test_a_moved_file_keeps_the_day_it_was_added(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "entries/memory").mkdir(parents=True)
    (tmp_path / "entries/memory/old.yaml").write_text("one\ntwo\nthree\nfour\n")
    (tmp_path / "entries/memory/other.yaml").write_text("something else\n")
    commit(tmp_path, "2026-11-01")
    (tmp_path / "entries/memory/old.yaml").rename(tmp_path / "entries/memory/new.yaml")
    commit(tmp_path, "2026-11-05")
    (tmp_path / "entries/memory/new.yaml").write_text("one\ntwo\nthree\nfour\nfive\n")
    commit(tmp_path, "2026-11-09")
    (tmp_path / "README").write_text("outside\n")
    commit(tmp_path, "2026-11-10")
    found = read_revisions(tmp_path)
    assert found.added["entries/memory/new.yaml"] == "2026-11-01"
    assert found.changed["entries/memory/new.yaml"] == "2026-11-09"
    assert found.changed["entries/memory/other.yaml"] == "2026-11-01"
    assert found.epoch == 1794312000


def test_a_project_below_the_repository_is_read_by_its_own_paths(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "site/entries").mkdir(parents=True)
    (tmp_path / "site/entries/a.yaml").write_text("a\n")
    commit(tmp_path, "2026-11-01")
    assert read_revisions(tmp_path / "site").added == {"entries/a.yaml": "2026-11-01"}


def test_without_a_repository_there_are_no_dates(tmp_path: Path) -> None:
    assert read_revisions(tmp_path) == Revisions()


def test_without_git_there_are_no_dates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_revisions(tmp_path) == Revisions()


def test_a_file_removed_and_added_again_is_as_old_as_its_first_day() -> None:
    log = "\x012026-11-09\n\nA\ta.yaml\n\x012026-11-05\n\nD\ta.yaml\n\x012026-11-01\n\nA\ta.yaml\n"
    assert parse_log(log).added == {"a.yaml": "2026-11-01"}
