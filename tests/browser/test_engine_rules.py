"""Both engines read every part of the index's format alike, also those that no entry uses yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from generator.indexing import build
from tests.browser.engine import assert_alike, open_engine
from tests.browser.made_index import made_index, made_jobs
from tests.pages import real_catalog

pytestmark = pytest.mark.browser

INDEXES = 12
JOBS = 60


@pytest.fixture(scope="module")
def engine(chromium: Browser) -> Iterator[Page]:
    page = open_engine(chromium)
    yield page
    page.close()


def test_made_up_signatures(engine: Page) -> None:
    frame = build(real_catalog(), "https://encyclopedia.example/")
    seen: Counter[str] = Counter()
    for seed in range(INDEXES):
        for told in assert_alike(engine, made_index(frame, seed), made_jobs(seed, JOBS)):
            seen[told["outcome"]] += 1
            seen["runner-up"] += told["what"]["runner_up"] is not None
            seen["fact"] += bool(told["why"])
            seen["accused"] += told["who"]["status"] == "supported"
            seen["detected"] += any(entry["signature"] == "" for entry in told["what"]["entries"])
            seen["shared"] += any(entry["because"] == "It can be this." for entry in told["what"]["entries"])
            seen["proved"] += any(entry["because"].startswith("It says") for entry in told["what"]["entries"])
    wanted = ("runner-up", "fact", "accused", "detected", "shared", "proved", "failed", "cancelled", "succeeded")
    assert not [name for name in wanted if seen[name] == 0], seen
