"""The Markdown twin: stock engines must read in it what the page says."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from urllib.parse import unquote

import markdown
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.entry_page.page import Dates
from generator.expand import expand
from generator.model import Entry
from generator.prose import block_html, clean, inline_html
from generator.twin import twin
from generator.twin_text import (
    block_markdown,
    code_markdown,
    fence_markdown,
    inline_markdown,
    link_markdown,
    text_markdown,
)
from tests.conftest import Golden
from tests.pages import Seen, catalog_of, example, hostile, look_at, minimal, real_catalog
from tests.test_prose import TEXTS

EXTENSIONS = [
    *("abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc"),
    *(f"pymdownx.{name}" for name in ("arithmatex", "betterem", "caret", "details", "emoji", "highlight", "keys")),
    *(f"pymdownx.{name}" for name in ("inlinehilite", "magiclink", "mark", "superfences", "tabbed", "tasklist")),
    "pymdownx.tilde",
]
CODE = st.lists(st.sampled_from([*"`~ ab<&{%\n", "```", "````", "</code>", "{{", "    ", "# x"]), max_size=20).map(
    "".join
)


@cache
def engine(name: str) -> markdown.Markdown:
    """Return Python-Markdown as it is, or with what sites built on Material usually turn on."""
    return markdown.Markdown(extensions=["attr_list", "pymdownx.superfences"] if name == "plain" else EXTENSIONS)


def rendered(text: str, name: str = "plain") -> Seen:
    document = engine(name)
    document.reset()
    seen = Seen()
    seen.feed(spaced(document.convert(text)))
    seen.close()
    return seen


def spaced(html: str) -> str:
    """Part the blocks, so that their words do not run together."""
    return re.sub(r"(</?(?:p|li|br|h\d|pre|div|ul|ol)\b)", r" \1", html)


def words_of(html: str) -> str:
    return look_at(spaced(html)).text


def codes_of(seen: Seen) -> int:
    return sum(tag == "code" for tag, _ in seen.tags)


@pytest.mark.parametrize("name", ["plain", "material"])
@given(text=TEXTS)
def test_prose_reads_the_same(name: str, text: str) -> None:
    assert rendered(block_markdown(text), name).text == words_of(block_html(text))
    assert rendered(inline_markdown(text), name).text == words_of(inline_html(text))


@pytest.mark.parametrize("name", ["plain", "material"])
@given(text=TEXTS)
def test_plain_text_reads_the_same(name: str, text: str) -> None:
    shown = " ".join(clean(text).split())
    assert rendered(text_markdown(text), name).text == shown
    assert rendered(f"**Label:** {text_markdown(text)}", name).text == f"Label: {shown}".strip()
    assert rendered(f"- {text_markdown(text)}", name).text in (shown, f"- {shown}".strip())


@pytest.mark.parametrize("name", ["plain", "material"])
@given(text=TEXTS)
def test_inline_code_reads_the_same(name: str, text: str) -> None:
    seen = rendered(f"see {code_markdown(text)} here", name)
    shown = " ".join(clean(text).split())
    assert seen.text == " ".join(f"see {shown} here".split())
    assert codes_of(seen) == bool(shown)


@pytest.mark.parametrize("name", ["plain", "material"])
@given(text=CODE)
def test_a_code_block_ends_where_it_should(name: str, text: str) -> None:
    if not text.strip():
        return
    document = engine(name)
    document.reset()
    seen = look_at(document.convert(f"before\n\n{fence_markdown(text, 'text')}\n\nafter"))
    code = "".join(seen.words).partition("before")[2].rpartition("after")[0]
    assert lines_of(code) == lines_of(text)


def lines_of(code: str) -> list[str]:
    """Return the lines without blanks at their ends and without empty ones before and after."""
    return "\n".join(line.rstrip() for line in code.split("\n")).strip("\n").split("\n")


@pytest.mark.parametrize("name", ["plain", "material"])
@given(text=TEXTS)
def test_links_lead_where_they_should(name: str, text: str) -> None:
    address = "https://a.example/b_(c)?d=[e]&f=*{g}*"
    if not "".join(clean(text).split()):
        return
    seen = rendered(f"- {link_markdown(text, address)} and more", name)
    assert [unquote(link) for link in seen.links] == [address]
    assert seen.text == " ".join(f"{clean(text)} and more".split())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("max_model_len is *not* set", "max_model_len is *not* set"),
        ("use `a|b` or {{ x }}", r"use `a|b` or \{\{ x \}\}"),
        ("a < b & c", "a &lt; b & c"),
        ("[rank3] waits", r"&#91;rank3\] waits"),
        ("see [it](https://a.example/x_(y))", "see [it](https://a.example/x_%28y%29)"),
        ("# not a heading", r"\# not a heading"),
        ("1. not a list", r"1\. not a list"),
        ("~10 GB, x^2, $y", "&#126;10 GB, x&#94;2, &#36;y"),
    ],
)
def test_text_stays_readable(text: str, written: str) -> None:
    assert inline_markdown(text) == written


def every_entry() -> list[Entry]:
    return [example(), hostile(), minimal(), *real_catalog().entries]


def test_golden_example(golden: Golden) -> None:
    dates = Dates(added="2026-11-30", changed="2026-12-01")
    page = expand(example(), catalog_of(example()))
    golden.check("example.md", twin(page, edit_url="https://code.example/edit/main/entries/x.yaml", dates=dates))


def test_golden_hostile(golden: Golden) -> None:
    golden.check("hostile.md", twin(expand(hostile(), catalog_of(hostile()))))


def test_front_matter() -> None:
    page = expand(example(), catalog_of(example()))
    text = twin(page, edit_url="https://code.example/x.yaml", dates=Dates(added="2026-11-30"))
    matter = yaml.safe_load(text.split("---\n")[1])
    assert matter == {
        "title": "Input does not fit a linear layer",
        "description": page.description,
        "id": "MLFE-0000",
        "tags": ["Shapes", "Fine-tuning"],
        "edit_url": "https://code.example/x.yaml",
        "added": "2026-11-30",
    }
    assert yaml.safe_load(twin(expand(hostile(), catalog_of(hostile()))).split("---\n")[1])["title"] == (
        "A </code> <script> | {{ title }}"
    )


@pytest.mark.parametrize("name", ["plain", "material"])
@pytest.mark.parametrize("entry", every_entry(), ids=lambda entry: entry.slug)
def test_a_twin_has_the_anchors_of_its_page_and_links_that_lead_to_them(entry: Entry, name: str) -> None:
    page = expand(entry, catalog_of(entry))
    seen = rendered(twin(page).split("---\n", 2)[2], name)
    assert len(seen.ids) == len(set(seen.ids))
    within = {link[1:] for link in seen.links if link.startswith("#") and not link.startswith("#grade-")}
    assert within - set(seen.ids) == set()
    assert {section.anchor for section in page.sections} <= set(seen.ids)
    levels = [level for level, _ in seen.headings]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", ["plain", "material"])
def test_nothing_hostile_runs_in_a_twin(name: str) -> None:
    seen = rendered(twin(expand(hostile(), catalog_of(hostile()))).split("---\n", 2)[2], name)
    assert not {"script", "img", "table", "iframe"} & {tag for tag, _ in seen.tags}
    assert not any(attribute.startswith("on") for _, attributes in seen.tags for attribute in attributes)
    assert all(link.startswith(("#", "../../", "https://")) for link in seen.links)
    assert "<script>alert(1)</script> </code></pre> {{ 7*7 }} {% raw %} a|b" in seen.text


def test_addresses_follow_the_link_given() -> None:
    page = expand(example(), catalog_of(example()))
    assert "[Medium](../../severity/medium/)" in twin(page)
    assert "[Medium](/x/severity/medium/index.md)" in twin(page, lambda address: f"/x/{address}index.md")
