"""The browser's scanner gives what Python's gives, to the byte: the shared cases and a few thousand mutated logs."""

from __future__ import annotations

import base64
import json
import random
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from generator.diagnosis import scan
from generator.diagnosis.gate import Gate
from generator.diagnosis.lines import clean, plain
from generator.site.scripts import bundle, needed
from tests.test_scan import FRAGMENTS, LITERALS, SMALL, cases, data_of, ranges_of, seen

pytestmark = pytest.mark.browser

ASSETS = Path(__file__).parents[2] / "overrides" / "assets"
LIMITS = {
    "BLOCK": "BLOCK = 1 << 17", "LONGEST": "LONGEST = 8192", "HEAD": "HEAD = 6144", "TAIL": "TAIL = 2048",
    "FIRST": "FIRST_KEPT = 400", "LAST": "LAST_KEPT = 2000",
    "BEFORE": "BEFORE_HIT = 20", "BEHIND": "BEHIND_HIT = 120", "WINDOWED": "WINDOWED = 2000",
}  # fmt: skip
"""How the scripts declare Python's limits."""
RUN = """
async ([script, literals, logs]) => {
    const scanner = new Function(script)();
    const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const latin = (data) => Array.from(data, (byte) => String.fromCharCode(byte)).join("");
    const gates = new Map();
    const answers = [];
    for (const { chunks, which = 0, line = false } of logs) {
        if (line) {
            answers.push([scanner.clean(bytes(chunks[0])), scanner.plain(bytes(chunks[0]))]);
            continue;
        }
        if (!gates.has(which)) gates.set(which, scanner.makeGate(literals[which]));
        const stream = async function* () { for (const chunk of chunks) yield bytes(chunk); };
        let read = 0;
        const found = await scanner.scan(stream(), gates.get(which), (done) => (read = done));
        const { total, hits, dropped, pieces } = found;
        answers.push([total, hits, dropped, pieces.map((piece) => [piece.number, latin(piece.data)]), read]);
    }
    return answers;
}
"""


def in_browser(page: Page, literals: Sequence[Sequence[str]], logs: Sequence[Mapping[str, Any]], *, small: bool) -> Any:
    """Scan every log in one call of the page."""
    modules = dict.fromkeys(m for name in ("gate", "scan") for m in needed(ASSETS, f"diagnosis/{name}.mjs"))
    script = bundle(ASSETS, tuple(modules))
    for name, declared in LIMITS.items():
        assert script.count(f"const {declared};") == 1, f"the limit {name} is declared otherwise"
        if small:
            value = next(limits[name] for limits in SMALL.values() if name in limits)
            script = script.replace(f"const {declared};", f"const {declared.partition(' =')[0]} = {value};")
    script = script.replace("(() => {", "return (() => {", 1).rstrip().removesuffix("})();")
    return page.evaluate(RUN, [f"{script}return {{ clean, plain, makeGate, scan }};\n}})();", literals, logs])


def encoded(chunks: Sequence[bytes]) -> list[str]:
    return [base64.b64encode(chunk).decode() for chunk in chunks]


def in_python(chunks: Sequence[bytes], gate: Gate) -> list[Any]:
    total, hits, dropped, kept = seen(scan.scan(chunks, gate))
    return [total, hits, dropped, [[n, data.decode("latin-1")] for n, data in kept], sum(map(len, chunks))]


def test_conformance_of_lines(browser_page: Page) -> None:
    stored = [case for _, case in cases("lines")]
    logs = [{"chunks": encoded([case["bytes"].encode("latin-1")]), "line": True} for case in stored]
    answers = in_browser(browser_page, [], logs, small=False)
    assert [answer[0] for answer in answers] == [case["text"] for case in stored]


