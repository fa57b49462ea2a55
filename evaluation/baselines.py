"""What simpler methods say of the same jobs: the launcher's claim, the first error line, the last."""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluation.corpora import Case

_ERROR = re.compile(r"\[rank([0-9]+)\]: (?:[A-Za-z_.]+)?(?:Error|Exception)\b", re.ASCII)


def launcher(case: Case) -> set[int]:
    """Return the ranks that launchers call the first."""
    return {
        claim["agent_root_cause_rank"]
        for claim in case.truth.get("agent_claims") or []
        if claim["agent_root_cause_rank"] is not None
    }


def first_error(case: Case) -> set[int]:
    """Return the rank of the first line with an error in it."""
    found = _errors(case)
    return {found[0]} if found else set()


def last_error(case: Case) -> set[int]:
    """Return the rank of the last line with an error in it."""
    found = _errors(case)
    return {found[-1]} if found else set()


def _errors(case: Case) -> list[int]:
    return [int(rank) for _, data in case.files for rank in _ERROR.findall(data.decode("utf-8", "replace"))]


METHODS: dict[str, Callable[[Case], set[int]]] = {
    "rank that the launcher calls the first": launcher,
    "rank of the first error line": first_error,
    "rank of the last error line": last_error,
}
