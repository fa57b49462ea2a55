"""What the site holds, before MkDocs frames it: addresses, links between pages, laziness."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalog import read_catalog
from generator.home import folder
from generator.model import Catalog
from generator.publish import MENU, SitePage, relative_to, site_files, site_pages
from generator.render import Renderer
from generator.site.revisions import Revisions
from generator.site.sitecheck import LinkCheck
from tests.pages import SCHEMA, look_at

HOUSE = Path(__file__).parent / "data/house/entries"
REVISIONS = Revisions(
    added={"entries/numerics/loss-is-nan.yaml": "2026-11-01"},
    changed={"entries/numerics/loss-is-nan.yaml": "2026-11-20", "docs/about.md": "2026-11-25"},
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog(HOUSE, SCHEMA).catalog


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(folder("overrides"))


@pytest.fixture(scope="module")
def pages(catalog: Catalog, renderer: Renderer) -> dict[str, SitePage]:
    return {page.address: page for page in site_pages(catalog, renderer, REVISIONS)}


def test_every_entry_has_a_page_that_names_its_file(pages: dict[str, SitePage], catalog: Catalog) -> None:
    assert {(p.address, p.source) for p in pages.values() if p.source} == {
        (f"{entry.address}/", entry.file) for entry in catalog.entries
    }


def test_no_two_pages_share_an_address(catalog: Catalog, renderer: Renderer) -> None:
    addresses = [page.address for page in site_pages(catalog, renderer, REVISIONS)]
    assert len(addresses) == len(set(addresses))


def test_nothing_is_rendered_before_it_is_asked_for(catalog: Catalog, tmp_path: Path) -> None:
    without_templates = Renderer(tmp_path)
    assert list(site_pages(catalog, without_templates, Revisions()))


def test_the_menu_holds_indexes_and_categories_and_no_entry(pages: dict[str, SitePage]) -> None:
    in_menu = [(page.menu, page.address) for page in pages.values() if page.menu]
    assert [label for (label, *_), _ in in_menu if label not in MENU] == []
    assert (("Categories", "Numerics"), "numerics/") in in_menu
    assert not [address for _, address in in_menu if pages[address].source]
    assert not [address for _, address in in_menu if address.startswith("tag/") and address != "tag/"]


def test_a_page_is_as_old_as_its_file_and_an_index_as_the_newest(pages: dict[str, SitePage]) -> None:
    assert pages["numerics/loss-is-nan/"].changed == "2026-11-20"
    assert pages["hardware-fault/gpu-off-the-bus/"].changed == ""
    assert pages["tag/nan/"].changed == "2026-11-25"


def test_all_links_and_anchors_between_pages_hold(
    pages: dict[str, SitePage], catalog: Catalog, renderer: Renderer
) -> None:
    check, files = LinkCheck(), {"assets/favicon.svg"}
    for page in pages.values():
        made = page.make()
        check.add(page.address, made.html)
        files |= {f"{page.address}index.html", *(file.path for file in made.files)}
        assert {heading.anchor for heading in made.outline} <= set(look_at(made.html).ids)
    for file in site_files(catalog, renderer, REVISIONS, site_name="S", site_url="https://s.example/"):
        check.follow(file.path.removesuffix("index.html"), file.content)
        files |= {file.path, *file.copies}
    assert check.broken(files) == ()


def test_ids_and_old_addresses_lead_to_their_page(catalog: Catalog, renderer: Renderer) -> None:
    made = site_files(catalog, renderer, REVISIONS, site_name="S", site_url="https://s.example/")
    files = {path: file.content for file in made for path in (file.path, *file.copies)}
    for address in ("r/4021-1", "r/MLFE-4021-1", "r/mlfe-4021-1"):
        html = files[f"{address}/index.html"]
        assert 'content="0; url=../../hardware-fault/gpu-off-the-bus/#mlfe-4021-1"' in html
        assert '<link rel="canonical" href="https://s.example/hardware-fault/gpu-off-the-bus/">' in html
        assert '<meta property="og:title" content="The GPU has fallen off the bus">' in html
    assert "../../memory/odd-characters/" in files["memory/once-odd/index.html"]
    assert "r/0815/index.html" in files
    assert "search/index.json" in files


def test_odd_characters_stay_text(pages: dict[str, SitePage]) -> None:
    for address in ("memory/", "a-z/", "", "memory/odd-characters/", "tag/kv-cache/"):
        seen = look_at(pages[address].make().html)
        assert "script" not in [tag for tag, _ in seen.tags]
    assert (
        "<script>alert(2)</script> see A line with <script>alert(1)</script>" in look_at(pages["a-z/"].make().html).text
    )


@pytest.mark.parametrize(
    ("page", "target", "link"),
    [
        ("", "memory/x/", "memory/x/"),
        ("", "", "./"),
        ("memory/", "memory/x/#a", "../memory/x/#a"),
        ("memory/x/", "", "../../"),
        ("signatures/2/", "signatures/", "../../signatures/"),
    ],
)
def test_site_addresses_become_relative_to_the_page(page: str, target: str, link: str) -> None:
    assert relative_to(page)(target) == link
