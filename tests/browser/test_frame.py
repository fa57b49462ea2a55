"""The frame and the index pages in a browser: readable by all, on a phone, in both schemes, with no other host."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.walk import let_settle
from tests.site import ROOT, build, serve

pytestmark = pytest.mark.browser

KINDS = (
    "",
    "categories/",
    "hardware-fault/",
    "memory/",
    "distributed-comm/",
    "hardware/",
    "symptoms/",
    "codes/",
    "signatures/",
    "a-z/",
    "about/",
    "contribute/",
    "link/",
    "404.html",
)
"""One page of each kind but the entry's."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with few entries, one of each status."""
    root = tmp_path_factory.mktemp("house") / "project"
    shutil.copytree(ROOT / "tests/data/house", root)
    for name in ("schema", "docs", "overrides"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "mkdocs.yml", root)
    build(root / "site", root)
    with serve(root / "site") as address:
        yield address


@pytest.fixture(params=["light", "dark"])
def context(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(color_scheme=request.param, viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def problems_of(page: Page) -> list[str]:
    """Collect errors of the console and requests to other hosts, from now on."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    own = page.evaluate("location.origin") if page.url.startswith("http") else None
    page.on("request", lambda request: found.append(request.url) if own and not request.url.startswith(own) else None)
    return found


def violations(page: Page) -> list[tuple[str, Any]]:
    let_settle(page)
    found = Axe().run(page).response["violations"]
    return [(violation["id"], violation["nodes"][0]["html"][:200]) for violation in found]


def test_every_kind_of_page_is_without_axe_violations_and_without_errors(context: BrowserContext, house: str) -> None:
    page = context.new_page()
    page.goto(house)
    problems = problems_of(page)
    found = {}
    for address in KINDS:
        page.goto(house + address)
        if broken := violations(page):
            found[address] = broken
    assert found == {}
    assert problems == []


def test_the_open_search_dialog_and_the_drawer_are_without_axe_violations(context: BrowserContext, house: str) -> None:
    page = context.new_page()
    page.goto(house + "codes/")
    page.keyboard.press("/")
    expect(page.locator("[data-enc-search=dialog] input")).to_be_focused()
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.locator("label[for=__drawer].md-header__button").click()
    expect(page.locator(".md-nav--primary")).to_be_in_viewport()
    page.wait_for_timeout(400)  # the theme slides it in
    assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390, 768])
def test_no_page_scrolls_sideways(chromium: Browser, house: str, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 844})
    wide = {}
    for address in (*KINDS, "memory/odd-characters/", "launch-orchestration/rank-killed/"):
        page.goto(house + address)
        needed = page.evaluate("document.documentElement.scrollWidth")
        if needed > width:
            wide[address] = needed
    page.close()
    assert wide == {}


def test_no_page_loads_the_search_of_the_theme(chromium: Browser, house: str) -> None:
    page = chromium.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url.removeprefix(house)))
    page.goto(house + "numerics/loss-is-nan/")
    page.wait_for_load_state("networkidle")
    page.close()
    assert not [url for url in requested if "search_index" in url or "workers/" in url or "sitemap" in url]
    assert "assets/encyclopedia.css" in requested


def test_the_indexes_work_without_javascript(chromium: Browser, house: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(house)
    expect(page.locator("noscript p")).to_be_visible()
    page.get_by_role("link", name="Hardware fault").first.click()
    page.get_by_role("link", name="The GPU has fallen off the bus").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("The GPU has fallen off the bus")
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_permanent_address_leads_to_the_signature(chromium: Browser, house: str, scripts: bool) -> None:
    context = chromium.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.goto(house + "r/MLFE-4021-1/")
    page.wait_for_url(house + "hardware-fault/gpu-off-the-bus/#mlfe-4021-1")
    if scripts:
        page.goto(house + "r/4021/#fixes")
        page.wait_for_url(house + "hardware-fault/gpu-off-the-bus/#fixes")
    context.close()


def test_the_colours_follow_the_system_until_chosen_and_then_stay(chromium: Browser, house: str) -> None:
    context = chromium.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(house)
    body = page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.locator("label[title='Colours: as the system. Switch to light']").click()
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    page.goto(house + "codes/")
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    context.close()


def test_what_has_the_focus_is_seen(chromium: Browser, house: str) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(house + "categories/")
    unseen = []
    for _ in range(25):
        page.keyboard.press("Tab")
        style = page.evaluate(
            """() => {
                const at = document.activeElement;
                const shown = at.matches("input.md-option") ? at.nextElementSibling : at;
                const { outlineStyle, outlineWidth } = getComputedStyle(shown);
                return [at.outerHTML.slice(0, 80), outlineStyle, parseFloat(outlineWidth)];
            }"""
        )
        if not style[0].startswith("<body") and (style[1] == "none" or style[2] < 1):
            unseen.append(style)
    page.close()
    assert unseen == []


def test_a_printed_index_has_neither_menu_nor_search(chromium: Browser, house: str, tmp_path: Path) -> None:
    page = chromium.new_page()
    page.goto(house)
    page.emulate_media(media="print")
    for gone in (".md-header", ".md-tabs", ".enc-ask", ".md-footer"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(page.get_by_role("link", name="Hardware fault").first).to_be_visible()
    page.close()
