"""A project's folder -> its Catalog and every issue found on the way.

Reads files, and knows which problem stands where. What is valid is said by the schema and the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from generator.checks import CATALOG_CHECKS, CHECKS
from generator.issues import Issue, Location, Problem, Severity
from generator.load import load
from generator.model import Catalog, Entry
from generator.register import FILE as REGISTER
from generator.register import check_register, parse_register
from generator.validate import Schema, check_document, load_schema

_IGNORED = {".git", "__pycache__"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What reading a project's entries gave."""

    catalog: Catalog
    issues: tuple[Issue, ...]
    """Sorted by place."""
    files: tuple[str, ...]
    """The entry files read, relative to the project."""


def read_catalog(
    entries: Path,
    schema: Path,
    *,
    strangers: Iterable[Path] = (),
    progress: Callable[[str], None] = lambda file: None,
) -> Reading:
    """Read every entry under a folder and check them all, each alone and all together.

    Strangers are files elsewhere in the project that are checked as if they were entries.
    Raises OSError when a folder or file cannot be read.
    """
    validator = load_schema(schema)
    root = entries.parent
    files = sorted({p.relative_to(root).as_posix() for p in (*entry_files(entries), *strangers)})
    issues: list[Issue] = []
    read: list[Entry] = []
    for file in files:
        progress(file)
        entry, found = _read_entry(root, file, validator)
        issues += found
        if entry is not None:
            read.append(entry)
    text = _read_text(root / REGISTER)
    register, of_register = parse_register(text)
    issues += of_register
    catalog = Catalog(
        entries=tuple(sorted(read, key=lambda e: (e.address, e.file))),
        vocabularies=validator.vocabularies,
        register=register,
    )
    problems = [(e, p) for e in catalog.entries for check in CHECKS for p in check(e, catalog)]
    problems += [pair for check_all in CATALOG_CHECKS for pair in check_all(catalog)]
    issues += _locate(root, problems)
    if len(read) == len(files):
        issues += check_register(register, catalog.entries, text)
    return Reading(catalog=catalog, issues=tuple(sorted(set(issues), key=lambda i: i.sort_key)), files=tuple(files))


def entry_files(entries: Path) -> Iterable[Path]:
    """Find the entry files; names that start with `_` or `.` are not entries."""
    for path in entries.rglob("*"):
        parts = path.relative_to(entries).parts
        if any(part.startswith(("_", ".")) or part in _IGNORED for part in parts):
            continue
        if path.suffix in (".yaml", ".yml"):
            yield path


def _read_entry(root: Path, file: str, schema: Schema) -> tuple[Entry | None, list[Issue]]:
    if not (root / file).is_file():
        return None, [_no_file(root / file, file)]
    document = load((root / file).read_bytes(), file)
    issues = list(check_document(document, schema))
    if not file.endswith(".yaml"):
        issues.append(document.issue(_WRONG_SUFFIX))
    return (None, issues) if issues else (Entry.from_raw(document.data, file), [])


def _no_file(path: Path, file: str) -> Issue:
    """Say what stands where an entry's file should; nothing is passed over in silence."""
    if path.is_dir():
        what, mend = "a folder has the name of an entry", "Rename it, or put the entry's text into a file of this name."
    elif path.is_symlink():
        what, mend = "a link leads to nothing", "Put the entry's file here itself, or remove the link."
    else:
        what, mend = "this is no ordinary file", "Put the entry's text into an ordinary file."
    return Issue(location=Location(file, 1, 1), severity=Severity.ERROR, code="no-file", message=what, mend=mend)


_WRONG_SUFFIX = Problem(
    path=(), code="file-ending", message="the file does not end in .yaml", mend="Rename it; entries end in .yaml."
)


def _read_text(path: Path) -> str:
    """Read the register; one that does not exist yet is empty."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def _locate(root: Path, problems: list[tuple[Entry, Problem]]) -> Iterable[Issue]:
    """Turn problems into issues; only a file that has some is read again for its positions."""
    by_file: dict[str, list[Problem]] = {}
    for entry, problem in problems:
        by_file.setdefault(entry.file, []).append(problem)
    for file, found in by_file.items():
        document = load((root / file).read_bytes(), file)
        for problem in found:
            if document.issues:  # changed while being read
                yield Issue(
                    location=Location(file, 1, 1),
                    severity=Severity.ERROR,
                    code=problem.code,
                    message=problem.message,
                    mend=problem.mend,
                )
            else:
                yield document.issue(problem)
