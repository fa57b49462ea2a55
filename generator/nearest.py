"""A line of a log, or words, and the catalogue -> the entries nearest to it, as the search of the site finds them.

A signature that recognises a line says most; else the terms that the text shares with an entry's short fields decide.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from generator.checks.matching import compile_wordings, recognises
from generator.model import Catalog, Entry
from generator.search import rank, weights
from generator.tokens import phrase_of, terms_of

MOST = 5
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ENOUGH = 0.5
"""Share of what a text's terms tell that an entry must hold."""
_BESIDE = 0.5
"""Share of the best score that another entry must reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """An entry near a text."""

    entry: Entry
    signature: str = ""
    """Id of the signature that recognises a line of the text."""


def nearest(catalog: Catalog, text: str) -> tuple[Near, ...]:
    """Return the nearest entries, best first: those whose signatures recognise a line, then those that share terms."""
    entries = [entry for entry in catalog.entries if entry.status in ("published", "draft")]
    lines = [" ".join(_COLOURS.sub("", line).split()) for line in text.splitlines()]
    recognised = sorted((found for entry in entries if (found := _recognised(entry, lines))), key=lambda f: f[:2])
    sure = tuple(Near(entry=entry, signature=id_) for _, _, id_, entry in recognised[:MOST])
    known = {near.entry.id for near in sure}
    alike = (Near(entry=entry) for entry in _alike(entries, catalog, text) if entry.id not in known)
    return (*sure, *alike)[:MOST]


def _recognised(entry: Entry, lines: list[str]) -> tuple[int, str, str, Entry] | None:
    """Find the most telling signature of an entry that recognises a line."""
    best: tuple[int, str, str, Entry] | None = None
    for signature in entry.signatures:
        told = (rank(signature), entry.address, entry.signature_id(signature), entry)
        if best is not None and best[0] <= told[0]:
            continue
        templates = compile_wordings(signature).templates
        if any(recognises(signature, template, line) for template in templates for line in lines):
            best = told
    return best


def _alike(entries: list[Entry], catalog: Catalog, text: str) -> list[Entry]:
    """Rank entries by the terms that they share with a text; rare ones tell more."""
    weighed = [weights(entry, catalog.vocabularies) for entry in entries]
    terms, phrase = terms_of(text), phrase_of(text)
    holders = {term: sum(term in held for held in weighed) for term in terms}
    rarity = {term: math.log(1 + len(entries) / (count or 2)) for term, count in holders.items()}
    possible = sum(rarity.values())
    scores: list[tuple[float, Entry]] = []
    for entry, held in zip(entries, weighed, strict=True):
        shared = [term for term in terms if term in held]
        share = sum(rarity[term] for term in shared) / possible if possible else 0
        if share >= _ENOUGH or phrase in held:
            gain = sum(rarity[term] * (0.4 + held[term] / 9) for term in shared)
            scores.append((gain * (0.2 + 0.8 * share * share) * (3 if phrase in held else 1), entry))
    scores.sort(key=lambda scored: (-scored[0], scored[1].address))
    return [entry for score, entry in scores if score >= _BESIDE * scores[0][0]]
