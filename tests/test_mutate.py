"""Damaged logs: each mutation is a function of its seed, does what its name says, and claims no more than is left."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaluation.changes import Case, LogFile, shows_cause
from evaluation.mutate import MUTATIONS, WEAK, Mutated, Mutation, broken, chain, draw, mutate
from evaluation.speakers import LAUNCHER, pids_of, speakers

JOBS = Path(__file__).parent / "corpora" / "jobs"
BY_NAME = {mutation.name: mutation for mutation in MUTATIONS}
LOG = """\
2026-11-30 19:20:17,694 - INFO - train - initialized: rank 1 of 2, pid 26534
2026-11-30 19:20:17,700 - INFO - train - initialized: rank 0 of 2, pid 26532
2026-11-30 19:20:26,773 - INFO - train - step 1/6 | loss 0.7969
[rank1]: Traceback (most recent call last):
[rank1]:   File "train.py", line 18, in <module>
[rank1]: KeyError: 'label'
[rank0]: RuntimeError: Connection closed by peer [127.0.0.1]:7296
W1130 19:20:30.575000 26273 torch/distributed/elastic/multiprocessing/api.py:1028] Sending process 26532 closing signal
Traceback (most recent call last):
  File "torchrun", line 8, in <module>
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============
  rank      : 1 (local_rank: 1)
