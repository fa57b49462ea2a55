"""The same catalogue through three site generators: the same pages, links that lead somewhere, the same bytes again."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from generator.site.sitecheck import files_of
from tests.site import ROOT, TOOLS, build

ENGINES = ("mkdocs", "properdocs", "zensical")


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The site as each engine builds it, strictly; a warning fails."""
    folder = tmp_path_factory.mktemp("engines")
    for engine in ("mkdocs", "properdocs"):
        assert "WARNING" not in build(folder / engine, command=(engine, "build", "--strict"))
    export = folder / "export"
    run("encyclopedia", "export", "--markdown", str(export), place=ROOT)
    assert "No issues found" in run("zensical", "build", "--strict", place=export)
    return {"mkdocs": folder / "mkdocs", "properdocs": folder / "properdocs", "zensical": export / "site"}


def run(tool: str, *words: str, place: Path) -> str:
    ran = subprocess.run([TOOLS / tool, *words], cwd=place, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def pages_of(site: Path) -> list[str]:
    return sorted(file for file in files_of(site) if file.endswith(".html"))


def follow_links(site: Path) -> tuple[int, list[str]]:
    """Follow every link and fragment of a site's pages; return how many lead into the site, and the broken ones."""
    words = (
        "--offline",
        "--include-fragments",
        "--index-files",
        "index.html",
        "--root-dir",
        str(site),
        "--no-progress",
    )
    ran = subprocess.run(
        [str(TOOLS / "lychee"), *words, "--format", "json", *pages_of(site)],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(ran.stdout)
    broken = [f"{page}: {link['url']}" for page, links in report["error_map"].items() for link in links]
    assert ran.returncode == (2 if broken else 0), ran.stderr
    return report["successful"], sorted(broken)


def test_all_engines_build_the_same_pages(sites: Mapping[str, Path]) -> None:
    pages = {engine: pages_of(sites[engine]) for engine in ENGINES}
    assert {"index.html", "404.html", "memory/cuda-out-of-memory/index.html", "codes/index.html"} <= {*pages["mkdocs"]}
    assert {"r/6612/index.html", "r/MLFE-6612-1/index.html", "r/mlfe-6612-1/index.html"} <= {*pages["mkdocs"]}
    assert pages["properdocs"] == pages["mkdocs"]
    assert pages["zensical"] == pages["mkdocs"]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_link_and_fragment_of_the_built_site_is_there(sites: Mapping[str, Path], engine: str) -> None:
    followed, broken = follow_links(sites[engine])
    assert broken == []
    assert followed > 10 * len(pages_of(sites[engine]))


def test_a_link_and_a_fragment_that_lead_nowhere_are_found(sites: Mapping[str, Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(sites["zensical"], site)
    page = site / "codes/index.html"
    spoilt = '<a href="../a-z/#nowhere">x</a><a href="../nowhere/">y</a></body>'
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", spoilt), encoding="utf-8")
    _, broken = follow_links(site)
    assert [link.rpartition("site/")[2] for link in broken] == ["a-z#nowhere", "nowhere"]


def test_two_builds_are_the_same_byte_for_byte(sites: Mapping[str, Path]) -> None:
    """One by MkDocs, one by ProperDocs, seconds later and elsewhere: neither time nor place nor engine is in a file."""
    one, other = sites["mkdocs"], sites["properdocs"]
    files = files_of(one)
    assert files_of(other) == files
    assert [file for file in sorted(files) if (one / file).read_bytes() != (other / file).read_bytes()] == []


def test_the_export_holds_each_page_once_as_markdown(sites: Mapping[str, Path]) -> None:
    docs = sites["zensical"].parent / "docs"
    written = {file for file in files_of(docs) if file.endswith(".md")}
    framed = {page for page in pages_of(sites["mkdocs"]) if not page.startswith("r/")} - {"404.html"}
    about = {"about", "contribute", "link"}
    assert {file.removesuffix("index.md").removesuffix(".md").rstrip("/") for file in written} == {
        page.removesuffix("index.html").rstrip("/") for page in framed
    }
    assert {f"{name}.md" for name in about} <= written
