"""The entry and the catalogue as frozen dataclasses: where dictionaries end.

`Entry.from_raw` takes data that the schema has accepted; it does not check again. The parts stand in `parts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cache, cached_property
from types import UnionType
from typing import Any, NamedTuple, Self, Union, get_args, get_origin, get_type_hints

from generator import parts
from generator.issues import Path
from generator.parts import Line, Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One failure: one file, one page."""

    file: str
    """Path of the YAML file relative to the project, with forward slashes."""
    id: str
    title: Line
    status: str
    category: str
    summary: Line
    reason: Line | None = None
    replaced_by: str | None = None
    aliases: tuple[str, ...] = ()
    also_known_as: tuple[str, ...] = ()
    explanation: parts.Explanation | None = None
    impact: Line | None = None
    layer: tuple[str, ...] = ()
    phase: tuple[str, ...] = ()
    failure_domain: str | None = None
    severity: str | None = None
    recoverability: str | None = None
    resume_safe: parts.ResumeSafe | None = None
    frameworks: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    affected: tuple[parts.Affected, ...] = ()
    not_version_bound: bool = False
    symptoms: tuple[parts.Symptom, ...] = ()
    causes: tuple[parts.Cause, ...] = ()
    signatures: tuple[parts.Signature, ...] = ()
    shares: tuple[parts.Share, ...] = ()
    detector: parts.Detector | None = None
    silent: bool = False
    confirm: tuple[parts.Confirmation, ...] = ()
    fixes: tuple[parts.Fix, ...] = ()
    dead_ends: tuple[parts.DeadEnd, ...] = ()
    prevention: tuple[parts.Prevention, ...] = ()
    monitor: tuple[parts.Monitor, ...] = ()
    scale: parts.Scale | None = None
    recurs_when: tuple[Line, ...] = ()
    examples: tuple[parts.Example, ...] = ()
    relations: tuple[parts.Relation, ...] = ()
    questions: tuple[parts.Question, ...] = ()
    references: tuple[parts.Reference, ...] = ()
    authors: tuple[str, ...] = ()
    reviews: tuple[parts.Review, ...] = ()
    verified_on: parts.VerifiedOn | None = None

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any], file: str) -> Self:
        """Build the entry from data that the schema has accepted."""
        hints = _hints(cls)
        return cls(file=file, **{key: _build(hints[key], value) for key, value in raw.items()})

    @property
    def slug(self) -> str:
        """The file's name without its ending; the last part of the page's address."""
        return self.file.rsplit("/", 1)[-1].removesuffix(".yaml")

    @property
    def address(self) -> str:
        """The page's address within the site, `memory/kv-cache-memory-growth`."""
        return f"{self.category}/{self.slug}"

    @property
    def number(self) -> str:
        """The four digits of the id."""
        return self.id.removeprefix("MLFE-")

    def signature_id(self, signature: parts.Signature) -> str:
        """Return the permanent id of one of this entry's signatures, `MLFE-0123-2`."""
        return f"{self.id}-{signature.k}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One value of a vocabulary, as the schema describes it."""

    value: str
    title: str
    description: str
    group: str = ""
    """What the value belongs to: training, inference or any for a phase; the vendor for hardware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """One line of `entries/ids.lock`: an id that was given out and never is again."""

    id: str
    address: str
    status: str
    signatures: tuple[int, ...]
    line: int = 0
    """Line of the register, for messages."""


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Every valid entry, sorted by address, with what they are checked and shown against."""

    entries: tuple[Entry, ...]
    vocabularies: Mapping[str, Mapping[str, Term]] = field(default_factory=dict)
    """Vocabulary name (`category`, `framework` ...) to value to term, in the schema's order."""
    register: Mapping[str, Registration] = field(default_factory=dict)

    @cached_property
    def by_slug(self) -> dict[str, Entry]:
        """Entries by slug; slugs are unique over all categories."""
        return {entry.slug: entry for entry in self.entries}

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Entries by permanent id."""
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def signatures(self) -> dict[str, tuple[Entry, parts.Signature]]:
        """Signature id to its owner and itself."""
        return {entry.signature_id(s): (entry, s) for entry in self.entries for s in entry.signatures}

    @cached_property
    def sharers(self) -> dict[str, tuple[Entry, ...]]:
        """Signature id to the entries, other than its owner, whose failure it can also mean."""
        found: dict[str, tuple[Entry, ...]] = {}
        for entry in self.entries:
            for share in entry.shares:
                found[share.signature] = (*found.get(share.signature, ()), entry)
        return found

    @cached_property
    def referrers(self) -> dict[str, tuple[tuple[Entry, parts.Relation], ...]]:
        """Slug to the entries that name it in a relation, with that relation."""
        found: dict[str, tuple[tuple[Entry, parts.Relation], ...]] = {}
        for entry in self.entries:
            for relation in entry.relations:
                found[relation.slug] = (*found.get(relation.slug, ()), (entry, relation))
        return found

    @property
    def published(self) -> tuple[Entry, ...]:
        """The entries that count and are listed."""
        return tuple(entry for entry in self.entries if entry.status == "published")


def prose_fields(
    part: Any, path: Path = (), evidence: tuple[str, ...] | None = None
) -> Iterator[tuple[Path, str, tuple[str, ...] | None]]:
    """Yield every Markdown text under a part: its path, the text, and the evidence that stands beside or above it.

    Evidence is None where neither the part nor one it belongs to has such a field.
    """
    for here, found, beside in walk(part, path, evidence):
        for name, key, several in _plan_of(found).texts:
            value = getattr(found, name)
            if several:
                for position, text in enumerate(value):
                    yield (*here, key, position), text, beside
            elif value is not None:
                yield (*here, key), value, beside


def walk(
    part: Any, path: Path = (), evidence: tuple[str, ...] | None = None
) -> Iterator[tuple[Path, Any, tuple[str, ...] | None]]:
    """Yield a part and all parts under it, each with its path and its evidence, or that of the nearest part above."""
    plan = _plan_of(part)
    if plan.evidence:
        evidence = part.evidence
    yield path, part, evidence
    for name, key, several in plan.parts:
        value = getattr(part, name)
        if several:
            for position, element in enumerate(value):
                yield from walk(element, (*path, key, position), evidence)
        elif value is not None:
            yield from walk(value, (*path, key), evidence)


class _Plan(NamedTuple):
    """What a kind of part holds; each field with its property's name and whether it holds several."""

    texts: tuple[tuple[str, str, bool], ...]
    parts: tuple[tuple[str, str, bool], ...]
    evidence: bool


