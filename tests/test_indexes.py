"""The indexes of a small catalogue: what stands where, in which order, and what does not exist."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.catalog import read_catalog
from generator.index_pages.codes import codes_in
from generator.index_pages.facets import EntryList, Overview
from generator.index_pages.indexes import Home, index_pages
from generator.index_pages.letters import Alphabet
from generator.index_pages.lines import CodeList, SignatureList, SymptomList
from generator.index_pages.listing import PAGE_ROWS, IndexPage
from generator.model import Catalog, Entry
from tests.pages import SCHEMA, catalog_of, example

HOUSE = Path(__file__).parent / "data/house/entries"


@pytest.fixture(scope="module")
def house() -> Catalog:
    reading = read_catalog(HOUSE, SCHEMA)
    assert reading.issues == ()
    return reading.catalog


@pytest.fixture(scope="module")
def pages(house: Catalog) -> dict[str, IndexPage]:
    return {page.address: page for page in index_pages(house, {})}


def many(count: int) -> Catalog:
    """Return a catalogue of copies of the example, all published."""
    entry = replace(example(), also_known_as=())

    def copy(number: int) -> Entry:
        file = f"entries/model-code/copy-{number:04}.yaml"
        return replace(entry, file=file, title=f"Copy {number:04}", id=f"MLFE-{number:04}")  # type: ignore[arg-type]

    return catalog_of(*(copy(number) for number in range(count)))


def test_an_index_exists_for_each_value_in_use_and_for_no_other(pages: dict[str, IndexPage]) -> None:
    assert {address for address in pages if address.startswith("severity/")} == {
        "severity/",
        "severity/critical/",
        "severity/high/",
        "severity/low/",
    }
    assert "hardware/nvidia-any/" in pages
    assert "hardware/cpu/" not in pages


def test_the_home_page_counts_published_entries_alone(pages: dict[str, IndexPage]) -> None:
    home = pages[""]
    assert isinstance(home, Home)
    assert (home.entries, home.signatures, home.silent, home.drafts) == (3, 3, 1, 1)
    assert [(c.label, c.count, c.drafts) for c in home.categories] == [
        ("Memory", 0, 1),
        ("Numerics", 1, 0),
        ("Hardware fault", 1, 0),
        ("Launch and orchestration", 1, 0),
    ]
    assert [row.title for row in home.worst] == [
        "The loss becomes nan without an error",
        "A rank is killed with SIGKILL",
        "The GPU has fallen off the bus",
    ]
    assert [way.address for way in home.ways][:4] == ["symptoms/", "codes/", "signatures/", "a-z/"]


def test_the_latest_come_first(house: Catalog) -> None:
    added = {"entries/launch-orchestration/rank-killed.yaml": "2027-01-01"}
    home = index_pages(house, added)[0]
    assert isinstance(home, Home)
    assert [(row.added, row.title) for row in home.latest] == [
        ("2027-01-01", "A rank is killed with SIGKILL"),
        ("2026-11-30", "The GPU has fallen off the bus"),
        ("2026-11-29", "The loss becomes nan without an error"),
    ]


def test_a_category_shows_the_line_by_which_its_entries_are_recognised(pages: dict[str, IndexPage]) -> None:
    page = pages["hardware-fault/"]
    assert isinstance(page, EntryList)
    (row,) = page.groups[0].rows
    assert row.signature.startswith("NVRM: Xid (PCI:")
    assert row.address == "hardware-fault/gpu-off-the-bus/"
    assert [crumb.address for crumb in page.crumbs] == ["categories/"]


def test_drafts_stand_apart_and_withdrawn_entries_apart_from_them(pages: dict[str, IndexPage]) -> None:
    memory, withdrawn = pages["memory/"], pages["distributed-comm/"]
    assert isinstance(memory, EntryList)
    assert isinstance(withdrawn, EntryList)
    assert (memory.count, len(memory.drafts), len(memory.closed)) == (0, 1, 0)
    assert (withdrawn.count, len(withdrawn.drafts), len(withdrawn.closed)) == (0, 0, 1)
    assert [heading.anchor for heading in memory.outline] == ["drafts"]


def test_phases_keep_the_order_of_a_job_and_hardware_stands_by_vendor(pages: dict[str, IndexPage]) -> None:
    phases, hardware = pages["phase/"], pages["hardware/"]
    assert isinstance(phases, Overview)
    assert isinstance(hardware, Overview)
    assert [c.label for group in phases.groups for c in group.rows] == [
        "Data loading",
        "Forward",
        "Backward",
        "Collective",
    ]
    assert [(group.heading, [c.label for c in group.rows]) for group in hardware.groups] == [
        ("NVIDIA", ["NVIDIA, any"]),
        ("Host", ["PCI Express"]),
    ]


def test_a_job_without_an_error_leads_to_the_cheapest_check(pages: dict[str, IndexPage]) -> None:
    page = pages["symptoms/"]
    assert isinstance(page, SymptomList)
    assert [(group.heading, [row.row.title for row in group.rows]) for group in page.groups] == [
        ("The numbers are wrong", ["The loss becomes nan without an error"]),
        ("It is gone", ["A rank is killed with SIGKILL"]),
    ]
    wrong = page.groups[0].rows[0]
    assert (wrong.observe, wrong.do) == (
        "The logged loss reads nan from one step on.",
        "Read the loss column of the log.",
    )
    assert wrong.cost is not None
    assert wrong.cost.value == "seconds"


def test_codes_come_from_samples_conditions_and_names_and_lead_to_the_signature(pages: dict[str, IndexPage]) -> None:
    page = pages["codes/"]
    assert isinstance(page, CodeList)
    found = {
        row.code.anchor: (row.code.also, [use.address for use in row.uses])
        for group in page.groups
        for row in group.rows
    }
    assert found == {
        "exit-137": ("ended by SIGKILL", ["launch-orchestration/rank-killed/"]),
        "exit-minus-9": ("ended by SIGKILL", ["launch-orchestration/rank-killed/#mlfe-2980-1"]),
        "sigkill": ("9", ["launch-orchestration/rank-killed/"]),
        "xid-79": ("", ["hardware-fault/gpu-off-the-bus/#mlfe-4021-1"]),
    }
    assert page.sources == ("Signals: signal(7)",)


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("NVRM: Xid (PCI:0000:65:00): 79, pid=1", ["xid-79"]),
        ("exitcode  : -11 (pid: 7)", ["exit-minus-11"]),
        ("exited with code 137", ["exit-137"]),
        ("exit status 1", ["exit-1"]),
        ("exit code 0", []),
        ("Received 15 death signal, shutting down", ["sigterm"]),
        ("Signal 15 (SIGTERM) received", ["sigterm", "sigterm"]),
        ("OSError: [Errno 28] No space left on device", ["enospc"]),
        ("RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling", ["cublas-status-alloc-failed"]),
        ("cudnn: CUDNN_STATUS_NOT_INITIALIZED", ["cudnn-status-not-initialized"]),
        ("ncclUnhandledCudaError: Call to CUDA function failed.", ["ncclunhandledcudaerror"]),
        ("torch.AcceleratorError: cudaErrorAssert", ["cudaerrorassert"]),
        ("SIGNATURE and EXIT are words", []),
    ],
)
def test_codes_are_found_where_they_are_written_and_not_guessed(text: str, anchors: list[str]) -> None:
    assert [code.anchor for code in codes_in(text)] == anchors


def test_every_signature_is_listed_with_its_anchor(house: Catalog, pages: dict[str, IndexPage]) -> None:
    page = pages["signatures/"]
    assert isinstance(page, SignatureList)
    assert [row.address for group in page.groups for row in group.rows] == [
        "hardware-fault/gpu-off-the-bus/#mlfe-4021-1",
        "launch-orchestration/rank-killed/#mlfe-2980-1",
        "launch-orchestration/rank-killed/#mlfe-2980-2",
    ]
    assert {row.id for group in page.groups for row in group.rows} == set(house.signatures)


def test_the_alphabet_has_titles_and_the_names_people_use(pages: dict[str, IndexPage]) -> None:
    page = pages["a-z/"]
    assert isinstance(page, Alphabet)
    words = {word.text: (word.other_name, word.row.title) for group in page.groups for word in group.rows}
    assert words["xid 79"] == (True, "The GPU has fallen off the bus")
    assert words["The GPU has fallen off the bus"] == (False, "The GPU has fallen off the bus")
    assert "A time-out under its old name" not in words
    assert [group.heading for group in page.groups] == ["0-9", "A", "E", "G", "L", "N", "T", "X"]


def test_nothing_is_listed_of_an_empty_catalogue() -> None:
    (home,) = index_pages(catalog_of(), {})
    assert isinstance(home, Home)
    assert (home.entries, home.categories, home.ways, home.latest) == (0, (), (), ())


def test_a_long_index_goes_on_to_further_pages_that_name_their_first_entry() -> None:
    pages = {page.address: page for page in index_pages(many(PAGE_ROWS + 1), {})}
    first, second = pages["model-code/"], pages["model-code/2/"]
    assert isinstance(first, EntryList)
    assert isinstance(second, EntryList)
    assert sum(len(group.rows) for group in first.groups) == PAGE_ROWS
    assert [row.title for group in second.groups for row in group.rows] == ["Copy 0200"]
    assert [(leaf.address, leaf.label, leaf.current) for leaf in second.leaves] == [
        ("model-code/", "Copy 0000", False),
        ("model-code/2/", "Copy 0200", True),
    ]
    assert (first.count, first.full) == (PAGE_ROWS + 1, False)
    home = pages[""]
    assert isinstance(home, Home)
    assert [way.address for way in home.ways].count("signatures/") == 1
