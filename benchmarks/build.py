"""Our whole build against plain MkDocs with the same theme, on the same pages as ready-made Markdown.

At 100, 1,000 and 5,000 synthetic entries. Ours: load, validate, check, render, index, write. The plain side gets what
`encyclopedia export --markdown` writes, has the theme's search and tags on, and a navigation of index pages only.
CPU time and peak memory are those of the finished process (`wait4`); Hugo, where it is installed, is printed beside.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.search import compare
from benchmarks.synthesize import synthesize
from generator.load import load
from generator.model import Entry

ROOT = Path(__file__).resolve().parent.parent
COUNTS = (100, 1000, 5000)
SEARCHED = 1000
"""The size at which the search is compared too."""
PLAIN = {
    "site_name": "Plain",
    "site_url": "https://plain.example/",
    "theme": {"name": "material", "font": False, "features": ["content.code.copy"]},
    "plugins": ["search", "tags"],
    "validation": {"links": {"not_found": "info", "anchors": "info"}, "nav": {"omitted_files": "info"}},
    "markdown_extensions": [
        "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables",
        {"toc": {"permalink": True}}, "pymdownx.details", "pymdownx.highlight", "pymdownx.inlinehilite",
        "pymdownx.superfences",
        {"pymdownx.tabbed": {"alternate_style": True}}, {"pymdownx.tasklist": {"custom_checkbox": True}},
    ],
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a finished process has used."""

    cpu: float
    """Seconds, user and system, its children included."""
    memory: float
    """Peak of its own, MiB."""


def measure(command: Sequence[str | Path], folder: Path) -> Cost:
    """Run a command to its end and return its cost; a failed one ends the benchmark with its output."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, env=_environment())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{command[0]} ended with {process.returncode}:\n{output.read().decode(errors='replace')[-3000:]}")
    return Cost(cpu=usage.ru_utime + usage.ru_stime, memory=usage.ru_maxrss / 1024)


def make_ours(folder: Path, count: int) -> None:
    """Lay out a project of synthetic entries."""
    synthesize(ROOT / "entries", folder, count)
    for name in ("schema", "overrides", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "mkdocs.yml", folder)


def make_plain(folder: Path) -> None:
    """Turn an exported folder of Markdown into a plain MkDocs project."""
    pages = sorted((folder / "docs").rglob("*.md"))
    indexes = [page.relative_to(folder / "docs").as_posix() for page in pages if not _is_entry(page)]
    settings = {**PLAIN, "nav": indexes[:60], "not_in_nav": "*\n"}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")


def _is_entry(page: Path) -> bool:
    return page.parent.name.startswith("synthetic-")


def make_hugo(export: Path, folder: Path) -> None:
    """Give Hugo the same Markdown with a bare layout, since it has no such theme."""
    for page in (export / "docs").rglob("*.md"):
        name = page.relative_to(export / "docs")
        target = folder / "content" / name.parent / ("_index.md" if name.name == "index.md" else name.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, target)
    layouts = folder / "layouts/_default"
    layouts.mkdir(parents=True)
    bare = "<!doctype html><title>{{ .Title }}</title><body>{{ .TableOfContents }}{{ .Content }}"
    for kind in ("single", "list"):
        (layouts / f"{kind}.html").write_text(bare, encoding="utf-8")
    (folder / "config.toml").write_text('baseURL = "https://plain.example/"\ndisableKinds = ["taxonomy", "term"]\n')


def run(count: int) -> Cost:
    """Measure all builds at one size and print them; return ours."""
    tools = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as place:
        ours, plain, hugo = (Path(place) / name for name in ("ours", "plain", "hugo"))
        ours.mkdir()
        make_ours(ours, count)
        subprocess.run([tools / "encyclopedia", "export", "--markdown", plain], cwd=ours, check=True, stdout=sys.stderr)
        make_plain(plain)
        mine = measure([tools / "mkdocs", "build", "--strict"], ours)
        theirs = measure([tools / "mkdocs", "build"], plain)
        print(f"{count} entries")
        _print("ours", mine, theirs)
        _print("plain MkDocs", theirs, theirs)
        if count == SEARCHED:
            compare(ours / "site", plain / "site", sample_lines(ours))
        if shutil.which("hugo"):
            hugo.mkdir()
            make_hugo(plain, hugo)
            _print("Hugo, bare layout", measure(["hugo", "--quiet"], hugo), theirs)
    return mine


def sample_lines(project: Path, number: int = 4) -> list[tuple[str, str]]:
    """Pick sample lines, each with the slug of the entry that owns it, spread over a project."""
    samples = []
    for path in sorted(project.glob("entries/*/*.yaml")):
        entry = Entry.from_raw(load(path.read_bytes(), path.name).data, path.as_posix())
        if entry.signatures:
            samples.append((entry.signatures[0].wordings[0].samples[0].line.strip(), entry.slug))
    return samples[:: max(1, len(samples) // number)]


def _print(name: str, cost: Cost, base: Cost) -> None:
    cpu, memory = cost.cpu / base.cpu, cost.memory / base.memory
    print(f"  {name:<18} {cost.cpu:8.1f} s CPU  {cpu:5.2f}   {cost.memory:7.0f} MiB  {memory:5.2f}", flush=True)


def _environment() -> dict[str, str]:
    return {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "SOURCE_DATE_EPOCH": "0"}


def main() -> None:
    """Print the table; sizes may be given as arguments."""
    counts = [int(word) for word in sys.argv[1:]] or COUNTS
    costs = {count: run(count) for count in counts}
    if {1000, 5000} <= costs.keys():
        print(f"ours at 5000 / ours at 1000: {costs[5000].cpu / costs[1000].cpu:.1f} (target 5.5)")
    print("targets: ours / plain at most 0.32 of CPU at 1,000 and at 5,000, at most 1.00 of memory")


if __name__ == "__main__":
    main()
