"""A log in Chromium: how fast a worker scans it, and whether the page that diagnoses it answers meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Playwright, sync_playwright

from generator.site.scripts import bundle, needed

ROOT = Path(__file__).resolve().parent.parent
WORKER = """
onmessage = async ({ data: { file, literals } }) => {
    const gate = makeGate(literals);
    const began = performance.now();
    const { hits } = await scan(unpack({ name: "job.log", blob: file, steps: [] }), gate);
    postMessage([performance.now() - began, hits]);
};
"""
START = """
([source, literals]) => new Promise((resolve, reject) => {
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (error) => reject(error.message);
    worker.postMessage({ file: document.querySelector("input").files[0], literals });
})
"""
TICK = """
(() => {
    let before = performance.now();
    window.longestWait = 0;
    setInterval(() => {
        const now = performance.now();
        window.longestWait = Math.max(window.longestWait, now - before);
        before = now;
    }, 5);
})();
"""
"""Notes the longest time in which the page had no turn."""
LONGEST = 300_000
"""Milliseconds that a diagnosis may take."""


def build_site(target: Path) -> Path:
    """Build the project's site."""
    mkdocs = Path(sys.executable).parent / "mkdocs"
    subprocess.run([mkdocs, "build", "--strict", "-d", target], cwd=ROOT, capture_output=True, check=True)
    return target


def print_worker(log: Path, literals: Sequence[str], rounds: int) -> None:
    """Print how fast a worker of Chromium scans the same file, picked as a reader picks it."""
    assets = ROOT / "overrides" / "assets"
    modules = dict.fromkeys(m for name in ("unpack", "gate", "scan") for m in needed(assets, f"diagnosis/{name}.mjs"))
    script = bundle(assets, tuple(modules)).rstrip().removesuffix("})();") + WORKER + "})();"
    megabytes = log.stat().st_size / 1e6
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        page = browser.new_page()
        page.set_content("<input type=file>")
        page.locator("input").set_input_files(log)
        session = browser.new_browser_cdp_session()
        runs = []
        for _ in range(rounds):
            before = _cpu(session)
            total, hits = page.evaluate(START, [script, list(literals)])
            runs.append((_cpu(session) - before, total / 1000, hits))
        browser.close()
    cpu, clock = (megabytes / min(run[i] for run in runs) for i in range(2))
    print(
        f"  Chromium worker {clock:6.0f} MB/s by the clock, {cpu:.0f} of CPU, both with reading; {runs[0][2]} hits",
        flush=True,
    )


def _cpu(session: CDPSession) -> float:
    """Return the CPU seconds of the processes that show pages."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(float(process["cpuTime"]) for process in processes if process["type"] == "renderer")


def print_page(log: Path, site: Path) -> None:
    """Print how long the page takes to diagnose a log, opened from the disk, and how long it stood still meanwhile."""
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        page = browser.new_page()
        page.add_init_script(TICK)
        page.goto((site / "diagnose/index.html").as_uri())
        page.locator("[data-log=picker]").set_input_files(log)
        began = page.evaluate("() => { window.longestWait = 0; return performance.now(); }")
        page.locator("[data-log=result] .enc-verdict").wait_for(timeout=LONGEST)
        ended, longest = page.evaluate("() => [performance.now(), window.longestWait]")
        browser.close()
    print(f"  Chromium page   {(ended - began) / 1000:6.2f} s; it stood still for {longest:.0f} ms at most", flush=True)


def _launch(playwright: Playwright) -> Browser:
    name = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), "chromium", "google-chrome"))), None)
    return playwright.chromium.launch(executable_path=name, args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
