"""The browser's engine gives the bytes that Python's gives: for whole logs, damaged ones and hostile ones."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from evaluation import changes, corpora, mutate
from generator.diagnosis.lines import plain
from generator.index import Index
from generator.indexing import build
from tests.browser.engine import Files, assert_alike, in_browser, open_engine
from tests.pages import real_catalog
from tests.test_diagnosis import BEHIND, SHORT, watched

pytestmark = pytest.mark.browser

JOBS = tuple(case for name in corpora.FOLDERS for case in corpora.jobs(corpora.CORPORA / name))
THREADS = tuple(corpora.threads())
SOME = int(os.environ.get("ENGINE_HEALTHY", "5"))
"""Of the healthy logs one in so many; set `ENGINE_HEALTHY` to 1 for all."""
HEALTHY = tuple(corpora.healthy())[::SOME]
DAMAGED = int(os.environ.get("ENGINE_LOGS", "60"))
"""Logs damaged at random, and as many dressed as another launcher would or cut; set `ENGINE_LOGS` for a longer run."""
BREAKS_OFF = b'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
CHAINED = b"ValueError: x\n\nDuring handling of the above exception, another exception occurred:\n\n"


@cache
def raw_index() -> dict[str, Any]:
    return build(real_catalog(), "https://encyclopedia.example/")


@pytest.fixture(scope="module")
def engine(chromium: Browser) -> Iterator[Page]:
    """A page in which the engine stands on its own."""
    page = open_engine(chromium)
    yield page
    page.close()


def test_every_job(engine: Page) -> None:
    assert JOBS
    assert_alike(engine, raw_index(), tuple(case.files for case in JOBS))


def test_every_thread(engine: Page) -> None:
    assert THREADS
    assert_alike(engine, raw_index(), tuple(case.files for case in THREADS))


def test_every_short_log(engine: Page) -> None:
    texts = [*(text for text, _, _ in SHORT.values()), *(watched(told) for told, _ in BEHIND)]
    assert_alike(engine, raw_index(), tuple((("job.log", text.encode()),) for text in texts))


def test_every_healthy_log(engine: Page) -> None:
    assert HEALTHY
    assert_alike(engine, raw_index(), tuple(case.files for case in HEALTHY))


def test_jobs_dressed_and_cut(engine: Page) -> None:
    dressed = []
    for seed in range(DAMAGED):
        case = JOBS[seed % len(JOBS)]
        files = tuple(changes.LogFile(name=name, data=data) for name, data in case.files)
        mutated = mutate.draw(changes.Case.of(case.truth, files), seed)
        dressed.append(tuple((file.name, file.data) for file in mutated.files))
    assert_alike(engine, raw_index(), tuple(dressed))


def test_logs_damaged_at_random(engine: Page) -> None:
    whole = [case.files for case in (*JOBS, *THREADS)]
    assert_alike(engine, raw_index(), tuple(damaged(whole, seed) for seed in range(DAMAGED)))


def test_hostile_bytes(engine: Page) -> None:
    assert_alike(engine, raw_index(), tuple((("hostile.log", data),) for data in HOSTILE))


def test_names_of_files_tell_ranks_alike(engine: Page) -> None:
    data = b"Traceback (most recent call last):\n  File 'a.py'\nValueError: x\n"
    names = (
        "rank3.log",
        "RANK_12",
        "logs\\rank-2.err",
        "a/ran\u212a4.log",
        "rank5\n",
        "rank.7.a.b.c.d",
        "\U0001f600rank1",
    )
    assert_alike(engine, raw_index(), tuple(((name, data), ("other.log", b"")) for name in names))


def test_the_surroundings_are_those_of_the_log(engine: Page) -> None:
    jobs = tuple(case.files for case in JOBS)
    for files, (told, context, events) in zip(jobs, in_browser(engine, raw_index(), jobs), strict=True):
        diagnosis = json.loads(told)
        named = [place for entry in diagnosis["what"]["entries"] for place in entry["evidence"]]
        assert {(place["file"], place["line"]) for place in named} <= {(seen["file"], seen["line"]) for seen in context}
        assert bool(events) or diagnosis["outcome"] != "failed"
        logs = {name: data.split(b"\n") for name, data in files}
        for seen in context:
            assert [row["line"] for row in seen["before"]] == list(
                range(seen["line"] - len(seen["before"]), seen["line"])
            )
            if any("columns were joined" in gap for gap in diagnosis["gaps"]):
                continue
            for row in (*seen["before"], {"line": seen["line"], "text": seen["text"]}, *seen["after"]):
                assert row["text"] in plain(logs[seen["file"]][row["line"] - 1])


def test_the_line_that_says_who_began_stands_so_in_the_timeline(engine: Page) -> None:
    log = (
        b"kernel: Memory cgroup out of memory: Killed process 4242 (python) total-vm:98765432kB, anon-rss:65432100kB,"
        b" file-rss:1024kB, shmem-rss:0kB, UID:0 pgtables:131072kB oom_score_adj:0\n"
        b"mpirun noticed that process rank 0 with PID 0 on node n7 exited on signal 9 (Killed).\n"
    )
    [(told, _, events)] = in_browser(engine, raw_index(), [(("job.log", log),)])
    assert (json.loads(told)["who"]["ranks"], json.loads(told)["who"]["line"]) == ([0], 1)
    assert [(event["kind"], event["rank"]) for event in events if event["line"] == 1] == [("initiating", 0)]


def test_a_line_is_looked_up_alone(engine: Page) -> None:
    index = Index.from_json(raw_index())
    looked_up = "([index, text]) => matchLine(JSON.parse(index), text)"
    text = json.dumps(raw_index(), ensure_ascii=False)
    line = "RuntimeError: DataLoader worker (pid 32552) is killed by signal: Killed."
    [*found] = engine.evaluate(looked_up, [text, f"nothing\n\n\t[rank1]:\u00a0 {line} \r\n"])
    assert [match["line"] for match in found] == [f"[rank1]: {line}"] * len(found)
    assert found[0]["slug"] in [rule.slug for rule, _ in index.match(line)]
    assert found[0]["url"] == index.cards[found[0]["slug"]].url
    assert engine.evaluate(looked_up, [text, "nothing\nof note"]) == []


ODD = (
    b"\xff",
    b"\xc3",
    b"\xe2\x80",
    b"\xf0\x9f\x98\x80",
    b"\x1b[31m",
    b"\r",
    b"\t",
    b"\xc2\xa0",
    b"0",
    b"9" * 19,
    b"[",
    b"\xef\xbb\xbf",
)


def damaged(whole: list[Files], seed: int) -> Files:
    """Cut, mix, stain and label a job's files; the same for a seed."""
    random = Random(seed)
    files = [(name, data.split(b"\n")) for name, data in random.choice(whole)]
    if random.random() < 0.2:
        files += [(name, data.split(b"\n")) for name, data in random.choice(whole)]
    made = []
    for place, (name, lines) in enumerate(files):
        left = lines
        for damage in random.choices(DAMAGES, k=random.randrange(1, 4)):
            left = damage(left, random, whole)
        end = random.choice([b"\n", b"\n", b"\r\n", b"\r"])
        made.append((f"rank{place}.log" if random.random() < 0.1 else name, end.join(left)))
    return tuple(made)


