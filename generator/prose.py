"""A field's Markdown -> safe HTML, plain text, or what is wrong with it.

Prose knows paragraphs, lists, inline code, emphasis and https links. Everything else that Markdown could mean (raw
HTML, entities, images, headings, tables, block quotes, code blocks, other link schemes) stays the text that was typed,
and `problems` names it. Every `&`, `<` and `>` is itself. Refuses to know entries, pages and where a text is printed.

The markdown library parses; text that holds no markup but code spans, which is most of it, takes a short way to the
same result, since a Markdown document for each of a page's fields would cost more than the rest of the page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import Any, Self, TypeAlias
from xml.etree.ElementTree import Element, tostring

from markdown import Markdown
from markdown.inlinepatterns import BACKTICK_RE, LINK_RE, BacktickInlineProcessor, LinkInlineProcessor
from markdown.treeprocessors import InlineProcessor, UnescapeTreeprocessor
from markdown.util import ETX, STX, AtomicString, Registry

from generator.prose_problems import CONTROL, TURNS, problems

__all__ = [
    "block_html",
    "clean",
    "first_sentence",
    "inline_html",
    "plain_text",
    "problems",
    "simple_paragraphs",
    "straighten",
]

Parts: TypeAlias = tuple[str, ...]
"""Text and inline code in turn, text first: `("run ", "nvidia-smi", " twice")`."""

_MARKUP = re.compile(r"[\\*_\[]")
_TURNS = dict.fromkeys(map(ord, TURNS))
_LIST = re.compile(r"^[ \t]*(?:[-+*]|\d+\.)[ \t]", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_HTTPS = re.compile(r'https://[^\s<>"\'`\\]+\Z')
_SENTENCE_END = re.compile(r"[.!?](?=\s+[A-Z0-9`\"'(])")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|approx|etc|no|fig)|\b[A-Z])\.\Z", re.IGNORECASE)


@lru_cache(maxsize=8192)
def inline_html(text: str) -> str:
    """Render one paragraph as the inside of a paragraph.

    >>> inline_html("set `a<b` & go")
    'set <code>a&lt;b</code> &amp; go'
    """
    text = clean(text).strip()
    if (parts := _code_and_text(text)) is not None:
        return _html_of(parts)
    return " ".join(_inside(paragraph) for paragraph in tree(text, lists=False))


@lru_cache(maxsize=4096)
def block_html(text: str) -> str:
    r"""Render paragraphs and lists.

    >>> block_html("One.\n\nTwo `x`.")
    '<p>One.</p>\n<p>Two <code>x</code>.</p>'
    """
    text = clean(text)
    if (paragraphs := simple_paragraphs(text)) is not None:
        return "\n".join(f"{_PARAGRAPH[0]}{_html_of(parts)}{_PARAGRAPH[1]}" for parts in paragraphs)
    return "\n".join(_html(block).strip() for block in tree(text))


@lru_cache(maxsize=4096)
def plain_text(text: str) -> str:
    """Return the words alone, on one line: no markup, no addresses. Items of a list keep what stands before them.

    >>> plain_text("**Set** `a` as in [the guide](https://x.example)")
    'Set a as in the guide'
    """
    text = clean(text)
    if (parts := _code_and_text(text)) is not None:
        return " ".join("".join(parts).split())
    return " ".join(" ".join("".join(block.itertext()) for block in tree(text, lists=False)).split())


def first_sentence(text: str) -> str:
    """Return the first sentence of the first paragraph, as Markdown; code spans and emphasis stay whole.

    >>> first_sentence("It grows, e.g. Foo. Then `a. B` dies.")
    'It grows, e.g. Foo.'
    """
    paragraph = _BLANK_LINE.split(text.strip(), maxsplit=1)[0]
    for end in _SENTENCE_END.finditer(paragraph):
        sentence = paragraph[: end.end()]
        paired = sentence.count("`") % 2 == 0 and sentence.count("*") % 2 == 0 == sentence.count("**") % 2
        if paired and sentence.count("[") == sentence.count("]") and not _ABBREVIATION.search(sentence):
            return sentence
    return paragraph


def clean(text: str) -> str:
    """Drop control characters, among them those that turn the direction of the text after them."""
    return CONTROL.sub("", text) if CONTROL.search(text) else text


def straighten(page: str) -> str:
    """Drop the characters that turn the direction of the text after them, from code and log lines too.

    A command that reads otherwise than it runs must not reach a reader.
    """
    return page.translate(_TURNS) if any(sign in page for sign in TURNS) else page


def simple_paragraphs(text: str) -> tuple[Parts, ...] | None:
    """Split clean text into paragraphs of text and code, or return None where it holds other markup or a list."""
    text = text.strip()
    if not text or _LIST.search(text):
        return None if text else ()
    paragraphs: list[Parts] = []
    for paragraph in _BLANK_LINE.split(text):
        if (parts := _code_and_text(paragraph.replace("\n", " "))) is None:
            return None
        paragraphs.append(parts)
    return tuple(paragraphs)


def tree(text: str, *, lists: bool = True) -> Element:
    """Parse clean text with the markdown library into an element whose children are `p`, `ul` and `ol`."""
    root = _parsed(_DOCUMENTS[lists, True], text)
    if any(STX in words or ETX in words for words in root.itertext()):
        # Markdown 3.11 cuts its own placeholders in two where emphasis meets emphasis, as in "*a**b*`c`".
        return _parsed(_DOCUMENTS[lists, False], text)
    return root


def _parsed(document: Markdown, text: str) -> Element:
    document.reset()
    lines = text.split("\n")
    for step in document.preprocessors:
        lines = step.run(lines)
    root = Element(document.doc_tag)
    document.parser.parseChunk(root, "\n".join(lines))
    for change in document.treeprocessors:
        change.run(root)
    return root


def _code_and_text(text: str) -> Parts | None:
    """Split one paragraph at code spans in single backticks, or return None where there is more than that."""
    if _BLANK_LINE.search(text):
        return None
    if "`" not in text:
        return None if _MARKUP.search(text) else (text,)
    parts = text.split("`")
    if len(parts) % 2 == 0 or "" in (inside := parts[1::2]) or any(not code.strip() for code in inside):
        return None
    if any(_MARKUP.search(outside) for outside in parts[::2]) or "" in parts[2:-1:2]:
        return None
    return tuple(code.strip() if position % 2 else code for position, code in enumerate(parts))


def _html_of(parts: Parts) -> str:
    if len(parts) == 1:
        return escape(parts[0], quote=False)
    open_, close = _CODE
    return "".join(
        f"{open_}{escape(part, quote=False)}{close}" if position % 2 else escape(part, quote=False)
        for position, part in enumerate(parts)
    )


def _html(element: Element) -> str:
    return tostring(element, encoding="unicode", method="html")


def _inside(element: Element) -> str:
    text = escape(element.text, quote=False) if element.text else ""
    return (text + "".join(_html(child) for child in element)).rstrip()


def _tags(name: str) -> tuple[str, str]:
    """Return an element's start and end tag as the serializer writes them."""
    element = Element(name)
    element.text = "|"
    start, _, end = _html(element).partition("|")
    return start, end


