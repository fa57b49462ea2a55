"""The paths someone named on the command line -> what reading them gave.

An entry is checked against the whole catalogue it belongs to, however few files were named: a look-alike must stand on
both sides. Only the issues of the named files are then reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from generator.catalog import Reading, entry_files, read_catalog
from generator.home import folder
from generator.register import FILE
from generator.register_changes import check_changes

SCHEMA = "schema/entry.schema.json"


def read_selection(paths: Sequence[Path], progress: Callable[[str], None]) -> Reading:
    """Read what was named; without a name, the project one stands in.

    Raises FileNotFoundError when a path does not exist or no project is there, OSError when it cannot be read.
    """
    roots: dict[Path, list[Path]] = {}
    for path in paths or [Path()]:
        if not path.exists():
            raise FileNotFoundError(2, "no such file or folder", str(path))
        for named in _expand(path):
            roots.setdefault(_root_of(named), []).append(named)
    if not roots:
        raise FileNotFoundError(2, "no entry in it", str(paths[0]))
    readings = [_read(root, named, progress) for root, named in sorted(roots.items())]
    issues = sorted((issue for reading in readings for issue in reading.issues), key=lambda issue: issue.sort_key)
    files = tuple(file for reading in readings for file in reading.files)
    return Reading(catalog=readings[0].catalog, issues=tuple(issues), files=files)


def files_named(paths: Sequence[Path]) -> dict[Path, list[Path]]:
    """Return the entry files that were named, by the project they belong to; without a name, all of the one here.

    Raises FileNotFoundError when a path does not exist or no project is there.
    """
    found: dict[Path, list[Path]] = {}
    for path in paths or [Path()]:
        if not path.exists():
            raise FileNotFoundError(2, "no such file or folder", str(path))
        for named in _expand(path):
            root = _root_of(named)
            inner = root / "entries" if (named / "entries").is_dir() else named.resolve()
            files = sorted(entry_files(inner)) if inner.is_dir() else [inner]
            found.setdefault(root, []).extend(file for file in files if file.suffix == ".yaml" and file.is_file())
    return found


def _expand(path: Path) -> Iterator[Path]:
    """Yield what a path stands for: itself, or the files and projects in a folder that is no part of a project."""
    if not path.is_dir() or (path / "entries").is_dir() or path.resolve().is_relative_to(_root_of(path) / "entries"):
        yield path
        return
    for inner in sorted(path.iterdir()):
        if inner.is_dir() or inner.suffix in (".yaml", ".yml"):
            yield from _expand(inner)


def _root_of(path: Path) -> Path:
    """Find the project a path belongs to: the nearest folder, itself included, that holds `entries/`."""
    absolute = path.resolve()
    for place in (absolute, *absolute.parents):
        if (place / "entries").is_dir():
            return place
    raise FileNotFoundError(2, "no entries/ in this folder or above it", str(path))


def _read(root: Path, named: Iterable[Path], progress: Callable[[str], None]) -> Reading:
    schema = root / SCHEMA if (root / SCHEMA).is_file() else folder("schema") / "entry.schema.json"
    entries = root / "entries"
    chosen = [path.resolve() for path in named]
    strangers = [p for p in chosen if p.is_file() and not p.is_relative_to(entries)]
    reading = read_catalog(entries, schema, strangers=strangers, progress=progress)
    changes = check_changes(root, reading.catalog.register, reading.catalog.entries, _register(root))
    whole = root in chosen or entries in chosen

    def wanted(file: str) -> bool:
        return whole or any((root / file).is_relative_to(path) for path in chosen)

    prefix = _prefix(root)
    issues = tuple(
        replace(issue, location=replace(issue.location, file=prefix + issue.location.file))
        for issue in sorted((*reading.issues, *changes), key=lambda issue: issue.sort_key)
        if wanted(issue.location.file)
    )
    files = tuple(prefix + file for file in reading.files if wanted(file))
    return Reading(catalog=reading.catalog, issues=issues, files=files)


def _register(root: Path) -> str:
    try:
        return (root / FILE).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def _prefix(root: Path) -> str:
    """Return what leads from here to the project, so that an editor finds the reported files."""
    here = Path.cwd().resolve()
    if root == here:
        return ""
    if root.is_relative_to(here):
        return root.relative_to(here).as_posix() + "/"
    if here.is_relative_to(root):
        return "../" * len(here.relative_to(root).parts)
    return root.as_posix() + "/"
