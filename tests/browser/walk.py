"""Walks over pages in Chromium and notes what is wrong with each: all checks of a page in one visit.

Two browsers share the pages, one for each core that the tests may count on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from queue import Empty, SimpleQueue

from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response, ViewportSize, sync_playwright

from tests.browser.conftest import launch

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
_BROWSERS = 2
_OF_COLOUR = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that colours decide: all that a page's other scheme can break."""
_DESK = ViewportSize(width=1280, height=900)
_PHONE = ViewportSize(width=390, height=844)

_RUN_AXE = """
async (colours) => {
    // Text near a pseudo-element is judged too, not left undecided; that is stricter, and faster.
    const checks = { "color-contrast": { options: { ignorePseudo: true } } };
    const run = async (context, options) =>
        (await axe.run(context, { resultTypes: ["violations"], checks, ...options })).violations;
    const look = (element) => {
        const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
        const around = element.localName === "a" ? getComputedStyle(element.parentElement).color : "";
        const seen = [color, fontSize, fontWeight, textDecorationLine, around];
        for (let one = element; one; one = one.parentElement) {
            const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(one);
            seen.push(backgroundColor, backgroundImage, opacity, filter);
        }
        return seen.join();
    };
    const samples = new Map();  // texts of one look are alike to the rules of colour, which take as long as all others
    for (const element of document.body.querySelectorAll("*")) {
        if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const key = look(element);
        if (!samples.has(key)) samples.set(key, []);
        if (samples.get(key).length < 2) samples.get(key).push(element);
    }
    const context = { include: [...samples.values()].flat() };
    const violations = await run(context, { runOnly: { type: "rule", values: colours.rules } });
    if (!colours.alone) violations.push(...(await run(document, { rules: { "color-contrast": { enabled: false } } })));
    return [...new Set(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`)))];
}
"""

_SHOW_ALL = """
() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    for (const tab of document.querySelectorAll(".enc-tab")) tab.style.display = "block";
}
"""

_FOLDED_AWAY = """
() => [...document.querySelectorAll("details:not([open]) > :not(summary), .enc-tab, .enc-tab > h3")]
    .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return !element.checkVisibility() || width < 20 || height < 5;
    })
    .map((element) => (element.closest("[id]") ?? element).id)
"""

_STICKS_OUT = """
() => {
    const root = document.documentElement;
    const room = root.clientWidth;
    const found = root.scrollWidth > room ? [`the page is ${root.scrollWidth} px wide`] : [];
    const above = function* (element) {
        for (let one = element; one && one !== document.body; one = one.parentElement) yield one;
    };
    const style = (element) => getComputedStyle(element);
    const hidden = (element) => style(element).clipPath === "inset(50%)";
    const scrolls = (element) =>
        ["auto", "scroll"].includes(style(element).overflowX) && element.getBoundingClientRect().right <= room + 0.5;
    const name = (element) => {
        const place = element.closest("[id]")?.id ?? "";
        return `${element.localName}.${element.className} in #${place}: ${element.textContent.trim().slice(0, 60)}`;
    };
    for (const element of document.querySelectorAll(".md-content *, .md-footer *")) {
        const { left, right, width } = element.getBoundingClientRect();
        if (!width || !element.checkVisibility({ visibilityProperty: true })) continue;
        const out = left < -0.5 || right > room + 0.5;
        const cut = element.scrollWidth > element.clientWidth + 1 && style(element).overflowX === "hidden";
        if (!out && !cut) continue;
        const around = [...above(element)];
        if (around.some(hidden)) continue;
        if (cut || !around.slice(1).some(scrolls)) found.push(`${cut ? "cut off" : "sticks out"}: ${name(element)}`);
    }
    return found;
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something wrong on a page."""

    page: str
    what: str
    """`axe light`, `axe dark`, `console`, `request`, `width` or `print`."""
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a walk saw."""

    visited: tuple[str, ...]
    findings: tuple[Finding, ...]

    def of(self, what: str) -> list[Finding]:
        """Return the findings of one kind."""
        return [finding for finding in self.findings if finding.what.startswith(what)]


def walk(url: str, addresses: Iterable[str]) -> Walk:
    """Visit pages, given the site's address and theirs within it; those that take longest should come first."""
    waiting: SimpleQueue[str] = SimpleQueue()
    for address in addresses:
        waiting.put(address)
    with ThreadPoolExecutor(_BROWSERS) as pool:
        walks = [pool.submit(_walk_on, url, waiting) for _ in range(_BROWSERS)]
        parts = [walk.result() for walk in walks]
    return Walk(
        visited=tuple(sorted(address for part in parts for address in part.visited)),
        findings=tuple(finding for part in parts for finding in part.findings),
    )


