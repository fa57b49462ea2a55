"""An address that leads nowhere: an id in any form leads on, other words are looked up, and nothing in it does harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.walk import go_dark, run_axe, sticks_out
from tests.site import Quiet

pytestmark = pytest.mark.browser

ENTRY = "memory/cuda-out-of-memory/"
NUMBER = "6612"
SAID = re.compile("^[0-9]+ entr(y|ies)$")


class _Lost(Quiet):
    """Answers as hosts of static pages do."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(HTTPStatus(code))
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Lost, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[str]:
    with hosting(site) as address:
        yield address


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("typed", "anchor"),
    [
        (f"r/Mlfe-{NUMBER}/", ""),
        (f"MLFE-{NUMBER}", ""),
        (f"{NUMBER}/", ""),
        (f"r/mlfe_{NUMBER}.html#fixes", "#fixes"),
        (f"r/{NUMBER}-1/more", f"#mlfe-{NUMBER}-1"),
        (f"R/MLFE-{NUMBER}-01", f"#mlfe-{NUMBER}-1"),
        (f"r/{NUMBER}-9999/", ""),
    ],
)
def test_an_id_in_any_form_leads_on(page: Page, host: str, typed: str, anchor: str) -> None:
    page.goto(host + typed)
    page.wait_for_url(f"{host}{ENTRY}{anchor}", timeout=5_000)


@pytest.mark.parametrize(
    "typed",
    ["cuda-out-of-memory/", "memory/cuda-out-of-memry/", "old/CUDA_out%20of-memory.html"],
)
def test_the_words_of_an_address_are_looked_up(page: Page, host: str, typed: str) -> None:
    page.goto(host + typed)
    first = page.locator("[data-enc-lost] [data-enc-results] a").first
    expect(first).to_have_attribute("href", host + ENTRY)


@pytest.mark.parametrize(
    "typed",
    [
        "%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "%0A::error::x",
        "%E2%80%AEmemory%60%7B%7B",
        "%FF%FE",
        "r/9999-1/",
        "x" * 5_000,
        "//elsewhere.example/1234",
    ],
)
def test_nothing_in_an_address_does_harm(page: Page, host: str, typed: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(host + typed)
    expect(page.locator("h1")).to_have_text("No page has this address")
    expect(page.locator("[data-enc-lost] [data-enc-status]")).to_have_text(SAID)
    assert [url for url in asked if not url.startswith(host)] == []
    assert sticks_out(page) == []


@pytest.mark.parametrize("is_dark", [False, True])
def test_it_is_without_violations_and_fits_a_phone(page: Page, host: str, is_dark: bool) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(host + "memory/cuda-out-of-memry/")
    if is_dark:
        go_dark(page)
    expect(page.locator("[data-enc-lost] [data-enc-results] a").first).to_be_visible()
    assert run_axe(page) == []
    assert sticks_out(page) == []
