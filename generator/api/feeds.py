"""Catalog and the days of its files -> feeds of new and changed entries, as Atom (RFC 4287) and JSON Feed 1.1.

One for the site, one for each category and each framework. Drafts are in none. An item's id is the entry's permanent
address, so that a reader shows an entry once however often it changes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from generator.model import Catalog, Entry
from generator.prose import plain_text
from generator.site.revisions import Revisions

MOST = 50
"""Items of a feed: those changed last."""

_ATOM = "http://www.w3.org/2005/Atom"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a feed is about."""

    address: str
    """Of the page that lists the same, within the site, with a slash at its end; empty for the home page."""
    title: str
    entries: Sequence[Entry]


def feed_files(
    catalog: Catalog, revisions: Revisions, *, site_name: str, site_url: str, newest: str
) -> Iterator[tuple[str, str]]:
    """Yield path and text of each feed; `newest` is the time of a feed without entries."""
    for feed in feeds_of(catalog, revisions, site_name):
        yield f"{feed.address}feed.atom", _atom(feed, revisions, site_name, site_url, newest)
        yield f"{feed.address}feed.json", _json(feed, revisions, site_url)


def feeds_of(catalog: Catalog, revisions: Revisions, site_name: str) -> Iterator[Feed]:
    """Yield the feeds: of all entries, of each category and of each framework that has some."""
    dated = [entry for entry in catalog.published if entry.file in revisions.changed]
    latest = sorted(dated, key=lambda e: (revisions.changed[e.file], revisions.added[e.file], e.id), reverse=True)
    yield Feed(address="", title=site_name, entries=latest[:MOST])
    for name, field, place in (("category", "category", "{}/"), ("framework", "frameworks", "framework/{}/")):
        for term in catalog.vocabularies.get(name, {}).values():
            within = [entry for entry in latest if term.value in _values(entry, field)]
            if within:
                title = f"{term.title} - {site_name}"
                yield Feed(address=place.format(term.value), title=title, entries=within[:MOST])


def _values(entry: Entry, field: str) -> tuple[str, ...]:
    value: str | tuple[str, ...] = getattr(entry, field)
    return (value,) if isinstance(value, str) else value


def _atom(feed: Feed, revisions: Revisions, site_name: str, site_url: str, newest: str) -> str:
    root = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    days = [revisions.changed[entry.file] for entry in feed.entries]
    _add(root, "id", f"{site_url}{feed.address}feed.atom")
    _add(root, "title", feed.title)
    _add(root, "updated", _time(max(days)) if days else newest)
    ElementTree.SubElement(root, "link", {"rel": "self", "href": f"{site_url}{feed.address}feed.atom"})
    ElementTree.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": f"{site_url}{feed.address}"})
    _add(ElementTree.SubElement(root, "author"), "name", site_name)
    for entry in feed.entries:
        item = ElementTree.SubElement(root, "entry")
        _add(item, "id", f"{site_url}r/{entry.number}/")
        _add(item, "title", plain_text(entry.title))
        ElementTree.SubElement(item, "link", {"rel": "alternate", "href": f"{site_url}{entry.address}/"})
        _add(item, "published", _time(revisions.added[entry.file]))
        _add(item, "updated", _time(revisions.changed[entry.file]))
        ElementTree.SubElement(item, "category", {"term": entry.category})
        _add(item, "summary", plain_text(entry.summary))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = _NO_XML.sub("\ufffd", text)


def _json(feed: Feed, revisions: Revisions, site_url: str) -> str:
    items = [
        {
            "id": f"{site_url}r/{entry.number}/",
            "url": f"{site_url}{entry.address}/",
            "title": plain_text(entry.title),
            "content_text": plain_text(entry.summary),
            "date_published": _time(revisions.added[entry.file]),
            "date_modified": _time(revisions.changed[entry.file]),
            "tags": [entry.category, *entry.tags],
        }
        for entry in feed.entries
    ]
    content = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": f"{site_url}{feed.address}",
        "feed_url": f"{site_url}{feed.address}feed.json",
        "language": "en",
        "items": items,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"
