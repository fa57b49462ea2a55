"""How the time of matching grows with the line: for every pattern, on lines made to be hard for it.

Prints, for each template, the worst line: its time per character, and how that grows from a short line to one
four times as long (1 is linear, 4 would be quadratic). Run: python benchmarks/template_linear.py [--all]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from generator.catalog import read_catalog
from generator.language.placeholders import PLACEHOLDERS
from generator.template import Template, compile_template

ROOT = Path(__file__).parent.parent
SHORT, LONG = 2_000, 8_000
FILLS = (
    "a",
    "0",
    ".",
    "a.",
    "a-",
    "1.2",
    "0x",
    "a:",
    "1:",
    "a ",
    "1 ",
    " ",
    "'",
    "'a",
    "[1, ",
    "64x",
    "x",
    "(",
    "nan",
    "é",
    "1e",
    "::",
)
WORST = (
    "x{any}y{any}z",
    "x {any} x {any} x",
    "error {any} error {any} error",
    "a {path} a {path} a {path} a {path} b",
    "{word} {word} {word} {word} x",
    "{name}] {name}] {name}] x",
    "{host}: {host}: {host}: x",
    "{number}, {number}, {number}, x",
    "{version}, {version}, x",
    "{quoted}{: |, }{quoted} x",
    "a{-|b|bb|bbb}{-|b|bb}d",
)


def templates() -> list[Template]:
    files = sorted((ROOT / "tests" / "conformance" / "templates").glob("*.json"))
    texts = [case["template"] for file in files for case in json.loads(file.read_text())["cases"] if "lines" in case]
    made = [f"begin {{{kind}}} end" for kind in PLACEHOLDERS if kind != "sp"]
    edges = [
        text for kind in PLACEHOLDERS if kind not in ("any", "sp") for text in (f"{{{kind}}} end", f"begin {{{kind}}}")
    ]
    return [compile_template(text) for text in dict.fromkeys([*texts, *made, *edges, *WORST, *of_entries()])]


def of_entries() -> Iterator[str]:
    """Yield every template of the catalogue, those of neighbours too."""
    for entry in read_catalog(ROOT / "entries", ROOT / "schema" / "entry.schema.json").catalog.entries:
        for signature in entry.signatures:
            yield from (wording.template for wording in signature.wordings)
            for neighbour in (*signature.requires, *signature.absent):
                if neighbour.template is not None:
                    yield neighbour.template


def hard_lines(template: Template) -> Iterator[tuple[str, str, str]]:
    """Yield what is repeated, a short and a long line of it: literals and fills that almost match, over and over."""
    pieces = [*template.literals, *template.gate]
    repeated = [*FILLS, *pieces, *(piece + fill for piece in pieces for fill in FILLS), "".join(pieces)]
    for unit in dict.fromkeys(repeated):
        for opening in ("", template.literals[0] if template.literals else ""):
            short, long = (opening + (unit * (size // len(unit) + 1))[:size] for size in (SHORT, LONG))
            yield opening + unit, short, long


def seconds(template: Template, line: str, repeats: int) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        template.match(line)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    rows = []
    own = set(of_entries())
    longest = 0.0
    for template in templates():
        worst = max(
            ((seconds(template, long, 1), unit, short, long) for unit, short, long in hard_lines(template)),
            key=lambda row: row[0],
        )
        _, unit, short, long = worst
        before, after = seconds(template, short, 9), seconds(template, long, 5)
        if template.text in own:
            longest = max(longest, after)
        rows.append((after / len(long) * 1e9, (after / len(long)) / (before / len(short)), template.text, unit))
    rows.sort(reverse=True)
    print("ns/char  growth  template  (worst line repeats)")
    for cost, growth, text, unit in rows if "--all" in sys.argv else rows[:15]:
        print(f"{cost:7.0f}  {growth:6.2f}  {text[:60]}  ({unit[:30]!r})")
    worst_growth = max(growth for _, growth, _, _ in rows)
    print(
        f"{len(rows)} templates; the longest of an entry takes {longest * 1000:.2f} ms on a line of {LONG} "
        f"characters; "
        f"worst growth over a line 4 times as long: {worst_growth:.2f} (1 linear, 4 quadratic)"
    )


if __name__ == "__main__":
    main()
