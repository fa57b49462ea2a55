"""Catalog -> a folder of plain Markdown with its assets, for another site generator.

Every page of the site, at the same address: entries as their twins, indexes through `templates/index.md.jinja`, the
hand-written pages as they are; beside them what belongs to no page, permanent addresses included.
"""

from __future__ import annotations

import json
import posixpath
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from generator.entry_page.page import Dates
from generator.expand import expand
from generator.home import folder
from generator.index_pages.indexes import index_pages
from generator.index_pages.listing import address_of
from generator.model import Catalog
from generator.publish import SiteFile, site_files
from generator.render import Link, Renderer
from generator.settings import Settings, read_settings
from generator.site.revisions import read_revisions
from generator.twin import index_twin, twin

SETTINGS = "mkdocs.yml"


def write_export(catalog: Catalog, root: Path, target: Path, progress: Callable[[str], None]) -> int:
    """Write the export of a project into a folder that is new, empty or an earlier export; return the number of pages.

    An earlier export is replaced only when the new one is complete.

    Raises FileExistsError when the folder holds anything else, OSError when something cannot be read or written,
    ValueError when the project's settings cannot be used.
    """
    if target.exists() and not (target / SETTINGS).is_file() and any(target.iterdir()):
        raise FileExistsError(17, "holds something else: name a folder that is new or empty", str(target))
    settings = read_settings(root / SETTINGS)
    beside = target.resolve().with_name(f".{target.resolve().name}.new")
    beside.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(beside, ignore_errors=True)
    try:
        pages = 0
        for file in _files(catalog, root, settings):
            progress(file.path)
            pages += file.path.endswith(".md")
            for name in (file.path, *file.copies):
                path = beside / "docs" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.text(str(beside / "docs")))
        _copy(root / "docs", beside / "docs")
        _copy(folder("overrides") / "assets", beside / "docs/assets")
        (beside / SETTINGS).write_text(_settings_text(settings), encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        beside.replace(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return pages + len(list((root / "docs").rglob("*.md")))


def _copy(source: Path, target: Path) -> None:
    """Copy a folder's files; unlike `shutil.copytree`, stop at the first that cannot be written."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())


def _files(catalog: Catalog, root: Path, settings: Settings) -> Iterator[SiteFile]:
    revisions = read_revisions(root)
    newest = max(revisions.changed.values(), default="")
    for index in index_pages(catalog, revisions.added, newest):
        yield SiteFile(path=f"{index.address}index.md", content=index_twin(index, markdown_link(index.address)))
    for entry in catalog.entries:
        address = address_of(entry)
        text = twin(
            expand(entry, catalog),
            markdown_link(address),
            edit_url=f"{settings.repo_url}edit/main/{entry.file}",
            dates=Dates(added=revisions.added.get(entry.file, ""), changed=revisions.changed.get(entry.file, "")),
            for_theme=True,
        )
        yield SiteFile(path=f"{address}index.md", content=text)
    yield from site_files(
        catalog,
        Renderer(folder("overrides")),
        revisions,
        site_description=settings.site_description,
        site_name=settings.site_name,
        site_url=settings.site_url,
        repo_url=settings.repo_url,
    )


def markdown_link(address: str) -> Link:
    """Return what makes a site address a link between Markdown files, seen from a page.

    >>> markdown_link("memory/x/")("tag/nan/"), markdown_link("memory/x/")("memory/y/#fixes"), markdown_link("")("")
    ('../../tag/nan/index.md', '../y/index.md#fixes', 'index.md')
    """

    def link(target: str) -> str:
        place, hash_, anchor = target.partition("#")
        file = f"{place}index.md" if not place or place.endswith("/") else place
        return posixpath.relpath(file, address or ".") + hash_ + anchor

    return link


def _settings_text(settings: Settings) -> str:
    """Write settings that MkDocs, ProperDocs and Zensical read."""
    fixed = {"docs_dir": "docs", "theme": {"name": "material", "font": False}, "markdown_extensions": _EXTENSIONS}
    named = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in {**named, **fixed}.items())


_EXTENSIONS = ["attr_list", "tables", "pymdownx.highlight", "pymdownx.superfences"]
"""Constructs that the twins use."""
