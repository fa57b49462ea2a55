"""A log's excerpt: equal to what a slow and simple reading gives, whatever the chunks, the blocks and the search."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.diagnosis import pieces, scan
from generator.diagnosis.gate import Gate
from generator.diagnosis.lines import clean, searched
from generator.diagnosis.scan import Excerpt

CASES = Path(__file__).parent / "conformance"
ENGINES = [False, *([True] if find_spec("hyperscan") else [])]
"""Without the extra package, and with it where it is installed."""
LITERALS = ("Loss is nan, stopping", "allocate ", "{'loss': 0.0, 'grad", "exitcode", "] `x`", "is nan", "[m3", "ü ok")
SMALL = {
    pieces: {"BLOCK": 48, "LONGEST": 32, "HEAD": 24, "TAIL": 8, "_SPAN": 16},
    scan: {"FIRST": 2, "LAST": 4, "BEFORE": 1, "BEHIND": 3, "WINDOWED": 5, "_REMEMBERED": 600, "_HOT": 3},
}
"""Limits so small that short inputs meet them all."""


def cases(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((CASES / folder).glob("*.json")):
        stored = json.loads(path.read_text(encoding="utf-8"))
        for case in stored["cases"]:
            yield f"{path.stem}: {case.get('says', case.get('bytes'))}", {"literals": stored.get("literals"), **case}


def data_of(case: dict[str, Any]) -> bytes:
    parts = [part if isinstance(part, str) else part[0] * part[1] for part in case["parts"]]
    return "".join(parts).encode("latin-1")


def ranges_of(numbers: Sequence[int]) -> list[list[int]]:
    breaks = [i for i, (one, other) in enumerate(pairwise(numbers), 1) if other != one + 1]
    return [[numbers[a], numbers[b - 1]] for a, b in pairwise([0, *breaks, len(numbers)])]


@pytest.mark.parametrize("case", [pytest.param(case, id=ascii(name)) for name, case in cases("lines")])
def test_lines(case: dict[str, Any]) -> None:
    assert clean(case["bytes"].encode("latin-1")) == case["text"]


@pytest.mark.parametrize("extra", ENGINES)
@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in cases("scan")])
def test_scan(case: dict[str, Any], extra: bool) -> None:
    found = scan.scan([data_of(case)], Gate.of(case["literals"], extra=extra))
    assert (found.total_lines, found.hits, found.dropped) == (case["total"], case["hits"], case["dropped"])
    if "pieces" in case:
        assert [[piece.number, piece.data.decode("latin-1")] for piece in found.pieces] == case["pieces"]
    if "kept" in case:
        assert ranges_of([piece.number for piece in found.pieces]) == case["kept"]


def reference(data: bytes, literals: Sequence[str]) -> tuple[int, int, int, list[tuple[int, bytes]]]:
    """Read a whole file at once, line by line."""
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            data = data[2:].decode(encoding, "replace").encode()
            break
    else:
        data = data.removeprefix(b"\xef\xbb\xbf")
    *ended, rest = data.split(b"\n")
    found = [(n, part) for n, line in enumerate(ended, 1) for part in line.removesuffix(b"\r").split(b"\r")]
    open_parts = [(len(ended) + 1, part) for part in rest.split(b"\r")]
    found += open_parts if open_parts[-1][1] else open_parts[:-1]
    found = [(number, shortened(part)) for number, part in found]
    hits = [i for i, (_, part) in enumerate(found) if any(text in searched(part) for text in literals)]
    windows = sorted(
        {i for hit in hits for i in range(hit - scan.BEFORE, hit + scan.BEHIND + 1) if 0 <= i < len(found)}
    )
    held = {*windows[: scan.WINDOWED], *windows[-scan.WINDOWED :]}
    everywhere = range(len(found))
    kept = sorted(held.union(everywhere[: scan.FIRST], everywhere[max(len(found) - scan.LAST, 0) :]))
    return len(ended) + bool(rest), len(hits), len(windows) - len(held), [found[i] for i in kept]


def shortened(part: bytes) -> bytes:
    if len(part) <= pieces.LONGEST:
        return part
    head, tail = pieces.HEAD, len(part) - pieces.TAIL
    head -= next((back for back in range(3) if part[head - back] & 0xC0 != 0x80), 3)
    tail += next((on for on in range(3) if part[tail + on] & 0xC0 != 0x80), 3)
    return part[:head] + b" " + part[tail:]


def seen(found: Excerpt) -> tuple[int, int, int, list[tuple[int, bytes]]]:
    return found.total_lines, found.hits, found.dropped, [(piece.number, piece.data) for piece in found.pieces]


FRAGMENTS = (
    *(text.encode() for text in LITERALS),
    *(text[: len(text) // 2].encode() for text in LITERALS),
    *(text[len(text) // 2 :].encode() for text in LITERALS),
    *b"\n|\n|\n|\r|\r\n|\r\r\n| |  |\t|\0|\x1b|\x1b[31m|[0m|[1;36m|[m|[5m]|[7ms|m|;|7|0|12".split(b"|"),
    *b"\x1b]0;|\x07|\xc3|\xa9|\xc3\xa9|\xe2\x80\x8b".split(b"|"),
    "n\u00e4n \U0001f525".encode(),
)  # fmt: skip
MARKS = st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb"])


@st.composite
def chunked(draw: st.DrawFn) -> list[bytes]:
    """A log of telling fragments, cut anywhere."""
    body = b"".join(draw(st.lists(st.sampled_from(FRAGMENTS), max_size=60)))
    mark = draw(MARKS)
    if mark in (b"\xff\xfe", b"\xfe\xff") and draw(st.booleans()):
        body = body.decode("latin-1").encode("utf-16-le" if mark == b"\xff\xfe" else "utf-16-be")
    data = mark + body
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=6)))
    return [data[a:b] for a, b in pairwise([0, *cuts, len(data)])]


@pytest.fixture(scope="module")
def gates() -> list[Gate]:
    return [Gate.of(LITERALS, extra=extra) for extra in ENGINES]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, limits in SMALL.items():
        for name, value in limits.items():
            monkeypatch.setattr(module, name, value)


@given(chunks=chunked())
def test_as_a_simple_reading_has_it(chunks: list[bytes], gates: list[Gate]) -> None:
    for gate in gates:
        assert seen(scan.scan(chunks, gate)) == reference(b"".join(chunks), LITERALS)


@pytest.mark.usefixtures("small")
@given(chunks=chunked())
@settings(max_examples=300)
def test_as_a_simple_reading_has_it_where_limits_are_met(chunks: list[bytes], gates: list[Gate]) -> None:
    for gate in gates:
        assert seen(scan.scan(chunks, gate)) == reference(b"".join(chunks), LITERALS)


@pytest.mark.usefixtures("small")
def test_long_ones_as_a_simple_reading_has_them(gates: list[Gate]) -> None:
    source = random.Random(3)
    for _ in range(400):
        data = b"".join(source.choices(FRAGMENTS, k=120))
        cut = source.randrange(len(data))
        for gate in gates:
            assert seen(scan.scan([data[:cut], data[cut:]], gate)) == reference(data, LITERALS)


@given(
    texts=st.lists(st.text("ab`7 é.\t", min_size=1, max_size=5), max_size=6),
    data=st.binary() | st.text("ab`7 é.\n\t\0").map(str.encode),
)
def test_any_literals(texts: list[str], data: bytes) -> None:
    for extra in ENGINES:
        assert seen(scan.scan([data], Gate.of(texts, extra=extra))) == reference(data, texts)


def test_an_empty_literal_is_refused() -> None:
    with pytest.raises(ValueError, match="a literal is empty"):
        Gate.of(["x", ""])


@pytest.mark.parametrize(
    "text", [b"a", b"\n", b"\r", b"\0", b"K\n", b"[1;1;1", b"\x1b]", b"\xff\n", b"is nan\n", b"is\x1b[m nan\n"]
)
@pytest.mark.parametrize("extra", ENGINES)
def test_much_of_one_thing(text: bytes, extra: bool) -> None:
    data = text * (140_000 // len(text))
    chunks = [data[at : at + 50_003] for at in range(0, len(data), 50_003)]
    assert seen(scan.scan(chunks, Gate.of(LITERALS, extra=extra))) == reference(data, LITERALS)


def test_memory_is_bounded() -> None:
    held = max(len(block) for block in pieces.blocks(b"x" * 50_000 for _ in range(400)))
    assert held == pieces.HEAD + 1 + pieces.TAIL
    sieve = scan._Sieve(Gate.of(LITERALS, extra=False))
    for start in range(0, 400_000, 4_000):
        sieve.suspects(
            b"".join(
                b"%s\n" % number.to_bytes(4, "big").hex().translate({ord("0") + i: 71 + i for i in range(10)}).encode()
                for number in range(start, start + 4_000)
            )
        )
        assert len(sieve._cold) * scan._OVERHEAD <= scan._REMEMBERED
