"""A site is built beside its place and put there whole, so that a failed build leaves the old one as it was.

Touches the disk; knows nothing of what is built.
"""

from __future__ import annotations

import shutil
from pathlib import Path


def open_staging(target: Path) -> Path:
    """Make an empty folder beside the target, to build in; raises OSError when that cannot be.

    Also raises it when the target is there and is no folder, before anything has been built.
    """
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(target))
    folder = _beside(target, "building")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def put_in_place(folder: Path, target: Path) -> None:
    """Put a finished folder where the target is; hidden files of the old one, such as `.git`, move over."""
    old = _beside(target, "old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    try:
        folder.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    if old.exists():
        for hidden in old.glob(".*"):
            if not (target / hidden.name).exists():
                hidden.rename(target / hidden.name)
        shutil.rmtree(old)


def discard(folder: Path) -> None:
    """Throw an unfinished build away."""
    shutil.rmtree(folder, ignore_errors=True)


def _beside(target: Path, word: str) -> Path:
    return target.with_name(f".{target.name}.{word}")
