"""Every page of the built site as all kinds of readers meet it: none is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.walk import Walk, go_dark, noted, run_axe, show_all, sticks_out, walk

pytestmark = pytest.mark.browser

ENTRY = "memory/cuda-out-of-memory/"
INDEX = "signatures/"
THREE = ("", INDEX, ENTRY)
"""One page of each kind, for what takes too long on all."""
LINES = """
(article) => [...article.querySelectorAll("h1, h2, h3, p, dt, dd, li, pre")]
    .filter((element) => !element.closest("noscript"))
    .map((element) => element.textContent.trim())
"""


@pytest.fixture(scope="module")
def addresses(site: Path) -> list[str]:
    """All pages but the permanent addresses, the longest first."""
    pages = [page for page in site.rglob("*.html") if page.relative_to(site).parts[0] != "r"]
    pages.sort(key=lambda page: page.stat().st_size, reverse=True)
    return [page.relative_to(site).as_posix().removesuffix("index.html") for page in pages]


@pytest.fixture(scope="module")
def walked(site_url: str, addresses: list[str]) -> Walk:
    """What a walk over all pages found; made once for the tests below."""
    return walk(site_url, addresses)


def test_the_walk_visits_every_page(walked: Walk, addresses: list[str], site: Path) -> None:
    assert walked.visited == tuple(sorted(addresses))
    listed = re.findall(r"<loc>https://[^/]+/(.*)</loc>", (site / "sitemap.xml").read_text(encoding="utf-8"))
    assert sorted([*listed, "404.html"]) == sorted(addresses)
    assert {"", "404.html", INDEX, ENTRY, "about/"} <= set(addresses)


@pytest.mark.parametrize(
    "what",
    [
        pytest.param("axe light", id="axe finds nothing in light"),
        pytest.param("axe dark", id="axe finds nothing in dark"),
        pytest.param("request", id="all that is loaded is the site's own and is there"),
        pytest.param("console", id="the console stays empty"),
        pytest.param("width", id="nothing sticks out of a phone"),
        pytest.param("print", id="what the screen folds is printed"),
    ],
)
def test_on_every_page(walked: Walk, what: str) -> None:
    assert walked.of(what) == []


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def test_the_walk_would_see_what_it_looks_for(page: Page, site_url: str) -> None:
    """Spoil a page in each way, so that an empty list means something."""
    page.goto(site_url + ENTRY)
    with noted(page, site_url) as notes:
        page.evaluate(
            """() => {
                const article = document.querySelector(".enc-entry");
                article.insertAdjacentHTML("beforeend",
                    '<p style="color:#bbb;background:#fff">faint</p><p id="wide" style="width:900px">wide</p>' +
                    '<img src="/none.png"><img src="http://elsewhere.example/x.png" alt="">');
                console.error("spoilt");
                setTimeout(() => { throw new Error("thrown"); });
            }"""
        )
        for _ in range(100):  # the page's policy forbids `wait_for_function`, which evaluates text in it
            page.wait_for_timeout(100)
            if page.evaluate("() => document.images.length > 0 && [...document.images].every((one) => one.complete)"):
                break
    assert {what for what, _ in notes} == {"request", "console"}
    assert [detail for _, detail in notes if "none.png" in detail]
    assert [detail for _, detail in notes if "Content Security Policy" in detail]
    assert [detail for _, detail in notes if detail in ("error: spoilt", "uncaught: thrown")] == [
        "error: spoilt",
        "uncaught: thrown",
    ]
    assert {found.partition(":")[0] for found in run_axe(page)} == {"color-contrast", "image-alt"}
    page.set_viewport_size({"width": 390, "height": 844})
    assert [found for found in sticks_out(page) if "in #wide" in found]


@pytest.mark.parametrize("address", THREE)
@pytest.mark.parametrize(("width", "height"), [(320, 256), (640, 450)])
def test_a_page_reflows_at_200_and_400_percent(
    chromium: Browser, site_url: str, address: str, width: int, height: int
) -> None:
    """A window of 1,280 px at these zooms is this many CSS pixels wide."""
    page = chromium.new_page(viewport={"width": width, "height": height}, device_scale_factor=1280 / width)
    page.goto(site_url + address)
    show_all(page)
    assert sticks_out(page) == []
    assert width > 320 or run_axe(page) == []
    page.close()


@pytest.mark.parametrize("address", THREE)
def test_text_twice_as_large_still_fits(page: Page, site_url: str, address: str) -> None:
    page.goto(site_url + address)
    show_all(page)
    before = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.md-content p')).fontSize)")
    page.evaluate("document.documentElement.style.fontSize = '250%'")  # the theme's own is 125 %
    after = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.md-content p')).fontSize)")
    assert after >= 1.8 * before
    assert sticks_out(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_what_the_search_shows_is_without_violations(page: Page, site_url: str, dark: bool) -> None:
    page.goto(site_url + INDEX)
    if dark:
        go_dark(page)
    page.keyboard.press("/")
    page.keyboard.type("cuda out of memory")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").first).to_be_visible()
    assert run_axe(page) == []
    page.keyboard.type("qqzzxxyy")
    page.get_by_role("textbox").first.fill("qqzzxxyy")
    expect(dialog.get_by_text("No entry matches.")).to_be_visible()
    assert run_axe(page) == []
    page.goto(site_url)
    page.locator("#paste").fill("CUDA out of memory")
    expect(page.locator(".enc-ask__results li").first).to_be_visible()
    assert run_axe(page) == []


@pytest.mark.parametrize("address", THREE)
def test_a_page_without_javascript_has_all_its_text_and_working_links(
    chromium: Browser, site_url: str, page: Page, address: str
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    bare = context.new_page()
    with noted(bare, site_url) as notes:
        bare.goto(site_url + address)
    assert notes == []
    page.goto(site_url + address)
    content, scripted = bare.locator(".md-content__inner"), page.locator(".md-content__inner")
    assert content.evaluate(LINES) == scripted.evaluate(LINES) != []
    context.close()


def test_readers_without_javascript_open_answers_and_perspectives_and_find_the_indexes(
    chromium: Browser, site_url: str
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site_url + ENTRY)
    for answer in page.locator(".enc-faq").all():
        answer.locator("summary").click()
        assert answer.locator(":scope > :not(summary)").first.is_visible()
    for name in ("engineer", "executive", "on-call"):
        page.locator(f"label[for=read-{name}]").click()
        expect(page.locator(f".enc-tab--{name}")).to_be_visible()
        expect(page.locator(".enc-tab:visible")).to_have_count(1)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("banner").get_by_role("link", name="All signatures").click()
    page.wait_for_url(site_url + INDEX)
    for name in ("Codes", "Categories", "A to Z"):
        page.locator(".md-tabs").get_by_role("link", name=name, exact=True).click()
        expect(page.locator(".md-tabs__item--active")).to_have_text(name)
    context.close()


@pytest.mark.parametrize("calm", [False, True])
def test_nothing_moves_for_those_who_asked_for_that(chromium: Browser, site_url: str, calm: bool) -> None:
    """The other readers' page must move, else this test would see nothing."""
    context = chromium.new_context(reduced_motion="reduce" if calm else "no-preference")
    page = context.new_page()
    page.goto(site_url + ENTRY)
    page.evaluate(
        """() => {
            window.moved = [];
            for (const kind of ["transitionrun", "animationstart"])
                document.addEventListener(kind, ({ target }) => moved.push(`${kind} ${target.className}`), true);
        }"""
    )
    page.keyboard.press("/")
    page.keyboard.type("oom")
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("summary").first.click()
    page.locator(".headerlink").last.scroll_into_view_if_needed()
    page.mouse.wheel(0, -400)
    page.wait_for_timeout(300)
    moved = page.evaluate("moved")
    assert (moved == []) is calm, moved
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    context.close()
