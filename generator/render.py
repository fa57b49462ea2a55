"""EntryPage and index pages -> HTML, through the templates in `overrides/encyclopedia/`.

Autoescape is on and a name that does not exist is an error. Templates print; what stands on a page was decided in
`expand` and `indexes`. Refuses to know where pages are written: `link` turns a site address into one that works from
the page being rendered.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from generator.entry_page.page import Dates, EntryPage
from generator.prose import block_html, inline_html, plain_text, straighten

Link: TypeAlias = Callable[[str], str]
"""Site address, such as `memory/cuda-out-of-memory/#fixes`, to an address relative to the page."""

_ID = re.compile(r'<[a-z][a-z0-9]*(?: [^<>]*?)? id="([^"]+)"')


class Renderer:
    """Templates loaded once, with the code highlighted once per text; make a new one when a template changed."""

    def __init__(self, overrides: Path) -> None:
        self.assets = overrides / "assets"
        self._highlighted: dict[tuple[str, str], Markup] = {}
        self._lexers: dict[str, Lexer | None] = {}
        self._formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
        self._environment = Environment(
            loader=FileSystemLoader(overrides),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.filters |= {
            "inline": lambda text: Markup(inline_html(text)),  # noqa: S704 - prose makes safe HTML
            "block": lambda text: Markup(block_html(text)),  # noqa: S704
            "plain": plain_text,
            "highlight": self.highlight,
            "href": _href,
        }

    def entry(self, page: EntryPage, link: Link, dates: Dates | None = None) -> str:
        """Render an entry's page, from its heading to its footer."""
        return self.page("entry.html", link, page=page, dates=dates)

    def page(self, template: str, link: Link, **content: Any) -> str:
        """Render a template of `overrides/encyclopedia/` with what it prints.

        Raises jinja2.TemplateError when the template is wrong.
        """
        return straighten(self._environment.get_template(f"encyclopedia/{template}").render(link=link, **content))

    def highlight(self, text: str, language: str) -> Markup:
        """Mark up code for the inside of a `code` element; a language Pygments does not know stays plain."""
        key = (language, text)
        if (known := self._highlighted.get(key)) is None:
            lexer = self._lexer(language)
            html = Markup(highlight(text, lexer, self._formatter)) if lexer else Markup.escape(text)  # noqa: S704
            known = self._highlighted[key] = html
        return known

    def _lexer(self, language: str) -> Lexer | None:
        if language not in self._lexers:
            try:
                self._lexers[language] = None if language == "text" else get_lexer_by_name(language, stripnl=False)
            except ClassNotFound:
                self._lexers[language] = None
        return self._lexers[language]


def anchors_of(html: str) -> frozenset[str]:
    """Return every id in rendered HTML."""
    return frozenset(_ID.findall(html))


@pass_context
def _href(context: Context, address: str) -> str:
    """Make an address work from this page: anchors of the page and other sites' addresses do already."""
    if address.startswith(("#", "https://")):
        return address
    return str(context.resolve("link")(address))
