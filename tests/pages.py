"""Entries and pages for tests: the example to copy, a hostile one, and what is in a rendered page."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from generator.catalog import read_catalog
from generator.load import load
from generator.model import Catalog, Entry
from generator.validate import Schema, check_document, load_schema

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "schema" / "entry.schema.json"
_VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}


@cache
def schema() -> Schema:
    return load_schema(SCHEMA)


def read_entry(path: Path, file: str) -> Entry:
    """Read one valid entry as if it stood at `file`."""
    document = load(path.read_bytes(), file)
    assert list(check_document(document, schema())) == []
    return Entry.from_raw(document.data, file)


@cache
def example() -> Entry:
    return read_entry(ROOT / "entries" / "_example.yaml", "entries/model-code/linear-layer-input.yaml")


@cache
def hostile() -> Entry:
    return read_entry(ROOT / "tests" / "data" / "hostile.yaml", "entries/model-code/hostile.yaml")


def minimal(status: str = "draft") -> Entry:
    """Return an entry with nothing but what the schema requires of a draft."""
    raw = {"id": "MLFE-0002", "title": "A draft", "status": status, "category": "memory", "summary": "It fails."}
    return Entry.from_raw(raw, "entries/memory/a-draft.yaml")


def catalog_of(*entries: Entry) -> Catalog:
    return Catalog(entries=entries, vocabularies=schema().vocabularies)


@cache
def real_catalog() -> Catalog:
    return read_catalog(ROOT / "entries", SCHEMA).catalog


@dataclass
class Seen(HTMLParser):
    """What stands in some HTML; fails on tags that do not nest."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if identifier := found.get("id"):
            self.ids.append(identifier)
        if tag == "a" and (href := found.get("href")):
            self.links.append(href)
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append((int(tag[1]), found.get("id") or ""))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> where {self.open} are open"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def look_at(html: str) -> Seen:
    seen = Seen()
    seen.feed(html)
    seen.close()
    assert seen.open == []
    return seen
