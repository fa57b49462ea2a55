"""EntryPage -> its Markdown twin, through `templates/entry.md.jinja`: for export, for agents, for copying.

Holds only what Python-Markdown and pymdownx know: headings with ids, paragraphs, lists, fenced code and links; no
table, since a log line may hold a `|`. Refuses to know where the twin is written: `link` turns a site address into one
that works from there.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from generator.entry_page.page import Dates, EntryPage
from generator.entry_page.phrases import Form, Item, Phrase
from generator.index_pages.listing import IndexPage
from generator.prose import straighten
from generator.render import Link
from generator.twin_text import (
    block_markdown,
    code_markdown,
    fence_markdown,
    inline_markdown,
    link_markdown,
    text_markdown,
)

_FENCE = re.compile(r"^(`{3,})[^`\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_BLANKS = re.compile(r"\n(?:[ \t]*\n)+")
_TEMPLATES = Path(__file__).parent / "templates"


def twin(
    page: EntryPage,
    link: Link | None = None,
    *,
    edit_url: str = "",
    dates: Dates | None = None,
    for_theme: bool = False,
) -> str:
    """Write the twin, with title, description, tags, edit address and dates in its front matter.

    Themes print title and description as HTML, into attributes too; `for_theme` escapes them.
    """
    matter = {
        "title": escape(page.title, quote=False) if for_theme else page.title,
        "description": escape(page.description) if for_theme else page.description,
        "id": page.entry.id,
        "tags": [term.title for term in page.tags],
        "edit_url": edit_url,
        "added": dates.added if dates else "",
        "changed": dates.changed if dates else "",
    }
    up = "../" * page.address.count("/")
    template = _environment().get_template("entry.md.jinja")
    filled = {key: value for key, value in matter.items() if value}
    text = template.render(page=page, matter=filled, link=link or (lambda address: up + address))
    return _tidy(straighten(text))


def index_twin(page: IndexPage, link: Link) -> str:
    """Write an index page as Markdown, for a theme."""
    return _tidy(_environment().get_template("index.md.jinja").render(page=page, link=link))


@cache
def _environment() -> Environment:
    """Load the template once; Markdown is escaped by its own filters."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=False,  # noqa: S701 - the result is Markdown, not HTML
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "md": inline_markdown,
        "mdblock": block_markdown,
        "text": text_markdown,
        "code": code_markdown,
        "fence": fence_markdown,
        "item": _item,
        "a": _link,
        "yaml": lambda value: json.dumps(value, ensure_ascii=False),
    }
    return environment


@pass_context
def _link(context: Context, text: str, address: str) -> str:
    """Link from the twin."""
    return link_markdown(text, _from(context, address))


@pass_context
def _item(context: Context, item: Item) -> str:
    """Write phrases one after the other."""
    return " ".join(_phrase(phrase, _from(context, phrase.address)) + phrase.end for phrase in item)


def _phrase(phrase: Phrase, address: str) -> str:
    if phrase.address:
        return link_markdown(phrase.text, address)
    if phrase.form is Form.CODE:
        return code_markdown(phrase.text)
    return inline_markdown(phrase.text) if phrase.form is Form.MARKDOWN else text_markdown(phrase.text)


def _tidy(text: str) -> str:
    """Leave one empty line between blocks, whatever the template's own lines; code stays as it is."""
    parts: list[str] = []
    end = 0
    for fence in _FENCE.finditer(text):
        parts += (_BLANKS.sub("\n\n", text[end : fence.start()]), fence[0])
        end = fence.end()
    parts.append(_BLANKS.sub("\n\n", text[end:]))
    return "".join(parts).strip() + "\n"


def _from(context: Context, address: str) -> str:
    """Make an address work from the twin: anchors of the page and other sites' addresses do already."""
    if not address or address.startswith(("#", "https://")):
        return address
    return str(context.resolve("link")(address))
