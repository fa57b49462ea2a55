"""Where the project's folders are, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder `schema`, `overrides` or `entries`: beside the package, or inside an installed one."""
    beside = PACKAGE.parent / name
    return beside if (PACKAGE.parent / "mkdocs.yml").is_file() and beside.is_dir() else PACKAGE / name
