"""The site as plain Markdown: written whole or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from generator.cli import main
from generator.export import markdown_link

ROOT = Path(__file__).parent.parent


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project"
    shutil.copytree(ROOT / "tests/invalid/unregistered-id/entries", place / "entries")
    for name in ("schema", "docs"):
        shutil.copytree(ROOT / name, place / name)
    shutil.copy(ROOT / "mkdocs.yml", place)
    line = "MLFE-4821 data-pipeline/dataloader-worker-killed published 1\n"
    (place / "entries/ids.lock").write_text(line, encoding="utf-8")
    monkeypatch.chdir(place)
    return place


def export(target: Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["export", "--markdown", str(target)])
    return result.exit_code, result.output


def test_every_page_is_written(project: Path, tmp_path: Path) -> None:
    code, output = export(tmp_path / "out")
    assert code == 0, output
    docs = tmp_path / "out/docs"
    pages = [page.relative_to(docs).as_posix() for page in docs.rglob("*.md")]
    assert output == f"Wrote {len(pages)} pages to {tmp_path / 'out'}.\n"
    assert {"index.md", "about.md", "signatures/index.md", "data-pipeline/dataloader-worker-killed/index.md"} <= {
        *pages
    }
    settings = yaml.safe_load((tmp_path / "out/mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["site_name"] == "ML Failure Encyclopedia"
    assert (docs / "r/4821-1/index.html").is_file()
    assert (docs / "search/index.json").is_file()


def test_links_between_pages_lead_to_files(project: Path, tmp_path: Path) -> None:
    export(tmp_path / "out")
    text = (tmp_path / "out/docs/data-pipeline/index.md").read_text(encoding="utf-8")
    assert "](dataloader-worker-killed/index.md)" in text


def test_an_earlier_export_is_replaced(project: Path, tmp_path: Path) -> None:
    assert export(tmp_path / "out")[0] == 0
    stale = tmp_path / "out/docs/stale.md"
    stale.write_text("old", encoding="utf-8")
    assert export(tmp_path / "out")[0] == 0
    assert not stale.exists()


def test_a_folder_with_something_else_is_left_alone(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("mine", encoding="utf-8")
    code, output = export(other)
    assert (code, output) == (2, f"Error: {other}: holds something else: name a folder that is new or empty\n")
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]


def test_a_broken_entry_stops_the_export(project: Path, tmp_path: Path) -> None:
    (project / "entries/ids.lock").write_text("", encoding="utf-8")
    code, output = export(tmp_path / "out")
    assert code == 1
    assert "MLFE-4821 does not stand in entries/ids.lock" in output
    assert not (tmp_path / "out").exists()


def test_nothing_stays_when_the_disk_refuses(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "assets")

    monkeypatch.setattr("generator.export._copy", refuse)
    code, output = export(tmp_path / "out")
    assert (code, output) == (2, "Error: assets: No space left on device\n")
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


@pytest.mark.parametrize(
    ("page", "target", "link"),
    [
        ("memory/x/", "tag/nan/", "../../tag/nan/index.md"),
        ("memory/x/", "memory/y/#fixes", "../y/index.md#fixes"),
        ("", "", "index.md"),
        ("a-z/", "", "../index.md"),
        ("memory/x/", "index.json", "../../index.json"),
    ],
)
def test_links_work_from_one_file_to_another(page: str, target: str, link: str) -> None:
    assert markdown_link(page)(target) == link
