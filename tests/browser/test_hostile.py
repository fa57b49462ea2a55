"""An entry full of markup, template code and endless lines, as far as `check` lets it: it builds, and does nothing.

The site is built by MkDocs, with our templates, and by Zensical from the export, which renders the Markdown twins.
Zensical's has no content security policy, so what got through there would run.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from generator.prose_problems import CONTROL
from tests.browser.walk import noted, run_axe, show_all, sticks_out
from tests.site import ROOT, TOOLS, build, serve

pytestmark = pytest.mark.browser

FILE = "entries/model-code/markup-in-every-field.yaml"
ENTRY = FILE.removeprefix("entries/").removesuffix(".yaml") + "/"
TITLE = "Markup </code><script>alert(1)</script> & {{ 7*7 }} {% raw %} a|b"
LINE = 'HostileError: </code></pre><script>alert(13)</script> | {{ 7*7 }} {% raw %} `x` "><img src=x onerror=alert(14)>'
LONG = 5000
ALERTS = 35
IN_AN_ADDRESS = 30
"""The one that stands in the address of a reference and is never shown."""

ACTIVE = """
() => [
    ...[...document.querySelectorAll("script:not([src], [type='application/ld+json'])")]
        .filter(({ text }) => /alert\\(\\d/.test(text)),
    ...[...document.querySelectorAll("*")].filter((one) => [...one.attributes].some(({ name, value }) =>
        name.startsWith("on") || /^\\s*javascript:/i.test(value) || (name === "src" && value === "x"))),
].map(({ outerHTML }) => outerHTML.slice(0, 200))
"""
"""Scripts, handlers, addresses that run and `src=x`: whatever of the entry became more than text."""


ours = pytest.mark.parametrize("made", ["mkdocs"], indirect=True)
"""For what only our own templates and scripts show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A built site and where it is served."""

    folder: Path
    url: str

    @property
    def concerned(self) -> list[str]:
        """Pages that show something of the entry, but for the permanent addresses, which lead on at once."""
        pages = [page.relative_to(self.folder) for page in self.folder.rglob("*.html")]
        shown = [page for page in pages if "alert(" in (self.folder / page).read_text(encoding="utf-8")]
        return sorted(page.as_posix().removesuffix("index.html") for page in shown if page.parts[0] != "r")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project, and the entry in it."""
    root = tmp_path_factory.mktemp("hostile") / "project"
    for name in ("entries", "schema", "docs", "overrides"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "mkdocs.yml", root)
    text = (ROOT / "tests/data/hostile" / FILE).read_text(encoding="utf-8")
    text = text.replace("LONG", "L" * LONG).replace("MIDDLE", "M" * 800)
    (root / FILE).write_text(text, encoding="utf-8")
    register = root / "entries/ids.lock"
    lines = register.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    added = "MLFE-0001 model-code/markup-in-every-field published 1"
    register.write_text("\n".join([*comments, added, *lines[len(comments) :]]) + "\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module", params=["mkdocs", "zensical"])
def made(request: pytest.FixtureRequest, project: Path) -> Iterator[Site]:
    if request.param == "mkdocs":
        folder = project / "site"
        build(folder, project)
    else:
        export = project.parent / "export"
        for command, place in (
            (("encyclopedia", "export", "--markdown", str(export)), project),
            (("zensical", "build", "--strict"), export),
        ):
            ran = subprocess.run(
                [TOOLS / command[0], *command[1:]], cwd=place, capture_output=True, text=True, check=False
            )
            assert ran.returncode == 0, ran.stdout + ran.stderr
        folder = export / "site"
    with serve(folder) as url:
        yield Site(folder=folder, url=url)


@pytest.fixture
def said() -> list[str]:
    """What scripts said in dialogs."""
    return []


@pytest.fixture
def page(chromium: Browser, said: list[str]) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 390, "height": 844})

    def note(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    yield page
    page.close()
    assert said == []


def test_no_page_that_shows_the_entry_runs_any_of_it(made: Site, page: Page) -> None:
    concerned = made.concerned
    assert {"", ENTRY, "signatures/", "a-z/", "codes/", "model-code/", "tag/shapes/"} <= set(concerned)
    for address in concerned:
        with noted(page, made.url) as notes:
            page.goto(made.url + address)
            assert page.evaluate(ACTIVE) == [], address
        assert [note for note in notes if note[0] == "console" or note[1].endswith("/x")] == [], address


def test_the_page_shows_it_all_as_text(made: Site, page: Page) -> None:
    page.goto(made.url + ENTRY)
    text = page.locator("article").evaluate_all("all => all.map((one) => one.textContent).join(' ')")
    assert TITLE in " ".join(page.locator("h1").first.inner_text().split())
    assert f"{LINE} 12" in text
    assert {int(number) for number in re.findall(r"alert\((\d+)\)", text)} == {*range(1, ALERTS + 1)} - {IN_AN_ADDRESS}
    assert text.count("L" * LONG) >= 8
    for shown in ("%0A::error file=a,line=1::injected", "::stop-commands::x {{ 7*7 }}", "{% endraw %}", "`&lt;0&gt;`"):
        assert shown.strip("`") in text
    assert "49" not in re.sub(r"\{\{ 49 \}\}|is not 49", "", text)


@ours
def test_what_search_engines_read_is_data(made: Site, page: Page) -> None:
    page.goto(made.url + ENTRY)
    [text] = page.locator("script[type='application/ld+json']").evaluate_all("all => all.map((one) => one.textContent)")
    told = json.loads(text)
    assert told["@type"] == "TechArticle"
    assert " ".join(told["headline"].split()) == TITLE
    assert "<script>alert(4)</script>" in told["description"]
    assert told["url"].endswith(ENTRY)


@ours
def test_nothing_of_it_widens_a_page(made: Site, page: Page) -> None:
    for address in (ENTRY, "", "signatures/", "a-z/", "codes/", "model-code/", "tag/shapes/", "severity/critical/"):
        page.goto(made.url + address)
        show_all(page)
        assert sticks_out(page) == [], address


@ours
def test_the_page_is_without_violations(made: Site, page: Page) -> None:
    page.goto(made.url + ENTRY)
    show_all(page)
    assert run_axe(page) == []


@ours
def test_indexes_show_its_names_and_its_line(made: Site, page: Page) -> None:
    for address, shown in (
        ("", TITLE),
        ("a-z/", '"><img src=x onerror=alert(2)>'),
        ("a-z/", "</code></pre><script>alert(3)</script>"),
        ("codes/", TITLE),
        ("signatures/", LINE),
        ("signatures/", '"><script>alert(11)</script>'),
        ("model-code/", "<script>alert(4)</script>"),
    ):
        page.goto(made.url + address)
        assert shown in page.locator(".md-content").inner_text(), (address, shown)


@ours
def test_signs_that_turn_the_direction_of_text_stay_within_what_they_stand_in(made: Site, page: Page) -> None:
    page.goto(made.url + ENTRY)
    turned = page.evaluate(
        """(signs) => {
            const found = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const { unicodeBidi } = getComputedStyle(node.parentElement);
                if (new RegExp(signs, "u").test(node.data) && !unicodeBidi.includes("isolate"))
                    found.push(`${node.parentElement.outerHTML.slice(0, 200)}`);
            }
            return found;
        }""",
        "[\u202a-\u202e\u2066-\u2069]",
    )
    assert turned == []


@ours
def test_the_search_shows_it_as_text(made: Site, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    for query in ("zzqqhostile", LINE):
        page.goto(made.url + "about/")
        page.keyboard.press("/")
        page.keyboard.insert_text(query)
        first = page.get_by_role("dialog").get_by_role("listitem").first
        expect(first).to_contain_text(TITLE)
        expect(first).to_contain_text("<script>alert(4)</script>")
        assert page.evaluate(ACTIVE) == []


@ours
def test_a_permanent_address_leads_to_it(made: Site, page: Page) -> None:
    assert "<script>alert" not in (made.folder / "r/0001-1/index.html").read_text(encoding="utf-8")
    page.goto(made.url + "r/0001-1/")
    page.wait_for_url(made.url + ENTRY + "#mlfe-0001-1")


@ours
def test_the_index_and_the_twin_are_data(made: Site) -> None:
    json.loads((made.folder / "search/index.json").read_text(encoding="utf-8"))
    twin = (made.folder / ENTRY / "index.md").read_text(encoding="utf-8")
    outside = re.sub(r"(?ms)^(`{3,})[^\n]*\n.*?^\1$", "", twin)
    assert "HostileError" not in outside.replace("``HostileError", "")
    assert not CONTROL.search(outside)