class _Code(BacktickInlineProcessor):
    """A code span whose text is escaped once, by the serializer."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | str | None, int | None, int | None]:  # type: ignore[override]  # noqa: N802
        node, start, end = super().handleMatch(m, data)
        if isinstance(node, Element) and node.text:
            node.text = AtomicString(node.text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        return node, start, end


class _HttpsLink(LinkInlineProcessor):
    """A link to another site; anything else stays the text it was."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | None, int | None, int | None]:  # type: ignore[override]  # noqa: N802
        node, start, end = super().handleMatch(m, data)
        if not isinstance(node, Element) or not _HTTPS.match(node.get("href", "")):
            return None, None, None
        node.attrib.pop("title", None)
        return node, start, end


class _Prose(Markdown):
    """A Markdown document that knows what prose may hold and nothing else, whatever the library learns later."""

    def __init__(self, lists: bool, emphasis: bool) -> None:
        self._lists = lists
        self._emphasis = emphasis
        super().__init__()

    def build_parser(self) -> Self:
        """Name each part that may act; called once, by the library."""
        super().build_parser()
        stock = self.inlinePatterns
        self.preprocessors = _only(self.preprocessors, ("normalize_whitespace",))
        blocks = ("empty", *(("indent", "olist", "ulist") if self._lists else ()), "paragraph")
        self.parser.blockprocessors = _only(self.parser.blockprocessors, blocks)
        self.inlinePatterns = _only(stock, ("escape", *(("em_strong", "em_strong2") if self._emphasis else ())))
        self.inlinePatterns.register(_Code(BACKTICK_RE), "backtick", 190)
        self.inlinePatterns.register(_HttpsLink(LINK_RE, self), "link", 160)
        self.treeprocessors = Registry()
        self.treeprocessors.register(InlineProcessor(self), "inline", 20)
        self.treeprocessors.register(UnescapeTreeprocessor(self), "unescape", 0)
        return self


def _only(stock: Registry[Any], names: tuple[str, ...]) -> Registry[Any]:
    """Keep the named parts in the order given, which is the library's own."""
    kept: Registry[Any] = Registry()
    for position, name in enumerate(names):
        if name in stock:
            kept.register(stock[name], name, 100 - position)
    return kept


_DOCUMENTS = {(lists, emphasis): _Prose(lists, emphasis) for lists in (True, False) for emphasis in (True, False)}
_CODE = _tags("code")
_PARAGRAPH = _tags("p")
