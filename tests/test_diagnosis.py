"""What a diagnosis says of whole logs: jobs with planted faults, threads, healthy runs, damaged logs, hostile bytes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaluation import corpora, mutate
from evaluation.changes import Case, LogFile
from evaluation.score import JobScore, ThreadScore
from generator.diagnosis.diagnose import diagnose
from generator.index import Index
from generator.indexing import build
from tests.pages import real_catalog

ROOT = Path(__file__).parent.parent
SCHEMA = Draft202012Validator(json.loads((ROOT / "schema/diagnosis.schema.json").read_text(encoding="utf-8")))
JOBS = [case for name in corpora.FOLDERS for case in corpora.jobs(corpora.CORPORA / name)]
SEEDS = 3
"""Mutations of each job here; `make eval` runs many more."""


@cache
def index() -> Index:
    made: Index = Index.from_json(build(real_catalog(), "https://encyclopedia.example/"))
    return made


def diagnosed(*files: tuple[str, bytes]) -> dict[str, Any]:
    return diagnose([(name, [data]) for name, data in files], index())


def of_text(text: str) -> dict[str, Any]:
    return diagnosed(("job.log", text.encode()))


@pytest.mark.parametrize("case", JOBS, ids=lambda case: case.name)
def test_a_job_names_no_wrong_rank_and_the_right_outcome(case: corpora.Case) -> None:
    found = diagnosed(*case.files)
    assert [error.message for error in SCHEMA.iter_errors(found)] == []
    score = JobScore()
    score.add(case, found)
    assert score.wrong.hits == 0
    assert score.echo_first.hits == 0
    assert score.outcome.hits == 1


STEPS = "step 100 {0} 2.31\nstep 110 {0} 2.29\nstep 120 {0} {1}\nstep 130 {0} {1}\n"
SHORT = {
    **{f"{name} {bad}": (STEPS.format(name, bad), "failed", "nan-loss") for name, bad in (
        ("loss", "nan"), ("loss:", "NaN"), ("Loss:", "nan"), ("train_loss", "inf"), ("Train Loss", "nan"),
    )},
    "a loss that comes back": (STEPS.format("loss", "nan") + "step 140 loss 2.28\n", "no_failure_found", None),
    "a loss that stays bad in a run that ends": (
        STEPS.format("loss", "nan") + "training finished\n", "failed", "nan-loss",
    ),
    "a shell's word": ("step 1 loss 2.1\nKilled\n", "failed", None),
    "a shell's word for a crash": ("step 1 loss 2.1\nSegmentation fault (core dumped)\n", "failed", None),
    "a script's word": (
        "step 1 loss 2.1\nrun.sh: line 3: 48213 Killed                  python train.py\n", "failed",
        "rank-killed-sigkill",
    ),
    "killed in a sentence": ("step 1 loss 2.1\nKilled the old server\nstep 2 loss 2.0\n", "no_failure_found", None),
}  # fmt: skip
"""Logs of a few lines, their outcome, and the entry to name."""


@pytest.mark.parametrize("name", SHORT)
def test_a_short_log(name: str) -> None:
    text, outcome, slug = SHORT[name]
    found = of_text(text)
    named = [entry["slug"] for entry in found["what"]["entries"][:1]]
    assert (found["outcome"], named) == (outcome, [slug] if slug else [])


OPEN = {
    "bad_address": "no line says how many ranks there are",
    "bad_interface": "no line says how many ranks there are",
    "chained_without_guilty": "two ranks say nothing, and one of them was stopped",
    "f_ray_exc": "Ray has folded the lines that say which process is which rank",
    "f_ray_hang": "the driver reports one time-out of three",
    "f_ray_kill": "no line but a field of the message has the pid of the actor that died",
    "g_term_self": "the launcher's own signal looks the same",
    "h_extra": "the rank that ends is not the one that sent too much",
    "h_files": "no launcher's word behind the time-outs: a report may be missing",
    "h_slow": "no launcher's word behind the time-outs: a report may be missing",
    "h_start": "no line says who is missing",
    "hangs_rank_0": "the output of one rank alone",
    "killed_deepspeed": "the launcher names a signal and no process; two ranks say nothing",
    "killed_ray": "Ray has folded the lines that say which process is which rank",
    "model_differs": "all ranks report an echo",
    "one_collective_more": "the rank that ends is not the one that sent too much",
    "one_rank_raises_rank0_only": "the output of one rank alone",
    "other_collective": "all ranks time out, and no line says in which call",
    "other_shape": "the rank that ends is not the one that sent too much",
    "p_hang": "the launcher hands on one time-out and stops the others",
    "port_in_use_ranks": "no line says which rank could not listen",
    "raises_mpirun_without_guilty": "two ranks say nothing",
    "raises_ray": "Ray has folded the lines that say which process is which rank",
    "raises_srun_rank_0": "the output of one rank alone",
    "raises_tail": "the log begins behind the failure",
    "t_catch_plain": "the exception is logged without its rank",
    "t_catch_std": "the exception is logged without its rank",
    "two_causes": "two ranks fail in different ways at once",
    "w2_accuse": "a rank's own words name another: whether they are right is not in the log",
    "w2_broad": "two ranks time out and two lose a peer",
    "w2_hard_exit3": "the first rank to leave was stopped before it had left",
    "w2_log_leave": "all end with a code of the job's own but the one that left, whose end is not told",
    "w2_none_hang": "the job's own words for a lost peer, and one rank that was stopped",
    "w2_none_kill_bare": "no launcher says who was killed",
    "w2_tag_catch": "the exception is logged without its rank",
    "w2_time_hang": "the job's own words for a time-out, and no launcher's word behind them",
    "w3_c": "no launcher says how the silent rank ended",
    "w3_d": "no launcher's word behind the time-outs: a report may be missing",
    "w3_g": "the exception is logged without its rank",
    "w3_u": "all end with the job's own words, and one rank that was stopped",
    "x_oom_hang": "no launcher's word behind the time-outs: a report may be missing",
}
"""Jobs whose log does not say which rank began, and why."""


def test_the_initiating_rank_is_found_where_the_log_shows_it() -> None:
    score = JobScore()
    for case in JOBS:
        score.add(case, diagnosed(*case.files))
    assert {failure.partition(":")[0] for failure in score.failures if ": rank: " in failure} == set(OPEN)
    assert score.evidence.hits >= 0.95 * score.evidence.of, score.failures


def test_threads_that_an_entry_covers() -> None:
    score = ThreadScore()
    for case in corpora.threads():
        score.add(case, diagnosed(*case.files), index().cards)
    assert score.alarms.hits == 0
    assert score.forbidden.hits == 0
    assert score.answered.hits >= 0.6 * score.answered.of
    assert score.first.hits >= 0.9 * score.first.of, score.failures


def test_no_healthy_log_is_reported() -> None:
    reported = {}
    for case in corpora.healthy():
        found = diagnosed(*case.files)
        if found["outcome"] in ("failed", "cancelled", "cut_off") or found["what"]["entries"]:
            reported[case.name] = (found["outcome"], found["unclassified"], found["what"]["entries"][:1])
    assert reported == {}


@pytest.mark.parametrize("case", JOBS, ids=lambda case: case.name)
def test_a_damaged_log_weakens_the_answer_and_never_turns_it(case: corpora.Case) -> None:
    planted = Case.of(case.truth, tuple(LogFile(name=name, data=data) for name, data in case.files))
    before = diagnosed(*case.files)
    may_look_failed = "recovered" in case.truth["truth"] or case.name == "nan_goes_on"
    broken = {}
    for seed in range(SEEDS):
        damaged = mutate.draw(planted, seed)
        if may_look_failed and "cut" in damaged.name:
            continue  # without its end, what the job overcame is all there is
        after = diagnosed(*((file.name, file.data) for file in damaged.files))
        if found := mutate.broken(before, after, damaged):
            broken[seed, damaged.name] = found
    assert broken == {}


def test_the_order_of_files_does_not_matter() -> None:
    for case in JOBS:
        if len(case.files) > 1:
            there, back = diagnosed(*case.files), diagnosed(*reversed(case.files))
            assert {**there["who"], "file": "", "line": 0} == {**back["who"], "file": "", "line": 0}
            assert [e["slug"] for e in there["what"]["entries"]] == [e["slug"] for e in back["what"]["entries"]]


def test_a_bare_exception_type_shows_no_entry() -> None:
    for text in ("RuntimeError: something is off", "KeyError: 'label'", "ValueError: bad"):
        found = of_text(
            f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    go()\n{text}\n'
        )
        assert found["outcome"] == "failed"
        assert found["what"]["entries"] == []
        assert found["unclassified"]["exception"] == text.partition(":")[0]


HOSTILE = {
    "empty": b"",
    "line feeds": b"\n" * 10_000,
    "binary": bytes(range(256)) * 400,
    "one character": b"x" * 3_000_000,
    "nul": b"\x00" * 100_000,
    "lone surrogates": "".join(chr(0xD800 + n % 0x800) for n in range(5_000)).encode("utf-8", "surrogatepass"),
    "nested tracebacks": b"Traceback (most recent call last):\n" * 10_000,
    "chained tracebacks": (
        b'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: x\n\n'
        b"During handling of the above exception, another exception occurred:\n\n"
    )
    * 3_000,
    "tables": b"Failures:\n[0]:\n  rank      : 1 (local_rank: 1)\n" * 3_000,
    "many ranks": b"".join(b"[rank%d]: RuntimeError: x\n" % n for n in range(5_000)),
    "task range": b"srun: error: n: tasks 0-99999999: Killed\n" * 50,
    "long numbers": b"step 99999999999999999999999999/1 rank : 99999999999999999 (local_rank: 1)\n" * 100,
    "only escapes": b"\x1b[" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_get_an_answer(name: str) -> None:
    found = diagnosed(("hostile.log", HOSTILE[name]))
    assert [error.message for error in SCHEMA.iter_errors(found)] == []
    assert not [shown for entry in found["what"]["entries"] for shown in entry["evidence"] if len(shown["text"]) > 500]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_another_encoding_changes_nothing(encoding: str) -> None:
    case = next(case for case in JOBS if case.name == "dataloader_worker_killed")
    [(name, data)] = case.files
    assert diagnosed((name, data.decode().encode(encoding))) == diagnosed((name, data))


def test_the_one_rank_that_reports_no_time_out_is_asked_after() -> None:
    timed_out = (
        "[rank{0}]:[E1201 01:22:33.123456789 ProcessGroupNCCL.cpp:632] [Rank {0}] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=118, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran "
        "for 600010 milliseconds before timing out.\n"
    )
    files = [(f"rank{rank}.log", timed_out.format(rank).encode()) for rank in (0, 1, 3)]
    found = diagnosed(*files, ("rank2.log", b"[rank2]: step 117 loss 2.1\n"))
    assert found["who"]["ranks"] == []  # its log may have been cut
    assert found["missing_fact"]["ask"].startswith("Rank 2 alone reports no time-out:")
    found = diagnosed(*files[:2], ("rank2.log", b"[rank2]: step 117\n"), ("rank3.log", b"[rank3]: step 117\n"))
    assert "alone" not in found["missing_fact"]["ask"]


WATCHDOG = (
    "[rank{rank}]:[E1201 01:22:33.123456789 ProcessGroupNCCL.cpp:632] [PG ID {group} PG GUID {group}(tp) Rank {rank}] "
    "Watchdog caught collective operation timeout: WorkNCCL(SeqNum={seq}, OpType=ALLREDUCE, NumelIn=1024, "
    "NumelOut=1024, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.\n"
    "[rank{rank}]:[E1201 01:22:33.123456789 ProcessGroupNCCL.cpp:2268] [PG ID {group} PG GUID {group}(tp) Rank {rank}]"
    "  failure detected by watchdog at work sequence id: {seq} PG status: last enqueued work: {enqueued}, last "
    "completed work: {completed}\n"
)


BEHIND: tuple[tuple[list[tuple[int, int, int, int]], list[int]], ...] = (
    ([(0, 0, 96117, 96120), (1, 0, 96117, 96117), (2, 0, 64088, 64090), (3, 0, 96117, 96125)], [2]),
    ([(0, 0, 96117, 96120), (1, 0, 96117, 96117), (2, 0, 64088, 96130), (3, 0, 96117, 96125)], []),  # it queued on
    ([(0, 0, 96117, 96120), (1, 1, 64088, 64090)], []),  # two groups count apart
    ([(0, 0, 96117, 96120), (1, 0, 96117, 96120), (2, 0, 96117, 96118)], []),  # all wait in the same
    ([(0, 0, 9, 9), (1, 0, 3, 3), (2, 1, 9, 9), (3, 1, 3, 3)], []),  # one in each group
)
"""Ranks with their group, where they gave up and what they had queued last; and who is behind."""


def watched(told: list[tuple[int, int, int, int]]) -> str:
    return "".join(
        WATCHDOG.format(rank=rank, group=group, seq=seq, enqueued=enqueued, completed=seq - 1)
        for rank, group, seq, enqueued in told
    )


@pytest.mark.parametrize(("told", "ranks"), BEHIND)
def test_the_rank_that_is_behind_in_its_group_is_named(told: list[tuple[int, int, int, int]], ranks: list[int]) -> None:
    found = of_text(watched(told))
    assert (found["outcome"], found["who"]["ranks"]) == ("failed", ranks)
    assert found["who"]["status"] == ("supported" if ranks else "not_in_log")