def _cut(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    first, last = sorted(random.randrange(len(lines) + 1) for _ in range(2))
    return lines[first:last]


def _swapped(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    order = sorted((place + random.uniform(0, 6), line) for place, line in enumerate(lines))
    return [line for _, line in order]


def _mixed(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    other = random.choice(random.choice(whole))[1].split(b"\n")
    place, first = random.randrange(len(lines) + 1), random.randrange(len(other))
    return [*lines[:place], *other[first : first + random.randrange(80)], *lines[place:]]


def _stained(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    stained = list(lines)
    for _ in range(20 if lines else 0):
        place = random.randrange(len(stained))
        at = random.randrange(len(stained[place]) + 1)
        stained[place] = stained[place][:at] + random.choice(ODD) + stained[place][at + random.randrange(3) :]
    return stained


def _renumbered(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    digits = bytes.maketrans(b"0123456789", bytes(random.sample(b"0123456789", 10)))
    return [line.translate(digits) if random.random() < 0.2 else line for line in lines]


def _labelled(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    label = random.choice(
        [b"%d: ", b"[default%d]:", b"[rank%d]: ", b"(W pid=%d) ", b"[1,%d]<stderr>:", b"[Rank %d] ", b"> %d "]
    )
    share = random.choice([0.2, 1])
    return [label % random.randrange(4) + line if random.random() < share else line for line in lines]


def _doubled(lines: list[bytes], random: Random, whole: list[Files]) -> list[bytes]:
    return [line for line in lines for _ in range(2 if random.random() < 0.1 else 1)]


DAMAGES = (_cut, _swapped, _mixed, _stained, _renumbered, _labelled, _doubled)

HOSTILE = (
    b"",
    b"\n",
    b"\r",
    b"\n" * 10_000,
    bytes(range(256)) * 400,
    b"x" * 300_000,
    b"\x00" * 10_000,
    "".join(chr(0xD800 + n % 0x800) for n in range(5_000)).encode("utf-8", "surrogatepass"),
    BREAKS_OFF * 2_000,
    (BREAKS_OFF + CHAINED) * 500,
    b"Failures:\n[0]:\n  rank      : 1 (local_rank: 1)\n" * 1_000,
    b"".join(b"[rank%d]: RuntimeError: x\n" % n for n in range(3_000)),
    b"srun: error: n: tasks 0-99999999,1: Killed\nsrun: error: n: tasks %s-%s: Killed\n" % (b"9" * 90, b"9" * 95),
    b"step 99999999999999999999999999/1 rank : 99999999999999999 (local_rank: 1)\nstep 7/7\n",
    "\U0001f600".encode() * 700 + b" CUDA out of memory. Tried to allocate 0.1 GiB. \n" + "é".encode() * 600,
    "".join("RuntimeError: " + "\U0001f600" * 484 + f"{n} is the five hundredth\n" for n in range(3)).encode(),
    "\ufeffRuntimeError: \u00a0x\u3000y\u2028z\n\u2007KeyError: 'a'\n".encode("utf-16"),
)