def run_axe(page: Page, *, colours_alone: bool = False) -> list[str]:
    """Return axe-core's violations on a page as it stands, one for each element; or those that a scheme can bring."""
    let_settle(page)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(_RUN_AXE, {"rules": list(_OF_COLOUR), "alone": colours_alone})
    return found


def let_settle(page: Page) -> None:
    """Wait for what moves or fades to come to its end: half way through, text has less contrast than it will have."""
    page.evaluate(
        """() => Promise.allSettled(document.getAnimations()
            .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
            .map((one) => one.finished))"""
    )


def sticks_out(page: Page) -> list[str]:
    """Return what is wider than the window and cannot be scrolled to inside something."""
    found: list[str] = page.evaluate(_STICKS_OUT)
    return found


def show_all(page: Page) -> None:
    """Open every fold and show every perspective, so that what they hold is looked at too."""
    page.evaluate(_SHOW_ALL)


def go_dark(page: Page) -> None:
    """Let the reader's system turn dark while the page is open."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("body[data-md-color-scheme=slate]")


@contextmanager
def noted(page: Page, url: str) -> Iterator[list[tuple[str, str]]]:
    """Note what a page asks of other hosts, what it does not get, and what it complains about."""
    notes: list[tuple[str, str]] = []

    def on_request(request: Request) -> None:
        if not request.url.startswith((url, "data:", "blob:")):
            notes.append(("request", f"another host: {request.url}"))

    def on_response(response: Response) -> None:
        if response.status >= 400:
            notes.append(("request", f"status {response.status}: {response.url}"))

    def on_failure(request: Request) -> None:
        notes.append(("request", f"failed: {request.url}"))

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            notes.append(("console", f"{message.type}: {message.text}"))

    def on_error(error: Error) -> None:
        notes.append(("console", f"uncaught: {error.message}"))

    listeners = {
        "request": on_request,
        "response": on_response,
        "requestfailed": on_failure,
        "console": on_console,
        "pageerror": on_error,
    }
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]  # each event's own type, in a loop
    yield notes
    for event, listener in listeners.items():
        page.remove_listener(event, listener)


def _walk_on(url: str, waiting: SimpleQueue[str]) -> Walk:
    """Visit what is waiting until nothing is; each thread has a browser of its own."""
    visited: list[str] = []
    findings: list[Finding] = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        while True:
            try:
                address = waiting.get_nowait()
            except Empty:
                break
            with noted(page, url) as notes:
                notes.extend(_visit(page, url + address))
            visited.append(address)
            findings += (Finding(page=address, what=what, detail=detail) for what, detail in notes)
        browser.close()
    return Walk(visited=tuple(visited), findings=tuple(findings))


def _visit(page: Page, address: str) -> Iterator[tuple[str, str]]:
    """Look at a page: as printed, in both schemes with everything open, and on a phone."""
    page.set_viewport_size(_DESK)
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.emulate_media(media="print")
    yield from (("print", f"not printed: #{anchor}") for anchor in page.evaluate(_FOLDED_AWAY))
    page.emulate_media(media="screen")
    show_all(page)
    yield from (("axe light", found) for found in run_axe(page))
    go_dark(page)
    yield from (("axe dark", found) for found in run_axe(page, colours_alone=True))
    page.set_viewport_size(_PHONE)
    yield from (("width", found) for found in sticks_out(page))
