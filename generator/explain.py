"""An entry in the terminal: its Markdown twin without what only a site needs, wrapped, with headings marked.

Takes the same text as every other Markdown reader, so that the terminal never says other than the page. By default it
takes the parts that are needed while a job is down; of a signature, what belongs to that one line.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from html import unescape

import click

from generator.entry_page.bodies import Body, Check, FixCard, QuickAnswer, Source
from generator.entry_page.lookup import key_of
from generator.entry_page.page import EntryPage, Section
from generator.entry_page.specimens import Signatures
from generator.expand import expand
from generator.model import Catalog, Entry
from generator.nearest import Near
from generator.parts import Line, Signature
from generator.prose import first_sentence, plain_text
from generator.twin import twin
from generator.twin_text import code_markdown

_ID = re.compile(r"(?:mlfe-)?(\d{4})(?:-(\d+))?", re.IGNORECASE)
_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
_ATTRIBUTES = re.compile(r" ?\{:? ?#[\w-]+ ?\}$")
_LINK = r"\[(?P<text>(?:`[^`]*`|[^\]\\]|\\.)*)\]\((?P<address>\S*?)\)"
_MARK = re.compile(
    r"(?P<inline>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))|"
    + _LINK
    + r"|\\(?P<sign>[!-/:-@\[-`{-~])|(?P<entity>&(?:#\d+|lt|gt|amp);)|\*{1,3}"
)
_ONLY_ON_A_PAGE = re.compile(r"(?:- +)?\[(?:[^\]\\]|\\.)*\]\(#\S*\)")
"""A label that leads to another part of the page and says nothing itself."""
_CITED = re.compile(r"\]\(#([\w-]+)\)")
_ITEM = re.compile(r"( *(?:[-*]|\d+\.) +)?(.*)")
_BRIEF_BADGES = ("Severity", "Versions", "Maturity", "Verified on")
_KEY = 120
"""Most characters of a signature in a list."""


def find_entry(catalog: Catalog, name: str) -> tuple[Entry, Signature | None]:
    """Find an entry by its id, a signature's id, its slug or its address, with the signature that was named.

    Raises LookupError that says what was meant, KeyError when the name is like none.
    """
    if match := _ID.fullmatch(name):
        id_ = f"MLFE-{match[1]}"
        entry = catalog.by_id.get(id_)
        if entry is None:
            raise LookupError(f"no entry has the id {id_}.")
        if not match[2]:
            return entry, None
        if found := catalog.signatures.get(f"{id_}-{int(match[2])}"):
            return found
        ids = ", ".join(map(entry.signature_id, entry.signatures))
        has = f"{id_} has {ids}" if ids else f"{id_} has none"
        raise LookupError(f"no signature has the id {id_}-{match[2]}: {has}.")
    slug = name.strip("/").rpartition("/")[2].lower()
    if entry := catalog.by_slug.get(slug):
        return entry, None
    if close := get_close_matches(slug, catalog.by_slug, n=1):
        raise LookupError(f"no entry '{name}': did you mean '{close[0]}'?")
    raise KeyError(name)


def list_near(found: Iterable[Near], *, site: str) -> str:
    """Name the entries near a text: id, title, address, and the signature that recognises it."""
    blocks = []
    for near in found:
        entry = near.entry
        anchor = f"#{near.signature.lower()}" if near.signature else ""
        told = f"\n  Signature {near.signature} recognises this line." if near.signature else ""
        draft = " (draft)" if entry.status == "draft" else ""
        title = plain_text(entry.title)
        blocks.append(f"{entry.id}  {title}{draft}{told}\n  {site}{entry.address}/{anchor}\n")
    return "\n".join(blocks)


def explain_entry(
    entry: Entry,
    catalog: Catalog,
    *,
    colour: bool,
    width: int,
    site: str,
    signature: Signature | None = None,
    full: bool = False,
) -> str:
    """Write an entry as lines of at most `width` columns; commands and log lines are left whole."""
    page = expand(entry, catalog)
    address = f"{site}{entry.address}/"
    end = ""
    if signature is not None:
        page = _of_signature(page, entry.signature_id(signature))
        address += f"#{entry.signature_id(signature).lower()}"
    elif not full:
        page = _brief(page)
        end = _ends(entry)
    text = _MATTER.sub("", twin(page, lambda to: to)) + end
    lines = list(_lines(text.split("\n"), {f"{e.address}/": e.id for e in catalog.entries}, colour=colour, width=width))
    place = next(number for number, line in enumerate(lines) if line.startswith(f"{entry.id} in "))
    lines.insert(place + 1, address)
    return "\n".join(lines).rstrip() + "\n"


def _brief(page: EntryPage) -> EntryPage:
    """Keep what is needed while a job is down: the quick answer, how to confirm it and what to do now."""
    bodies = {section.anchor: section.body for section in page.sections}
    if "quick-answer" not in bodies:
        return page
    answer, fixes = bodies["quick-answer"], bodies.get("fixes", ())
    cards = [fix for fix in (fixes if isinstance(fixes, tuple) else ()) if isinstance(fix, FixCard)]
    now = tuple(_short(fix) for fix in cards if fix.part.horizon == "now")
    steps = bodies.get("confirm", ())
    checks = tuple(
        replace(step, evidence=None, separates=(), part=replace(step.part, ask=None))
        for step in (steps if isinstance(steps, tuple) else ())
        if isinstance(step, Check)
    )
    if isinstance(answer, QuickAnswer):
        answer = replace(answer, check=None if checks else answer.check, fix=None if now else answer.fix)
    kept: tuple[tuple[str, str, Body], ...] = (
        ("quick-answer", "Quick answer", answer),
        *((("confirm", "How to confirm it", checks),) if checks else ()),
        *((("fixes", "What to do now", now),) if now else ()),
    )
    badges = tuple(group for group in page.badges if group.label in _BRIEF_BADGES)
    return replace(page, badges=badges, sections=tuple(Section(anchor=a, title=t, body=b) for a, t, b in kept))


def _short(fix: FixCard) -> FixCard:
    """Keep the head of each step, and how to see that it worked."""
    verify = replace(fix.part.verify, command=None)
    steps = tuple(Line(first_sentence(step)) for step in fix.part.steps)
    part = replace(fix.part, steps=steps, code=None, trade_off=None, applies_to=None, verify=verify)
    return replace(fix, part=part, evidence=None)


def _ends(entry: Entry) -> str:
    """List the signatures, and say how to read on."""
    lines = ["", "## Signatures", ""] if entry.signatures else [""]
    for signature in entry.signatures:
        key = key_of(signature)
        shown = key if len(key) <= _KEY else key[: _KEY - 1] + "…"
        lines += [f"- {entry.signature_id(signature)}: {code_markdown(shown)}", ""]
    return "\n".join([*lines, f"The whole entry: `encyclopedia explain --full {entry.id}`", ""])


def _of_signature(page: EntryPage, id_: str) -> EntryPage:
    """Keep the quick answer, one signature, and the sources that it names."""
    sections = []
    for section in page.sections:
        if section.anchor == "quick-answer":
            sections.append(section)
        elif section.anchor == "signatures" and isinstance(section.body, Signatures):
            cards = tuple(card for card in section.body.cards if card.id == id_)
            body = replace(section.body, cards=cards, shared=(), retired=())
            sections.append(replace(section, title="Signature", body=body))
    cited = set(_CITED.findall(twin(replace(page, sections=tuple(sections[1:])))))
    for section in page.sections:
        if section.anchor == "references" and isinstance(section.body, tuple):
            sources = tuple(
                replace(source, supports=())
                for source in section.body
                if isinstance(source, Source) and source.anchor in cited
            )
            sections += [replace(section, body=sources)] if sources else []
    return replace(page, badges=(), sections=tuple(sections))


def _lines(source: Iterable[str], ids: Mapping[str, str], *, colour: bool, width: int) -> Iterator[str]:
    """Write Markdown as plain lines, one empty line between blocks."""
    fence, last = "", ""
    for line in source:
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if fence:
            fence = "" if line == fence else fence
            written = ["    " + (click.style(line, fg="cyan") if colour else line)] if fence else []
        elif len(ticks) >= 3:
            fence, written = ticks, []
        elif line.lstrip().startswith("{: #") or _ONLY_ON_A_PAGE.fullmatch(line):
            written = []
        elif line.startswith("#"):
            title = _wrapped(_plain(_ATTRIBUTES.sub("", line).lstrip("# "), ids), width)
            written = [click.style(part, bold=True) if colour else part for part in title]
            if not line.startswith("###"):
                written.append(("=" if line.startswith("# ") else "-") * max(map(len, title)))
        else:
            written = _wrapped(_plain(line, ids), width)
        for part in written:
            if part or last or fence:
                yield part
            last = part


def _plain(line: str, ids: Mapping[str, str]) -> str:
    """Take the marks off; keep a link's text, with its address or the id of the entry where it leads elsewhere."""

    def plain(mark: re.Match[str]) -> str:
        if mark["inline"]:
            return mark["inline"]
        if (to := mark["address"]) is None:
            return mark["sign"] or unescape(mark["entity"] or "")
        text = _plain(mark["text"], ids)
        if to.startswith("https://"):
            return f"{text} <{to}>"
        if to in ids:
            return f"{text} ({ids[to]})"
        return f"[{text}]" if to.startswith("#") and text.isdigit() else text

    return _MARK.sub(plain, line)


def _wrapped(line: str, width: int) -> list[str]:
    match = _ITEM.fullmatch(line)
    indent = " " * len(match[1] or "") if match else ""
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]
