"""The entry and the catalogue as frozen dataclasses: where dictionaries end.

`Entry.from_raw` takes data that the schema has accepted; it does not check again. The parts stand in `parts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from types import UnionType
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

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
    hints = _hints(type(part))
    evidence = getattr(part, "evidence", evidence)
    for item in fields(part):
        value, here = getattr(part, item.name), (*path, _property(item.name))
        if is_dataclass(value):
            yield from prose_fields(value, here, evidence)
        elif isinstance(value, str) and _is_markdown(hints[item.name]):
            yield here, value, evidence
        elif isinstance(value, tuple):
            for position, element in enumerate(value):
                if is_dataclass(element):
                    yield from prose_fields(element, (*here, position), evidence)
                elif _is_markdown(hints[item.name]):
                    yield (*here, position), element, evidence


def _hints(cls: Any) -> dict[str, Any]:
    return _hints_of(cls)


@cache
def _hints_of(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


@cache
def _is_markdown(hint: Any) -> bool:
    return hint in (Line, Prose) or any(_is_markdown(a) for a in get_args(hint))


def _field(key: str) -> str:
    """Name the field of a property; `for` is a word of Python's own."""
    return "for_" if key == "for" else key


def _property(name: str) -> str:
    return name.removesuffix("_")


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
