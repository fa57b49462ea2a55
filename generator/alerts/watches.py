"""Catalog -> the signatures and metrics to watch, and what one line cannot decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.checks.matching import compile_wordings
from generator.model import Catalog, Entry
from generator.parts import Monitor, Signature
from generator.prose import plain_text
from generator.template import Template

_TELLING = ("cause", "either", "external", "accusation", "confirmation")
_TEXTS = ("word", "name", "hex", "version", "alternatives")
_GROUP = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?!\?)", re.DOTALL)
_PROMQL = re.compile(r'(?:[^."\'`]|(?<=[0-9])\.(?=[0-9])|"[^"\n]*"|\'[^\'\n]*\')*')
_COMPARES = re.compile(r"(?<![=!<>~])(?:[<>]=?|[=!]=)(?![=~])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """What a captured value must be."""

    name: str
    any_of: tuple[tuple[str, int | str], ...]
    """Comparisons of which one must hold: `(("==", 15), ("==", 9))`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One wording in the portable subset of regular expressions."""

    text: str
    """The captures that are tested have their name in it."""
    tests: tuple[Test, ...]
    """All must hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A signature to look for."""

    id: str
    title: str
    role: str
    severity: str | None
    url: str
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A metric to look at."""

    entry: str
    number: int
    what: str
    query: str
    severity: str | None
    url: str


def watches_of(catalog: Catalog, site_url: str) -> tuple[list[Watch], list[str]]:
    """Return the signatures to look for, and why others are left out; a site's address ends in a slash."""
    watches, left_out = [], []
    for entry in catalog.entries:
        if entry.status in ("withdrawn", "merged"):
            continue
        for signature in entry.signatures:
            id_ = entry.signature_id(signature)
            if why := _why_not(signature):
                left_out.append(f"{id_}: {why}")
            else:
                watches.append(_watch(entry, signature, id_, site_url))
    return sorted(watches, key=lambda watch: watch.id), sorted(left_out)


def _why_not(signature: Signature) -> str:
    if signature.role not in _TELLING:
        return f"its role is {signature.role}"
    if signature.requires or signature.absent:
        return "other lines decide what it means"
    if signature.specificity == "generic":
        return "many failures print it"
    kinds = {
        c.kind for t in compile_wordings(signature).templates for c in t.captures if c.name in (signature.when or {})
    }
    return "its condition is on a size or a time with its unit" if kinds - {"int", *_TEXTS} else ""


def _watch(entry: Entry, signature: Signature, id_: str, site_url: str) -> Watch:
    return Watch(
        id=id_,
        title=plain_text(entry.title),
        role=signature.role,
        severity=entry.severity,
        url=f"{site_url}r/{id_.removeprefix('MLFE-')}/",
        patterns=tuple(_pattern(template, signature.when or {}) for template in compile_wordings(signature).templates),
    )


def _pattern(template: Template, when: Mapping[str, Any]) -> Pattern:
    names = [capture.name if capture.name in when else None for capture in template.captures]
    return Pattern(
        text=_named(template.pattern, names),
        tests=tuple(test for name, accepted in when.items() for test in _tests(name, accepted)),
    )


def _tests(name: str, accepted: Any) -> Iterator[Test]:
    if not isinstance(accepted, Mapping):
        yield Test(name=name, any_of=tuple(("==", value) for value in accepted))
        return
    for key, operator in (("min", ">="), ("max", "<=")):
        if accepted.get(key) is not None:
            yield Test(name=name, any_of=((operator, accepted[key]),))


def _named(pattern: str, names: Sequence[str | None]) -> str:
    r"""Name some of a pattern's groups; the others keep none.

    >>> _named(r"signal ([0-9]+) \(([(a-z]+)\)", ["signal", None])
    'signal (?P<signal>[0-9]+) \\(([(a-z]+)\\)'
    """
    wanted = iter(names)

    def name(found: re.Match[str]) -> str:
        if found[0] != "(":
            return found[0]
        given = next(wanted)
        return f"(?P<{given}>" if given else "("

    return _GROUP.sub(name, pattern)


def gauges_of(catalog: Catalog, site_url: str) -> tuple[list[Gauge], list[str]]:
    """Return the metrics whose query alerts, and why others are left out."""
    gauges, unread = [], []
    for entry in catalog.entries:
        if entry.status in ("withdrawn", "merged"):
            continue
        queries = [monitor for monitor in entry.monitor if monitor.source == "metric" and monitor.query]
        for number, monitor in enumerate(queries, 1):
            query = " ".join((monitor.query or "").split())
            if not _PROMQL.fullmatch(query) or not _COMPARES.search(query):
                unread.append(f"{entry.id}, '{plain_text(monitor.what)}': its query compares nothing in PromQL")
                continue
            gauges.append(_gauge(entry, number, monitor, query, site_url))
    return gauges, sorted(unread)


def _gauge(entry: Entry, number: int, monitor: Monitor, query: str, site_url: str) -> Gauge:
    return Gauge(
        entry=entry.id,
        number=number,
        what=plain_text(monitor.what),
        query=query,
        severity=entry.severity,
        url=f"{site_url}r/{entry.number}/",
    )
