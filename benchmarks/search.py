"""From navigation to the first result: our search against the theme's own, on the same pages in the same browser.

Both sites are served from this machine with gzip, as static hosts do. Bytes are those the browser received, compressed,
for the search alone: index, workers, scripts; the page itself and what every page loads anyway are not counted.
"""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
SEARCH_FILES = ("/search/", "assets/search.js", "/workers/search", "/lunr/")
LONGEST_MS = 180_000
ANSWERED = """() => document.querySelector(".md-search-result__link")
    || /no matching|no entry|0 entries/i.test(document.querySelector(".md-search-result__meta").textContent)"""
"""A result is there, or the search says that there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one query cost."""

    seconds: float
    bytes: int
    first: str
    """Address of the first result; empty when there is none."""


def compare(ours: Path, plain: Path, asked: Sequence[tuple[str, str]]) -> None:
    """Print what each (query, slug) costs on both sites."""
    page = next(path.relative_to(ours).parent.as_posix() for path in sorted(ours.glob("*/synthetic-0/index.html")))
    name = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), "chromium", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=name, args=list(FLAGS))
        for title, site in (("ours", ours), ("the theme's search", plain)):
            with _serve(site) as address:
                _first_result(browser, f"{address}{page}/", asked[0][0])  # the server compresses once
                found = [(_first_result(browser, f"{address}{page}/", query), slug) for query, slug in asked]
            seconds = statistics.median(cost.seconds for cost, _ in found)
            size = max(cost.bytes for cost, _ in found)
            right = sum(f"/{slug}/" in cost.first for cost, slug in found)
            print(f"  {title:<20} {seconds:8.2f} s to the first result (median), {size / 1000:8.1f} kB at most, "
                  f"right entry first {right} of {len(found)}", flush=True)  # fmt: skip
        browser.close()


def _first_result(browser: Browser, address: str, query: str) -> Found:
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    sizes: dict[str, int] = {}
    names: dict[str, str] = {}
    session.on("Network.responseReceived", lambda event: names.update({event["requestId"]: event["response"]["url"]}))
    session.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: int(e["encodedDataLength"])}))
    session.send("Network.enable")
    worker_bytes: list[int] = []
    context.on("requestfinished", lambda request: worker_bytes.append(_worker_size(request)))
    start = time.perf_counter()
    page.goto(address, wait_until="domcontentloaded")
    field = page.locator(".md-search__input")
    field.click()
    field.fill(query[:119])
    field.press_sequentially(" ")  # the theme listens to keys
    page.wait_for_function(ANSWERED, timeout=LONGEST_MS)
    seconds = time.perf_counter() - start
    first = page.evaluate("() => document.querySelector('.md-search-result__link')?.href ?? ''")
    page.wait_for_timeout(100)
    counted = sum(size for id_, size in sizes.items() if any(part in names.get(id_, "") for part in SEARCH_FILES))
    context.close()
    return Found(seconds=seconds, bytes=max(counted, sum(worker_bytes)), first=first)


def _worker_size(request: Any) -> int:
    """Count what a worker fetched, which the page's own session does not see."""
    if not any(part in request.url for part in SEARCH_FILES):
        return 0
    sizes = request.sizes()
    return int(sizes["responseBodySize"] + sizes["responseHeadersSize"])


class _Gzip(SimpleHTTPRequestHandler):
    packed: dict[str, bytes]

    def do_GET(self) -> None:
        """Answer with the file compressed."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        body = self.packed.get(str(path)) or self.packed.setdefault(str(path), gzip.compress(path.read_bytes(), 6))
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class's name
        """Say nothing."""


@contextmanager
def _serve(folder: Path) -> Iterator[str]:
    handler = type("Handler", (_Gzip,), {"packed": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: handler(*args, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
