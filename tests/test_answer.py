"""How an answer is worded: nothing is asked that a line has said, no echo is offered as a cause, the place is named."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from generator.diagnosis.diagnose import diagnose
from generator.index import Index
from generator.indexing import build
from tests.pages import real_catalog

RAISED = """\
Traceback (most recent call last):
  File "/job/train.py", line 120, in <module>
    main()
  File "/job/train.py", line 88, in main
    loss.backward()
  File "/usr/lib/python3/site-packages/torch/_tensor.py", line 581, in backward
    torch.autograd.backward(
  File "/usr/lib/python3/site-packages/torch/autograd/__init__.py", line 347, in backward
    _engine_run_backward(
"""
ALLOCATOR = (
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.17 GiB is free."
    " Including non-PyTorch memory, this process has 77.97 GiB memory in use. Of the allocated memory 70.24 GiB is"
    " allocated by PyTorch, and 6.41 GiB is reserved by PyTorch but unallocated."
)
FULL = f"{RAISED}torch.OutOfMemoryError: {ALLOCATOR}\n"
WAITED = (
    "[rank{0}]:[E1130 19:43:37.131 ProcessGroupNCCL.cpp:629] [Rank {0}] Watchdog caught collective operation timeout:"
    " WorkNCCL(SeqNum=12, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for 600060"
    " milliseconds before timing out.\n"
)
KILLED = (
    "kernel: Memory cgroup out of memory: Killed process 4242 (python) total-vm:98765432kB, anon-rss:65432100kB,"
    " file-rss:1024kB, shmem-rss:0kB, UID:0 pgtables:131072kB oom_score_adj:0\n"
)
STOPPED = "mpirun noticed that process rank 0 with PID 0 on node n7 exited on signal 9 (Killed).\n"


@cache
def index() -> Index:
    made: Index = Index.from_json(build(real_catalog(), "https://encyclopedia.example/"))
    return made


def told(text: str, *names: str) -> dict[str, Any]:
    return diagnose([(name, [text.encode()]) for name in names or ("job.log",)], index())


def of_ranks(ranks: tuple[int, ...]) -> str:
    return "".join(f"[rank{rank}]: initialized: rank {rank} of 4, pid 10{rank}\n" for rank in ranks)


def test_who_killed_it_is_not_asked_where_the_kernel_says_so() -> None:
    found = told(KILLED + STOPPED)
    assert [entry["slug"] for entry in found["what"]["entries"]] == ["host-oom-killed"]
    assert found["what"]["status"] == "established"
    assert found["missing_fact"] is None
    assert found["what"]["runner_up"] is None


def test_a_blank_that_the_log_leaves_open_is_left_out() -> None:
    asked = told(of_ranks((0, 1)) + STOPPED)["missing_fact"]["ask"]
    assert asked.startswith("Who killed the process of rank 0 with pid 100 on host n7: the kernel,")
    asked = told("tail: cut off\nvm: task 2: Killed\nsrun: error: vm: task 2: Killed\n")["missing_fact"]["ask"]
    assert asked.startswith("Who killed the process of rank 2: the kernel,")


def test_a_line_that_is_quoted_whole_is_not_asked_for() -> None:
    found = told(FULL)
    assert found["what"]["entries"][0]["slug"] == "cuda-out-of-memory"
    assert found["missing_fact"]["ask"].startswith("What does nvidia-smi show for this GPU")
    worker = told(f"{RAISED}RuntimeError: DataLoader worker (pid 32552) is killed by signal: Killed. \n")
    assert worker["missing_fact"]["ask"].startswith("Does the kernel log of that host show")


def test_the_step_is_not_asked_for_where_the_line_holds_it() -> None:
    rows = [{"step": n, "loss": float("nan") if n > 20 else 3 - n / 20, "grad_norm": 0.5} for n in range(40)]
    found = told("".join(json.dumps(row) + "\n" for row in rows))
    assert found["what"]["entries"][0]["slug"] == "nan-loss"
    assert found["what"]["entries"][0]["evidence"][0]["line"] == 22
    assert "first lines without one" not in json.dumps(found["missing_fact"])


def test_a_command_names_the_files_that_were_given() -> None:
    text = f"{RAISED}RuntimeError: CUDA error: device-side assert triggered\n"
    assert told(text)["missing_fact"]["command"].endswith(" Assertion' job.log")
    assert told(text, "my job.log")["missing_fact"]["command"].endswith(" Assertion' 'my job.log'")
    assert told(text, "a.log", "b.log")["missing_fact"]["command"].endswith(" Assertion' a.log b.log")
    for name in ("stdin", "a.log.gz", "-x.log", "it's.log"):
        assert told(text, name)["missing_fact"]["command"].endswith(" Assertion' train.log"), name


def test_what_others_waited_for_is_an_echo_and_no_second_cause() -> None:
    full = "".join(f"[rank2]: {line}\n" for line in FULL.splitlines())
    found = told(of_ranks((0, 1, 2, 3)) + full + "".join(map(WAITED.format, (0, 1, 3))))
    assert [entry["slug"] for entry in found["what"]["entries"]] == ["cuda-out-of-memory"]
    assert found["what"]["runner_up"] is None
    [echo] = found["collateral"]
    assert (echo["kind"], echo["ranks"], echo["count"]) == ("nccl-collective-timeout", [0, 1, 3], 3)


def test_the_place_in_the_jobs_own_code_is_named_for_a_known_failure_too() -> None:
    [fact] = told(FULL)["why"]
    assert fact["says"] == "The job's own code stood at /job/train.py, line 88."
    assert fact["evidence"][0]["line"] == 10


def test_a_failure_of_another_phase_is_no_runner_up() -> None:
    assert told(FULL)["what"]["runner_up"] is None
    other = FULL.replace("torch/autograd/__init__.py", "torch/nn/functional.py")
    assert told(other)["what"]["runner_up"]["slug"] == "inference-memory-leak"
