"""Catalog -> the page that diagnoses a log: examples to try, and the ways in for a job that prints no error.

Decides which of the entries' own samples make an example and which symptoms are named. What happens to a log is the
browser's; the page holds none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from generator.entry_page.page import Heading
from generator.index_pages.codes import SIGNALS, mentions
from generator.index_pages.lines import SymptomList, SymptomRow
from generator.index_pages.listing import IndexPage
from generator.model import Catalog, Entry
from generator.parts import Sample, Signature
from generator.prose import plain_text

COMMAND = ".venv/bin/encyclopedia diagnose job.log"
"""Works in a clone after `make setup`."""
CHECKS = 3
"""Suspects named for each symptom; the index by symptom has the others."""
_ROLES = ("cause", "external", "either")
_ORIGINS = ("reproduced", "thread", "upstream_test", "rendered")
"""Where a sample comes from, the truest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A log to try the page with."""

    label: str
    note: str
    """Where the lines come from."""
    files: tuple[str, ...]
    """Names, as an answer prints them."""
    text: str = ""
    """What the one file holds; empty when the files lie in `assets/diagnosis/examples/`."""


RECORDED = (
    Specimen(
        label="Four ranks, one loses a data worker",
        note="The output of a torchrun job of four ranks, recorded from a program with this fault built in.",
        files=("worker-killed.log",),
    ),
    Specimen(
        label="Two nodes, a log of each",
        note="Two files of one torchrun job on two nodes, recorded from a program with a fault built in.",
        files=("two-nodes.node0.log", "two-nodes.node1.log"),
    ),
)
"""Logs of several ranks, which no sample of an entry is."""

_MEANS = {
    "SIGHUP": "The terminal or the connection that the job was started from went away.",
    "SIGINT": "Someone pressed Ctrl-C, or a scheduler asked the job to stop that way.",
    "SIGILL": "The processor met an instruction it does not have: a library built for another one.",
    "SIGABRT": "Native code gave up: a failed assertion, a C++ exception that nothing caught, or a watchdog.",
    "SIGBUS": "Memory that was mapped could not be had: often shared memory (/dev/shm) or a disk that is full.",
    "SIGFPE": "Native code divided an integer by zero.",
    "SIGKILL": "Killed from outside, and nothing can be printed then: the kernel short of memory, a limit of the"
    " container or the scheduler, or a person.",
    "SIGSEGV": "Native code touched memory that is not its own.",
    "SIGPIPE": "What read the job's output went away.",
    "SIGTERM": "Asked to stop: by the launcher after another rank failed, by the scheduler, or by a person.",
    "SIGXCPU": "The limit of processor time is used up.",
    "SIGXFSZ": "A file became larger than the limit allows.",
    "SIGSYS": "The container or the kernel forbids a system call.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What a job does when it prints no error, and the cheapest checks for it."""

    heading: str
    note: str
    address: str
    """Of all entries it may come from."""
    rows: tuple[SymptomRow, ...]
    more: int
    """Entries that are not among the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosePage(IndexPage):
    """The page that diagnoses a log."""

    template: ClassVar[str] = "diagnose.html"
    command: str
    specimens: tuple[Specimen, ...]
    ways: tuple[Way, ...]
    changed: str
    """Day of the newest change to an entry, where it is known."""

    @property
    def outline(self) -> tuple[Heading, ...]:
        titles = (("by-symptom", "No error line?"),) if self.ways else ()
        return tuple(
            Heading(title=title, anchor=anchor, level=2)
            for anchor, title in (("examples", "Examples to try"), *titles, ("privacy", "What happens to your log"))
        )


def diagnose_page(catalog: Catalog, symptoms: Sequence[SymptomList], changed: str) -> DiagnosePage:
    """Make the page; the indexes by symptom say what each job without an error may suffer from."""
    return DiagnosePage(
        address="diagnose/",
        title="Diagnose a log",
        summary="Who started it, what it is and why, with the lines that show it. Your log stays in this browser.",
        command=COMMAND,
        specimens=specimens(catalog),
        ways=tuple(_ways(symptoms, list(catalog.vocabularies.get("cost", {})))),
        changed=changed,
    )


def specimens(catalog: Catalog) -> tuple[Specimen, ...]:
    """Take the most telling sample of each category's published entries, then logs of several ranks."""
    best: dict[str, tuple[tuple[int, int, int, int], Entry, Sample]] = {}
    for entry in catalog.published:
        for signature in entry.signatures:
            for sample in (s for wording in signature.wordings for s in wording.samples):
                if signature.role in _ROLES and not signature.requires:
                    rank = _rank(signature, sample)
                    if entry.category not in best or rank < best[entry.category][0]:
                        best[entry.category] = (rank, entry, sample)
    origins = catalog.vocabularies["sample_origin"] if best else {}
    own = tuple(
        Specimen(
            label=plain_text(entry.title),
            note=f"{_lines(sample)} of this entry's samples. {origins[sample.origin].description}",
            files=(f"{entry.slug}.log",),
            text=sample.text if sample.text.endswith("\n") else f"{sample.text}\n",
        )
        for _, (_, entry, sample) in sorted(best.items())
    )
    return (*own, *RECORDED)


def _rank(signature: Signature, sample: Sample) -> tuple[int, int, int, int]:
    """Order samples: a signature that says the cause, many lines, a true origin, a short line."""
    lines = len(sample.text.splitlines())
    return (_ROLES.index(signature.role), -lines, _ORIGINS.index(sample.origin), len(sample.line))


def _lines(sample: Sample) -> str:
    count = len(sample.text.strip("\n").split("\n"))
    return "One line" if count == 1 else f"{count} lines"


def _ways(symptoms: Sequence[SymptomList], costs: Sequence[str]) -> Iterator[Way]:
    """Yield each complaint with the suspects that are cheapest to confirm or rule out."""
    found: dict[str, list[SymptomRow]] = {}
    first: dict[str, tuple[str, str, str]] = {}
    for page in symptoms:
        for group in page.groups:
            found.setdefault(group.anchor, []).extend(group.rows)
            first.setdefault(group.anchor, (group.heading, group.note, f"{page.address}#{group.anchor}"))
    for anchor, rows in found.items():
        heading, note, address = first[anchor]
        cheap = sorted(rows, key=lambda row: costs.index(row.cost.value) if row.cost else len(costs))[:CHECKS]
        yield Way(heading=heading, note=note, address=address, rows=tuple(cheap), more=len(rows) - len(cheap))


def signals(catalog: Catalog) -> list[dict[str, int | str]]:
    """List the signals that end a process: number, name, what it says, and where the entries that name it stand."""
    named = {
        mention.code.anchor
        for entry in catalog.entries
        if entry.status in ("published", "draft")
        for mention in mentions(entry)
    }
    return [
        {
            "number": number,
            "name": name,
            "says": _MEANS[name],
            "address": f"codes/#{name.lower()}" if name.lower() in named else "",
        }
        for number, name in SIGNALS.items()
        if name in _MEANS
    ]
