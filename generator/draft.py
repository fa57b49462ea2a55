"""A title and a category -> a new draft: its file's text, its free id and its line in the register.

Writes nothing but what `write_draft` is asked to; the text is valid as it stands.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.home import PACKAGE
from generator.model import Registration
from generator.register import FILE as REGISTER
from generator.register import HEADER, format_line

SLUG_LENGTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A new entry, not yet written."""

    registration: Registration
    text: str

    @property
    def file(self) -> str:
        """Where it belongs, relative to the project."""
        return f"entries/{self.registration.address}.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A line of a log as a signature could have it."""

    number: int
    """Of the line in its file."""
    line: str
    """Cleaned, without what a launcher wrote before it."""
    template: str
    near_misses: tuple[str, ...]


def free_id(taken: Collection[str], source: random.Random) -> str:
    """Draw an id that was never given out.

    Raises LookupError when all are.
    """
    free = [number for number in range(1, 10_000) if f"MLFE-{number:04}" not in taken]
    if not free:
        raise LookupError("all ids from MLFE-0001 to MLFE-9999 are taken")
    return f"MLFE-{source.choice(free):04}"


def slug_of(title: str) -> str:
    """Make a slug of a title; empty when it has no letter or digit.

    >>> slug_of("CUDA out of memory: the allocator can't serve a request")
    'cuda-out-of-memory-the-allocator-cant-serve-a-request'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower().replace("'", "")
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:SLUG_LENGTH].strip("-")


def make_draft(
    *,
    id: str,  # noqa: A002 -- the field's name
    title: str,
    slug: str,
    category: str,
    summary: str,
    today: str,
    proposals: Sequence[Proposal] = (),
) -> Draft:
    """Fill in the commented draft; proposals stand in it as comments, since where upstream writes them is not known."""
    environment = Environment(
        loader=FileSystemLoader(PACKAGE / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,  # noqa: S701 -- YAML, not HTML; every value goes through the yaml filter or a checked form
    )
    environment.filters["yaml"] = quote
    template = environment.get_template("draft.yaml.jinja")
    text = template.render(id=id, title=title, category=category, summary=summary, today=today, proposals=proposals)
    return Draft(
        registration=Registration(id=id, address=f"{category}/{slug}", status="draft", signatures=()), text=text
    )


def quote(text: str) -> str:
    r"""Write a text as a YAML scalar in single quotes on one line; what cannot be printed becomes a blank.

    >>> quote("it's: a\ttext")
    "'it''s: a text'"
    """
    return "'" + one_line(text).replace("'", "''") + "'"


def one_line(text: str) -> str:
    """Take line ends, and what cannot be printed, out of a text."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def write_draft(draft: Draft, root: Path) -> None:
    """Write the entry and its line in the register; when one fails, neither stays.

    Raises FileExistsError when the file exists, OSError when something cannot be written.
    """
    path, register = root / draft.file, root / REGISTER
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("x", encoding="utf-8", newline="\n")
    beside = register.with_suffix(".new")
    try:
        with file:
            file.write(draft.text)
        text = register.read_text(encoding="utf-8") if register.is_file() else HEADER
        beside.write_text(_insert(text, format_line(draft.registration)), encoding="utf-8", newline="\n")
        beside.replace(register)
    except (OSError, UnicodeDecodeError):
        path.unlink(missing_ok=True)
        if beside.is_file():
            beside.unlink()
        raise


def _insert(register: str, line: str) -> str:
    """Put a line at its place in the order of ids and leave every other as it is."""
    lines = register.splitlines()
    place = next((i for i, other in enumerate(lines) if other.startswith("MLFE-") and other > line), len(lines))
    return "\n".join([*lines[:place], line, *lines[place:]]) + "\n"
