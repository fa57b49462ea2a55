"""Prose is inline Markdown without HTML, images or links that are not https."""

from __future__ import annotations

from collections.abc import Iterator

from generator.issues import Problem
from generator.model import Catalog, Entry, prose_fields
from generator.prose import problems


def check_markup(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """No field holds markup that the page would not print."""
    for path, text, _ in prose_fields(entry):
        for code, message, mend in problems(text):
            yield Problem(path=path, code=code, message=message, mend=mend)


CHECKS = (check_markup,)
