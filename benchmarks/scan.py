"""`encyclopedia diagnose` against `rg -c -F -f LITERALS`, which merely counts the lines that hold the same literals.

Makes logs of 100 MB and 1 GB (or of the sizes in MB that are given) in a temporary folder and diagnoses each in a
process of its own, the whole command with the index that a wheel carries, without and with the extra package; scans it
in a worker of Chromium, and gives it to the built site's page; then what is worst for it. CPU time and
peak memory are those of the finished process (`wait4`), the best of some runs that take turns.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.scan_browser import build_site, print_page, print_worker
from generator.diagnosis.gate import Gate
from generator.diagnosis.scan import scan

ROOT = Path(__file__).resolve().parent.parent
SIZES = (100, 1000)
READ = 1 << 17
ROUNDS = 3
DIAGNOSED = (1, 3)
"""Exit codes of the command where it found a failure."""
HOSTILE_SIZES = (8 << 20, 16 << 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a finished process has used."""

    cpu: float
    """Seconds, user and system."""
    memory: float
    """Peak, MB."""
    said: str


def measure(*command: str | Path) -> Cost:
    """Run a command to its end."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode().strip()
    if process.returncode not in (0, *DIAGNOSED):
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return Cost(cpu=usage.ru_utime + usage.ru_stime, memory=usage.ru_maxrss / 1000, said=said)


def read(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes."""
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(READ):
            yield chunk


def diagnose_once(log: str, index: str, engine: str) -> None:
    """Run the command: what the measured process does."""
    if engine == "plain":
        sys.modules["hyperscan"] = None  # type: ignore[assignment]  # as if it were not installed
    from generator.cli import main as command

    sys.argv = ["encyclopedia", "diagnose", log, "--index", index, "--format", "json"]
    command()


def compare(log: Path, index: Path, literals: Path) -> dict[str, Cost]:
    """Measure ripgrep and ourselves in turns; the best of each."""
    python = (sys.executable, "-m", "benchmarks.scan", "--once", log, index)
    commands: dict[str, Sequence[str | Path]] = {
        "ripgrep": ("rg", "-c", "-F", "-f", literals, log),
        "diagnose": (*python, "plain"),
    }
    if find_spec("hyperscan"):
        commands["…, extra"] = (*python, "extra")
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            found[name].append(measure(*command))
    return {name: min(costs, key=lambda cost: cost.cpu) for name, costs in found.items()}


def loop_of_patterns(log: Path, patterns: Sequence[str]) -> float:
    """Return the CPU seconds per MB that a loop of `re` takes, on a prefix of the log."""
    compiled = [re.compile(pattern, re.ASCII) for pattern in patterns]
    prefix = next(read(log)) + next(read(log))
    lines = prefix.decode().split("\n")
    began = time.process_time()
    for line in lines:
        for pattern in compiled:
            pattern.search(line)
    return (time.process_time() - began) / len(prefix) * 1e6


def print_hostile(literals: Sequence[str]) -> None:
    """Print what inputs cost that are hard for a scanner, at two sizes: twice the size is to take twice the time."""
    from benchmarks.logs import HOSTILE

    gate = Gate.of(literals, extra=False)
    for name, make in HOSTILE.items():
        seconds = []
        for size in HOSTILE_SIZES:
            chunks = list(make(size))
            began = time.process_time()
            scan(chunks, gate)
            seconds.append(time.process_time() - began)
        speed = HOSTILE_SIZES[1] / seconds[1] / 1e6
        growth = seconds[1] / seconds[0]
        print(
            f"  {name:<28} {seconds[1]:6.2f} s for 16 MiB {speed:6.0f} MB/s  {growth:4.1f} times that of 8 MiB",
            flush=True,
        )


def write(path: Path, blocks: Iterable[bytes]) -> Path:
    """Write a log, streamed."""
    with path.open("wb") as file:
        file.writelines(blocks)
    return path


def print_comparison(title: str, log: Path, costs: dict[str, Cost]) -> None:
    """Print CPU, speed and memory, and the ratio to ripgrep."""
    megabytes = log.stat().st_size / 1e6
    print(f"{title}, {megabytes:.0f} MB", flush=True)
    for name, cost in costs.items():
        ratio = cost.cpu / costs["ripgrep"].cpu
        speed = megabytes / cost.cpu
        print(
            f"  {name:<15} {cost.cpu:6.2f} s CPU {ratio:5.2f} {speed:6.0f} MB/s {cost.memory:5.0f} MB peak", flush=True
        )


def main() -> None:
    """Print it all."""
    if sys.argv[1:2] == ["--once"]:
        diagnose_once(*sys.argv[2:])
        return
    if shutil.which("rg") is None:
        sys.exit("ripgrep is needed: apt-get install ripgrep")
    from benchmarks.logs import synthesize
    from generator.catalog import read_catalog
    from generator.index import Index
    from generator.indexing import build, to_text

    catalog = read_catalog(ROOT / "entries", ROOT / "schema/entry.schema.json").catalog
    raw = build(catalog, "https://encyclopedia.example/")
    literals = Index.from_json(raw).literals
    patterns = [wording["pattern"] for signature in raw["signatures"] for wording in signature["wordings"]]
    samples = [
        s.line for e in catalog.entries for signature in e.signatures for w in signature.wordings for s in w.samples
    ]
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        as_json, as_lines = folder / "signatures.json", folder / "literals.txt"
        as_json.write_text(to_text(raw), encoding="utf-8")
        as_lines.write_text("".join(f"{literal}\n" for literal in literals), encoding="utf-8")
        print(f"{len(literals)} literals, {len(patterns)} patterns", flush=True)
        site = build_site(folder / "site")
        peaks = []
        for size in sizes:
            log = write(folder / "job.log", synthesize(size * 1_000_000, samples))
            costs = compare(log, as_json, as_lines)
            print_comparison("64 ranks, one line in twenty of a new shape", log, costs)
            peaks.append(costs["diagnose"].memory)
            print_worker(log, literals, ROUNDS)
            print_page(log, site)
        print(
            f"  peak memory grows by {peaks[-1] - peaks[0]:.1f} MB from {sizes[0]} to {sizes[-1]} MB (target: under 20)"
        )
        loop = loop_of_patterns(log, patterns)
        ours = costs["diagnose"].cpu / log.stat().st_size * 1e6
        print(
            f"  a loop of re        {1 / loop:6.1f} MB/s: {loop / ours:.0f} times the CPU of the command (target: 20)"
        )
        log = write(folder / "job.log", synthesize(100_000_000, samples, seed=2, fresh_every=1))
        print_comparison("every line of a new shape", log, compare(log, as_json, as_lines))
        print_worker(log, literals, ROUNDS)
    print("hostile input")
    print_hostile(literals)
    print("targets: at most 2.00 of ripgrep's CPU, 1.10 with the extra; in the browser at least ripgrep's MB/s")


if __name__ == "__main__":
    main()
