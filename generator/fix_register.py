"""The register and the entries -> the register as the entries want it, and new ids for those that have another's.

Adds and updates lines and sorts them; never takes an id or a number out, which only its owner could decide.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.draft import free_id
from generator.model import Entry, Registration
from generator.register import CONFLICT, format_line, parse_register, registration_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRegister:
    """The register's text, what was mended in it, and the entries that get another id."""

    text: str
    told: tuple[str, ...]
    renumbered: Mapping[str, tuple[str, str]]
    """Entry file to its old and its new id."""


def fix_register(
    text: str, entries: Iterable[Entry], owners: Mapping[str, Registration], source: random.Random
) -> FixedRegister:
    """Mend a register; the owners are the registrations that main has, whose ids are nobody else's.

    Raises LookupError when no id is free.
    """
    if "\ufffd" in text:  # no text, as the check says
        return FixedRegister(text=text, told=(), renumbered={})
    register, _ = parse_register(text)
    rows = text.replace("\r\n", "\n").split("\n")
    heads = [row for row in rows if row.startswith("#")]
    odd = [row for row in rows if row and not row.startswith(("#", *CONFLICT)) and not parse_register(row)[0]]
    lines = {registration.id: format_line(registration) for registration in register.values()}
    told = []
    renumbered = {}
    taken = {*lines, *owners}
    claimed: set[str] = set()
    for entry in sorted(entries, key=lambda entry: _claim(entry, owners)):
        wanted, id_ = registration_of(entry), entry.id
        if id_ in claimed:
            id_ = free_id(taken, source)
            renumbered[entry.file] = (entry.id, id_)
            told.append(f"{id_} for {entry.file}, since {entry.id} is another entry's")
        claimed.add(id_)
        taken.add(id_)
        old = register.get(id_)
        line = format_line(wanted).replace(entry.id, id_, 1)
        if lines.get(id_) != line and (old is None or set(old.signatures) <= set(wanted.signatures)):
            lines[id_] = line
            told.append(f"`{line}`")
    mended = "".join(f"{row}\n" for row in (*heads, *sorted([*lines.values(), *odd])))
    if mended != text and not told:
        told.append("order of lines")
    return FixedRegister(text=mended, told=tuple(told), renumbered=renumbered)


def _claim(entry: Entry, owners: Mapping[str, Registration]) -> tuple[bool, bool, str]:
    """Order entries of one id: who has it on main, then the published, then by address."""
    owner = owners.get(entry.id)
    return (
        owner is None or owner.address not in (entry.address, *entry.aliases),
        entry.status == "draft",
        entry.address,
    )
