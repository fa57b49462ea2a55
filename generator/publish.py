"""Catalog -> everything the site holds beside the hand-written pages: pages to be framed by the theme, and plain files.

Each page is made when it is asked for and not kept, so that memory does not grow with the catalogue. Knows neither
MkDocs nor where the site is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from generator.api.feeds import feed_files
from generator.api.lists import llms_text, opensearch, twins_of
from generator.api.v1 import api_files, time_of
from generator.entry_page.page import Dates, Heading
from generator.expand import expand
from generator.home import folder
from generator.index_pages.diagnose import COMMAND, Specimen, signals, specimens
from generator.index_pages.indexes import index_pages
from generator.index_pages.listing import IndexPage
from generator.indexing import build, to_text
from generator.model import Catalog, Entry
from generator.prose import plain_text
from generator.render import Link, Renderer
from generator.search import build_index, signature_files
from generator.settings import new_issue_form
from generator.site.redirects import redirects
from generator.site.revisions import Revisions
from generator.site.scripts import SEARCH, bundle, diagnosis_script
from generator.twin import twin


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFile:
    """A file that stands in the site as it is."""

    path: str
    """Relative to the site, `memory/cuda-out-of-memory/index.md`."""
    content: str
    copies: tuple[str, ...] = ()
    """Other paths at which the same stands, equally deep."""
    target: str = ""
    """Address within the site to which it sends a reader on."""
    then: tuple[str, ...] = ()
    """Other files of the site, whose text follows."""

    def text(self, site: str) -> bytes:
        """Return all of it; the site is the folder in which the other files stand already."""
        parts = [Path(site, name).read_bytes() for name in self.then]
        return b"\n".join([self.content.encode(), *parts])


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A page that has been made."""

    html: str
    """From the heading to the end of the article."""
    outline: tuple[Heading, ...]
    files: tuple[SiteFile, ...] = ()
    """Files that go with the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """A page that can be made."""

    address: str
    """Within the site, with a slash at its end; empty for the home page."""
    title: str
    """Plain text, as is the description."""
    description: str
    make: Callable[[], Made]
    source: str = ""
    """The file to edit, relative to the project; empty for a page made of many."""
    changed: str = ""
    """Day of the last change, where it is known."""
    twin: bool = False
    """There is a Markdown twin beside it."""
    own: str = ""
    """Name of the script and the style sheet that this page alone has, `diagnose`."""
    worker: bool = False
    """It has a box for a log, which a worker reads."""
    menu: tuple[str, ...] | None = None
    """Where the page stands in the menu: section and label, or the label alone; None for most."""


def site_pages(catalog: Catalog, renderer: Renderer, revisions: Revisions) -> Iterator[SitePage]:
    """Yield every generated page: indexes in the order of the menu, then entries."""
    newest = max(revisions.changed.values(), default="")
    for page in index_pages(catalog, revisions.added, newest):
        yield SitePage(
            address=page.address,
            title=page.title,
            description=page.summary,
            make=partial(_make_index, page, renderer),
            changed=newest,
            menu=_menu(page),
            own="diagnose" if page.address == "diagnose/" else "",
            worker=page.address == "diagnose/",
        )
    for entry in catalog.entries:
        yield SitePage(
            address=f"{entry.address}/",
            title=plain_text(entry.title),
            description=plain_text(entry.summary),
            make=partial(_make_entry, entry, catalog, renderer, revisions),
            source=entry.file,
            changed=revisions.changed.get(entry.file, ""),
            twin=True,
            worker=True,
        )


def site_files(
    catalog: Catalog,
    renderer: Renderer,
    revisions: Revisions,
    *,
    site_name: str,
    site_url: str,
    site_description: str = "",
    repo_url: str = "",
) -> Iterator[SiteFile]:
    """Yield the files that belong to no page; a site's address ends in a slash."""
    yield from _machine_files(catalog, revisions, site_name, site_url, site_description)
    yield from (
        SiteFile(path=file.path, content=file.content) for file in (*build_index(catalog), *signature_files(catalog))
    )
    yield SiteFile(path="assets/search.js", content=bundle(renderer.assets, SEARCH))
    index = build(catalog, site_url)
    yield SiteFile(path="api/v1/signatures.json", content=to_text(index))
    for name in ("signatures", "diagnosis"):
        schema = (folder("schema") / f"{name}.schema.json").read_text(encoding="utf-8")
        yield SiteFile(path=f"api/v1/{name}.schema.json", content=schema)
    addresses = {"site": site_url, "issues": new_issue_form(repo_url)}
    yield SiteFile(path="assets/diagnose.js", content=_diagnosis_script(catalog, renderer, index, addresses))
    for redirect in redirects(catalog):
        link = relative_to(redirect.addresses[0])
        html = renderer.page("redirect.html", link, page=redirect, site_name=site_name, site_url=site_url)
        path, *copies = (f"{address}index.html" for address in redirect.addresses)
        target = f"{redirect.target}#{redirect.anchor}" if redirect.anchor else redirect.target
        yield SiteFile(path=path, content=html, copies=tuple(copies), target=target)


