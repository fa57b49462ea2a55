"""The truth contract for templates: each compiles, says enough to be searched for, and captures what it is asked for.

Samples and near misses are checked in `samples`, healthy logs in `healthy`. References are resolved in `links`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from generator.checks import samples
from generator.checks.matching import Wordings, compile_wordings
from generator.conditions import Comparison, ComparisonError, parse_comparison
from generator.issues import Path, Problem
from generator.model import Catalog, Entry
from generator.parts import Fact, Neighbour, Signature
from generator.template import Capture, Template, TemplateError, compile_template

DECIDING_ROLES = frozenset({"cause", "either", "external", "accusation"})
"""Roles of the lines that can lead to a verdict; only they must be found by their literal text."""
LEAST_BYTES, ENOUGH_BYTES = 8, 10
"""Bytes of literal text a deciding wording needs: the lesser number if no healthy log holds them."""

_ONE_WORD = re.compile(r"[\W_]*[^\W_]+[\W_]*")


def check(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Every signature keeps the truth contract, as far as the entry alone can show."""
    for place, signature in enumerate(entry.signatures):
        path: Path = ("signatures", place)
        wordings = compile_wordings(signature)
        yield from _check_number(path, entry, place)
        yield from _check_templates(path, signature, wordings)
        yield from _check_when(path, signature, wordings)
        yield from _check_facts(path, signature.facts, wordings.templates)
        yield from _check_neighbours((*path, "requires"), signature.requires)
        yield from _check_neighbours((*path, "absent"), signature.absent)
        yield from samples.check(path, signature, wordings)
    for place, share in enumerate(entry.shares):
        yield from _check_neighbours(("shares", place, "requires"), share.requires)
        owner = catalog.signatures.get(share.signature)
        if owner is not None:
            yield from _check_facts(("shares", place), share.facts, compile_wordings(owner[1]).templates)


def check_owners(catalog: Catalog) -> Iterator[tuple[Entry, Problem]]:
    """One message is one signature of one entry; others share it."""
    owners: dict[tuple[str, str], str] = {}
    for entry in catalog.entries:
        if entry.status in ("withdrawn", "merged"):
            continue
        for place, signature in enumerate(entry.signatures):
            me = entry.signature_id(signature)
            for wording in compile_wordings(signature).compiled:
                owner = owners.setdefault((wording.template.pattern, _when_text(signature.when)), me)
                if owner != me:
                    yield entry, _owned(("signatures", place, *wording.path, "template"), owner, entry)


def _owned(path: Path, owner: str, entry: Entry) -> Problem:
    if owner.rpartition("-")[0] == entry.id:
        mend = "One message is one signature: keep one of the two, or tell them apart with `when`."
    else:
        mend = f"The entry that has it owns the message: list {owner} under shares instead."
    return Problem(path=path, code="doubled-template", message=f"{owner} already has this template", mend=mend)


def _when_text(condition: Mapping[str, object] | None) -> str:
    return "" if condition is None else repr(sorted(condition.items()))


def _check_number(path: Path, entry: Entry, place: int) -> Iterator[Problem]:
    k, before = entry.signatures[place].k, entry.signatures[place - 1].k if place else 0
    if k <= before:
        yield Problem(
            path=(*path, "k"),
            code="signature-order",
            message=f"k is {k} after {before}",
            mend="Number new signatures upwards and put them last; a number is never used again.",
        )


def _check_templates(path: Path, signature: Signature, wordings: Wordings) -> Iterator[Problem]:
    for place, error in wordings.errors:
        yield _bad_template((*path, "wordings", place, "template"), error)
    seen: dict[str, int] = {}
    for wording in wordings.compiled:
        here = (*path, *wording.path, "template")
        first = seen.setdefault(wording.template.pattern, wording.place)
        if first != wording.place:
            yield Problem(
                path=here,
                code="doubled-wording",
                message=f"wording {first + 1} has the same template",
                mend="Keep one of them, and join their versions, samples and near misses.",
            )
        yield from _check_literals(here, signature, wording.template)
    for place, written in enumerate(signature.wordings):
        if written.versions is not None and not _is_specifier(written.versions):
            yield Problem(
                path=(*path, "wordings", place, "versions"),
                code="versions-form",
                message=f"'{written.versions}' is no list of version bounds",
                mend="Write bounds with commas between them, such as '>=2.2.2,<2.13'.",
            )


