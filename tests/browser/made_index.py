"""A seed -> an index of made-up signatures that uses every part of the format, and logs about them.

The entries of today use few of the conditions that the format allows; both engines must read all of them alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from generator.template import compile_template
from tests.browser.engine import Files

_ROLES = ("cause", "cause", "collateral", "either", "accusation", "confirmation", "external", "advice", "benign")
_PLACES = ("record", "exception", "launcher", "kernel", "raw")
_DETECTORS = ("metric_turns_nonfinite", "scale_collapse", "slope", "missing_from_collective", "sequence_gap")
_METRICS = ("loss", "lm loss", "grad/norm", "mem-used", "scale", "loss_scale")
_ENTRIES = 9
_SIGNATURES = 14
_NUMBERS = (0, 1, 2, 3, 1024, 2**31, 2**53 - 1)


def _size(r: Random) -> str:
    number = r.choice(["0", "1", "20.00", "0.5", "1.5", "0.4999999999999999999", "9007199254740993", "1e3", "2.5e-1"])
    return number + r.choice([" ", ""]) + r.choice(["B", "bytes", "KB", "KiB", "MiB", "GB", "GiB", "TiB"])


def _time(r: Random) -> str:
    number = r.choice(["0", "1", "30", "600060", "0.0005", "1.5", "-2.5", "-0.5", "1e2"])
    return number + r.choice([" ", ""]) + r.choice(["ns", "us", "ms", "s", "seconds", "minutes", "hours"])


def _rank(r: Random) -> str:
    return r.choice(["0", "1", "2", "3", "03", "-1", "-0", "9007199254740993", "99999999999999999999"])


def _ranks(r: Random) -> str:
    ranks = ", ".join(str(r.randrange(5)) for _ in range(r.randrange(4)))
    return r.choice([f"[{ranks}]", f"({ranks})", f"torch.Size([{ranks}])", "2x3", "[-1, 12345678901234567890]"])


_TEMPLATES: tuple[tuple[str, Callable[[Random], str]], ...] = (
    ("asked for {want:bytes} of {free:bytes} free bytes", lambda r: f"asked for {_size(r)} of {_size(r)} free bytes"),
    ("waited {limit:duration} for the others", lambda r: f"waited {_time(r)} for the others"),
    (
        "rank number {rank:int} went away at step {seq:int}",
        lambda r: f"rank number {_rank(r)} went away at step {_rank(r)}",
    ),
    (
        "the task {task:int} with process {pid:int} ended",
        lambda r: f"the task {_rank(r)} with process {_rank(r)} ended",
    ),
    ("process {pid:word} was sent SIGKILL", lambda r: f"process {_rank(r)} was sent SIGKILL"),
    ("local worker {local_rank:int} is lost", lambda r: f"local worker {_rank(r)} is lost"),
    (
        "lagging ranks {accused:shape} hold up {op:quoted}",
        lambda r: f"lagging ranks {_ranks(r)} hold up '{r.choice('ab')}'",
    ),
    (
        "accuses {accused:word} of being late",
        lambda r: f"accuses {r.choice(['1', '02', 'x', '7777777777777777777777'])} of being late",
    ),
    ("blames {accused:int} as does {mutual:int}", lambda r: f"blames {_rank(r)} as does {r.randrange(3)}"),
    (
        "got signal {signal:int} {from|out of} nowhere",
        lambda r: f"got signal {r.choice([1, 9, 15])} {r.choice(['from', 'out of'])} nowhere",
    ),
    (
        "RuntimeError: shapes {a:shape} and {b:shape} differ",
        lambda r: f"RuntimeError: shapes {_ranks(r)} and {_ranks(r)} differ",
    ),
    ("peer {host:addr} closed: {error:hex}", lambda r: f"peer h{r.randrange(3)}:80 closed: 0x{r.randrange(99):x}"),
    (
        "ValueError: bad value {value:number} in {file:path}",
        lambda r: f"ValueError: bad value {r.random()} in /a/é\U0001f600.py",
    ),
    ("harmless remark about {thing:name} here", lambda r: f"harmless remark about {r.choice(['a b', 'ü', '1'])} here"),
)
_NAMES = ("want", "free", "limit", "rank", "seq", "task", "pid", "local_rank", "accused", "signal")


def made_index(frame: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Make an index with the shapes and questions of a real one."""
    r = Random(seed)
    owners = [f"entry-{n}" for n in range(_ENTRIES)]
    rules = [_signature(r, n, owners) for n in range(_SIGNATURES)]
    return {
        **frame,
        "hash": f"{seed:016x}",
        "signatures": rules,
        "entries": [_entry(r, slug, owners) for slug in owners],
    }


