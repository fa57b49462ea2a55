"""The files of the search index."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.catalog import read_catalog
from generator.model import Catalog
from generator.search import HEAVIEST, SHARD, build_index

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    whole = read_catalog(ROOT / "entries", ROOT / "schema/entry.schema.json").catalog
    return replace(whole, entries=whole.published)


def test_a_small_catalogue_is_one_file(catalog: Catalog) -> None:
    (file,) = build_index(catalog)
    assert file.path == "search/index.json"
    index = json.loads(file.content)
    assert index["entries"] == len(catalog.entries)
    assert [row[1] for block in index["blocks"] for row in block] == [entry.address for entry in catalog.entries]


def decode(where: list[int]) -> list[tuple[int, int]]:
    entries, number = [], 0
    for step, weight in zip(where[::2], where[1::2], strict=True):
        number += step
        entries.append((number, weight))
    return entries


def test_parts_hold_what_the_one_file_holds(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = build_index(catalog)
    monkeypatch.setattr("generator.search.WHOLE_UP_TO", 0)
    base, *parts = build_index(catalog)
    first: dict[str, Any] = json.loads(base.content)
    names = [f"search/{first['folder']}/t{i}.json" for i in range(len(first["first"]))]
    assert [part.path for part in parts[: len(names)]] == names
    shards = [json.loads(part.content) for part in parts[: len(names)]]
    assert [next(iter(shard)) for shard in shards] == first["first"]
    joined = {term: where for shard in shards for term, where in shard.items()}
    index = json.loads(whole.content)
    assert joined == {term: where for shard in index["shards"] for term, where in shard.items()}
    assert list(joined) == sorted(joined)
    assert max(len(part.content) for part in parts) < 2 * SHARD


def test_weights_and_entries_are_in_range(catalog: Catalog) -> None:
    index = json.loads(build_index(catalog)[0].content)
    for shard in index["shards"]:
        for term, where in shard.items():
            found = decode(where)
            numbers = [number for number, _ in found]
            assert numbers == sorted(set(numbers)), term
            assert numbers[0] >= 0
            assert numbers[-1] < index["entries"]
            assert all(1 <= weight <= HEAVIEST for _, weight in found)


def test_long_texts_are_not_in_the_index(catalog: Catalog) -> None:
    content = build_index(catalog)[0].content
    entry = catalog.by_slug["cuda-out-of-memory"]
    assert entry.explanation is not None
    assert entry.explanation.text[:60] not in content
    assert all(example.code[:60] not in content for example in entry.examples)


def test_two_builds_are_the_same(catalog: Catalog) -> None:
    assert build_index(catalog) == build_index(catalog)
