"""The rendered page: golden files, ids and links, headings, code blocks, and that nothing in an entry can break out."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from generator.entry_page.page import Dates
from generator.expand import expand
from generator.model import Entry
from generator.render import Renderer, anchors_of
from tests.conftest import Golden
from tests.pages import ROOT, Seen, catalog_of, example, hostile, look_at, minimal, real_catalog

DATES = Dates(added="2026-11-30", changed="2026-12-01")
TAGS = """
a abbr article button caption code dd details div dl dt em fieldset figcaption figure form h1 h2 h3 header input label
legend li mark nav noscript ol p pre progress section span strong summary table tbody td textarea th thead tr ul
"""


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(ROOT / "overrides")


def page(renderer: Renderer, entry: Entry) -> str:
    return renderer.entry(expand(entry, catalog_of(entry)), lambda address: f"../../{address}", DATES)


def every_entry() -> list[Entry]:
    return [example(), hostile(), minimal(), *real_catalog().entries]


def seen_on(renderer: Renderer, entry: Entry) -> Seen:
    return look_at(page(renderer, entry))


def test_golden_example(renderer: Renderer, golden: Golden) -> None:
    golden.check("example.html", page(renderer, example()))


def test_golden_hostile(renderer: Renderer, golden: Golden) -> None:
    golden.check("hostile.html", page(renderer, hostile()))


@pytest.mark.parametrize("entry", every_entry(), ids=lambda entry: entry.slug)
def test_ids_are_unique_and_every_link_within_the_page_leads_somewhere(renderer: Renderer, entry: Entry) -> None:
    html = page(renderer, entry)
    seen = look_at(html)
    assert len(seen.ids) == len(set(seen.ids))
    assert anchors_of(html) == set(seen.ids)
    assert [link for link in seen.links if link.startswith("#") and link[1:] not in seen.ids] == []
    labelled = [attributes["aria-labelledby"] for tag, attributes in seen.tags if tag == "section"]
    assert set(labelled) <= set(seen.ids)
    fields = [attributes["for"] for tag, attributes in seen.tags if tag == "label"]
    assert set(fields) <= set(seen.ids)


@pytest.mark.parametrize("entry", every_entry(), ids=lambda entry: entry.slug)
def test_headings_do_not_skip_a_level(renderer: Renderer, entry: Entry) -> None:
    levels = [level for level, _ in seen_on(renderer, entry).headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("entry", every_entry(), ids=lambda entry: entry.slug)
def test_nothing_in_an_entry_breaks_out(renderer: Renderer, entry: Entry) -> None:
    for tag, attributes in seen_on(renderer, entry).tags:
        assert tag in TAGS.split()
        assert not any(name.startswith("on") or name in ("style", "src") for name in attributes)
        target = attributes.get("href") or attributes.get("data-copy-href") or "#"
        assert target.startswith(("#", "../../", "https://"))


def test_hostile_text_is_shown_as_it_is(renderer: Renderer) -> None:
    text = seen_on(renderer, hostile()).text
    for shown in (
        "<script>alert(1)</script> </code></pre> {{ 7*7 }} {% raw %} a|b",
        "[l](javascript:alert(2)) ![i](https://evil.example/x.png) &lt;b&gt;",
        "<img src=x onerror=alert(3)>",
        "print('</code></pre><script>alert(6)</script>', '```', '{{ x }}')",
        "ERROR 12 <b>| `{ word </code> <script>alert(4)</script>",
        " ".join((("ERROR 0123456789 <b>| `{{" * 300)[:5000]).split()),
    ):
        assert shown in text


def test_nothing_turns_the_direction_of_a_command(renderer: Renderer) -> None:
    assert "\u202e" in (hostile().confirm[0].command or "")
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(page(renderer, hostile()))
    assert "\u05e9\u05dc\u05d5\u05dd" in page(renderer, hostile())


def test_code_has_the_structure_for_which_the_theme_adds_a_copy_button(renderer: Renderer) -> None:
    html = page(renderer, example())
    assert html.count('<div class="highlight"><pre><span></span><code>') == html.count('<div class="highlight">')
    assert '<code><span class="kn">import</span>' in html
    assert look_at(html).text.count("from the formula in the documentation") == 2  # the card and an answer


def test_code_is_highlighted_once(renderer: Renderer) -> None:
    assert renderer.highlight("import torch", "python") is renderer.highlight("import torch", "python")
    assert renderer.highlight("<b> {{ x }}", "text") == "&lt;b&gt; {{ x }}"
    assert renderer.highlight("<b>", "no-such-language") == "&lt;b&gt;"


def test_copy_buttons(renderer: Renderer) -> None:
    every = [attributes for tag, attributes in seen_on(renderer, example()).tags if tag == "button"]
    buttons = [button for button in every if "enc-button" not in (button["class"] or "")]  # those of the box for a log
    key = "mat1 and mat2 shapes cannot be multiplied (<rows>x<given> and <wanted>x<out>)"
    assert [(b["data-copy"], b.get("data-copy-href")) for b in buttons][:3] == [
        (key, None),
        ("{url}", "../../r/0000-1/"),
        ("[MLFE-0000-1: Input does not fit a linear layer]({url})", "../../r/0000-1/"),
    ]
    assert {b["type"] for b in buttons} == {"button"}
    assert {b["class"] for b in buttons} == {"enc-copy"}


def test_the_matched_part_of_a_sample_is_marked(renderer: Renderer) -> None:
    html = page(renderer, example())
    marked = "<mark>mat1 and mat2 shapes cannot be multiplied (4x5408 and 6272x10)</mark>"
    assert f"RuntimeError: {marked}" in html


def test_perspectives_are_tabs_without_a_script(renderer: Renderer) -> None:
    seen = seen_on(renderer, example())
    radios = [attributes for tag, attributes in seen.tags if tag == "input" and attributes.get("type") == "radio"]
    assert [radio["id"] for radio in radios] == ["read-on-call", "read-engineer", "read-executive"]
    assert [radio["id"] for radio in radios if "checked" in radio] == ["read-on-call"]
    css = (ROOT / "overrides" / "assets" / "entry.css").read_text()
    for name in ("on-call", "engineer", "executive"):
        assert f"#read-{name}:checked ~ .enc-tab--{name}" in css


def test_no_tag_stands_in_the_generator() -> None:
    tag = re.compile(
        r"(?<!\w)</?(?:a|abbr|article|b|body|br|button|code|dd|details|div|dl|dt|em|figure|form|h[1-6]|head|header|hr|html|i"
        r"|img|input|label|li|link|main|mark|meta|nav|ol|option|p|pre|script|section|select|small|span|strong|style|sub"
        r"|summary|sup|svg|table|tbody|td|textarea|th|thead|title|tr|ul)(?:\s[^<>]*)?/?>"
    )
    found = []
    for path in sorted(Path(ROOT / "generator").rglob("*.py")):
        code = re.sub(r'r?"""(?s:.*?)"""', "", path.read_text())
        found += [f"{path.name}: {line.strip()}" for line in code.splitlines() if tag.search(line)]
    assert found == []
