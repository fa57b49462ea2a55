"""The text of an issue -> the comment that says which known failure it shows, or nothing.

Holds ids, titles of entries, line numbers and links: no character of the issue.
"""

from __future__ import annotations

from typing import Any

from generator.diagnosis.diagnose import diagnose
from generator.index import Index
from generator.twin_text import link_markdown

MARKER = "<!-- ml-failure-encyclopedia -->"
"""By this, and by who wrote it, the bot knows its own comment."""
GONE = f"{MARKER}\nWhat stood here no longer fits the text of this issue.\n"
MOST = 3
"""Entries that a comment names."""
_LINES = 5


def comment_on(text: str, index: Index) -> str | None:
    """Return the comment, or None below the bar: a wrong name is worse than none.

    The bar is an established diagnosis, or one that a line supports which is a cause wherever it stands.
    """
    found = diagnose([("issue", [text.encode("utf-8", "replace")])], index)
    what, who = found["what"], found["who"]
    named = [entry for entry in what["entries"] if what["status"] == "established" or entry["role"] == "cause"][:MOST]
    if found["outcome"] not in ("failed", "cancelled") or not named or named[0] is not what["entries"][0]:
        return None
    rows = [f"- {_named(entry)}{_at([place['line'] for place in entry['evidence']])}" for entry in named]
    ranks = ", ".join(map(str, who["ranks"][:MOST]))
    if who["status"] == "established" and ranks and who["line"] is not None:
        rows.append(f"- It began on rank {ranks}{_at([who['line']])}")
    says = "shows" if what["status"] == "established" else "may show"
    return "\n".join([MARKER, f"The text of this issue {says} a known failure:", "", *rows, ""])


def _named(entry: dict[str, Any]) -> str:
    id_ = entry["signature"] or entry["id"]
    site = entry["url"].rsplit("/", 3)[0]
    link = link_markdown(entry["title"], f"{site}/r/{id_.removeprefix('MLFE-')}/")
    return f"{link} ({id_}{', a draft' if entry['status'] == 'draft' else ''})"


def _at(lines: list[int]) -> str:
    numbers = ", ".join(str(line) for line in sorted(set(lines))[:_LINES])
    return f", line {numbers}" if numbers else ""
