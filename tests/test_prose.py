"""Prose: what comes out of a field's Markdown, and what is reported instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import prose
from generator.prose import block_html, first_sentence, inline_html, plain_text, problems
from tests.pages import look_at

ALLOWED = {"p", "ul", "ol", "li", "code", "em", "strong", "a"}

PIECES = st.sampled_from(
    [
        *"*_`[](){}<>#+-.!|\\~^=:&;$%@/?\"' \n",
        *("{{", "}}", "{%", "==", "++", "~~", "!!!", "???", "===", "\n\n", "\n    ", "\n- ", "1. ", "```", "~~~"),
        *(
            "[x](https://a.b/c)",
            "[x](javascript:alert(1))",
            "[y](http://a.b)",
            "![i](https://a.b/i.png)",
            "[x]: https://a.b",
        ),
        *("<script>", "</code>", "<!--", "<img src=x onerror=y>", "&lt;", "&#39;", "<https://a.b>"),
        *("`x`", "**b**", "*e*", "a_b", "word", "C++", "\u202e", "\u05d0", "\x02", "\x03", "klzzwxh:0000", "\u00a0"),
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=14).map("".join)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("set `a<b` & go", "set <code>a&lt;b</code> &amp; go"),
        ("*one* and **two**", "<em>one</em> and <strong>two</strong>"),
        ("max_model_len stays", "max_model_len stays"),
        ("see [the guide](https://a.example/b?c=1&d=2)", 'see <a href="https://a.example/b?c=1&amp;d=2">the guide</a>'),
        ("``a ` b``", "<code>a ` b</code>"),
        (r"\*no\*", "*no*"),
        ("one\n\ntwo", "one two"),
        ("1. not a list", "1. not a list"),
    ],
)
def test_inline(text: str, html: str) -> None:
    assert inline_html(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "</code></pre>",
        "&lt; &amp; &#39;",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](http://a.example)",
        "[x](data:text/html,y)",
        "[x](/relative)",
        '[x](https://a.example/"onclick=y)',
        "![i](https://a.example/i.png)",
        "{{ x }} {% y %}",
        "# heading",
        "> quote",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "[x]: https://a.example",
        "<https://a.example>",
        "    indented",
    ],
)
def test_what_is_no_prose_stays_text(text: str) -> None:
    seen = look_at(block_html(text))
    assert seen.text == " ".join(text.split())
    assert {tag for tag, _ in seen.tags} == {"p"}


def test_blocks() -> None:
    html = block_html("First.\n\n- one `x`\n- two\n\nLast.")
    assert html == "<p>First.</p>\n<ul><li>one <code>x</code></li><li>two</li></ul>\n<p>Last.</p>"


def test_a_line_turned_by_control_characters_is_turned_back() -> None:
    assert inline_html("safe\u202egnp.exe `a\u2066b`") == "safegnp.exe <code>ab</code>"
    assert inline_html("\u05e9\u05dc\u05d5\u05dd") == "\u05e9\u05dc\u05d5\u05dd"


def test_a_long_line_stays_whole() -> None:
    line = "ERROR `x<y` " * 417
    assert len(line) > 5000
    assert plain_text(line) == "ERROR x<y " * 416 + "ERROR x<y"
    assert plain_text("*" * 5000) == "*" * 5000


@given(TEXTS)
def test_nothing_but_our_own_tags_comes_out(text: str) -> None:
    for html in (inline_html(text), block_html(text)):
        for tag, attributes in look_at(html).tags:
            assert tag in ALLOWED
            assert set(attributes) == ({"href"} if tag == "a" else set())
            assert (attributes.get("href") or "https://").startswith("https://")


@given(TEXTS)
def test_the_short_way_leads_to_the_same_place(text: str) -> None:
    """Text that holds no more than code spans is not parsed by the library; it must look as if it were."""
    text = prose.clean(text).strip()
    library = " ".join(prose._inside(paragraph) for paragraph in prose.tree(text, lists=False))
    assert look_at(inline_html(text)).text == look_at(library).text
    assert [tag for tag, _ in look_at(inline_html(text)).tags] == [tag for tag, _ in look_at(library).tags]
    library = "\n".join(prose._html(block) for block in prose.tree(text))
    assert look_at(block_html(text)).text == look_at(library).text
    assert [tag for tag, _ in look_at(block_html(text)).tags] == [tag for tag, _ in look_at(library).tags]


@given(TEXTS)
def test_plain_text_is_what_is_read(text: str) -> None:
    assert plain_text(text) == look_at(inline_html(text)).text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("It grows. Then it ends.", "It grows."),
        ("It grows, e.g. Foo. Then.", "It grows, e.g. Foo."),
        ("`a. B` stays. Next.", "`a. B` stays."),
        ("Since **v1. Two** it grows. Next.", "Since **v1. Two** it grows."),
        ("See [a. B](https://a.example). Next.", "See [a. B](https://a.example)."),
        ("No end", "No end"),
        ("One\n\nTwo. Three.", "One"),
        ("torch 2.13 prints it. Next.", "torch 2.13 prints it."),
    ],
)
def test_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("a <b>bold</b> word", "raw-html", "raw HTML '<b>' in prose"),
        ("a <!-- note", "raw-html", "raw HTML '<!--' in prose"),
        ("vector<int> grows", "raw-html", "raw HTML '<int>' in prose"),
        ("fish &amp; chips", "html-entity", "the HTML entity '&amp;' in prose"),
        ("[x](javascript:alert(1))", "link-scheme", "a link to 'javascript:alert(1)', which is not an https address"),
        ("[x](http://a.example)", "link-scheme", "a link to 'http://a.example', which is not an https address"),
        ("[x](../other/)", "link-scheme", "a link to '../other/', which is not an https address"),
        ("![i](https://a.example/i.png)", "image", "an image, '![i](https://a.example/i.png', in prose"),
        ("text\n\n## A head", "heading", "a heading, '## A head', in prose"),
        ("Title\n=====", "heading", "a heading, 'Title =====', in prose"),
        ("| a | b |\n|---|---|", "table", "a table, '| a | b | |---|---|', in prose"),
        ("> quoted", "block-quote", "a block quote, '> quoted', in prose"),
        ("text\n\n---\n\ntext", "rule", "a rule, '---', in prose"),
        ("```python\nx\n```", "code-block", "a code block, '```python', in prose"),
        ("[x]: https://a.example", "link-definition", "a link definition, '[x]: https://a.example', in prose"),
        ("set `x now", "unclosed-code", "a backtick that is never closed at '`x now'"),
        ("safe\u202egnp", "control-character", "the invisible character U+202E in prose"),
        ("<" + "b" * 60 + ">", "raw-html", f"raw HTML '<{'b' * 36}...' in prose"),
    ],
)
def test_problems(text: str, code: str, message: str) -> None:
    found = problems(text)
    assert [(each[0], each[1]) for each in found] == [(code, message)]
    assert found[0][2].endswith((".", "."))


@pytest.mark.parametrize(
    "text",
    [
        "set `vector<int>` and `a | b` and `&amp;`",
        "free < requested & used > free",
        "[the guide](https://a.example/x_(y)) says so",
        "- one\n- two\n\n1. first\n2. second",
        "`#` starts a comment; use 3 - 2 = 1 | 2",
        r"a \` backtick",
        "**bold** and *soft*",
        "\u05e9\u05dc\u05d5\u05dd",
        "[rank3] waits for [rank0]",
    ],
)
def test_what_prose_may_hold_is_no_problem(text: str) -> None:
    assert problems(text) == ()


def test_each_mend_says_what_to_do() -> None:
    (raw,) = problems("<b>")
    assert raw[2] == "Put it in backticks when it is code; otherwise use Markdown, for a link [text](https://…)."
    (scheme,) = problems("[x](http://a.example)")
    assert scheme[2].startswith("Link to an address that starts with https://.")
