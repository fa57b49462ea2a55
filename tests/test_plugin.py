"""The site as MkDocs and ProperDocs build it, and what happens when it cannot be built."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from generator.site.sitecheck import check_site, files_of
from tests.site import ROOT, TOOLS

HOUSE = Path(__file__).parent / "data/house"
MKDOCS = ("mkdocs", "build", "--strict")
SILENT = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "SOURCE_DATE_EPOCH": "1790000000"}


def run(
    root: Path, *, command: tuple[str, ...] = MKDOCS, full_disk: bool = False, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Build a project from another folder than its own."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    return subprocess.run(
        [TOOLS / command[0], *command[1:], "-f", root / "mkdocs.yml"],
        cwd=root.parent,
        env={**os.environ, **SILENT, **(more or {})},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit if full_disk else None,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of its own, with the house's few entries and this project's theme and hand-written pages."""
    root = tmp_path / "project"
    shutil.copytree(HOUSE, root)
    for name in ("schema", "docs", "overrides"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "mkdocs.yml", root)
    return root


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site built once, for tests that only look at it."""
    root = tmp_path_factory.mktemp("built") / "project"
    shutil.copytree(HOUSE, root)
    for name in ("schema", "docs", "overrides"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "mkdocs.yml", root)
    ran = run(root)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "WARNING" not in ran.stderr
    return root / "site"


def break_entry(root: Path) -> None:
    entry = root / "entries/numerics/loss-is-nan.yaml"
    entry.write_text(entry.read_text().replace("severity:", "severty:"))


def leftovers(root: Path) -> list[str]:
    return sorted(path.name for path in root.iterdir() if path.name.startswith("."))


def test_each_page_of_the_catalogue_is_built(site: Path) -> None:
    files = files_of(site)
    for page in ("", "memory/odd-characters/", "distributed-comm/old-time-out/", "codes/", "about/", "r/1107/"):
        assert f"{page}index.html" in files
    assert "numerics/loss-is-nan/index.md" in files
    assert "search/search_index.json" not in files
    assert not [file for file in files if "lunr" in file or "workers/" in file]


def test_no_link_of_the_built_site_leads_nowhere(site: Path) -> None:
    assert check_site(site) == ()


def test_a_page_has_its_title_description_and_edit_link(site: Path) -> None:
    html = (site / "hardware-fault/gpu-off-the-bus/index.html").read_text()
    assert "<title>The GPU has fallen off the bus - ML Failure Encyclopedia</title>" in html
    summary = "The driver can no longer reach a GPU over PCI Express; every process on it ends."
    assert f'<meta name="description" content="{summary}">' in html
    assert f'<meta property="og:description" content="{summary}">' in html
    assert '<meta property="og:image" content="https://encyclopedia.example/assets/card.png">' in html
    assert (site / "assets/card.png").is_file()
    edit = "https://code.example/ml-failure-encyclopedia/edit/main/entries/hardware-fault/gpu-off-the-bus.yaml"
    assert f'href="{edit}"' in html
    assert '<link rel="canonical" href="https://encyclopedia.example/hardware-fault/gpu-off-the-bus/">' in html
    assert 'type="text/markdown" href="index.md"' in html


def test_a_title_cannot_break_out_of_the_head(site: Path) -> None:
    head = (site / "memory/odd-characters/index.html").read_text().partition("</head>")[0]
    assert "<title>A line with &lt;script&gt;alert(1)&lt;/script&gt; &amp;" in head
    assert "<script>alert" not in head
    assert "<!-- and a bar" not in head


def test_the_policy_and_no_other_host_stand_on_every_page(site: Path) -> None:
    for file in files_of(site):
        if file.endswith(".html"):
            html = (site / file).read_text()
            assert html.count('http-equiv="Content-Security-Policy"') == 1, file
            assert 'data-md-component="source"' not in html
            assert "fonts.g" not in html


def test_the_menu_of_an_entry_names_no_entry(site: Path) -> None:
    html = (site / "numerics/loss-is-nan/index.html").read_text()
    menu = html[html.index("md-nav md-nav--primary") : html.index("md-sidebar--secondary")]
    assert "../../numerics/" in menu
    assert "loss-is-nan" not in menu
    assert "rank-killed" not in menu


def test_the_sitemap_has_the_date_of_the_build(site: Path) -> None:
    sitemap = (site / "sitemap.xml").read_text()
    assert "<loc>https://encyclopedia.example/numerics/loss-is-nan/</loc>" in sitemap
    assert "<lastmod>2026-09-21</lastmod>" in sitemap
    assert "/r/1107/" not in sitemap


def test_mkdocs_and_properdocs_write_the_same_bytes_twice(project: Path, site: Path) -> None:
    ran = run(project, command=("properdocs", "build", "--strict"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    built = project / "site"
    assert files_of(built) == files_of(site)
    different = [file for file in sorted(files_of(site)) if (built / file).read_bytes() != (site / file).read_bytes()]
    assert different == []


def test_a_bad_entry_stops_the_build_with_the_words_of_check_and_the_site_stays(project: Path) -> None:
    (project / "site").mkdir()
    (project / "site/index.html").write_text("as it was")
    break_entry(project)
    checked = subprocess.run(
        [TOOLS / "encyclopedia", "check"], cwd=project, capture_output=True, text=True, check=False
    )
    ran = run(project)
    assert checked.returncode == ran.returncode == 1
    assert "severty" in checked.stdout
    assert ran.stdout.strip() == f"{checked.stdout.strip()} The site was not built."
    assert "Traceback" not in ran.stderr
    assert files_of(project / "site") == {"index.html"}
    assert leftovers(project) == []


def test_a_server_goes_on_with_the_last_good_entries(project: Path) -> None:
    config = load_config(str(project / "mkdocs.yml"), site_dir=str(project / "served"))
    config.plugins.on_startup(command="serve", dirty=False)
    build(config)
    before = (project / "served/numerics/loss-is-nan/index.html").read_bytes()
    break_entry(project)
    about = project / "docs/about.md"
    about.write_text(about.read_text() + "\nA new paragraph.\n")
    build(load_config(str(project / "mkdocs.yml"), site_dir=str(project / "served")))
    assert (project / "served/numerics/loss-is-nan/index.html").read_bytes() == before
    assert "A new paragraph." in (project / "served/about/index.html").read_text()


def test_a_broken_link_is_an_error_that_names_page_and_link(project: Path) -> None:
    about = project / "docs/about.md"
    about.write_text(
        about.read_text() + '\n<a href="../nowhere/">nowhere</a> [odd](memory/odd-characters/index.md#no)\n'
    )
    ran = run(project)
    assert ran.returncode == 1
    assert ran.stdout.strip().splitlines() == [
        "/about/: the link to '../memory/odd-characters/#no' names no anchor of /memory/odd-characters/",
        "/about/: the link to '../nowhere/' leads to no page of the site",
        "2 broken links. The site was not built.",
    ]
    assert not (project / "site").exists()
    assert leftovers(project) == []


def test_a_warning_of_a_strict_build_leaves_the_old_site(project: Path) -> None:
    (project / "site").mkdir()
    (project / "site/index.html").write_text("as it was")
    about = project / "docs/about.md"
    about.write_text(about.read_text() + "\n[gone](gone.md)\n")
    ran = run(project)
    assert ran.returncode == 1
    assert "gone.md" in ran.stderr
    assert files_of(project / "site") == {"index.html"}
    assert leftovers(project) == []


def test_a_new_site_takes_the_place_of_the_old_and_leaves_hidden_files(project: Path) -> None:
    (project / "site/.git").mkdir(parents=True)
    (project / "site/.git/HEAD").write_text("kept")
    (project / "site/old.html").write_text("gone")
    assert run(project).returncode == 0
    assert (project / "site/.git/HEAD").read_text() == "kept"
    assert not (project / "site/old.html").exists()
    assert leftovers(project) == []


def test_a_place_that_cannot_be_written_ends_in_one_line(project: Path) -> None:
    (project / "site").write_text("a file, not a folder")
    ran = run(project)
    assert ran.returncode == 2
    assert ran.stdout.strip() == (f"The site was not built into {project}/site: Not a directory ({project}/site).")
    assert "Traceback" not in ran.stderr
    assert (project / "site").read_text() == "a file, not a folder"


def test_a_full_disk_ends_in_one_line_and_leaves_the_old_site(project: Path) -> None:
    (project / "site").mkdir()
    (project / "site/index.html").write_text("as it was")
    ran = run(project, full_disk=True)
    assert ran.returncode == 2
    assert ran.stdout.strip().startswith(f"The site was not built into {project}/site: File too large")
    assert "ERROR" not in ran.stderr
    assert "Traceback" not in ran.stderr
    assert files_of(project / "site") == {"index.html"}
    assert leftovers(project) == []


def test_what_pages_are_made_of_is_watched(project: Path) -> None:
    config = load_config(str(project / "mkdocs.yml"), site_dir=str(project / "elsewhere"))
    plugin = config.plugins["encyclopedia"]
    plugin.on_startup(command="serve", dirty=False)
    plugin.on_config(config)
    plugin.on_build_error(error=ValueError())
    watched = {str(Path(place).relative_to(project)) for place in config.watch if Path(place).is_relative_to(project)}
    assert watched == {"entries", "schema", "overrides"}
    assert str(ROOT / "generator/templates") in config.watch
    assert config.site_dir == str(project / "elsewhere")