"""
TRUTH = {"outcome": "failed", "initiating_ranks": [1], "evidence_regex": "KeyError: 'label'"}


def case_of(text: str = LOG, **truth: Any) -> Case:
    return Case.of({"truth": {**TRUTH, **truth}}, (LogFile(name="a.log", data=text.encode()),))


def lines(mutated: Mutated) -> list[str]:
    return mutated.files[0].data.decode().split("\n")


def real(name: str) -> Case:
    meta = json.loads((JOBS / f"{name}.json").read_text(encoding="utf-8"))
    return Case.of(meta, tuple(LogFile(name=log, data=(JOBS / log).read_bytes()) for log in meta["logs"]))


def diagnosis(
    outcome: str = "failed", ranks: tuple[int, ...] = (), slug: str | None = None, echo: str | None = None
) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "who": {"ranks": list(ranks), "all_ranks": False},
        "what": {"entries": [{"slug": slug}] if slug else []},
        "collateral": [{"kind": echo}] if echo else [],
        "secondary": [],
        "notices": [],
    }


def test_who_speaks_each_line() -> None:
    text = LOG.encode().split(b"\n")
    assert pids_of(text) == {26534: 1, 26532: 0}
    assert speakers(text, {}) == [1, 0, None, 1, 1, 1, 0, *[LAUNCHER] * 7]


def test_labels_of_other_launchers() -> None:
    text = [
        b"[default3]:[rank3]: KeyError",
        b" 2: hello",
        b"[1,0]<stderr>:hello",
        b"(Trainer pid=7) hello",
        b"worker-1: hello",
    ]
    assert speakers(text, {7: 5}) == [3, 2, 0, 5, 1]
    assert speakers([b"0: slurmstepd-a: error: *** STEP 5.0 CANCELLED", b"mpirun noticed that process"], {}) == [
        LAUNCHER,
        LAUNCHER,
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tee", "[default1]:[rank1]: KeyError: 'label'"),
        ("srun", "1: [rank1]: KeyError: 'label'"),
        ("mpirun", "[1,1]<stderr>:[rank1]: KeyError: 'label'"),
        ("ray", "\x1b[36m(Trainer pid=26534)\x1b[0m [rank1]: KeyError: 'label'"),
        ("kubectl", "[pod/trainer-0/pytorch] [rank1]: KeyError: 'label'"),
        ("pdsh", "worker-0: [rank1]: KeyError: 'label'"),
    ],
)
def test_a_label_stands_before_the_line_of_the_guilty_rank(name: str, expected: str) -> None:
    mutated = mutate(case_of(), BY_NAME[name], 1)
    assert expected in lines(mutated)
    assert mutated.relation == "same"
    assert len(lines(mutated)) == len(LOG.split("\n"))


def test_a_launcher_labels_no_line_of_its_own() -> None:
    assert "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:" in lines(
        mutate(case_of(), BY_NAME["tee"], 1)
    )


def test_local_ranks_start_anew_on_each_node() -> None:
    files = (
        LogFile(name="a.node0.log", data=b"[rank0]: x\n[rank1]: x"),
        LogFile(name="a.node1.log", data=b"[rank2]: x\n[rank3]: x"),
    )
    mutated = mutate(Case.of({"truth": TRUTH}, files), BY_NAME["tee"], 1)
    assert [file.data.decode().split("[rank")[0] for file in mutated.files] == ["[default0]:", "[default0]:"]
    assert mutated.files[1].data.endswith(b"[default1]:[rank3]: x")


def test_stamps_are_gone() -> None:
    text = "\n".join(lines(mutate(case_of(), BY_NAME["no_stamps"], 1)))
    assert not re.search(r"\d\d:\d\d:\d\d", text)
    assert "W 26273 torch/distributed" in text


def test_colours_change_nothing_else() -> None:
    mutated = mutate(case_of(), BY_NAME["ansi"], 3)
    assert b"\x1b[31mTraceback\x1b[0m" in mutated.files[0].data
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", mutated.files[0].data).decode() == LOG


def test_lines_end_as_on_windows() -> None:
    data = mutate(case_of("a\r\nb\n"), BY_NAME["crlf"], 1).files[0].data
    assert data == b"a\r\nb\r\n"


def test_long_lines_are_broken_at_120() -> None:
    mutated = mutate(case_of("é" * 250 + "\n\nshort"), BY_NAME["wrap"], 1)
    assert [len(line) for line in lines(mutated)] == [120, 120, 10, 0, 5]


def test_encodings() -> None:
    assert mutate(case_of(), BY_NAME["bom"], 1).files[0].data.decode("utf-8-sig") == LOG
    assert mutate(case_of(), BY_NAME["utf16"], 1).files[0].data.decode("utf-16") == LOG


def test_an_encoding_comes_last_in_a_chain() -> None:
    mutated = chain(case_of(), (BY_NAME["utf16"], BY_NAME["tee"]), 1)
    assert "[default1]:[rank1]: KeyError: 'label'" in mutated.files[0].data.decode("utf-16")
    assert mutated.relation == "same"
    assert mutated.allowed.evidence_left


def test_the_guilty_rank_is_silent() -> None:
    mutated = mutate(case_of(), BY_NAME["without_guilty"], 1)
    assert not [line for line in lines(mutated) if "rank1" in line or "KeyError" in line]
    assert "[rank0]: RuntimeError: Connection closed by peer [127.0.0.1]:7296" in lines(mutated)
    assert mutated.allowed.ranks == {1}
    assert not mutated.allowed.evidence_left


def test_evidence_without_a_label_goes_with_its_rank() -> None:
    case = case_of("Fatal Python error: Segmentation fault\n[rank0]: x", evidence_regex="Fatal Python error")
    assert mutate(case, BY_NAME["without_guilty"], 1).files[0].data == b"[rank0]: x"


def test_the_launcher_is_silent() -> None:
    mutated = mutate(case_of(), BY_NAME["without_launcher"], 1)
    assert lines(mutated) == LOG.split("\n")[:7]
    assert mutated.allowed.evidence_left


def test_only_rank_0_is_left() -> None:
    mutated = mutate(case_of(), BY_NAME["rank_0"], 1)
    said = LOG.split("\n")
    assert lines(mutated) == [said[1], said[2], said[6]]


def test_the_end_is_cut() -> None:
    text = "\n".join(map(str, range(100)))
    assert lines(mutate(case_of(text), BY_NAME["cut_last_40"], 1))[-2:] == ["59", ""]
    assert lines(mutate(case_of(text), BY_NAME["cut_tail"], 1))[0] == "0"
    assert lines(mutate(case_of(text), BY_NAME["cut_head"], 1))[-1] == "99"


def test_a_cut_keeps_lines_whole() -> None:
    mutated = mutate(case_of("a\r 1%\r 2%\nb\nc\nd\ne"), BY_NAME["cut_last_40"], 1)
    assert mutated.files[0].data == b"a\r 1%\r 2%\nb\nc\n"


def test_shuffling_keeps_the_order_of_each_rank_and_the_place_of_unlabelled_lines() -> None:
    text = (
        "\n".join(f"[rank{n % 3}]: {n}" for n in range(12))
        + "\nstep 1\n"
        + "\n".join(f"[rank{n % 2}]: {n}" for n in range(4))
    )
    mutated = lines(mutate(case_of(text), BY_NAME["shuffle"], 5))
    assert sorted(mutated) == sorted(text.split("\n"))
    assert mutated != text.split("\n")
    assert mutated[12] == "step 1"
    for rank in range(3):
        assert [line for line in mutated[:12] if f"rank{rank}" in line] == [
            f"[rank{rank}]: {n}" for n in range(rank, 12, 3)
        ]


def test_lines_more_than_50_ms_apart_keep_their_order() -> None:
    text = "\n".join(f"[rank{n % 2}]: 2026-11-30 19:20:{10 + n // 10}.{n % 10}00 x" for n in range(30))
    for seed in range(5):
        assert lines(mutate(case_of(text), BY_NAME["shuffle"], seed)) == text.split("\n")


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
@pytest.mark.parametrize(
    "name", ["one_rank_raises", "two_nodes", "srun_one_rank_raises", "tqdm_mixed", "healthy_noisy"]
)
def test_the_same_seed_gives_the_same_log(mutation: Mutation, name: str) -> None:
    case = real(name)
    mutated = mutate(case, mutation, 11)
    assert mutated == mutate(case, mutation, 11)
    assert [file.name for file in mutated.files] == [file.name for file in case.files]
    assert mutated.files != case.files or mutation.name in {"without_guilty", "without_launcher", "rank_0", "shuffle"}
    assert mutated.allowed.ranks == case.ranks
    assert case.outcome in mutated.allowed.outcomes
    assert (mutated.allowed.outcomes >= WEAK) == (mutation.relation == "weaker")


@pytest.mark.parametrize("mutation", [one for one in MUTATIONS if one.relation == "same"], ids=lambda one: one.name)
def test_what_must_stay_the_same_keeps_its_evidence(mutation: Mutation) -> None:
    for path in sorted(JOBS.glob("*.json")):
        case = real(path.stem)
        assert mutate(case, mutation, 3).allowed.evidence_left == shows_cause(case)


def test_draws_are_of_one_to_three_mutations_and_all_come_up() -> None:
    case = case_of()
    drawn = [draw(case, seed) for seed in range(300)]
    assert drawn == [draw(case, seed) for seed in range(300)]
    names = [one.name.split("+") for one in drawn]
    assert {len(each) for each in names} == {1, 2, 3}
    assert {name for each in names for name in each} == set(BY_NAME)
    assert not [each for each in names if {"bom", "utf16"} <= set(each)]


def test_a_relation_that_holds() -> None:
    before = diagnosis(ranks=(1,), slug="missing-key-in-sample")
    weaker = mutate(case_of(), BY_NAME["without_guilty"], 1)
    for after in (
        before,
        diagnosis("no_failure_found"),
        diagnosis("cut_off"),
        diagnosis(ranks=(1,)),
        diagnosis(slug="missing-key-in-sample"),
    ):
        assert broken(before, after, weaker) == ()
    assert broken(before, before, mutate(case_of(), BY_NAME["tee"], 1)) == ()


def test_a_relation_that_is_broken() -> None:
    before = diagnosis(ranks=(1,), slug="missing-key-in-sample")
    weaker = mutate(case_of(), BY_NAME["without_guilty"], 1)
    assert broken(before, diagnosis("succeeded"), weaker) == ("outcome was failed, is succeeded",)
    assert broken(before, diagnosis(ranks=(0,)), weaker) == ("names rank [0], was [1], planted [1]",)
    assert broken(before, diagnosis(slug="nan-loss"), weaker) == ("says nan-loss, said missing-key-in-sample",)
    same = mutate(case_of(), BY_NAME["tee"], 1)
    assert broken(before, diagnosis(slug="missing-key-in-sample"), same) == ("ranks was [1], is []",)


def test_an_echo_may_be_all_that_is_left() -> None:
    before = diagnosis(slug="missing-key-in-sample", echo="gloo-peer-closed")
    weaker = mutate(case_of(), BY_NAME["without_guilty"], 1)
    assert broken(before, diagnosis(slug="gloo-peer-closed"), weaker) == ()
    assert broken(before, diagnosis(slug="nan-loss"), weaker) == ("says nan-loss, said missing-key-in-sample",)
