"""The pages of a built site -> links that lead nowhere, fragments included.

Links to other sites are not followed. Knows nothing of entries and of who built the pages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from posixpath import join, normpath
from sys import intern
from urllib.parse import unquote

_ID = re.compile(r' id="([^"<>]*)"')
"""Finds one in a text too, which does no harm; six times as fast as to look for the tag around it."""
_LINK = re.compile(r'<(?:a|link|img|script|source)\b[^<>]*? (?:href|src)="([^"<>]*)"')
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class BrokenLink:
    """A link and the page it stands on."""

    page: str
    link: str
    why: str

    def __str__(self) -> str:
        return f"/{self.page}: the link to '{self.link}' {self.why}"


@dataclass(slots=True)
class LinkCheck:
    """Collects pages one at a time and keeps of them only what the check needs.

    Links are resolved against the site's root; each target is kept once, with the first page that names it.
    """

    base: str = "/"
    """The path at which the site is served; a link that starts with it is one into the site."""
    _ids: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _wanted: dict[str, tuple[str, str]] = field(default_factory=dict)
    _within: list[BrokenLink] = field(default_factory=list)
    """Broken links from a page to itself, known at once."""

    def add(self, page: str, html: str) -> None:
        """Take in a page, by its address within the site: `memory/x/`, or empty for the home page."""
        ids = {unescape(name) for name in _ID.findall(html)}
        self._ids[page] = tuple(map(intern, ids))
        for link in self.follow(page, html):
            fragment = unquote(unescape(link[1:]))
            if fragment and fragment not in ids:
                self._within.append(BrokenLink(page=page, link=link, why=f"names no anchor of /{page}"))

    def follow(self, page: str, html: str) -> list[str]:
        """Take in the links of a page to others, and return those to itself."""
        depth = page.count("/")
        up = "../" * depth
        links = set(_LINK.findall(html))
        for link in links:
            if link.startswith("#") or _ELSEWHERE.match(link):
                continue
            address = unescape(link)
            if depth and address.startswith(up) and not address.startswith("../", len(up)):
                target = address[len(up) :]
            elif address.startswith(self.base):
                target = _resolve("", address.removeprefix(self.base))
            elif address.startswith("/"):
                target = address
            else:
                target = _resolve(page, address)
            if target not in self._wanted:
                self._wanted[target] = (page, link)
        return [link for link in links if link.startswith("#")]

    def want(self, page: str, target: str) -> None:
        """Take in one link of a page, as an address within the site."""
        self._wanted.setdefault(target, (page, target))

    def broken(self, files: set[str]) -> tuple[BrokenLink, ...]:
        """Return the links that lead nowhere; `files` are all files of the site, `memory/x/index.html`."""
        ids: dict[str, frozenset[str]] = {}
        found = list(self._within)
        for target, (page, link) in self._wanted.items():
            path, _, fragment = target.partition("#")
            path = unquote(path.partition("?")[0])
            file = f"{path}index.html" if path == "" or path.endswith("/") else path
            if file not in files:
                found.append(BrokenLink(page=page, link=link, why="leads to no page of the site"))
                continue
            address = file.removesuffix("index.html")
            if not fragment or address not in self._ids:
                continue
            if address not in ids:
                ids[address] = frozenset(self._ids[address])
            if unquote(fragment) not in ids[address]:
                found.append(BrokenLink(page=page, link=link, why=f"names no anchor of /{address}"))
        return tuple(sorted(found))


def check_site(site: Path, base: str = "/") -> tuple[BrokenLink, ...]:
    """Check every page of a built site, as it stands on the disk."""
    files = files_of(site)
    check = LinkCheck(base=base)
    for file, html in _pages(site, files):
        check.add(file.removesuffix("index.html"), html)
    return check.broken(files)


def files_of(site: Path) -> set[str]:
    """List the files under a folder, relative to it, with forward slashes."""
    root = str(site)
    found: set[str] = set()
    for folder, _, names in os.walk(root):
        stem = folder[len(root) :].replace(os.sep, "/").lstrip("/")
        found.update(f"{stem}/{name}" if stem else name for name in names)
    return found


def _pages(site: Path, files: set[str]) -> Iterator[tuple[str, str]]:
    for file in sorted(files):
        if file.endswith(".html"):
            yield file, (site / file).read_text(encoding="utf-8")


def _resolve(page: str, address: str) -> str:
    """Turn a relative address into one from the site's root; a slash at its end stays.

    >>> _resolve("memory/x/", "../y/#a"), _resolve("memory/x/", "."), _resolve("404.html", "memory/")
    ('memory/y/#a', 'memory/x/', 'memory/')
    """
    path, mark, fragment = address.partition("#")
    folder = page.rpartition("/")[0]
    target = normpath(join("/", folder, path or ".")).lstrip("/")
    if target and (path.endswith(("/", "/.", "/..")) or path in ("", ".", "..")):
        target += "/"
    return target + mark + fragment
