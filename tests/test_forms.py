"""What a contributor meets on the project's pages: forms as GitHub reads them, owners, hooks that run."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pages import real_catalog
from tests.site import ROOT, TOOLS

FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
"""Source: "Syntax for GitHub's form schema" in GitHub's documentation, as are the rules below."""


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_follows_the_rules(path: Path) -> None:
    form = read(path)
    assert set(form) == {"name", "description", "title", "labels", "body"}
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in form["body"]} <= KINDS
    assert fields
    ids = [part["id"] for part in fields]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[A-Za-z0-9_-]+", id_) for id_ in ids)
    labels = [part["attributes"]["label"] for part in fields]
    assert len(set(labels)) == len(labels)
    for part in fields:
        assert set(part) <= {"type", "id", "attributes", "validations"}
        assert set(part["attributes"]) <= {"label", "description", "placeholder", "render", "value"}
        assert set(part.get("validations", {})) <= {"required"}


def test_there_is_a_form_for_each_need_and_a_blank_one() -> None:
    assert [path.stem for path in FORMS] == ["missing-signature", "new-failure", "wrong-match"]
    assert read(ROOT / ".github/ISSUE_TEMPLATE/config.yml") == {"blank_issues_enabled": True}


def test_every_category_has_an_owner() -> None:
    rows = (ROOT / ".github/CODEOWNERS").read_text(encoding="utf-8").splitlines()
    owned = dict(row.split() for row in rows if row.startswith("/entries/") and "@" in row)
    assert set(owned) == {f"/entries/{category}/" for category in real_catalog().vocabularies["category"]}
    assert set(owned.values()) == {"@OWNER"}


def test_the_hooks_run() -> None:
    hooks = read(ROOT / ".pre-commit-hooks.yaml")
    assert [hook["id"] for hook in hooks] == ["encyclopedia-check", "encyclopedia-fix"]
    for hook in hooks:
        command, *words = shlex.split(hook["entry"])
        ran = subprocess.run([str(TOOLS / command), *words], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert re.search(hook["files"], "entries/memory/cuda-out-of-memory.yaml")


def test_the_container_is_read() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert container["postCreateCommand"] == "make setup"
