"""Run the fault scenarios and write NAME.log with NAME.json beside it.

    python -m tests.corpora.faults.driver OUT [--venv DIR] [--only NAME,...] [--redo]

Needs torch in the virtual environment; scenarios whose launcher is missing are passed over and told.
The truth stands in the JSON file alone. One run at a time.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.corpora.faults import launch
from tests.corpora.faults.scenario import Cut, Scenario
from tests.corpora.faults.scrub import scrub, shift_stamps
from tests.corpora.faults.table import CUTS, SCENARIOS

JOBS = Path(__file__).parent / "jobs"
NEEDS = {"srun": "srun", "mpirun": "mpirun", "pdsh": "pdsh"}
MODULES = {"ray_actors.py": "ray", "lightning_fit.py": "lightning"}
GROUPS = Path("/sys/fs/cgroup")
CLAIM = re.compile(rb"Root Cause \(first observed failure\):\n\[0\]:\n(?:.*\n)*?  rank +: ([0-9]+)")


def lacking(scenario: Scenario, venv: Path) -> str | None:
    """Name what the scenario needs and this machine lacks."""
    program = NEEDS.get(scenario.launcher)
    if program and not shutil.which(program):
        return program
    if scenario.launcher == "deepspeed" and not (venv / "bin/deepspeed").exists():
        return "deepspeed"
    module = MODULES.get(scenario.script)
    if module and not list(venv.glob(f"lib/python*/site-packages/{module}")):
        return module
    return None


def run(scenario: Scenario, venv: Path, out: Path) -> dict[str, Any]:
    """Run one scenario, write its logs, and give what is known of it."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="run-")))
        job = scratch / "job"
        job.mkdir()
        shutil.copy(JOBS / "loop.py", job)
        shutil.copy(JOBS / scenario.script, job / "train.py")
        port = launch.free_port()
        if scenario.port_taken:
            holder = stack.enter_context(socket.socket(socket.AF_INET6))
            holder.bind(("::", port))
            holder.listen()
        env = launch.base_env(job, scenario)
        if scenario.group:
            env.update(make_group(scenario.group, stack))
        wanted = launch.commands(scenario, venv, port)
        if scenario.small:
            target = scenario.small if scenario.small.startswith("/") else str(job / scenario.small)
            Path(target).mkdir(exist_ok=True)
            env["CHECKPOINTS"] = target
            wanted = [launch.small_disk(command, target) for command in wanted]
        before = kernel_log()
        started = time.time()
        codes = carry_out(scenario, wanted, job, scratch, env)
        took = round(time.time() - started, 1)
        if scenario.group == "memory":
            (scratch / f"{scenario.name}.node0.kernel.log").write_bytes(new_kernel_lines(before, scenario.name))
            (scratch / f"{scenario.name}.log").rename(scratch / f"{scenario.name}.node0.log")
        places = {str(job): "/workspace/job", str(scratch): "/workspace", str(venv): "/opt/venv"}
        logs = sorted(path.name for path in scratch.glob(f"{scenario.name}.*log"))
        for name in logs:
            late = scenario.skew if ".node1." in name else 0
            (out / name).write_bytes(shift_stamps(scrub((scratch / name).read_bytes(), places), late))
        side = scratch / "planted.jsonl"
        rows = [json.loads(line) for line in side.read_text(encoding="utf-8").splitlines()] if side.exists() else []
    words = [[scrub(word.encode(), places).decode() for word in command.words] for command in wanted]
    return {
        "name": scenario.name,
        "script": f"jobs/{scenario.script}",
        "what": ast.get_docstring(ast.parse((JOBS / scenario.script).read_text(encoding="utf-8"))),
        "command": words[0] if len(words) == 1 else words,
        "env": scenario.env,
        "nproc": scenario.nproc,
        "mode": scenario.launcher,
        "exit_codes": codes,
        "wall_s": took,
        "logs": logs,
        "versions": versions(venv, scenario),
        "truth": truth(scenario, rows),
        "planted": rows,
        **({"clock_skew_s": {"node1": scenario.skew}} if scenario.skew else {}),
        **seen(out, logs, scenario.evidence),
    }


def carry_out(
    scenario: Scenario, wanted: list[launch.Command], job: Path, logs: Path, env: dict[str, str]
) -> list[int | None]:
    """Start the commands, send what is to be sent, wait; what is still there in the end is ended. Give the exit codes."""
    processes = [launch.start(command, job, logs, env) for command in wanted]
    end = time.monotonic() + scenario.seconds
    awaited = scenario.signal
    while time.monotonic() < end and any(process.poll() is None for process in processes):
        time.sleep(0.2)
        if awaited and any(awaited[0].encode() in path.read_bytes() for path in logs.glob("*.log")):
            send(awaited[1], processes[max(awaited[2], 0)])
            awaited = None
    codes = [process.poll() for process in processes]
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return codes


def send(name: str, process: subprocess.Popen[bytes]) -> None:
    """Send a signal to one process, or tell the scheduler to cancel its newest step."""
    if name != "scancel":
        process.send_signal(signal.Signals[name])
        return
    listed = subprocess.run(["squeue", "-h", "-o", "%A"], capture_output=True, text=True, check=True).stdout
    subprocess.run(["scancel", max(listed.split(), key=int)], check=True)


def make_group(kind: str, stack: ExitStack) -> dict[str, str]:
    """Make a control group of the job's own and have it removed in the end."""
    group = GROUPS / kind / f"faults-{os.getpid()}"
    group.mkdir()
    stack.callback(group.rmdir)
    if kind == "memory":
        (group / "memory.limit_in_bytes").write_text(str(700 << 20), encoding="ascii")
        return {"MEMORY_GROUP": str(group)}
    return {"PIDS_GROUP": str(group)}