def made_jobs(seed: int, count: int) -> tuple[Files, ...]:
    """Make logs in which lines about the signatures stand among what launchers and programs print."""
    r = Random(seed)
    names = ("a.log", "rank_1.log", "b.log", "é.txt")
    return tuple(tuple((r.choice(names), _log(r)) for _ in range(r.choice([1, 1, 1, 2]))) for _ in range(count))


def _signature(r: Random, number: int, owners: Sequence[str]) -> dict[str, Any]:
    return {
        "id": _id(number),
        "slug": r.choice(owners),
        "role": r.choice(_ROLES),
        "specificity": r.choice(["unique", "shared", "generic"]),
        "where": r.choice(_PLACES),
        "when": {name: _accepted(r) for name in r.sample(_NAMES, r.randrange(1, 3))} if r.random() < 0.3 else None,
        "requires": [_neighbour(r)] if r.random() < 0.3 else [],
        "absent": [_neighbour(r)] if r.random() < 0.3 else [],
        "facts": [_fact(r) for _ in range(r.randrange(3))],
        "wordings": [_wording(_TEMPLATES[number % len(_TEMPLATES)][0]), _wording(r.choice(_TEMPLATES)[0])][
            : r.randrange(1, 3)
        ],
    }


def _id(number: int) -> str:
    return f"MLFE-0001-{number}"


def _wording(text: str) -> dict[str, Any]:
    template = compile_template(text)
    captures = [{"name": capture.name, "kind": capture.kind} for capture in template.captures]
    return {"template": text, "gate": list(template.gate), "pattern": template.pattern, "captures": captures}


def _accepted(r: Random) -> Any:
    if r.random() < 0.5:
        return {r.choice(["min", "max"]): r.choice(_NUMBERS)}
    return r.choice([[0, 1, 2, 3], [15], ["x", "1"], [1, "02"], [2**53]])


def _neighbour(r: Random) -> dict[str, Any]:
    by_id = r.random() < 0.5
    return {
        "signature": _id(r.randrange(_SIGNATURES)) if by_id else None,
        "wording": None if by_id else _wording(r.choice(_TEMPLATES)[0]),
        "scope": r.choice(["record", "stream", "rank", "job"]),
        "order": r.choice(["before", "after", "any"]),
        "lines": r.choice([None, 1, 5]),
    }


def _fact(r: Random) -> dict[str, Any]:
    clauses = [
        {"left": _sum(r), "operator": r.choice(["<", "<=", ">", ">=", "==", "!="]), "right": _sum(r)}
        for _ in range(r.randrange(1, 3))
    ]
    if r.random() < 0.5:  # one that often holds
        name: list[int | str] = [r.choice(_NAMES)]
        clauses = [{"left": [{"sign": 1, "factors": name}], "operator": ">=", "right": [{"sign": -1, "factors": [1]}]}]
    return {"id": r.choice("pqrs"), "clauses": clauses, "say": f"It says {r.choice('pqrs')}."}


def _sum(r: Random) -> list[dict[str, Any]]:
    parts = []
    for _ in range(r.choice([1, 1, 2])):
        choices: list[int | str] = [*_NAMES[:6], *_NUMBERS]
        factors = [r.choice(choices)]
        if r.random() < 0.2:
            factors.append(r.choice(_NUMBERS))
        parts.append({"sign": r.choice([1, 1, -1]), "factors": factors})
    return parts


