"""An entry in the terminal: its Markdown twin without what only a site needs, wrapped, with headings marked.

Takes the same text as every other Markdown reader, so that the terminal never says less or other than the page.
"""

from __future__ import annotations

import re
import textwrap
from difflib import get_close_matches

import click

from generator.expand import expand
from generator.model import Catalog, Entry
from generator.twin import twin

_ID = re.compile(r"(?:mlfe-)?(\d{4})(?:-\d+)?", re.IGNORECASE)
_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
_ATTRIBUTES = re.compile(r" ?\{:? ?#[\w-]+ ?\}$")
_LINK = re.compile(r"\[((?:[^\]\\]|\\.)*)\]\((\S*?)\)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ITEM = re.compile(r"( *(?:[-*]|\d+\.) +)?(.*)")


def find_entry(catalog: Catalog, name: str) -> Entry:
    """Find an entry by its id, a signature's id, its slug or its address.

    Raises LookupError that says what was meant.
    """
    if match := _ID.fullmatch(name):
        id_ = f"MLFE-{match[1]}"
        if entry := catalog.by_id.get(id_):
            return entry
        raise LookupError(f"no entry has the id {id_}.")
    slug = name.strip("/").rpartition("/")[2].lower()
    if entry := catalog.by_slug.get(slug):
        return entry
    close = get_close_matches(slug, catalog.by_slug, n=1)
    raise LookupError(f"no entry '{name}'" + (f": did you mean '{close[0]}'?" if close else "."))


def explain_entry(entry: Entry, catalog: Catalog, *, colour: bool, width: int) -> str:
    """Write an entry as lines of at most `width` columns; commands and log lines are left whole."""
    text = _MATTER.sub("", twin(expand(entry, catalog)))
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if fence:
            fence = "" if line == fence else fence
            if fence:
                lines.append("    " + (click.style(line, fg="cyan") if colour else line))
        elif len(ticks) >= 3:
            fence = ticks
        elif line.lstrip().startswith("{: #"):
            continue
        elif line.startswith("#"):
            title = _wrapped(_plain(_ATTRIBUTES.sub("", line).lstrip("# ")), width)
            lines += [click.style(part, bold=True) if colour else part for part in title]
            if not line.startswith("###"):
                lines.append(("=" if line.startswith("# ") else "-") * max(map(len, title)))
        else:
            lines += _wrapped(_plain(line), width)
    return "\n".join(lines).rstrip() + "\n"


def _plain(line: str) -> str:
    """Keep a link's text, and its address where it leads elsewhere; take the marks off."""
    line = _LINK.sub(lambda m: f"{m[1]} <{m[2]}>" if m[2].startswith("https://") else m[1], line)
    return _ESCAPE.sub(r"\1", line.replace("**", ""))


def _wrapped(line: str, width: int) -> list[str]:
    match = _ITEM.fullmatch(line)
    indent = " " * len(match[1] or "") if match else ""
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]
