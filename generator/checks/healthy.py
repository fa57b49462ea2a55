"""The truth contract against logs of runs in which nothing failed: no deciding signature may find anything there.

Needs logs, which only the project's tests have; so it is not among the checks that every reading runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from generator.checks.matching import compile_wordings, lines_of, recognises
from generator.checks.signatures import DECIDING_ROLES, ENOUGH_BYTES
from generator.issues import Path, Problem
from generator.model import Entry
from generator.parts import Signature
from generator.template import Template


@dataclass(frozen=True, kw_only=True)
class HealthyLogs:
    """Lines of healthy runs, each with where it stands."""

    lines: tuple[tuple[str, str], ...]
    """Place (`torchrun.log:12`) and text."""

    @classmethod
    def of(cls, texts: Iterable[tuple[str, str]]) -> Self:
        """Take logs as name and text; a progress bar's states, between carriage returns, are lines of one number."""
        return cls(
            lines=tuple(
                (f"{name}:{number}", state)
                for name, text in texts
                for number, line in enumerate(lines_of(text), 1)
                for state in line.split("\r")
            )
        )

    @cached_property
    def text(self) -> str:
        """All lines in one text, to search for literals."""
        return "\n".join(line for _, line in self.lines)


def check(entry: Entry, logs: HealthyLogs) -> Iterator[Problem]:
    """Yield each wording of a deciding signature that a healthy log shows to be too loose."""
    for place, signature in enumerate(entry.signatures):
        if signature.role not in DECIDING_ROLES:
            continue
        for wording in compile_wordings(signature).compiled:
            path: Path = ("signatures", place, *wording.path, "template")
            yield from _check_wording(path, signature, wording.template, logs)


def _check_wording(path: Path, signature: Signature, template: Template, logs: HealthyLogs) -> Iterator[Problem]:
    present = [literal for literal in template.gate if literal in logs.text]
    if not present:
        return
    found = next(
        (
            (where, line)
            for where, line in logs.lines
            if any(literal in line for literal in present) and recognises(signature, template, line)
        ),
        None,
    )
    if found is not None:
        yield Problem(
            path=path,
            code="matches-healthy-log",
            message=f"the template matches a healthy log, {found[0]}: {found[1]}",
            mend="Narrow the template, or give the signature a role that leads to no verdict.",
        )
    elif template.literal_bytes < ENOUGH_BYTES:
        yield Problem(
            path=path,
            code="short-literal",
            message=f"'{present[0]}' stands in healthy logs and has less than {ENOUGH_BYTES} bytes",
            mend="Take in more of the line: a shorter text must occur in no healthy log.",
        )
