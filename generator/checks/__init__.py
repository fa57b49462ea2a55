"""What the schema cannot say about an entry, one function each.

Every check takes an entry and the catalogue and yields Problems placed by data path. A check reports; it never prints,
never raises on content and never changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from generator.checks import boilerplate, evidence, identity, links, prose, signatures
from generator.issues import Problem
from generator.model import Catalog, Entry

Check: TypeAlias = Callable[[Entry, Catalog], Iterator[Problem]]

CHECKS: tuple[Check, ...] = (*identity.CHECKS, *links.CHECKS, *evidence.CHECKS, *prose.CHECKS, signatures.check)
"""Checks of one entry at a time."""

CATALOG_CHECKS: tuple[Callable[[Catalog], Iterator[tuple[Entry, Problem]]], ...] = (
    identity.check_unique,
    signatures.check_owners,
    boilerplate.check,
)
"""Checks that compare entries with each other."""
