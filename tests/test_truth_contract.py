"""The truth contract: what the checks say about a broken signature, and that every entry keeps it against real logs."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import re2  # type: ignore[import-untyped]

from generator.checks import healthy, signatures
from generator.checks.healthy import HealthyLogs
from generator.issues import Problem
from generator.load import load
from generator.model import Catalog, Entry
from generator.template import compile_template

ROOT = Path(__file__).parent.parent
ENTRY_FILES = sorted((ROOT / "entries").glob("*/*.yaml"))
LOGS = sorted((ROOT / "tests" / "logs" / "healthy").glob("*.log*"))
SAMPLE = "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB."
NEAR_MISS = "CUDA out of memory. Tried to allocate more than 1EB memory."
TEMPLATE = "CUDA out of memory. Tried to allocate {want:bytes}."


def read_entry(path: Path) -> Entry:
    file = path.relative_to(ROOT).as_posix()
    return Entry.from_raw(load(path.read_bytes(), file).data, file)


def read_log(path: Path) -> str:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8", errors="replace")


def wording(template: str = TEMPLATE, **changed: Any) -> dict[str, Any]:
    raw = {
        "template": template,
        "provenance": {"project": "pytorch", "path": "c10/x.cpp", "version": "2.13.0", "reference": "source"},
        "samples": [{"text": SAMPLE, "origin": "reproduced"}],
        "near_misses": [NEAR_MISS],
    }
    return raw | changed


def signature(*wordings: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    raw = {"k": 1, "role": "cause", "specificity": "unique", "where": "exception", "emitter": "PyTorch"}
    return raw | {"wordings": list(wordings) or [wording()]} | changed


def entry(*several: Mapping[str, Any], slug: str = "some-failure", number: int = 1, **changed: Any) -> Entry:
    raw = {
        "id": f"MLFE-000{number}",
        "title": "Some failure",
        "status": "published",
        "category": "memory",
        "summary": "Something fails.",
        "signatures": list(several) or [signature()],
    }
    return Entry.from_raw(raw | changed, f"entries/memory/{slug}.yaml")


def said(problem: Problem) -> tuple[Any, str, str, str]:
    return (problem.path, problem.code, problem.message, problem.mend)


def check(one: Entry, *others: Entry) -> list[tuple[Any, str, str, str]]:
    return [said(problem) for problem in signatures.check(one, Catalog(entries=(one, *others)))]


def test_a_sound_signature_has_no_problem() -> None:
    facts = [{"id": "full", "when": "want > 0 and 2 * want >= want + 1", "say": "It is full."}]
    assert check(entry(signature(when={"want": {"min": 1}}, facts=facts))) == []


W = ("signatures", 0, "wordings", 0)
BROKEN: dict[str, tuple[Entry, list[tuple[Any, str, str, str]]]] = {
    "a template that does not compile": (
        entry(signature(wording("CUDA out of memory. Tried to allocate {byte}."))),
        [
            (
                (*W, "template"),
                "bad-template",
                "there is no placeholder {byte}, at character 39 of the template",
                "Did you mean {bytes}?",
            )
        ],
    ),
    "a sample that lacks some text": (
        entry(signature(wording(samples=[{"text": "CUDA out of memory.", "origin": "reproduced"}]))),
        [
            (
                (*W, "samples", 0, "text"),
                "sample-not-matched",
                "the template does not match this line, which has no 'CUDA out of memory. Tried to allocate '",
                "Correct the template, or give the line exactly as it is printed.",
            )
        ],
    ),
    "a sample with another value": (
        entry(signature(wording(samples=[{"text": SAMPLE.replace("MiB", "pages"), "origin": "reproduced"}]))),
        [
            (
                (*W, "samples", 0, "text"),
                "sample-not-matched",
                "the template does not match this line: a placeholder finds something else",
                "Correct the template, or give the line exactly as it is printed.",
            )
        ],
    ),
    "several lines and no match": (
        entry(signature(wording(samples=[{"text": f"Traceback:\n{SAMPLE}\n", "origin": "reproduced"}]))),
        [
            (
                (*W, "samples", 0, "text"),
                "sample-without-match",
                "the sample has 2 lines, and nothing says which one the template matches",
                "Copy that line into `match`.",
            )
        ],
    ),
    "a match that is part of a line": (
        entry(signature(wording(samples=[{"text": f"a\n{SAMPLE}", "match": SAMPLE[14:], "origin": "reproduced"}]))),
        [
            (
                (*W, "samples", 0, "match"),
                "match-not-in-sample",
                "`match` is not one of the sample's lines",
                "Copy the whole line from `text`, blanks included.",
            )
        ],
    ),
    "a match that the template does not match": (
        entry(signature(wording(samples=[{"text": f"first\n{SAMPLE}", "match": "first", "origin": "reproduced"}]))),
        [
            (
                (*W, "samples", 0, "match"),
                "sample-not-matched",
                "the template does not match this line, which has no 'CUDA out of memory. Tried to allocate '",
                "Correct the template, or give the line exactly as it is printed.",
            )
        ],
    ),
    "a public sample without reference": (
        entry(signature(wording(samples=[{"text": SAMPLE, "origin": "thread"}]))),
        [
            (
                (*W, "samples", 0, "origin"),
                "sample-without-reference",
                "the sample comes from a public thread, and no reference says which",
                "Name it in `reference`.",
            )
        ],
    ),
    "a sample for which the condition fails": (
        entry(signature(when={"want": {"min": 2**30}})),
        [
            (
                (*W, "samples", 0, "text"),
                "sample-not-counted",
                "the template matches this line, but `when` does not hold for it",
                "Take a sample for which `when` holds, or correct `when`.",
            )
        ],
    ),
    "a near miss that is a hit": (
        entry(signature(wording(near_misses=[NEAR_MISS, SAMPLE]))),
        [
            (
                (*W, "near_misses", 1),
                "near-miss-matched",
                "the template matches this near miss",
                "Narrow the template, or move the line to the samples if it is the same message.",
            )
        ],
    ),
    "a near miss that another wording matches": (
        entry(
            signature(
                wording(near_misses=["CUDA ran out of memory"]),
                wording(
                    "CUDA ran out of memory",
                    samples=[{"text": "CUDA ran out of memory", "origin": "reproduced"}],
                ),
            )
        ),
        [
            (
                (*W, "near_misses", 0),
                "near-miss-matched",
                "the template of wording 2 matches this near miss",
                "Narrow the template, or move the line to the samples if it is the same message.",
            )
        ],
    ),
    "only far misses": (
        entry(signature(wording(near_misses=["Segmentation fault", "exit code 1"]))),
        [
            (
                (*W, "near_misses", 0),
                "near-miss-unlike",
                "no near miss has a word in common with the template",
                "Give a line that could be taken for this message: a reworded, shortened or related one.",
            )
        ],
    ),
    "a bare word, whatever its role": (
        entry(
            signature(
                wording(
                    "OOMKilled", samples=[{"text": "OOMKilled", "origin": "reproduced"}], near_misses=["oomkilled: 3"]
                ),
                role="confirmation",
            )
        ),
        [
            (
                (*W, "template"),
                "bare-word",
                "'OOMKilled' is a bare word, which stands in healthy logs too",
                "Take in what is printed around it, so that the line says what happened.",
            )
        ],
    ),
    "bare words as alternatives": (
        entry(
            signature(
                wording(
                    "{Killed|Aborted}!", samples=[{"text": "Killed!", "origin": "reproduced"}], near_misses=["Killed"]
                )
            )
        ),
        [
            (
                (*W, "template"),
                "bare-word",
                "'Killed!' is a bare word, which stands in healthy logs too",
                "Take in what is printed around it, so that the line says what happened.",
            )
        ],
    ),
    "too little text to search for": (
        entry(
            signature(
                wording("exit {int}", samples=[{"text": "exit 1", "origin": "reproduced"}], near_misses=["exit one"]),
                role="either",
            )
        ),
        [
            (
                (*W, "template"),
                "short-literal",
                "the longest text that is always there, 'exit ', has 5 bytes",
                "Take in more of the line: role 'either' needs 10 bytes of text in a row, or 8 that no healthy log "
                "holds.",
            )
        ],
    ),
    "numbers that fall": (
        entry(
            signature(k=2),
            signature(
                wording(
                    "CUDA: out of memory, {want:bytes}.",
                    samples=[{"text": "CUDA: out of memory, 1 B.", "origin": "rendered"}],
                ),
                k=2,
            ),
        ),
        [
            (
                ("signatures", 1, "k"),
                "signature-order",
                "k is 2 after 2",
                "Number new signatures upwards and put them last; a number is never used again.",
            )
        ],
    ),
    "a wording given twice": (
        entry(signature(wording(), wording(TEMPLATE.replace("want", "asked")))),
        [
            (
                ("signatures", 0, "wordings", 1, "template"),
                "doubled-wording",
                "wording 1 has the same template",
                "Keep one of them, and join their versions, samples and near misses.",
            )
        ],
    ),
    "versions that are none": (
        entry(signature(wording(versions=">=2.2,<two"))),
        [
            (
                (*W, "versions"),
                "versions-form",
                "'>=2.2,<two' is no list of version bounds",
                "Write bounds with commas between them, such as '>=2.2.2,<2.13'.",
            )
        ],
    ),
    "a condition on what is not captured": (
        entry(signature(when={"wanted": [1]})),
        [
            (
                ("signatures", 0, "when", "wanted"),
                "unknown-capture",
                "wording 1 captures nothing named 'wanted'",
                "Did you mean 'want'?",
            )
        ],
    ),
    "a condition with the wrong kind of value": (
        entry(signature(when={"want": ["20.00 MiB"]})),
        [
            (
                ("signatures", 0, "when", "want"),
                "capture-kind",
                "'want' is captured by {bytes}, which is not compared with texts",
                "Give whole numbers for {int}, {bytes} and {duration}, and texts for the others.",
            )
        ],
    ),
    "a fact that cannot be read": (
        entry(signature(facts=[{"id": "full", "when": "want > 1.5", "say": "It is full."}])),
        [
            (
                ("signatures", 0, "facts", 0, "when"),
                "bad-comparison",
                "'.' stands where 'and' or the end should be, at character 9 of the comparison",
                "Compare sums of captures and whole numbers, as in `free + 10 * unused >= requested and count > 0`.",
            )
        ],
    ),
    "a fact about what is not captured": (
        entry(signature(facts=[{"id": "full", "when": "want > free", "say": "It is full."}])),
        [
            (
                ("signatures", 0, "facts", 0, "when"),
                "unknown-capture",
                "the signature captures nothing named 'free'",
                "Name the placeholder that captures it, as in {free:int}.",
            )
        ],
    ),
    "a fact about a decimal number": (
        entry(
            signature(
                wording(
                    TEMPLATE.replace("bytes", "number"),
                    samples=[{"text": SAMPLE.replace(" MiB", ""), "origin": "rendered"}],
                ),
                facts=[{"id": "full", "when": "want > 1", "say": "It is full."}],
            )
        ),
        [
            (
                ("signatures", 0, "facts", 0, "when"),
                "capture-kind",
                "'want' is captured by {number}, which is no whole number",
                "Compare captures of {int}, {bytes} and {duration} only.",
            )
        ],
    ),
    "a fact about captures of two wordings": (
        entry(
            signature(
                wording(),
                wording(
                    "CUDA out of memory, free {free:bytes}.",
                    samples=[{"text": "CUDA out of memory, free 3 B.", "origin": "rendered"}],
                ),
                facts=[{"id": "full", "when": "free >= want", "say": "It is full."}],
            )
        ),
        [
            (
                ("signatures", 0, "facts", 0, "when"),
                "captures-apart",
                "no wording captures all of free, want",
                "Name the captures in one wording, or compare fewer.",
            )
        ],
    ),
    "a neighbour's template": (
        entry(
            signature(requires=[{"template": "oom {", "scope": "job"}], absent=[{"template": "{int}", "scope": "job"}])
        ),
        [
            (
                ("signatures", 0, "requires", 0, "template"),
                "bad-template",
                "'{' is not closed, at character 5 of the template",
                "Close the placeholder with '}', or write '{{' for a brace in the line.",
            ),
            (
                ("signatures", 0, "absent", 0, "template"),
                "bad-template",
                "the template has no text that is always there, at character 1 of the template",
                "Add words that the line holds beside the placeholders.",
            ),
        ],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_signature_is_told_what_is_wrong(name: str) -> None:
    broken, expected = BROKEN[name]
    assert check(broken) == expected


def test_every_problem_of_a_signature_is_reported_at_once() -> None:
    broken = entry(
        signature(
            wording("{byte}", versions="x1", samples=[{"text": "a\nb", "origin": "thread"}]),
            wording(samples=[{"text": "other", "origin": "reproduced"}], near_misses=[SAMPLE]),
            facts=[{"id": "x", "when": "free > 1", "say": "x"}],
        )
    )
    assert [code for _, code, _, _ in check(broken)] == [
        "bad-template",
        "versions-form",
        "unknown-capture",
        "sample-without-reference",
        "sample-without-match",
        "sample-not-matched",
        "near-miss-matched",
    ]


def test_a_near_miss_may_be_the_same_message_with_values_that_do_not_count() -> None:
    xid = wording(
        "NVRM: Xid (PCI:{path}): {xid:int},",
        samples=[{"text": "NVRM: Xid (PCI:0000:65:00): 79, pid=0", "origin": "rendered"}],
        near_misses=["NVRM: Xid (PCI:0000:65:00): 13, pid=7"],
    )
    assert check(entry(signature(xid, when={"xid": [79]}))) == []
    assert [code for _, code, _, _ in check(entry(signature(xid)))] == ["near-miss-matched"]


def test_facts_of_a_share_speak_of_the_shared_signature() -> None:
    facts = [{"id": "full", "when": "wnat > 0", "say": "It is full."}]
    sharer = entry(
        slug="other",
        number=2,
        signatures=[],
        shares=[{"signature": "MLFE-0001-1", "when": "It is about memory.", "facts": facts}],
    )
    assert check(sharer, entry()) == [
        (
            ("shares", 0, "facts", 0, "when"),
            "unknown-capture",
            "the signature captures nothing named 'wnat'",
            "Did you mean 'want'?",
        )
    ]


def test_one_message_belongs_to_one_entry() -> None:
    hub, other = entry(), entry(slug="z-other", number=2)
    [(where, problem)] = signatures.check_owners(Catalog(entries=(hub, other)))
    assert where is other
    assert said(problem) == (
        (*W, "template"),
        "doubled-template",
        "MLFE-0001-1 already has this template",
        "The entry that has it owns the message: list MLFE-0001-1 under shares instead.",
    )
    twice = entry(signature(), signature(k=2))
    [(_, problem)] = signatures.check_owners(Catalog(entries=(twice,)))
    assert problem.mend == "One message is one signature: keep one of the two, or tell them apart with `when`."
    told_apart = entry(signature(when={"want": [1]}), signature(k=2, when={"want": [2]}))
    assert list(signatures.check_owners(Catalog(entries=(told_apart,)))) == []
    assert list(signatures.check_owners(Catalog(entries=(hub, entry(number=2, status="withdrawn"))))) == []


# Against healthy logs.


def test_a_template_that_a_healthy_log_matches_is_too_loose() -> None:
    logs = HealthyLogs.of([("run.log", f"start\n50%|#\r\x1b[K{SAMPLE}\r\nend\n")])
    [problem] = healthy.check(entry(), logs)
    assert said(problem) == (
        (*W, "template"),
        "matches-healthy-log",
        f"the template matches a healthy log, run.log:2: \x1b[K{SAMPLE}",
        "Narrow the template, or give the signature a role that leads to no verdict.",
    )
    assert list(healthy.check(entry(signature(role="benign")), logs)) == []
    assert list(healthy.check(entry(signature(when={"want": {"min": 2**30}})), logs)) == []


def test_a_short_literal_may_stand_in_no_healthy_log() -> None:
    short = entry(signature(wording("oom_kill {int}")))
    assert list(healthy.check(short, HealthyLogs.of([("run.log", "no oom\n")]))) == []
    [problem] = healthy.check(short, HealthyLogs.of([("run.log", "oom_kill is off\n")]))
    assert said(problem) == (
        (*W, "template"),
        "short-literal",
        "'oom_kill ' stands in healthy logs and has less than 10 bytes",
        "Take in more of the line: a shorter text must occur in no healthy log.",
    )
    ten = entry(signature(wording("oom_kills {int}")))
    assert list(healthy.check(ten, HealthyLogs.of([("run.log", "oom_kills are off\n")]))) == []


@pytest.fixture(scope="session")
def healthy_logs() -> HealthyLogs:
    return HealthyLogs.of((path.name, read_log(path)) for path in LOGS)


def test_the_healthy_logs_are_real_and_many(healthy_logs: HealthyLogs) -> None:
    readme = (ROOT / "tests" / "logs" / "healthy" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in LOGS if f"| `{path.name}` |" not in readme] == []
    assert len(healthy_logs.lines) > 5000
    assert sum(path.stat().st_size for path in LOGS) < 2_000_000


@pytest.mark.parametrize("path", ENTRY_FILES, ids=lambda path: path.stem)
def test_every_entry_keeps_the_contract(path: Path, healthy_logs: HealthyLogs) -> None:
    catalog = Catalog(entries=tuple(read_entry(file) for file in ENTRY_FILES))
    one = catalog.by_slug[path.stem]
    problems = [*signatures.check(one, catalog), *healthy.check(one, healthy_logs)]
    assert [said(problem) for problem in problems] == []


@pytest.mark.parametrize("path", ENTRY_FILES, ids=lambda path: path.stem)
def test_re2_reads_the_templates_of_every_entry_alike(path: Path) -> None:
    one = read_entry(path)
    for each in one.signatures:
        lines = [line for w in each.wordings for line in (*(s.line for s in w.samples), *w.near_misses)]
        for w in each.wordings:
            template = compile_template(w.template)
            for line in lines:
                found, wanted = re2.search(template.pattern, line), template.match(line)
                assert (found is None) == (wanted is None)
                assert found is None or (wanted is not None and found.groups() == wanted.texts)
