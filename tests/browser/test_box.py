"""The box for a log on an entry's page: it answers in place, loads only the site's own script, keeps nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from tests.browser.test_diagnose import KILLED, SLUG, answered, come_to_rest, paste
from tests.browser.walk import go_dark, noted, run_axe, sticks_out

pytestmark = pytest.mark.browser

OTHER = "memory/cuda-out-of-memory"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, site_url: str) -> Page:
    page = context.new_page()
    page.goto(f"{site_url}{OTHER}/")
    return page


def test_a_log_is_read_in_place_and_only_the_sites_own_script_is_asked_for(page: Page, site_url: str) -> None:
    page.wait_for_load_state("networkidle")
    asked: list[Request] = []

    def note(request: Request) -> None:
        if not request.url.startswith("blob:"):
            asked.append(request)

    page.on("request", note)
    assert page.evaluate("document.activeElement === document.body")
    page.get_by_label("Paste your log").focus()
    page.wait_for_load_state("networkidle")
    wanted = {f"{site_url}assets/diagnose.css", f"{site_url}assets/diagnose.js"}
    assert {request.url for request in asked} == wanted
    assert [request.post_data for request in asked] == [None, None]
    address = page.url
    paste(page, KILLED.decode())
    link = answered(page).locator(".enc-part--what a").first
    assert (link.get_attribute("href") or "") == f"{site_url}{SLUG}/"
    expect(page.locator(".enc-result .enc-part--who")).to_contain_text("Rank 1")
    assert len(asked) == 2
    assert page.url == address
    assert page.evaluate("[window.name, document.cookie]") == ["", ""]
    kept = page.evaluate("[...Object.values(localStorage), ...Object.values(sessionStorage)].join()")
    assert "DataLoader worker" not in kept


def test_who_is_faster_than_the_script_is_answered_too(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/assets/diagnose.js", hold)
    with page.expect_request("**/assets/diagnose.js"):
        page.get_by_label("Paste your log").focus()
    paste(page, KILLED.decode())
    expect(page.get_by_label("Paste your log")).not_to_have_value("")
    expect(page.locator(".enc-result")).to_be_hidden()
    [route] = held
    route.continue_()
    expect(answered(page).locator(".enc-part--what a").first).to_have_text("A DataLoader worker process dies")


def test_a_script_that_does_not_come_is_told_and_asked_for_again(page: Page) -> None:
    page.route("**/assets/diagnose.js", lambda route: route.abort())
    page.get_by_label("Paste your log").fill(KILLED.decode())
    page.get_by_role("button", name="Diagnose").click()
    expect(page.locator("[data-log=status]")).to_have_text(
        "What reads logs could not be loaded. Press Diagnose to try again."
    )
    page.unroute("**/assets/diagnose.js")
    page.get_by_role("button", name="Diagnose").click()
    expect(answered(page).locator(".enc-part--what a").first).to_have_text("A DataLoader worker process dies")


def test_the_pages_own_keys_stay_and_what_the_answer_links_to_is_there(page: Page, site_url: str) -> None:
    page.get_by_label("Paste your log").focus()
    paste(page, "[rank0]: Traceback (most recent call last):\n[rank0]: OddError: never seen\nexitcode: 1 (pid: 7)\n")
    way = answered(page).get_by_role("link", name="go by what you see")
    assert way.get_attribute("href") == f"{site_url}diagnose/#by-symptom"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(page.locator(".enc-result")).to_be_visible()
    page.get_by_label("Paste your log").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".enc-result")).to_be_hidden()


def test_a_shared_link_leads_to_the_page_for_logs(page: Page, site_url: str) -> None:
    page.get_by_label("Paste your log").focus()
    paste(page, KILLED.decode())
    answered(page)
    copied = page.locator(".enc-export").get_by_role("button", name="Copy link").get_attribute("data-copy") or ""
    assert copied.startswith(f"{site_url}diagnose/#ids=MLFE-")


def test_a_copy_opened_from_a_disk_has_the_box_too(context: BrowserContext, site: Path) -> None:
    page = context.new_page()
    page.goto((site / OTHER / "index.html").as_uri())
    page.get_by_label("Paste your log").focus()
    paste(page, KILLED.decode())
    link = answered(page).locator(".enc-part--what a").first
    assert link.get_attribute("href") == (site / SLUG / "index.html").as_uri()


def test_without_a_script_it_is_a_link(chromium: Browser, site_url: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}{OTHER}/")
    expect(page.locator(".enc-box form")).to_be_hidden()
    page.get_by_role("link", name="Diagnose the log of your job").click()
    assert page.url == f"{site_url}diagnose/"
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_box_is_without_axe_violations_and_fits_a_phone(page: Page, site_url: str, scheme: str) -> None:
    if scheme == "dark":
        go_dark(page)
    with noted(page, site_url) as notes:
        assert run_axe(page) == []
        page.get_by_label("Paste your log").focus()
        paste(page, KILLED.decode() + "x" * 5000)
        answered(page)
        come_to_rest(page)
        assert run_axe(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert sticks_out(page) == []
        assert run_axe(page) == []
    assert notes == []
