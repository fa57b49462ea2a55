"""A folder and what to ask -> what git says of it; nothing where there is no git."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(root: Path, *arguments: str) -> str:
    """Return what git prints; nothing outside a clone, or when it fails.

    Raises FileNotFoundError in a clone when git is not installed.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are this project's own
            ["git", "-c", "core.quotepath=off", "-C", str(root), *arguments],  # noqa: S607 - whichever git is on PATH
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        if (root / ".git").exists():
            raise FileNotFoundError(error.errno, "git, which knows what was changed, is not on PATH") from None
        return ""
    return done.stdout if done.returncode == 0 else ""