def _machine_files(
    catalog: Catalog, revisions: Revisions, site_name: str, site_url: str, site_description: str
) -> Iterator[SiteFile]:
    """Yield what programs read: the API, feeds, lists."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or revisions.epoch or 0)
    newest = time_of(epoch)
    feeds = feed_files(catalog, revisions, site_name=site_name, site_url=site_url, newest=newest)
    for path, content in (*api_files(catalog, revisions, site_url, epoch), *feeds):
        yield SiteFile(path=path, content=content)
    text = llms_text(catalog, site_name, site_description, site_url)
    yield SiteFile(path="llms.txt", content=text)
    yield SiteFile(path="llms-full.txt", content=text, then=tuple(twins_of(catalog)))
    yield SiteFile(path="opensearch.xml", content=opensearch(site_name, site_url))


def _diagnosis_script(
    catalog: Catalog, renderer: Renderer, index: Mapping[str, Any], addresses: Mapping[str, str]
) -> str:
    given = {
        "index": to_text(index),
        "hash": index["hash"],
        **addresses,
        "command": COMMAND,
        "signals": signals(catalog),
        "examples": [
            {"files": [{"name": name, "text": _text(specimen, name, renderer)} for name in specimen.files]}
            for specimen in specimens(catalog)
        ],
    }
    return diagnosis_script(renderer.assets, given)


def _text(specimen: Specimen, name: str, renderer: Renderer) -> str:
    """Return what a log to try holds."""
    return specimen.text or (renderer.assets / "diagnosis/examples" / name).read_text(encoding="utf-8")


def relative_to(address: str) -> Link:
    """Return what makes a site address relative to a page.

    >>> relative_to("memory/x/")("tag/nan/"), relative_to("")(""), relative_to("a-z/")("")
    ('../../tag/nan/', './', '../')
    """
    up = "../" * address.count("/")
    return lambda target: up + target or "./"


def _make_index(page: IndexPage, renderer: Renderer) -> Made:
    html = renderer.page(page.template, relative_to(page.address), page=page)
    return Made(html=html, outline=page.outline)


def _make_entry(entry: Entry, catalog: Catalog, renderer: Renderer, revisions: Revisions) -> Made:
    page = expand(entry, catalog)
    dates = Dates(added=revisions.added.get(entry.file, ""), changed=revisions.changed.get(entry.file, ""))
    return Made(
        html=renderer.entry(page, relative_to(page.address), dates),
        outline=page.outline,
        files=(SiteFile(path=f"{page.address}index.md", content=twin(page, dates=dates)),),
    )


_TABS: Mapping[str, str] = {
    "": "Home",
    "diagnose/": "Diagnose",
    "categories/": "Categories",
    "symptoms/": "No error",
    "codes/": "Codes",
    "signatures/": "Signatures",
    "framework/": "Frameworks",
    "phase/": "Phases",
    "layer/": "Layers",
    "severity/": "Severity",
    "hardware/": "Hardware",
    "tag/": "Tags",
    "a-z/": "A to Z",
}
"""First page of each index and its short name, in the order of the menu."""


def _menu(page: IndexPage) -> tuple[str, ...] | None:
    """Place the first page of each index in the menu, and the categories below theirs; no entry and no later leaf."""
    if label := _TABS.get(page.address):
        return (label,)
    of_category = page.crumbs and page.crumbs[0].address == "categories/"
    return ("Categories", page.title) if of_category and (not page.leaves or page.leaves[0].current) else None


MENU = tuple(_TABS.values())