def kernel_log() -> list[bytes]:
    """Give the lines of the kernel's log."""
    return subprocess.run(["dmesg"], capture_output=True, check=False).stdout.splitlines(keepends=True)


def new_kernel_lines(before: list[bytes], name: str) -> bytes:
    """Give the lines that the kernel has written since, without those of other programs' groups."""
    lines = kernel_log()
    later = lines[lines.index(before[-1]) + 1 :] if before else lines
    return b"".join(later).replace(f"faults-{os.getpid()}".encode(), name.encode())


def truth(scenario: Scenario, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Say what happened, and what the log cannot tell."""
    failed = scenario.outcome != "succeeded"
    found: dict[str, Any] = {
        "outcome": scenario.outcome,
        "initiating_ranks": list(scenario.guilty),
        "cause": scenario.cause,
        "evidence_regex": scenario.evidence,
        "collateral_ranks": [rank for rank in range(scenario.nproc) if rank not in scenario.guilty] if failed else [],
        "entry_hint": scenario.hint,
    }
    if scenario.spmd:
        found["spmd"] = True
    if scenario.initiator:
        found["initiator"] = scenario.initiator
    if scenario.missing:
        found |= {"must_abstain_cause": True, "missing": list(scenario.missing)}
    if scenario.recovered:
        found["recovered"] = {"rank": scenario.recovered[0], "evidence_regex": scenario.recovered[1]}
    return found


def seen(out: Path, logs: list[str], pattern: str | None) -> dict[str, Any]:
    """Find the lines that match, numbered by line feeds alone, and whom each launcher's summary blames."""
    lines, claims = [], []
    for name in logs:
        data = (out / name).read_bytes()
        claim = CLAIM.search(data)
        claims.append({"file": name, "agent_root_cause_rank": int(claim[1]) if claim else None})
        for number, line in enumerate(data.split(b"\n"), 1):
            if pattern and re.search(pattern, line.decode("utf-8", "replace")):
                lines.append({"file": name, "line": number})
    return {"evidence_lines": lines, "agent_claims": claims}


def versions(venv: Path, scenario: Scenario) -> dict[str, str]:
    """Give the versions of what the run used."""
    found = {"python": sys.version.split()[0]}
    for name in ("torch", *{"ray_actors.py": ("ray",), "lightning_fit.py": ("lightning",)}.get(scenario.script, ())):
        for path in venv.glob(f"lib/python*/site-packages/{name}-*.dist-info"):
            found[name] = path.name.removeprefix(f"{name}-").removesuffix(".dist-info")
    return found


def cut(job: Cut, out: Path) -> dict[str, Any]:
    """Keep a part of a log that was made before, and say what may still be known."""
    case: dict[str, Any] = json.loads((out / f"{job.of}.json").read_text(encoding="utf-8"))
    [name] = case["logs"]
    lines = (out / name).read_bytes().splitlines(keepends=True)
    guilty = case["truth"]["initiating_ranks"]
    pids = [row["pid"] for row in case["planted"]]
    match job.keep:
        case "first_half":
            lines = lines[: len(lines) // 2]
        case "last_half":
            lines = lines[len(lines) // 2 :]
        case "rank_0":
            lines = [line for line in lines if not of_rank(line, [rank for rank in range(case["nproc"]) if rank], [])]
        case "without_guilty":
            lines = [line for line in lines if not of_rank(line, guilty, pids)]
    target = f"{job.name}.log"
    (out / target).write_bytes(b"".join(lines))
    regex = case["truth"]["evidence_regex"]
    found = seen(out, [target], regex)
    case |= {"name": job.name, "logs": [target], "cut": {"of": job.of, "keep": job.keep}, **found}
    if not found["evidence_lines"]:
        case["truth"] |= {
            "evidence_regex": None,
            "must_abstain_cause": True,
            "missing": ["the part of the log that was cut off"],
        }
    return case


def of_rank(line: bytes, ranks: list[int], pids: list[int]) -> bool:
    """Tell whether a prefix says that the line is one of these ranks', or it speaks of one of these processes."""
    text = line.decode("utf-8", "replace")
    said = re.match(r"(?:\[default(\d+)\]:|(\d+): |\[\d+,(\d+)\]<)|\[rank(\d+)\]:|.*initialized: rank (\d+) of", text)
    inner = re.search(r"\[rank(\d+)\]:", text)
    if inner:
        return int(inner[1]) in ranks
    if said and any(said.groups()):
        return int(next(group for group in said.groups() if group)) in ranks
    return any(re.search(rf"\b{pid}\b", text) for pid in pids)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--venv", type=Path, default=Path(sys.prefix))
    parser.add_argument("--only", default="")
    parser.add_argument("--redo", action="store_true")
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    venv = args.venv.absolute()
    args.out.mkdir(parents=True, exist_ok=True)
    for scenario in (*SCENARIOS, *CUTS):
        side = args.out / f"{scenario.name}.json"
        if (only and scenario.name not in only) or (side.exists() and not args.redo):
            continue
        if isinstance(scenario, Cut):
            case = cut(scenario, args.out)
        elif lack := lacking(scenario, venv):
            print(f"{scenario.name}: {lack} is missing here", flush=True)
            continue
        else:
            case = run(scenario, venv, args.out)
        side.write_text(json.dumps(case, indent=1) + "\n", encoding="utf-8")
        print(
            f"{case['name']}: exit {case['exit_codes']}, {case['wall_s']} s, evidence {len(case['evidence_lines'])}",
            flush=True,
        )


if __name__ == "__main__":
    main()
