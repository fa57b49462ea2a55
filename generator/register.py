"""`entries/ids.lock` <-> Registrations: every id and signature number ever given out.

One line per id, sorted by id so that two branches seldom touch the same lines:

    MLFE-2173 data-pipeline/dataloader-worker-killed published 1,2,3

Knows the file's form only; whether it agrees with the entries is `checks.identity`'s matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from generator.issues import Issue, Location, Severity
from generator.model import Entry, Registration

FILE = "entries/ids.lock"
HEADER = """\
# Every id and signature number ever given out; none is ever used again.
# id, category/slug, status, signature numbers (- for none); sorted by id.
"""
_LINE = re.compile(r"(MLFE-\d{4}) ([a-z0-9-]+/[a-z0-9-]+) (draft|published|withdrawn|merged) (-|\d+(?:,\d+)*)")

CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""How the lines begin that a merge leaves where it found a conflict."""


def parse_register(text: str) -> tuple[dict[str, Registration], tuple[Issue, ...]]:
    """Read the register, decoded with replacement; a line that cannot be read is left out and reported."""
    register: dict[str, Registration] = {}
    issues = []
    previous = ""
    if "\ufffd" in text:
        mend = "Restore it from the last commit; it holds one registration per line."
        return {}, (_issue(1, "", "register-not-text", "the file is not UTF-8 text", mend),)
    for number, line in enumerate(text.split("\n"), 1):
        row = line.rstrip("\r")
        if not row or row.startswith("#"):
            continue
        if row.startswith(CONFLICT):
            mend = "Keep the lines of both sides, sorted by id, and take this one out."
            issues.append(_issue(number, row, "merge-conflict", "a merge left a conflict here", mend))
            continue
        match = _LINE.fullmatch(row)
        if match is None:
            issues.append(
                _issue(number, row, "register-line", "the line is not a registration", _FORM),
            )
            continue
        id_, address, status, numbers = match.groups()
        if id_ in register:
            first = register[id_].line
            mend = "After a merge, keep the published one; give the other an id that stands nowhere in this file."
            issues.append(_issue(number, row, "doubled-id", f"{id_} already stands on line {first}", mend))
            continue
        if id_ < previous:
            mend = "Move it so that the lines are sorted by id."
            issues.append(_issue(number, row, "register-order", f"{id_} stands after {previous}", mend))
        previous = max(previous, id_)
        signatures = () if numbers == "-" else tuple(map(int, numbers.split(",")))
        register[id_] = Registration(id=id_, address=address, status=status, signatures=signatures, line=number)
    return register, tuple(issues)


_FORM = (
    "Write id, category/slug, status and signature numbers with one space between: `MLFE-0123 memory/a-slug draft -`."
)


def registration_of(entry: Entry) -> Registration:
    """Say what the register must hold for an entry."""
    numbers = tuple(sorted(signature.k for signature in entry.signatures))
    return Registration(id=entry.id, address=entry.address, status=entry.status, signatures=numbers)


def format_line(registration: Registration) -> str:
    """Write one registration.

    >>> format_line(Registration(id="MLFE-0123", address="memory/a-slug", status="draft", signatures=(1, 2)))
    'MLFE-0123 memory/a-slug draft 1,2'
    """
    numbers = ",".join(map(str, registration.signatures)) or "-"
    return f"{registration.id} {registration.address} {registration.status} {numbers}"


def format_register(registrations: Iterable[Registration]) -> str:
    """Write the whole register."""
    return HEADER + "".join(format_line(r) + "\n" for r in sorted(registrations, key=lambda r: r.id))


def check_register(register: Mapping[str, Registration], entries: Iterable[Entry], text: str) -> tuple[Issue, ...]:
    """Report registrations whose entry file is gone: an id that was given out keeps its page."""
    ids = {entry.id for entry in entries}
    lines = text.split("\n")
    return tuple(
        _issue(
            r.line,
            lines[r.line - 1],
            "registered-entry-missing",
            f"{r.id} is registered but no valid entry file has this id",
            f"Restore entries/{r.address}.yaml, or correct its id; an entry that is taken back keeps its file "
            "with `status: withdrawn` and a reason.",
        )
        for r in register.values()
        if r.id not in ids
    )


def _issue(line: int, source: str, code: str, message: str, mend: str) -> Issue:
    return Issue(
        location=Location(FILE, line, 1),
        severity=Severity.ERROR,
        code=code,
        message=message,
        mend=mend,
        source=source,
        width=max(1, len(source)),
    )
