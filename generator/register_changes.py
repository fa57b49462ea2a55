"""The register as it stood on main, and as it stands now -> what may not change.

An id or a signature number that was given out stays, a status only moves forward, and an entry that moved keeps its old
address among its aliases. Main is that of the project's clone; without one there is nothing to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from generator.git import git
from generator.issues import Issue, Location, Severity
from generator.model import Entry, Registration
from generator.register import FILE, format_line, parse_register

_MAINS = ("upstream/main", "origin/main", "main")
"""The first that exists is what an address was given out on."""
_FORWARD = {"draft": 0, "published": 1, "withdrawn": 2, "merged": 2}


def check_changes(
    root: Path, register: Mapping[str, Registration], entries: Iterable[Entry], text: str
) -> tuple[Issue, ...]:
    """Compare the register, and the text it was read from, with what main has; report what is lost."""
    aliases = {entry.id: entry.aliases for entry in entries}
    found: dict[tuple[str, str], Issue] = {}
    for earlier in _earlier(root):
        for issue in _compare(earlier, register, aliases, text):
            found.setdefault((issue.code, issue.message), issue)
    return tuple(found.values())


def owners(root: Path) -> Mapping[str, Registration]:
    """Return the registrations of main, as far as they are known."""
    return next(iter(_earlier(root)), {})


def _earlier(root: Path) -> Iterator[Mapping[str, Registration]]:
    """Yield the register where work left main; on main itself, those of its last two commits."""
    for main in _MAINS:
        base = git(root, "merge-base", "HEAD", main).strip()
        if base:
            break
    else:
        return
    bases = [base]
    if base == git(root, "rev-parse", "HEAD").strip():
        bases.append(f"{base}~1")
    for commit in bases:
        text = git(root, "show", f"{commit}:./{FILE}")
        yield parse_register(text)[0]


def _compare(
    earlier: Mapping[str, Registration],
    register: Mapping[str, Registration],
    aliases: Mapping[str, tuple[str, ...]],
    text: str,
) -> Iterator[Issue]:
    for id_, old in earlier.items():
        new = register.get(id_)
        if new is None:
            if id_ not in text:  # else its line cannot be read, which is said already
                yield _issue(
                    text,
                    _place_of(id_, register),
                    "registration-removed",
                    f"{id_} was given out and stands here no more",
                    f"Put the line `{format_line(old)}` back. An entry that is taken back keeps its file, with "
                    "`status: withdrawn` and a reason.",
                )
            continue
        for k in sorted(set(old.signatures) - set(new.signatures)):
            yield _issue(
                text,
                new.line,
                "signature-number-removed",
                f"{id_}-{k} was given out and stands here no more",
                f"Put {k} back into this line, and the signature into the entry.",
            )
        if _FORWARD[new.status] < _FORWARD[old.status] or (new.status != old.status and _FORWARD[old.status] > 1):
            yield _issue(
                text,
                new.line,
                "status-moved-back",
                f"{id_} was {old.status} and is {new.status} here",
                f"Write `status: {old.status}` in the entry and {old.status} in this line: a status moves from draft "
                "to published, and from there to withdrawn or merged.",
            )
        if new.address != old.address and id_ in aliases and old.address not in aliases[id_]:
            yield _issue(
                text,
                new.line,
                "id-of-another-entry",
                f"{id_} was given out for '{old.address}' and stands here for '{new.address}'",
                f"If the entry moved, add '{old.address}' to its aliases. If this is another failure, put "
                f"`{format_line(old)}` back and draw a new id with `encyclopedia new`.",
            )


def _place_of(id_: str, register: Mapping[str, Registration]) -> int:
    """Return the line before which a registration would stand, or the last."""
    behind = [registration.line for other, registration in register.items() if other > id_]
    return min(behind, default=max((registration.line for registration in register.values()), default=1))


def _issue(text: str, line: int, code: str, message: str, mend: str) -> Issue:
    lines = text.split("\n")
    source = lines[line - 1] if line <= len(lines) else ""
    return Issue(
        location=Location(FILE, line, 1),
        severity=Severity.ERROR,
        code=code,
        message=message,
        mend=mend,
        source=source,
        width=max(1, len(source)),
    )
