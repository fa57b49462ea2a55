"""Make the healthy logs: run what runs.py lists and keep the output of every run in which nothing failed.

    python -m tests.corpora.healthy.make OUT --torch VENV --other VENV [--only FAMILY,...] [--adopt DIR]

VENV are virtual environments made for the purpose; README.md says what is installed in them. A run that does not end
with exit code 0 is told and leaves no log. `--adopt` takes logs over that were written while those were installed.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from tests.corpora.faults.scrub import scrub
from tests.corpora.healthy.runs import PRELUDE, RUNS, Run

PROGRAMS = Path(__file__).parent / "programs"
LARGE = 24_000
MOST = 1_500_000
NOT_OURS = re.compile(rb"(?i)looking in |token authentication|auth_token|process_api|vsock|firec|sandbox")
"""Lines that tell of this machine's own surroundings alone."""


def keep(target: Path, data: bytes) -> None:
    """Write a log, compressed if it is large; what is over the limit loses whole lines at its end."""
    lines = [line for line in data[:MOST].split(b"\n") if not NOT_OURS.search(line)]
    text = b"\n".join(lines[:-1] if len(data) > MOST else lines)
    target.parent.mkdir(parents=True, exist_ok=True)
    if len(text) > LARGE:
        target.with_name(f"{target.name}.gz").write_bytes(gzip.compress(text, 9, mtime=0))
    else:
        target.write_bytes(text)


def places(torch: Path, other: Path, scratch: Path) -> dict[str, str]:
    """Say what each path of this machine is called in the logs."""
    stores = {"/opt/pypi": "/srv/packages", "/opt/wheels": "/srv/wheels"}
    return {str(torch): "/opt/venv", str(other): "/opt/other", str(scratch): "/workspace/run", **stores}


def carry_out(run: Run, torch: Path, other: Path, out: Path) -> str:
    """Run one command and say how it went."""
    if not shutil.which(run.needs):
        return f"{run.needs} is missing here"
    with tempfile.TemporaryDirectory(prefix="healthy-") as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(PROGRAMS, Path(folder) / "run", ignore=shutil.ignore_patterns("__pycache__"))
        log = Path(folder) / "log"
        env = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "HOME", "LANG") or name.startswith("PIP_")
        }
        env |= {
            "TORCH": str(torch / "bin/python"),
            "OTHER": str(other / "bin/python"),
            "OMP_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        env |= {
            "GLOO_SOCKET_IFNAME": "lo",
            "DEBIAN_FRONTEND": "noninteractive",
            "PATH": f"{env['PATH']}:/usr/sbin:/sbin",
        }
        with log.open("ab") as written:
            process = subprocess.Popen(
                ["bash", "-c", PRELUDE + run.command],
                cwd=Path(folder) / "run",
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(timeout=180)
            except subprocess.TimeoutExpired:
                code = -1
            if code == -1:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        data = log.read_bytes()
        if code != 0 or not data:
            return f"exit {code}: {data[-200:].decode('utf-8', 'replace')!r}"
        keep(out / run.family / f"{run.name}.log", scrub(data, places(torch, other, Path(folder) / "run")))
        return f"{len(data)} bytes"


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--torch", type=Path, required=True)
    parser.add_argument("--other", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--adopt", type=Path)
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    for path in sorted(args.adopt.glob("*.log")) if args.adopt else ():
        data = scrub(path.read_bytes(), places(args.torch, args.other, args.adopt.parent))
        keep(args.out / path.name.split("-")[0] / f"{path.stem}-first.log", data)
    for run in RUNS:
        there = list((args.out / run.family).glob(f"{run.name}.log*"))
        if there or (only and run.family not in only and run.name not in only):
            continue
        print(f"{run.name}: {carry_out(run, args.torch, args.other, args.out)}", flush=True)


if __name__ == "__main__":
    main()
