"""Entries do not repeat each other: the gate against our own boilerplate.

A run is eight consecutive words of an entry's prose (headings, questions, commands and vocabulary texts are no prose
of the entry and are not looked at). More than 15 % of an entry's runs standing in one other entry, or in all others
together, is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from zlib import crc32

from generator.issues import Path, Problem
from generator.model import Catalog, Entry, prose_fields

RUN = 8
LIMIT = 0.15
_CODE = re.compile(r"(`+)(?:(?!\1).)*?\1|https://\S+", re.DOTALL)
"""What upstream prints is quoted, not repeated."""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_EXACT_UP_TO = 400
_SAMPLE = 8


def runs_of(text: str) -> list[int]:
    """Hash every run of eight words in a text, in order; the same in every process."""
    words = [crc32(word.lower().encode()) for word in _words(text)]
    return [hash(run) for run in zip(*(words[start:] for start in range(RUN)), strict=False)]


def _words(text: str) -> list[str]:
    return _WORD.findall(_CODE.sub(" ", text) if "`" in text or "//" in text else text)


def entry_runs(entry: Entry) -> set[int]:
    """Hash the runs of all prose of an entry; no run spans two fields."""
    return set(
        chain.from_iterable(
            runs_of(text) for path, text, _ in prose_fields(entry) if path[0] != "questions" or path[-1] == "a"
        )
    )


def check(catalog: Catalog) -> Iterator[tuple[Entry, Problem]]:
    """Report each entry whose prose stands elsewhere in the catalogue."""
    suspects = _suspects(catalog.published)
    runs = {entry.file: entry_runs(entry) for entry in catalog.published} if suspects else {}
    for entry in suspects:
        own = runs[entry.file]
        shared: set[int] = set()
        worst: tuple[int, Entry] | None = None
        for other in catalog.published:
            if other is entry:
                continue
            common = own & runs[other.file]
            shared |= common
            if worst is None or len(common) > worst[0]:
                worst = (len(common), other)
        if worst is None or len(shared) <= LIMIT * len(own):
            continue
        alone = worst[0] > LIMIT * len(own)
        count, where = (worst[0], worst[1].file) if alone else (len(shared), "other entries together")
        path, words = _first_shared(entry, shared)
        yield (
            entry,
            Problem(
                path=path,
                code="boilerplate",
                message=f"{100 * count / len(own):.0f} % of this entry's prose stands word for word in {where}, "
                f"at most {100 * LIMIT:.0f} % may; for example '{words}'",
                mend="Say it from this failure's own facts, or leave it out.",
            ),
        )


def _suspects(entries: tuple[Entry, ...]) -> list[Entry]:
    """Return the entries that may share too much: all that do, and few others.

    In a large catalogue only one run in eight is looked at, chosen by its hash, so that memory stays small; an entry
    is a suspect from a third of the limit on, which leaves out none that is really over it.
    """
    modulus = 1 if len(entries) <= _EXACT_UP_TO else _SAMPLE
    sampled = [[run for run in entry_runs(entry) if run % modulus == 0] for entry in entries]
    seen = Counter(chain.from_iterable(sampled))
    return [
        entry
        for entry, runs in zip(entries, sampled, strict=True)
        if sum(seen[run] > 1 for run in runs) > LIMIT / 3 * len(runs)
    ]


def _first_shared(entry: Entry, shared: set[int]) -> tuple[Path, str]:
    """Find the first field with a shared run, and the words of that run."""
    for path, text, _ in prose_fields(entry):
        for start, run in enumerate(runs_of(text)):
            if run in shared:
                return path, " ".join(_words(text)[start : start + RUN])
    return ("summary",), ""
