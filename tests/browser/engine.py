"""Both engines, side by side: jobs and an index -> the bytes of each answer."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from generator.diagnosis.diagnose import diagnose
from generator.index import Index
from generator.site.scripts import bundle, needed

Files = tuple[tuple[str, bytes], ...]
"""Names and bytes of one job's logs."""

_ASSETS = Path(__file__).parents[2] / "overrides" / "assets"
_END = "})();\n"
_TOGETHER = 100
"""Jobs that go to the browser in one call."""
_DIAGNOSE = """
async ([index, jobs]) => {
  if (index !== null) globalThis.given = JSON.parse(index);
  const told = [];
  for (const job of jobs) {
    const files = job.map(([name, text], place) => {
      const data = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const step = 1 + ((data.length * 7 + place) % 65_537);
      async function* chunks() {
        for (let at = 0; at < data.length; at += step) yield data.subarray(at, at + step);
      }
      return { name, size: data.length, chunks };
    });
    const { diagnosis, context, timeline } = await diagnose(files, given, () => {});
    told.push([toText(diagnosis), context, timeline]);
  }
  return told;
}
"""


def open_engine(browser: Browser) -> Page:
    """Open a page in which the engine stands on its own, its functions within reach."""
    page = browser.new_page()
    script = bundle(_ASSETS, needed(_ASSETS, "diagnosis/diagnose.mjs")).removesuffix(_END)
    page.evaluate(f"() => {{ {script}Object.assign(globalThis, {{ diagnose, toText, matchLine }});\n{_END} }}")
    return page


def in_browser(page: Page, raw: Mapping[str, Any], jobs: Iterable[Files]) -> Iterator[tuple[str, Any, Any]]:
    """Yield each job's answer, the surroundings of its lines and its timeline."""
    index: str | None = json.dumps(raw, ensure_ascii=False)
    waiting = iter(jobs)
    while some := tuple(islice(waiting, _TOGETHER)):
        sent = [[[name, base64.b64encode(data).decode()] for name, data in files] for files in some]
        yield from page.evaluate(_DIAGNOSE, [index, sent])
        index = None


def in_python(index: Index, files: Files) -> str:
    """Return a job's answer."""
    found = diagnose([(name, [data]) for name, data in files], index)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def assert_alike(page: Page, raw: Mapping[str, Any], jobs: tuple[Files, ...]) -> list[dict[str, Any]]:
    """Hold both engines to the same bytes and return the answers."""
    index = Index.from_json(raw)
    answers = []
    for files, (told, _, _) in zip(jobs, in_browser(page, raw, jobs), strict=True):
        expected = in_python(index, files)
        if told != expected:
            assert json.loads(told) == json.loads(expected), files
            assert told == expected
        answers.append(json.loads(told))
    return answers
