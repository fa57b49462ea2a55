"""The settings that do not depend on MkDocs, read without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.settings import read_settings

ROOT = Path(__file__).parent.parent


def test_the_projects_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SITE_URL", raising=False)
    settings = read_settings(ROOT / "mkdocs.yml")
    assert settings.site_name == "ML Failure Encyclopedia"
    assert settings.site_url.endswith(".example/")


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_URL", "https://failures.example.org/base")
    assert read_settings(ROOT / "mkdocs.yml").site_url == "https://failures.example.org/base/"


@pytest.mark.parametrize("text", ["site_name: x\n", "[1]\n", "a: [\n", ""])
def test_a_file_without_them_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mkdocs.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="no settings of a site in it"):
        read_settings(path)
