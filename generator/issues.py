"""What a check reports about an entry file, and where.

Row 1 of the house: knows neither YAML nor the schema. Problems in content are values that are collected, sorted and
reported together; exceptions are for our own bugs and for the disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""A place in an entry's data: keys and list positions from the top, `("causes", 0, "mechanism")`."""


class Severity(StrEnum):
    """How bad an issue is; only errors stop a build."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file; line and column start at 1, column counts characters."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What a check found in an entry, placed by its data path; the catalog turns it into an Issue."""

    path: Path
    """Where in the entry's data."""
    code: str
    """The check's name in lower case with hyphens, printed in brackets: `unknown-key`."""
    message: str
    """What is wrong, with the value: no class names, no regex as an explanation."""
    mend: str
    """One or two sentences that say what to do."""
    at_key: bool = False
    """Place it on the key rather than on the value."""
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A located problem, ready to be reported."""

    location: Location
    severity: Severity
    code: str
    message: str
    mend: str
    source: str = ""
    """The contributor's own line, without its line end, cut around the caret when very long."""
    width: int = 1
    """How many characters of that line the caret underlines."""
    cut: int = 0
    """How many characters of a very long line are missing before `source`; the caret stands at `column - cut`."""

    @property
    def sort_key(self) -> tuple[Location, str, str]:
        """Order of reporting: by place, then by check."""
        return (self.location, self.code, self.message)