def _check_literals(path: Path, signature: Signature, template: Template) -> Iterator[Problem]:
    open_kinds = {capture.kind for capture in template.captures} - {"alternatives", "nonfinite"}
    if not open_kinds and _ONE_WORD.fullmatch(template.search_key):
        yield Problem(
            path=path,
            code="bare-word",
            message=f"'{template.search_key.strip()}' is a bare word, which stands in healthy logs too",
            mend="Take in what is printed around it, so that the line says what happened.",
        )
    elif signature.role in DECIDING_ROLES and template.literal_bytes < LEAST_BYTES:
        shortest = min(template.gate, key=lambda text: len(text.encode()))
        yield Problem(
            path=path,
            code="short-literal",
            message=f"the longest text that is always there, '{shortest}', has {template.literal_bytes} bytes",
            mend=f"Take in more of the line: role '{signature.role}' needs {ENOUGH_BYTES} bytes of text in a row, or "
            f"{LEAST_BYTES} that no healthy log holds.",
        )


def _check_when(path: Path, signature: Signature, wordings: Wordings) -> Iterator[Problem]:
    for name, accepted in (signature.when or {}).items():
        here = (*path, "when", name)
        for wording in wordings.compiled:
            capture = next((c for c in wording.template.captures if c.name == name), None)
            if capture is None:
                yield _unknown_capture(
                    here, name, wording.template.captures, f"wording {wording.place + 1}", at_key=True
                )
                break
            wanted = _kind_wanted(accepted)
            if wanted is not None and capture.is_integer != (wanted == "whole numbers"):
                yield Problem(
                    path=here,
                    at_key=True,
                    code="capture-kind",
                    message=f"'{name}' is captured by {{{capture.kind}}}, which is not compared with {wanted}",
                    mend="Give whole numbers for {int}, {bytes} and {duration}, and texts for the others.",
                )
                break


def _kind_wanted(accepted: object) -> str | None:
    if isinstance(accepted, Mapping):
        return "whole numbers"
    kinds = {type(value) for value in accepted} if isinstance(accepted, list) else set()
    return "whole numbers" if kinds == {int} else "texts"


def _check_facts(path: Path, facts: tuple[Fact, ...], templates: tuple[Template, ...]) -> Iterator[Problem]:
    for place, fact in enumerate(facts):
        here = (*path, "facts", place, "when")
        try:
            comparison = parse_comparison(fact.when)
        except ComparisonError as error:
            yield Problem(
                path=here,
                code="bad-comparison",
                message=f"{error.message}, at character {error.position + 1} of the comparison",
                mend=error.mend,
            )
            continue
        if templates:
            yield from _check_comparison(here, comparison, templates)


def _check_comparison(path: Path, comparison: Comparison, templates: tuple[Template, ...]) -> Iterator[Problem]:
    """Yield what keeps a comparison from ever being decided: some wording must capture all its names as integers."""
    captures = tuple(capture for template in templates for capture in template.captures)
    for name in sorted(comparison.names):
        kinds = {capture.kind: capture.is_integer for capture in captures if capture.name == name}
        if not kinds:
            yield _unknown_capture(path, name, captures, "the signature")
            return
        if not any(kinds.values()):
            yield Problem(
                path=path,
                code="capture-kind",
                message=f"'{name}' is captured by {{{next(iter(kinds))}}}, which is no whole number",
                mend="Compare captures of {int}, {bytes} and {duration} only.",
            )
            return
    if not any(comparison.names <= {c.name for c in template.captures if c.is_integer} for template in templates):
        yield Problem(
            path=path,
            code="captures-apart",
            message="no wording captures all of " + ", ".join(sorted(comparison.names)),
            mend="Name the captures in one wording, or compare fewer.",
        )


def _check_neighbours(path: Path, neighbours: tuple[Neighbour, ...]) -> Iterator[Problem]:
    for place, neighbour in enumerate(neighbours):
        if neighbour.template is not None:
            try:
                compile_template(neighbour.template)
            except TemplateError as error:
                yield _bad_template((*path, place, "template"), error)


def _bad_template(path: Path, error: TemplateError) -> Problem:
    message = f"{error.message}, at character {error.position + 1} of the template"
    return Problem(path=path, code="bad-template", message=message, mend=error.mend)


def _unknown_capture(
    path: Path, name: str, captures: tuple[Capture, ...], where: str, *, at_key: bool = False
) -> Problem:
    names = [capture.name for capture in captures if capture.name is not None]
    close = get_close_matches(name, names, n=1)
    mend = f"Did you mean '{close[0]}'?" if close else f"Name the placeholder that captures it, as in {{{name}:int}}."
    return Problem(
        path=path, at_key=at_key, code="unknown-capture", message=f"{where} captures nothing named '{name}'", mend=mend
    )


def _is_specifier(text: str) -> bool:
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return False
    return True