def _entry(r: Random, slug: str, owners: Sequence[str]) -> dict[str, Any]:
    detector = {
        "kind": r.choice(_DETECTORS),
        "metrics": r.sample(_METRICS, r.randrange(4)),
        "floor": r.choice([None, 1, 0.5]),
        "min_points": r.choice([None, 1, 2, 4]),
    }
    shares = [
        {
            "signature": _id(r.randrange(_SIGNATURES)),
            "when": "It can be this.",
            "requires": [_neighbour(r)] if r.random() < 0.4 else [],
            "facts": [_fact(r)] if r.random() < 0.6 else [],
        }
        for _ in range(r.randrange(4))
    ]
    questions = [
        {
            "ask": f"What of {n}?",
            "command": r.choice([None, "ls", "grep -h x train.log | tail", "cat < rank-*.log; cat logs/a.log"]),
            "separates_from": r.sample(owners, r.randrange(3)),
            "settled_by": r.sample(["detector", *map(_id, range(_SIGNATURES))], r.randrange(5)),
        }
        for n in range(r.randrange(3))
    ]
    return {
        "id": f"ID-{slug}",
        "slug": slug,
        "title": f"Title of {slug}",
        "url": f"https://encyclopedia.example/{slug}/",
        "status": r.choice(["draft", "published"]),
        "phases": r.sample(["forward", "backward", "optimizer"], r.randrange(1, 3)),
        "detector": r.choice([None, detector]),
        "next_action": r.choice([None, "Do it."]),
        "verify": r.choice([None, {"command": "ls", "expect": "It is there."}]),
        "questions": questions,
        "looks_like": {other: f"Not {other}." for other in r.sample(owners, r.randrange(5))},
        "masks": r.sample(owners, r.randrange(3)),
        "shares": shares,
    }


_LABELS = (
    "",
    "",
    "[rank%d]: ",
    "%d: ",
    "[default%d]:",
    "(W pid=%d) ",
    "[Rank %d] ",
    "slurmstepd: ",
    "2026-11-30 19:2%d:20 - ERROR - ",
    "[E1130 19:2%d:20.575 ProcessGroupNCCL.cpp:616] ",
    "[default1]:[rank%d]: ",
    "[rank%d]: 2026-11-30 19:20:21 ",
    "node-1:%d:7 [2] ",
    "oops [rank%d]: ",
)
_OTHERS = (
    "Traceback (most recent call last):",
    'Traceback (most recent call last):\n  File "/a/b.py", line 3, in f\n    x()\nKeyError: %d',
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\n'
    '  File "/a/torch/autograd/__init__.py", line %d, in g\nRuntimeError: shapes [1] and [2] differ',
    'Traceback (most recent call last):\n  File "/a/torch/distributed/distributed_c10d.py", line 3, in f\nOSError: %d',
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 1\n\n'
    "The above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):",
    "KeyboardInterrupt",
    "initialized: rank %d of 4, pid 10%d",
    "rank: %d, world_size: 3",
    "step %d/5",
    "training finished",
    "Failures:\n[0]:\n  rank      : %d (local_rank: 1)\n  exitcode  : -9 (pid: 10%d)\n"
    "[1]:\n  rank      : %d (local_rank: 0)\n  exitcode  : -15 (pid: 5)\n=====",
    "Fatal Python error: Aborted %d",
    "-- Process %d terminated with the following error:",
    'RayTaskError(KeyError): ray::f() (pid=10%d, ip=1)\n  File "w.py", line 7, in g\nKeyError: 2',
    'Traceback (most recent call last):\n  File "d.py", line 1, in <module>\n'
    'ray.exceptions.RayTaskError(KeyError): ray::f() (pid=10%d, ip=1)\n  File "w.py", line 7, in g\nKeyError: 2',
    "process 10%d spawned with command: ['python', '--local_rank=%d']",
    "Rank %d is connected to 2 peer ranks",
    "mpirun noticed that process rank %d with PID 0 on node vm exited on signal 9",
    "process 1 terminated with signal SIGSEGV",
    "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd",
    "srun: error: vm: tasks %d-2: Exited with exit code 1",
    "srun: error: vm: task %d: Killed",
    "failed (exitcode: 1) local_rank: %d (pid: 10%d) of binary: python",
    "failed (exitcode: -6) local_rank: %d (pid: 10%d) of binary: python",
    "[repeated 3x across cluster]",
    "Restarting worker group",
)


def _log(r: Random) -> bytes:
    rows: list[str] = []
    for _ in range(r.choice([1, 2, 4, 8, 16, 40])):
        label = r.choice(_LABELS)
        label = label % r.randrange(4) if "%" in label else label
        rows += [label + line for line in _said(r).split("\n")]
    return "\n".join(rows).encode()


def _said(r: Random) -> str:
    kind = r.random()
    if kind < 0.5:
        return r.choice(_TEMPLATES)[1](r)
    if kind < 0.7:
        value = r.choice(["nan", "inf", "-inf", "1", "0.5", "2.25", "65536", "1e-3", "3.", str(r.random())])
        return f"{r.choice(_METRICS)}{r.choice([': ', '=', ' '])}{value}{r.choice(['', ',', ' x', '%'])}"
    text = r.choice(_OTHERS)
    return text % tuple(r.randrange(4) for _ in range(text.count("%d")))
