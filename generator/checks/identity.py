"""Ids, slugs, folders and the register agree, and nothing is used twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.issues import Problem
from generator.model import Catalog, Entry
from generator.register import FILE, format_line, registration_of

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check_file_name(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """The file name is the slug: lower-case words joined by hyphens."""
    if not _SLUG.fullmatch(entry.slug):
        yield Problem(
            path=("id",),
            code="slug-form",
            message=f"the file name '{entry.slug}.yaml' cannot be a slug",
            mend="Rename the file to lower-case words joined by single hyphens, such as cuda-out-of-memory.yaml.",
        )


def check_folder(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """The folder is the category."""
    folder = entry.file.split("/")[-2] if "/" in entry.file else ""
    if folder != entry.category:
        yield Problem(
            path=("category",),
            code="folder-not-category",
            message=f"category is '{entry.category}' but the file lies in '{folder}'",
            mend=f"Move it to entries/{entry.category}/{entry.slug}.yaml, or correct the category.",
        )


def check_registered(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """The register knows the id, its address, its status and each signature number."""
    if not _SLUG.fullmatch(entry.slug):
        return  # the file must be renamed first
    wanted = registration_of(entry)
    found = catalog.register.get(entry.id)
    line = format_line(wanted)
    if found is None:
        yield Problem(
            path=("id",),
            code="unregistered-id",
            message=f"{entry.id} does not stand in {FILE}",
            mend=f"Add the line `{line}` at its place in the order of ids.",
        )
        return
    owner = catalog.by_slug.get(found.address.rpartition("/")[2])
    if owner is not None and owner is not entry and owner.id == entry.id:
        return  # the id belongs to the other entry, as check_unique says
    moved = found.address != wanted.address and found.address not in entry.aliases
    if moved:
        yield Problem(
            path=("id",),
            code="moved-without-alias",
            message=f"{entry.id} is registered at '{found.address}', the file stands at '{wanted.address}'",
            mend=f"If it moved, add '{found.address}' to aliases and write `{line}` in {FILE}.",
        )
    lost = sorted(set(found.signatures) - set(wanted.signatures))
    if lost:
        yield Problem(
            path=("signatures",) if entry.signatures else ("id",),
            code="signature-removed",
            message=f"signature {entry.id}-{lost[0]} was given out and is gone from the entry",
            mend="Put it back; a signature that was published keeps its number and its address.",
        )
    elif not moved and format_line(found) != line:
        yield Problem(
            path=("id",),
            code="register-outdated",
            message=f"{FILE} line {found.line} says `{format_line(found)}`",
            mend=f"Write `{line}` there.",
        )


def check_unique(catalog: Catalog) -> Iterator[tuple[Entry, Problem]]:
    """No id, slug or alias belongs to two entries."""
    ids: dict[str, Entry] = {}
    slugs: dict[str, Entry] = {}
    addresses = {entry.address: entry for entry in catalog.entries}
    for entry in catalog.entries:
        if (first := ids.setdefault(entry.id, entry)) is not entry:
            yield (
                entry,
                Problem(
                    path=("id",),
                    code="doubled-id",
                    message=f"{entry.id} is also the id of {first.file}",
                    mend="Ids are never shared: give the newer entry another one, drawn by `encyclopedia new`.",
                ),
            )
        if (first := slugs.setdefault(entry.slug, entry)) is not entry:
            yield (
                entry,
                Problem(
                    path=("category",),
                    code="doubled-slug",
                    message=f"the slug '{entry.slug}' is also that of {first.file}",
                    mend="Slugs are unique over all categories: rename one of the files.",
                ),
            )
        for position, alias in enumerate(entry.aliases):
            if (other := addresses.setdefault(alias, entry)) is not entry or alias == entry.address:
                where = "this entry's own address" if other is entry else f"an address of {other.file}"
                yield (
                    entry,
                    Problem(
                        path=("aliases", position),
                        code="alias-taken",
                        message=f"'{alias}' is {where}",
                        mend="An alias is an old address that no other page uses; remove it or correct it.",
                    ),
                )


CHECKS = (check_file_name, check_folder, check_registered)
