"""Hands the encyclopedia's pages to MkDocs (or ProperDocs): the only file that imports it.

MkDocs frames each page with the theme. A page is made when its frame is and dropped afterwards, since MkDocs keeps
what it holds until the end; the site is built beside its place and put there when nothing failed.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment
from mkdocs.config import config_options as c
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents
from mkdocs.utils import CountHandler
from mkdocs.utils.templates import TemplateContext

from generator import report
from generator.catalog import read_catalog
from generator.entry_page.page import Heading
from generator.home import PACKAGE, folder
from generator.model import Catalog
from generator.publish import MENU, SiteFile, SitePage, site_files, site_pages
from generator.render import Renderer
from generator.site.revisions import Revisions, read_revisions
from generator.site.sitecheck import LinkCheck, files_of
from generator.site.staging import discard, open_staging, put_in_place

log = get_plugin_logger("encyclopedia")
_NAME = log.logger.name.partition(".")[0]
"""`mkdocs`, or `properdocs` when that is what runs."""
_THEME_SEARCH = ("assets/javascripts/lunr/", "assets/javascripts/workers/")
"""What the theme's own search needs, and no page here loads."""
SHOWN = 100
"""Broken links named; a fault in a template makes one on every page."""


class Refused(Abort):
    """The disk or the settings do not let the site be built; one line, exit 2."""

    code = exit_code = 2


class Settings(Config):  # type: ignore[no-untyped-call]
    """What `mkdocs.yml` may say under `encyclopedia`."""

    root = c.Type(str, default="")
    """The folder that holds `entries/`; that of `mkdocs.yml` when empty."""


class GeneratedPage(Page):
    """A page whose content comes from the catalogue when its frame is made, and never was Markdown."""

    def __init__(self, made_of: SitePage, file: File, config: MkDocsConfig) -> None:
        label = made_of.menu[-1] if made_of.menu else made_of.title
        super().__init__(escape(label, quote=False), file, config)
        self.made_of = made_of
        if made_of.changed:
            self.update_date = made_of.changed

    def read_source(self, config: MkDocsConfig) -> None:
        """Set what Markdown would hold in its front matter."""
        self.markdown = ""
        title, description = escape(self.made_of.title, quote=False), escape(self.made_of.description)
        self.meta = {"title": title, "description": description, "twin": self.made_of.twin, "own": self.made_of.own}
        self.meta["worker"] = self.made_of.worker
        if not self.made_of.address:
            self.meta["hide"] = ["toc"]

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """Leave the content empty: it is made when the page is framed."""
        self.content = ""


class EncyclopediaPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """Builds the site from `entries/`."""

    def __init__(self) -> None:
        self._serving = False
        self._staging: Path | None = None
        self._target = Path()
        self._root = Path()
        self._revisions = Revisions()
        self._catalog = Catalog(entries=())
        self._links = LinkCheck()
        self._theme = Environment(autoescape=True)
        self._menus: dict[str, Mapping[str, str]] = {}
        self._renderer: Renderer
        self._warnings = CountHandler()
        self._disk_once = _DiskOnce()

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Remember whether this is a build for keeps; `serve` builds into a folder of its own."""
        self._serving = command == "serve" or dirty

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Find the project, date the build, watch what pages are made of, and build beside the site's place."""
        self._root = Path(config.config_file_path or ".").resolve().parent / self.config.root
        if not config.use_directory_urls:
            raise Refused("The encyclopedia's addresses end in a slash: take 'use_directory_urls: false' out.")
        if config.site_url and not config.site_url.endswith("/"):
            config.site_url += "/"
        self._target, self._staging = Path(config.site_dir), None
        try:
            self._revisions = read_revisions(self._root)
        except OSError as error:
            raise _refusal(error, self._target) from None
        os.environ.setdefault("SOURCE_DATE_EPOCH", str(self._revisions.epoch or _newest(self._root / "entries")))
        for place in (self._root / "entries", self._root / "schema", self._overrides(config), PACKAGE / "templates"):
            if place.is_dir() and str(place) not in config.watch:
                config.watch.append(str(place))
        self._links = LinkCheck(base=urlsplit(config.site_url or "/").path)
        self._listen(on=True)
        if not self._serving:
            try:
                self._staging = open_staging(self._target)
            except OSError as error:
                self._listen(on=False)
                raise _refusal(error, self._target) from None
            config.site_dir = str(self._staging)
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Read and check the catalogue; an entry with an error stops the build as `encyclopedia check` would put it."""
        schema = self._root / "schema"
        schema = schema if schema.is_dir() else folder("schema")
        reading = read_catalog(self._root / "entries", schema / "entry.schema.json")
        if reading.issues:
            text = report.to_text(reading.issues, len(reading.files))
            if any(issue.severity == "error" for issue in reading.issues):
                if not self._catalog.entries:
                    raise Abort(f"{text.rstrip()} The site was not built.")
                log.info("%s", f"{text.rstrip()} The entries are served as they were before.")  # a server goes on
                return
            log.info("%s", text.rstrip())
        self._catalog = reading.catalog
        if not self._serving:
            gc.freeze()  # the catalogue lives to the end: looking through it for garbage costs a tenth of a build

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add a page for each entry and each index, and put the indexes into the menu."""
        for file in [f for f in files if f.src_uri.startswith(_THEME_SEARCH)]:
            files.remove(file)
        menu: dict[str, list[dict[str, str]]] = {}
        self._renderer = Renderer(self._overrides(config))
        for page in site_pages(self._catalog, self._renderer, self._revisions):
            path = f"{page.address}index.md"
            inclusion = InclusionLevel.INCLUDED if page.menu else InclusionLevel.NOT_IN_NAV
            file = File.generated(config, path, content="", inclusion=inclusion)
            file.edit_uri = f"../{page.source}" if page.source else None
            GeneratedPage(page, file, config)
            files.append(file)
            if page.menu:
                menu.setdefault(page.menu[0], []).append({page.menu[-1]: path})
        hand_written = [item for item in config.nav or [] if not (isinstance(item, dict) and item.keys() <= set(MENU))]
        config.nav = [_menu_item(label, menu[label]) for label in MENU if label in menu] + hand_written
        return files

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Keep the theme's templates at hand."""
        self._theme, self._menus = env, {}
        return env

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Make the page."""
        if isinstance(page, GeneratedPage):
            if page.made_of.menu is None:
                context["menu"] = self._menu(context)  # type: ignore[typeddict-unknown-key]
            made = page.made_of.make()
            page.content = made.html
            page.toc = TableOfContents([_anchor_link(heading) for heading in made.outline])
            for file in made.files:
                self._write(file, config)
        return context

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Note where the page links to, and drop what made it."""
        address = page.file.dest_uri.removesuffix("index.html")
        self._links.add(address, output)
        if isinstance(page, GeneratedPage):
            page.content, page.toc = "", TableOfContents([])
        return output

    @event_priority(-100)  # after every plugin that writes
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the files that belong to no page, check all links, and put the site in its place."""
        names = {name: config[name] or "" for name in ("site_name", "site_description", "repo_url")}
        address = config.site_url or "/"
        for file in site_files(self._catalog, self._renderer, self._revisions, site_url=address, **names):
            self._write(file, config)
            if file.target:
                self._links.want(file.path.removesuffix("index.html"), file.target)
        broken = self._links.broken(files_of(Path(config.site_dir)))
        if broken:
            count = f"{len(broken)} broken {'link' if len(broken) == 1 else 'links'}"
            raise Abort("\n".join([*map(str, broken[:SHOWN]), f"{count}. The site was not built."]))
        if self._staging and not (config.strict and self._warnings.get_counts()):
            put_in_place(self._staging, self._target)
            log.info("The site is in %s", self._target)
        self._finish(config)

    def on_build_error(self, *, error: Exception) -> None:
        """Leave nothing half-written; say in one line what the disk refused."""
        if self._staging:
            discard(self._staging)
        self._listen(on=False)
        if isinstance(error, OSError):
            raise _refusal(error, self._target) from None

    def on_shutdown(self) -> None:
        """Leave nothing beside the site when someone pressed Ctrl-C."""
        if self._staging:
            discard(self._staging)

    def _finish(self, config: MkDocsConfig) -> None:
        if self._staging:
            discard(self._staging)
            config.site_dir, self._staging = str(self._target), None
        self._listen(on=False)

    def _listen(self, *, on: bool) -> None:
        """Count warnings, which a strict build does not survive, and keep MkDocs from saying what we say better."""
        if on:
            self._warnings = CountHandler()
            self._warnings.setLevel(logging.WARNING)
            logging.getLogger(_NAME).addHandler(self._warnings)
            logging.getLogger(f"{_NAME}.commands.build").addFilter(self._disk_once)
        else:
            logging.getLogger(_NAME).removeHandler(self._warnings)
            logging.getLogger(f"{_NAME}.commands.build").removeFilter(self._disk_once)

    def _menu(self, context: TemplateContext) -> Mapping[str, str]:
        """Return the menu of pages that are not in it: it depends on nothing but how deep they lie."""
        depth = context["base_url"]
        if depth not in self._menus:
            parts = self._theme.get_template("encyclopedia/menu.html").make_module(dict(context))
            self._menus[depth] = {name: str(getattr(parts, f"the_{name}")()) for name in ("tabs", "nav")}
        return self._menus[depth]

    def _overrides(self, config: MkDocsConfig) -> Path:
        return Path(config.theme.custom_dir or folder("overrides"))

    def _write(self, file: SiteFile, config: MkDocsConfig) -> None:
        content = file.text(config.site_dir)
        for name in (file.path, *file.copies):  # there are many: pathlib and makedirs would double the time
            path = f"{config.site_dir}/{name}"
            folder = path.rpartition("/")[0]
            try:
                os.mkdir(folder)
            except FileExistsError:
                pass
            except FileNotFoundError:
                os.makedirs(folder)
            with open(path, "wb") as target:
                target.write(content)


class _DiskOnce(logging.Filter):
    """Drops what MkDocs says about a page that could not be written: the refusal that ends the build says it."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not isinstance(sys.exc_info()[1], OSError)


def _refusal(error: OSError, target: Path) -> Refused:
    where = f" ({error.filename})" if error.filename else ""
    return Refused(f"The site was not built into {target}: {error.strerror or error}{where}.")


def _newest(entries: Path) -> int:
    """Date a build without git by its newest entry."""
    return int(max((path.stat().st_mtime for path in entries.rglob("*.yaml")), default=0))


def _menu_item(label: str, pages: list[dict[str, str]]) -> dict[str, Any]:
    """Make a menu's line, or its section when there is more than the page of its own."""
    own = pages[0][label]
    return {label: [own, *pages[1:]]} if len(pages) > 1 else {label: own}


def _anchor_link(heading: Heading) -> AnchorLink:
    link = AnchorLink(escape(heading.title, quote=False), heading.anchor, heading.level)
    link.children = [_anchor_link(child) for child in heading.children]
    return link
