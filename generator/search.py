"""Catalog -> the small search index: JSON files that a reader's browser fetches only as far as a query needs them.

An inverted index over short fields alone (title, what people call it, signatures, tags, summary, symptoms): each term
with the entries that hold it and a weight of 1 to 9. Terms are split into files by their first letters, what a result
shows into files by entry, so that a first result costs the same at twelve entries and at thousands; a small catalogue
fits into the first file whole. Read by `overrides/assets/search/engine.mjs`, which ranks. The signatures of each entry
stand in a file of their own, fetched for the few best results when what is asked is long enough for a line of a log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from typing import Any

from generator.model import Catalog, Entry
from generator.parts import Signature
from generator.prose import plain_text
from generator.template import compile_template
from generator.tokens import phrase_of, terms_of

WHOLE_UP_TO = 60_000
"""Bytes of JSON up to which everything goes into the first file."""
SHARD = 12_000
"""Bytes of JSON, about, of one file of terms."""
BLOCK = 16
"""Entries whose titles and summaries share a file."""
COMMON = 0.2
"""A term in more than this share of a large catalogue does not help to choose in a long query."""
HEAVIEST = 9
_ROLES = ("cause", "external", "accusation", "confirmation", "either", "collateral", "advice", "benign")
_SPECIFICITY = ("unique", "shared", "generic")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFile:
    """One file of the index, its path relative to the site."""

    path: str
    content: str


def build_index(catalog: Catalog) -> tuple[SearchFile, ...]:
    """Make the files of the index; `search/index.json` is the first and names the others."""
    entries = [entry for entry in catalog.entries if entry.status in ("published", "draft")]
    postings = _postings(catalog, entries)
    shown = [[entry.title, entry.address, plain_text(entry.summary), entry.status] for entry in entries]
    shards = list(_shards(postings))
    blocks = [shown[start : start + BLOCK] for start in range(0, len(shown), BLOCK)]
    base: dict[str, Any] = {
        "version": 1,
        "entries": len(entries),
        "block": BLOCK,
        "first": [next(iter(shard)) for shard in shards],
        "common": [t for t, where in postings.items() if len(entries) > 50 and len(where) > 2 * COMMON * len(entries)],
    }
    whole = _json({**base, "shards": shards, "blocks": blocks})
    if len(whole) <= WHOLE_UP_TO:
        return (SearchFile(path="search/index.json", content=whole),)
    # The folder's name changes with the content, so that no browser mixes files of two builds.
    parts = [_json(shard) for shard in shards] + [_json(block) for block in blocks]
    base["folder"] = blake2b("".join(parts).encode(), digest_size=6).hexdigest()
    names = [f"t{i}" for i in range(len(shards))] + [f"e{i}" for i in range(len(blocks))]
    return (
        SearchFile(path="search/index.json", content=_json(base)),
        *(
            SearchFile(path=f"search/{base['folder']}/{name}.json", content=part)
            for name, part in zip(names, parts, strict=True)
        ),
    )


def signature_files(catalog: Catalog) -> Iterator[SearchFile]:
    """Make a file of each entry's signatures, `search/signatures/<slug>.json`: id, rank, condition, wordings.

    A lower rank tells more. A wording has the texts of which one stands in each line it matches, its pattern, and the
    names of the pattern's groups.
    """
    for entry in catalog.entries:
        if entry.status in ("published", "draft"):
            rows = [
                [entry.signature_id(s), rank(s), s.when, [_wording(w.template) for w in s.wordings]]
                for s in entry.signatures
            ]
            yield SearchFile(path=f"search/signatures/{entry.slug}.json", content=_json(rows))


def rank(signature: Signature) -> int:
    """Rank a signature by what it tells; a lower rank tells more."""
    return _ROLES.index(signature.role) * len(_SPECIFICITY) + _SPECIFICITY.index(signature.specificity)


def _wording(text: str) -> list[Any]:
    template = compile_template(text)
    return [list(template.gate), template.pattern, [capture.name for capture in template.captures]]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _postings(catalog: Catalog, entries: list[Entry]) -> dict[str, list[int]]:
    """Map each term, sorted, to entry number, weight, entry number ...; numbers as distances to the one before."""
    postings: dict[str, list[int]] = {}
    last: dict[str, int] = {}
    for number, entry in enumerate(entries):
        for term, weight in weights(entry, catalog.vocabularies).items():
            postings.setdefault(term, []).extend((number - last.get(term, 0), weight))
            last[term] = number
    return dict(sorted(postings.items()))


def weights(entry: Entry, vocabularies: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Weigh each term of an entry by the fields it stands in, each field counted once."""
    weights: dict[str, float] = {}
    for text, weight in _fields(entry, vocabularies):
        for term in set(terms_of(text)):
            weights[term] = weights.get(term, 0) + weight
    for name in (entry.title, entry.slug, *entry.also_known_as):
        weights[phrase_of(name)] = HEAVIEST
        for term in set(terms_of(name)):  # what recurs in the names is what the failure is about
            weights[term] = weights.get(term, 0) + 0.5
    weights[entry.id.lower()] = HEAVIEST
    return {term: min(HEAVIEST, max(1, round(weight))) for term, weight in weights.items()}


def _fields(entry: Entry, vocabularies: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """Yield an entry's short texts with the weight of a term in them; a field's texts are joined, to count once."""
    yield entry.title, 4
    yield " ".join(entry.also_known_as), 3
    yield entry.slug.replace("-", " "), 1
    keys = " ".join(
        compile_template(wording.template).search_key
        for signature in entry.signatures
        for wording in signature.wordings
    )
    yield keys, 3
    yield " ".join(_titles(entry.tags, vocabularies.get("tag", {}))), 1.5
    yield " ".join(_titles(entry.frameworks, vocabularies.get("framework", {}))), 1
    yield plain_text(entry.summary), 1.5
    yield " ".join(plain_text(symptom.observe) for symptom in entry.symptoms), 1


def _titles(values: Iterable[str], terms: Mapping[str, Any]) -> Iterator[str]:
    for value in values:
        yield terms[value].title if value in terms else value


def _shards(postings: dict[str, list[int]]) -> Iterator[dict[str, list[int]]]:
    """Cut the terms into files; terms that share their first two letters stay together as far as they fit."""
    shard: dict[str, list[int]] = {}
    size = 0
    for _, group in groupby(postings.items(), key=lambda item: item[0][:2]):
        for term, where in group:
            cost = len(term) + 4 + 3 * len(where)
            if size + cost > SHARD and shard:
                yield shard
                shard, size = {}, 0
            shard[term] = where
            size += cost
    if shard:
        yield shard