def _plan_of(part: Any) -> _Plan:
    cls: Any = type(part)
    return _plan(cls)


@cache
def _plan(cls: Any) -> _Plan:
    texts: list[tuple[str, str, bool]] = []
    parts_: list[tuple[str, str, bool]] = []
    hints = _hints_of(cls)
    for name, hint in hints.items():
        inner = [a for a in (hint, *get_args(hint)) if a in (Line, Prose) or is_dataclass(a)]
        if inner:
            place = (name, name.removesuffix("_"), get_origin(hint) is tuple)
            (parts_ if is_dataclass(inner[0]) else texts).append(place)
    return _Plan(tuple(texts), tuple(parts_), "evidence" in hints)


def _hints(cls: Any) -> dict[str, Any]:
    return _hints_of(cls)


@cache
def _hints_of(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _field(key: str) -> str:
    """Name the field of a property; `for` is a word of Python's own."""
    return "for_" if key == "for" else key


def _build(kind: Any, raw: Any) -> Any:
    """Turn accepted raw data into the annotated type."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _build(next(a for a in get_args(kind) if a is not type(None)), raw)
    if origin is tuple:
        return tuple(_build(get_args(kind)[0], item) for item in raw)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{_field(key): _build(hints[_field(key)], value) for key, value in raw.items()})
    return raw
