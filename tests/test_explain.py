"""An entry in the terminal."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from generator.catalog import read_catalog
from generator.explain import explain_entry, find_entry, list_near
from generator.model import Catalog
from generator.nearest import nearest

ROOT = Path(__file__).parent.parent
SITE = "https://site.example/"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog(ROOT / "entries", ROOT / "schema/entry.schema.json").catalog


@pytest.mark.parametrize(
    "name",
    ["MLFE-6612", "mlfe-6612", "6612", "MLFE-6612-1", "cuda-out-of-memory", "memory/cuda-out-of-memory/"],
)
def test_an_entry_is_found_by_every_name_it_has(catalog: Catalog, name: str) -> None:
    entry, signature = find_entry(catalog, name)
    assert entry.slug == "cuda-out-of-memory"
    assert (signature is not None) == name.endswith("-1")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MLFE-0001", "no entry has the id MLFE-0001."),
        ("cuda-out-of-memroy", "no entry 'cuda-out-of-memroy': did you mean 'cuda-out-of-memory'?"),
        ("MLFE-6612-99", "no signature has the id MLFE-6612-99: MLFE-6612 has "),
    ],
)
def test_a_wrong_name_is_said_to_be_one(catalog: Catalog, name: str, message: str) -> None:
    with pytest.raises(LookupError) as missing:
        find_entry(catalog, name)
    told = str(missing.value.args[0])
    assert told == message if message[-1] in ".?" else told.startswith(message)
    if "-99" in name:
        assert told.removeprefix(message).rstrip(".").split(", ") == [
            signature for signature in catalog.signatures if signature.startswith("MLFE-6612-")
        ]


def test_an_entry_is_printed_for_a_terminal(catalog: Catalog) -> None:
    entry = catalog.by_slug["cuda-out-of-memory"]
    text = explain_entry(entry, catalog, colour=False, width=80, site=SITE, full=True)
    lines = text.splitlines()
    assert lines[0].startswith("CUDA out of memory")
    assert lines[1] == "=" * len(lines[0])
    assert "Quick answer" in lines
    prose = [line for line in lines if not line.startswith("    ") and " " in line.strip()]
    assert all(len(line) <= 80 or "https://" in line or len(line.split()) < 5 for line in prose)
    assert "\x1b" not in text
    outside_code = "\n".join(line for line in lines if not line.startswith("    "))
    for mark in ("{ #", "{: #", "](#", "**", "```"):
        assert mark not in outside_code, mark
    commands = [step.command for step in entry.confirm if step.command]
    assert commands
    for command in commands:
        assert "\n".join("    " + line for line in command.splitlines()) in text


def test_headings_are_bold_when_colour_is_wanted(catalog: Catalog) -> None:
    text = explain_entry(catalog.by_slug["nan-loss"], catalog, colour=True, width=80, site=SITE)
    assert "\x1b[1mQuick answer\x1b[0m" in text


def test_only_what_is_needed_now_is_printed_unless_all_is_wanted(catalog: Catalog) -> None:
    entry = catalog.by_slug["cuda-out-of-memory"]
    lines = explain_entry(entry, catalog, colour=False, width=80, site=SITE).splitlines()
    heads = [above for above, below in pairwise(lines) if set(below) == {"-"}]
    assert heads == ["Quick answer", "How to confirm it", "What to do now", "Signatures"]
    assert lines[3:5] == ["MLFE-6612 in Memory.", "https://site.example/memory/cuda-out-of-memory/"]
    assert lines[-1] == "The whole entry: `encyclopedia explain --full MLFE-6612`"
    assert len(lines) < 250
    for signature in entry.signatures:
        assert any(line.startswith(f"- {entry.signature_id(signature)}: `") for line in lines)
    assert all(step.command is None or f"    {step.command.splitlines()[0]}" in lines for step in entry.confirm)


def test_a_signature_is_printed_without_the_others(catalog: Catalog) -> None:
    entry, signature = find_entry(catalog, "MLFE-6612-4")
    text = explain_entry(entry, catalog, colour=False, width=80, site=SITE, signature=signature)
    lines = text.splitlines()
    heads = [above for above, below in pairwise(lines) if set(below) == {"-"}]
    assert heads == ["Quick answer", "Signature", "References"]
    assert lines[0] == "CUDA out of memory: the allocator cannot serve a request"
    assert lines[4] == "https://site.example/memory/cuda-out-of-memory/#mlfe-6612-4"
    assert signature is not None
    sample, alike = signature.wordings[0].samples[0], signature.wordings[0].near_misses[0]
    assert f"    {sample.text.splitlines()[0]}" in lines
    assert f"    {alike}" in lines
    assert "Versions: `>=2.0.1,<=2.14.1`." in text
    assert "MLFE-6612-5" not in text
    numbers = {int(line.partition(".")[0]) for line in lines[lines.index("References") :] if line[:1].isdigit()}
    assert numbers
    assert all(f"[{number}]" in text for number in numbers)


@pytest.mark.parametrize("full", [True, False])
def test_nothing_of_the_page_is_left_in_the_text(catalog: Catalog, full: bool) -> None:
    for entry in catalog.entries:
        text = explain_entry(entry, catalog, colour=False, width=80, site=SITE, full=full)
        outside = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
        words = re.sub(r"`+.+?`+", "", outside, flags=re.DOTALL)
        assert not re.search(r"&(?:#\d+|lt|gt|amp);|\]\(|\{:? ?#", words), entry.slug
        labels = {"All symptoms", "All causes", "All fixes", "All related failures", "What keeps it away"}
        assert not labels & set(outside.splitlines()), entry.slug
        assert "- How it comes about" not in outside, entry.slug
        assert "\n\n\n" not in text, entry.slug


def test_another_entry_is_named_with_its_id(catalog: Catalog) -> None:
    text = explain_entry(catalog.by_slug["cuda-out-of-memory"], catalog, colour=False, width=999, site=SITE, full=True)
    relations = [r for r in catalog.by_slug["cuda-out-of-memory"].relations if r.type == "looks_like"]
    assert relations
    for relation in relations:
        assert f"({catalog.by_slug[relation.slug].id}):" in text


def test_a_line_of_a_log_names_the_entries_whose_signatures_recognise_it(catalog: Catalog) -> None:
    entry = catalog.by_slug["cuda-out-of-memory"]
    sample = entry.signatures[3].wordings[0].samples[0].line
    best = nearest(catalog, f"[rank3]: \x1b[31m{sample}\x1b[0m")[0]
    assert (best.entry, best.signature) == (entry, "MLFE-6612-4")
    assert list_near([best], site=SITE) == (
        "MLFE-6612  CUDA out of memory: the allocator cannot serve a request\n"
        "  Signature MLFE-6612-4 recognises this line.\n"
        "  https://site.example/memory/cuda-out-of-memory/#mlfe-6612-4\n"
    )


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("RuntimeError: CUDA out of memory. Tried...", "cuda-out-of-memory"),
        ("Xid 79", "gpu-fallen-off-bus"),
        ("loss becomes nan after warmup", "nan-loss"),
    ],
)
def test_words_name_the_nearest_entry(catalog: Catalog, text: str, slug: str) -> None:
    assert nearest(catalog, text)[0].entry.slug == slug


@pytest.mark.parametrize("text", ["qqzz xxyy", "what is the capital of France", ""])
def test_what_is_near_no_entry_finds_none(catalog: Catalog, text: str) -> None:
    assert nearest(catalog, text) == ()
