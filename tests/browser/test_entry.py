"""An entry's page as a reader meets it: copying, deep links, tabs, print, a phone, no script, a hostile entry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from generator.catalog import read_catalog
from generator.entry_page.lookup import key_of
from generator.expand import expand
from generator.model import Entry
from generator.render import Renderer
from tests.pages import ROOT, SCHEMA, catalog_of, hostile

pytestmark = pytest.mark.browser

ASSETS = ROOT / "overrides" / "assets"


@pytest.fixture(scope="module")
def entry() -> Entry:
    """Return a published entry that fills what these tests look at."""
    entries = read_catalog(ROOT / "entries", SCHEMA).catalog.published
    return next(e for e in entries if e.signatures and e.confirm and e.fixes and e.symptoms and e.impact)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, site_url: str, entry: Entry) -> Page:
    page = context.new_page()
    page.goto(f"{site_url}{entry.address}/")
    return page


def test_a_signature_is_copied_as_text_as_link_and_as_markdown(page: Page, site_url: str, entry: Entry) -> None:
    number = f"{entry.number}-{entry.signatures[0].k}"
    buttons = page.locator(".enc-signature").first.locator(".enc-copy")
    copied = []
    for position in range(3):
        buttons.nth(position).click()
        expect(buttons.nth(position)).to_have_text("Copied")
        copied.append(page.evaluate("navigator.clipboard.readText()"))
    assert copied[0] == key_of(entry.signatures[0])
    assert copied[1] == f"{site_url}r/{number}/"
    assert copied[2].startswith(f"[MLFE-{number}: ")
    assert copied[2].endswith(f"]({site_url}r/{number}/)")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    expect(buttons.first).to_have_text("Copy text")


def test_a_link_to_an_answer_opens_it(page: Page) -> None:
    answer = page.locator("#faq-production")
    expect(answer).not_to_have_attribute("open", "")
    page.evaluate("location.hash = 'faq-production'")
    expect(answer).to_have_attribute("open", "")


def test_a_link_to_a_perspective_shows_it(page: Page) -> None:
    expect(page.locator(".enc-tab--executive")).to_be_hidden()
    page.evaluate("location.hash = 'executive'")
    expect(page.locator(".enc-tab--executive")).to_be_visible()
    expect(page.locator(".enc-tab--on-call")).to_be_hidden()


def test_tabs_follow_the_arrow_keys(page: Page) -> None:
    page.locator("#read-on-call").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#read-engineer")).to_be_checked()
    expect(page.locator(".enc-tab--engineer")).to_be_visible()


def test_ticks_stay_in_the_browser(page: Page, entry: Entry) -> None:
    box = page.locator(f"#check-{entry.confirm[0].id}")
    box.check()
    page.reload()
    expect(box).to_be_checked()
    box.uncheck()
    page.reload()
    expect(box).not_to_be_checked()


def test_the_themes_copy_buttons_are_no_landmarks(page: Page) -> None:
    expect(page.locator("nav.md-code__nav").first).to_have_attribute("role", "none")
    expect(page.locator("nav.md-code__nav:not([role])")).to_have_count(0)


def test_print_shows_what_the_screen_folds(page: Page) -> None:
    page.emulate_media(media="print")
    for name in ("on-call", "engineer", "executive"):
        expect(page.locator(f"#{name}")).to_be_visible()
    shown = page.locator("#faq-production li, #faq-production p").first.evaluate("e => e.checkVisibility()")
    assert shown
    expect(page.locator(".enc-copy").first).to_be_hidden()


def test_all_but_copying_works_without_a_script(chromium: Browser, site_url: str, entry: Entry) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}{entry.address}/")
    expect(page.locator(".enc-copy").first).to_be_hidden()
    page.locator("label[for=read-executive]").click()
    expect(page.locator(".enc-tab--executive")).to_be_visible()
    page.locator("#faq-production summary").click()
    expect(page.locator("#faq-production li, #faq-production p").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(chromium: Browser, site_url: str, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 900})
    for found in read_catalog(ROOT / "entries", SCHEMA).catalog.published:
        page.goto(f"{site_url}{found.address}/")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, found.slug
    page.close()


def test_symptoms_become_cards_on_a_phone(chromium: Browser, site_url: str, entry: Entry) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 900})
    page.goto(f"{site_url}{entry.address}/")
    row = page.locator(f"#symptom-{entry.symptoms[0].id}")
    assert row.evaluate("row => getComputedStyle(row).display") == "block"
    assert row.locator("td").first.evaluate("cell => getComputedStyle(cell, '::before').content") == '"You see"'
    page.close()


def test_a_hostile_entry_does_nothing(chromium: Browser, site_url: str) -> None:
    html = Renderer(ROOT / "overrides").entry(expand(hostile(), catalog_of(hostile())), lambda address: f"/{address}")
    page = chromium.new_page(viewport={"width": 390, "height": 900})
    said: list[str] = []
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", answer)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}about/")
    asked.clear()
    page.evaluate("html => { document.querySelector('.md-content__inner').innerHTML = html }", html)
    page.add_style_tag(path=ASSETS / "entry.css")
    page.wait_for_timeout(300)
    assert said == []
    assert [url for url in asked if not url.startswith(site_url)] == []
    assert page.locator("script:not([src])", has_text="alert").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("h1").last).to_contain_text("A </code> <script> | {{ title }}")
    page.close()