def test_conformance_of_scan(browser_page: Page) -> None:
    stored = [case for _, case in cases("scan")]
    logs = [{"chunks": encoded([data_of(case)])} for case in stored]
    answers = in_browser(browser_page, [stored[0]["literals"]], logs, small=False)
    for case, (total, hits, dropped, kept, _) in zip(stored, answers, strict=True):
        assert (case["says"], total, hits, dropped) == (case["says"], case["total"], case["hits"], case["dropped"])
        assert kept == case.get("pieces", kept), case["says"]
        if "kept" in case:
            assert ranges_of([number for number, _ in kept]) == case["kept"]


def test_mutated_lines(browser_page: Page) -> None:
    lines = [line for data in mutated(1500, seed=5) for line in data.split(b"\n")[:4]]
    logs = [{"chunks": encoded([line]), "line": True} for line in lines]
    answers = in_browser(browser_page, [], logs, small=False)
    for line, answer in zip(lines, answers, strict=True):
        assert (line, answer) == (line, [clean(line), plain(line)])


def test_mutated_logs(browser_page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, limits in SMALL.items():
        for name, value in limits.items():
            monkeypatch.setattr(module, name, value)
    source = random.Random(11)
    sets = (LITERALS, ("nan", "ü ok", "7"), ())
    streams = [cut(data, source) for data in mutated(3000, seed=3)]
    which = [i % 20 if i % 20 < len(sets) else 0 for i in range(len(streams))]
    logs = [{"chunks": encoded(chunks), "which": place} for chunks, place in zip(streams, which, strict=True)]
    gates = [Gate.of(literals, extra=False) for literals in sets]
    answers = in_browser(browser_page, sets, logs, small=True)
    for place, chunks, answer in zip(which, streams, answers, strict=True):
        assert (chunks, answer) == (chunks, in_python(chunks, gates[place]))
    assert sum(answer[1] for answer in answers) > 1000
    assert sum(answer[2] for answer in answers) > 500


def test_large_logs(browser_page: Page) -> None:
    source = random.Random(12)
    streams = [cut(b"".join(source.choices(FRAGMENTS, k=60_000)), source) for _ in range(4)]
    answers = in_browser(browser_page, [LITERALS], [{"chunks": encoded(chunks)} for chunks in streams], small=False)
    gate = Gate.of(LITERALS, extra=False)
    for chunks, answer in zip(streams, answers, strict=True):
        assert json.dumps(answer) == json.dumps(in_python(chunks, gate))


def test_an_empty_literal_is_refused(browser_page: Page) -> None:
    with pytest.raises(Exception, match=re.escape("a literal is empty")):
        in_browser(browser_page, [["x", ""]], [{"chunks": []}], small=False)


def mutated(count: int, seed: int) -> Iterator[bytes]:
    """Make logs of telling fragments and noise; some UTF-16, whole or broken."""
    source = random.Random(seed)
    for _ in range(count):
        data = b"".join(source.choices(FRAGMENTS, k=source.randrange(90)))
        for _ in range(source.randrange(4)):
            at = source.randrange(len(data) + 1)
            data = data[:at] + source.randbytes(source.randrange(3)) + data[at + source.randrange(3) :]
        match source.randrange(12):
            case 0:
                yield b"\xff\xfe" + data
            case 1:
                yield b"\xfe\xff" + data
            case 2:
                yield b"\xff\xfe" + data.decode("latin-1").encode("utf-16-le") + data[:1]
            case 3:
                yield b"\xfe\xff" + data.decode("latin-1").encode("utf-16-be")
            case 4:
                yield b"\xef\xbb\xbf" + data
            case 5:
                units = source.choices((0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41, 0x0A, 0xFEFF), k=12)
                mark, form = source.choice(((b"\xff\xfe", "<12H"), (b"\xfe\xff", ">12H")))
                yield mark + struct.pack(form, *units) + data[: source.randrange(3)]
            case _:
                yield data


def cut(data: bytes, source: random.Random) -> list[bytes]:
    places = sorted(source.randrange(len(data) + 1) for _ in range(source.randrange(6)))
    return [data[a:b] for a, b in pairwise([0, *places, len(data)])]
