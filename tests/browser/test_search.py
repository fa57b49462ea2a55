"""The search as a reader meets it: what pasted lines and typed words find, in the dialog and on the home page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, Page, expect

from generator.catalog import read_catalog
from generator.model import Catalog
from generator.search import WHOLE_UP_TO, build_index, signature_files
from tests.site import ROOT

pytestmark = pytest.mark.browser

QUERIES: dict[str, list[str]] = yaml.safe_load((ROOT / "tests/search/queries.yaml").read_text(encoding="utf-8"))
TERMS = json.loads((ROOT / "tests/conformance/terms.json").read_text(encoding="utf-8"))
PASTED = """\
Traceback (most recent call last):
  File "/app/train.py", line 12, in <module>
    out = embedding(ids)
IndexError: index out of range in self
"""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog(ROOT / "entries", ROOT / "schema/entry.schema.json").catalog


@pytest.fixture
def page(chromium: Browser, site_url: str) -> Iterator[Page]:
    page = chromium.new_page()
    page.goto(site_url + "about/")
    yield page
    page.close()


@pytest.fixture(scope="module")
def finder(chromium: Browser, site_url: str) -> Iterator[Page]:
    """A page with the engine at hand, to ask it many queries quickly."""
    page = chromium.new_page()
    page.goto(site_url)
    page.evaluate(
        """async () => {
            const { SearchEngine } = await import("/assets/search/engine.mjs");
            const tokens = await import("/assets/search/tokens.mjs");
            const read = async (name) => (await fetch("/search/" + name)).json();
            window.engine = new SearchEngine(await read("index.json"), read);
            window.tokens = tokens;
        }"""
    )
    yield page
    page.close()


def found(finder: Page, query: str) -> list[str]:
    """Return the slugs of the results, best first."""
    results = finder.evaluate("async (query) => (await engine.search(query)).map((r) => r.address)", query)
    return [address.rpartition("/")[2] for address in results]


def test_natural_queries_find_their_entry(finder: Page) -> None:
    asked = [(query, slug) for slug, queries in QUERIES.items() for query in queries]
    assert len(asked) >= 120
    missed = [(query, slug) for query, slug in asked if slug not in found(finder, query)[:3]]
    assert len(missed) <= 0.05 * len(asked), missed


def test_a_line_that_a_signature_recognises_shows_its_entry_first(finder: Page, catalog: Catalog) -> None:
    for entry in catalog.published:
        for signature in entry.signatures:
            if signature.role == "cause" and signature.specificity == "unique":
                line = signature.wordings[0].samples[0].line
                best = finder.evaluate("async (line) => (await engine.search(line))[0].signature", line)
                assert best is not None, line
                assert entry.signature_id(signature) == best["id"] or best["rank"] == 0, line


def test_words_are_recognised_by_no_signature(finder: Page) -> None:
    found_ = finder.evaluate("async () => await engine.search('loss becomes nan after warmup')")
    assert found_
    assert [result["signature"] for result in found_ if result.get("signature")] == []


def test_queries_are_for_written_entries(catalog: Catalog) -> None:
    assert set(QUERIES) == {entry.slug for entry in catalog.published}


def test_sample_lines_find_the_entry_that_owns_them(finder: Page, catalog: Catalog) -> None:
    samples = [
        (sample.line, entry.slug)
        for entry in catalog.published
        for signature in entry.signatures
        for wording in signature.wordings
        for sample in wording.samples
    ]
    places = [[*found(finder, line)[:3], slug].index(slug) for line, slug in samples]
    assert max(places) <= 2, [sample for sample, place in zip(samples, places, strict=True) if place > 2]
    assert places.count(0) >= 0.95 * len(places)


@pytest.mark.parametrize("case", TERMS, ids=lambda case: case["text"][:30])
def test_terms_are_those_of_python(finder: Page, case: dict[str, object]) -> None:
    assert finder.evaluate("(text) => tokens.termsOf(text)", case["text"]) == case["terms"]
    assert finder.evaluate("(text) => tokens.phraseOf(text)", case["text"]) == case["phrase"]


def test_an_index_in_parts_finds_the_same(finder: Page, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.search.WHOLE_UP_TO", 0)
    monkeypatch.setattr("generator.search.SHARD", 700)
    files = (*build_index(catalog), *signature_files(catalog))
    parts = {file.path.removeprefix("search/"): json.loads(file.content) for file in files}
    assert len(parts) > 20
    assert WHOLE_UP_TO > 0
    finder.evaluate(
        """async (parts) => {
            const { SearchEngine } = await import("/assets/search/engine.mjs");
            window.parted = new SearchEngine(parts["index.json"], async (name) => parts[name]);
        }""",
        parts,
    )
    for slug, queries in QUERIES.items():
        for query in queries[:4]:
            answer = finder.evaluate("async (query) => (await parted.search(query)).map((r) => r.address)", query)
            assert slug in [address.rpartition("/")[2] for address in answer][:3], query


def test_slash_opens_the_dialog_and_typing_searches(page: Page) -> None:
    page.keyboard.press("/")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    page.keyboard.type("cuda oom")
    first = page.get_by_role("dialog").get_by_role("listitem").first
    expect(first).to_contain_text("memory/cuda-out-of-memory")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/memory/cuda-out-of-memory/")


def test_escape_closes_the_dialog(page: Page) -> None:
    page.keyboard.press("/")
    expect(page.locator("#__search")).to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator("#__search")).not_to_be_checked()


def paste(page: Page, text: str) -> None:
    """Paste as a mouse does: a paste event and an input event, no key."""
    page.evaluate(
        """(text) => {
            const field = document.activeElement;
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
            if (field.dispatchEvent(event)) {
                field.value = text;
                field.dispatchEvent(new InputEvent("input", { bubbles: true }));
            }
        }""",
        text,
    )


@pytest.mark.parametrize("text", [PASTED, PASTED.splitlines()[-1]])
def test_a_pasted_text_searches_at_once(page: Page, text: str) -> None:
    page.keyboard.press("/")
    paste(page, text)
    first = page.get_by_role("dialog").get_by_role("listitem").first
    expect(first).to_contain_text("model-code/embedding-index-out-of-range")


def test_the_home_page_takes_several_lines(page: Page, site_url: str) -> None:
    page.goto(site_url)
    page.locator("#paste").focus()
    paste(page, PASTED)
    expect(page.locator(".enc-ask__results li").first).to_contain_text("embedding-index-out-of-range")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_results_of_the_home_page_stand_under_its_field(page: Page, site_url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site_url)
    page.locator("#paste").fill("CUDA out of memory")
    expect(page.locator(".enc-ask__results li").first).to_be_visible()
    box = "(one) => { const b = document.querySelector(one).getBoundingClientRect(); return [b.left, b.right, b.top]; }"
    field, item, title = (page.evaluate(box, f"{one}") for one in ("#paste", ".enc-ask__results li", ".enc-ask h2"))
    assert abs(title[0] - field[0]) <= 2
    assert abs(item[1] - field[1]) <= 2
    assert title[2] - item[2] < 25
    line = "(one) => getComputedStyle(document.querySelector(one)).textDecorationLine"
    assert page.evaluate(line, ".enc-ask__results h2") == "underline"
    assert {page.evaluate(line, f".enc-ask__results {one}") for one in ("a", "p")} == {"none"}


def test_an_address_can_hold_the_query(page: Page, site_url: str) -> None:
    page.goto(site_url + "?q=Xid%2079")
    first = page.get_by_role("dialog").get_by_role("listitem").first
    expect(first).to_contain_text("hardware-fault/gpu-fallen-off-bus")


def test_no_result_leads_on(page: Page, site_url: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type("qqzzxxyy")
    page.get_by_role("link", name="Diagnose the whole log").click()
    page.wait_for_url(site_url + "diagnose/")
    expect(page.locator("#log")).to_be_focused()


def test_the_reset_button_clears(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("nan")
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(0)


def test_results_hold_no_markup_of_the_query(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("<img src=x onerror=alert(1)> nan")
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    assert page.locator(".enc-search img").count() == 0


def test_the_index_is_loaded_only_when_asked_for(chromium: Browser, site_url: str, site: Path) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site_url)))
    page.goto(site_url + "about/", wait_until="networkidle")
    assert not [url for url in asked if url.startswith("search/")]
    page.keyboard.press("/")
    page.keyboard.type("nan")
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    fetched = [url for url in asked if url.startswith("search/")]
    assert fetched[0] == "search/index.json"
    assert not [url for url in fetched if "/signatures/" in url]
    assert sum((site / url).stat().st_size for url in fetched) < 100_000
    page.close()
