"""The entries that someone named -> the same, mended where a program can, and written when all of it is known.

The disk end of `check --fix`: which files, in which order, each written whole or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from generator.catalog import read_catalog
from generator.fix import fix
from generator.fix_register import fix_register
from generator.home import folder
from generator.register import FILE
from generator.register_changes import owners
from generator.selection import SCHEMA, files_named
from generator.validate import load_schema


def fix_selection(paths: Sequence[Path], progress: Callable[[str], None]) -> tuple[str, ...]:
    """Mend what was named, and the register of its project; return what was mended, a line each.

    Raises FileNotFoundError when a path does not exist or no project is there, OSError when something cannot be read or
    written.
    """
    told = []
    for root, files in files_named(paths).items():
        schema = root / SCHEMA if (root / SCHEMA).is_file() else folder("schema") / "entry.schema.json"
        loaded = load_schema(schema)
        for file in files:
            progress(file.name)
            name = file.relative_to(root).as_posix()
            try:
                text = file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # as the check says
            fixed = fix(text, name, loaded)
            if fixed.text != text:
                _write(file, fixed.text)
                told += [f"{name}: {what}" for what in fixed.told]
        told += _fix_register(root, schema)
    return tuple(told)


def _fix_register(root: Path, schema: Path) -> list[str]:
    entries = read_catalog(root / "entries", schema).catalog.entries
    path = root / FILE
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    fixed = fix_register(text, entries, owners(root), random.SystemRandom())
    if fixed.text == text:
        return []
    for name, (old, new) in fixed.renumbered.items():
        file = root / name
        _write(file, file.read_text(encoding="utf-8").replace(old, new))
    _write(path, fixed.text)
    return [f"{FILE}: {what}" for what in fixed.told]


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
