"""One shape of text: a pattern, what its groups are called, and samples that hold it to its word.

Row 1 of the house: patterns only, no reading of logs. They are in the subset that Python `re` (with `re.ASCII`),
JavaScript (`u` flag) and RE2 read alike, and see cleaned lines, in which a run of blanks is one. The index carries them
to both engines. Each shape was seen in a run or in the source that prints it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One shape of text and what its groups are called."""

    id: str
    pattern: str
    needs: tuple[str, ...] = ()
    """Texts of which every match holds one: where none stands, the pattern need not be tried."""
    gives: tuple[str, ...] = ()
    """The label of each group, in their order."""
    samples: Mapping[str, tuple[str, ...]]
    """A text it must match, to the texts of its groups; a group that took no part gives the empty text."""
    misses: tuple[str, ...] = ()
    """Texts that look alike and must not match."""
