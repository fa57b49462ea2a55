"""What the commands share: one line for what cannot be done, progress for who watches, colour for who wants it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

PROBLEMS, USAGE = 1, 2
"""Exit status: problems in entries; wrong usage, or something that cannot be read or written."""


class Unusable(click.ClickException):
    """Something the command cannot work with; one line, exit 2."""

    exit_code = USAGE


class Answering(click.Group):
    """Commands whose answer may not get out: a full disk behind `>` ends in one line too."""

    def main(self, *words: Any, **options: Any) -> Any:
        """Run the command, and see its answer out."""
        if sys.stdout is None:  # closed by who started it
            click.echo("Error: the answer could not be written: standard output is closed", err=True)
            sys.exit(USAGE)
        try:
            try:
                return super().main(*words, **options)
            finally:
                sys.stdout.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would try again at its end, and complain
            if isinstance(error, BrokenPipeError):  # the reader has seen enough
                sys.exit(PROBLEMS)
            click.echo(f"Error: the answer could not be written: {error.strerror}", err=True)
            sys.exit(USAGE)


@contextmanager
def disk(place: Path | None = None) -> Iterator[None]:
    """Say in one line what the disk refused, and where: `place`, when the system does not say."""
    try:
        yield
    except OSError as error:
        where = error.filename or place
        raise Unusable(f"{where}: {error.strerror or error}" if where else str(error.strerror or error)) from None
    except ValueError as error:
        raise Unusable(str(error)) from None


@contextmanager
def showing(verb: str) -> Iterator[Callable[[str], None]]:
    """Show the file being worked on while someone watches; nothing into a pipe or a log."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    try:
        yield lambda name: click.echo(f"\r\x1b[2K{verb} {name}"[: width()], err=True, nl=False)
    finally:
        click.echo("\r\x1b[2K", err=True, nl=False)


def colour() -> bool:
    """Colour for a terminal whose user has not declined it (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def width() -> int:
    return min(shutil.get_terminal_size().columns, 100)
