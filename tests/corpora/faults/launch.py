"""A scenario -> the processes that run it, each with the file it writes to.

Every process appends to its file, so that two writers of one file never overwrite each other.
"""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.corpora.faults.scenario import Scenario

RANK_OF_PDSH = 'export RANK="$1" WORLD_SIZE="$2"; exec "$3" -u train.py'


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    words: tuple[str, ...]
    env: dict[str, str]
    log: str


def free_port() -> int:
    """Give a port that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def commands(scenario: Scenario, venv: Path, port: int) -> list[Command]:
    """Write down what is to be started."""
    python, torchrun = str(venv / "bin/python"), str(venv / "bin/torchrun")
    size = str(scenario.nproc)
    name = f"{scenario.name}.log"
    meet = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), **scenario.env}
    script = ("train.py", *scenario.script_args)
    match scenario.launcher:
        case "torchrun":
            where = ("--master-addr=127.0.0.1", f"--master-port={port}")
            words = [(torchrun, f"--nproc-per-node={size}", *where, *scenario.args, *script)]
        case "elastic":
            where = ("--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{port}")
            words = [(torchrun, f"--nproc-per-node={size}", "--max-restarts=1", *where, *scenario.args, *script)]
        case "nodes" | "short_nodes":
            return nodes(scenario, torchrun, port)
        case "ranks" | "files":
            return [
                Command(
                    words=(python, "-u", *script),
                    env={**meet, "RANK": str(rank), "WORLD_SIZE": size},
                    log=f"{scenario.name}.rank{rank}.log" if scenario.launcher == "files" else name,
                )
                for rank in range(scenario.started or scenario.nproc)
            ]
        case "python":
            words = [(python, "-u", *script)]
        case "srun":
            words = [("srun", "--overcommit", "-n", size, *scenario.args, python, "-u", *script)]
        case "mpirun":
            words = [
                ("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", size, *scenario.args, python, "-u", *script)
            ]
        case "deepspeed":
            words = [
                (str(venv / "bin/deepspeed"), f"--num_gpus={size}", f"--master_port={port}", *scenario.args, *script)
            ]
        case "pdsh":
            hosts = f"worker-[0-{scenario.nproc - 1}]"
            rank = ("bash", "-c", RANK_OF_PDSH, "rank", "%n", size, python)
            words = [("pdsh", "-R", "exec", "-w", hosts, *rank)]
    return [Command(words=each, env=meet, log=name) for each in words]


def nodes(scenario: Scenario, torchrun: str, port: int) -> list[Command]:
    """Write down two nodes of two ranks, each with a host name of its own; or the first of them alone."""
    found = []
    alone = scenario.launcher == "short_nodes"
    wait = ("--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{port}", "--rdzv-conf=join_timeout=15")
    for node in range(1 if alone else 2):
        where = wait if alone else (f"--node-rank={node}", "--master-addr=127.0.0.1", f"--master-port={port}")
        named = ("unshare", "--uts", "sh", "-c", f'hostname node-{node}; exec "$@"', "node")
        run = (torchrun, "--nnodes=2", "--nproc-per-node=2", *where, *scenario.args, "train.py")
        found.append(Command(words=(*named, *run), env=scenario.env, log=f"{scenario.name}.node{node}.log"))
    return found


def start(command: Command, folder: Path, logs: Path, env: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start one command in a session of its own, both its streams appended to its log."""
    with (logs / command.log).open("ab") as log:
        return subprocess.Popen(
            command.words,
            cwd=folder,
            env={**env, **command.env},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def small_disk(command: Command, target: str) -> Command:
    """Run the command where an 8 MB file system lies over a folder."""
    mount = f'mount -t tmpfs -o size=8m tmpfs {shlex.quote(target)} && exec "$@"'
    return Command(
        words=("unshare", "--mount", "sh", "-c", mount, "small", *command.words), env=command.env, log=command.log
    )


def base_env(folder: Path, scenario: Scenario) -> dict[str, str]:
    """Give the surroundings of a run: little of this machine's own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "SLURM_CONF") if name in os.environ}
    return {
        **kept,
        "OMP_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo",
        "DS_ACCELERATOR": "cpu",
        "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1",
        "RAY_USAGE_STATS_ENABLED": "0",
        "FAULT_TRUTH": str(folder.parent / "planted.jsonl"),
        "FAULT_RANK": ",".join(
            map(str, (scenario.recovered or (None,))[:1] if scenario.recovered else scenario.guilty)
        ),
    }
