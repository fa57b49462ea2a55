"""One headless Chromium for all browser tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.site import build, serve

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str:
    """Return the browser that `$CHROMIUM` names, or the first on PATH; fail the test when there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None or shutil.which(found) is None:
        pytest.fail("no Chromium: set CHROMIUM to its executable, or let `make test` install it")
    return found


def launch(playwright: Playwright) -> Browser:
    """Start a headless browser that asks for nothing on its own."""
    return playwright.chromium.launch(executable_path=find_chromium(), headless=True, args=list(_FLAGS))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless browser, started once; make a context or a page of your own."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser_page(chromium: Browser) -> Iterator[Page]:
    """An empty page in which scripts can be run."""
    page = chromium.new_page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own site, built once."""
    target = tmp_path_factory.mktemp("site") / "site"
    build(target)
    return target


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """Where the site is served, with a slash at the end."""
    with serve(site) as address:
        yield address
