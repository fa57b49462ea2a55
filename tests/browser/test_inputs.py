"""What a reader chose becomes the bytes that the command reads: gzip, zip and folders, held to Python's own reading."""

from __future__ import annotations

import base64
import gzip
import io
import random
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from generator.diagnosing import read_index
from generator.logs import unpacked
from generator.redact import redact
from generator.shapes.secrets import SECRETS
from tests.site import ROOT, serve

pytestmark = pytest.mark.browser

LOG = (ROOT / "overrides/assets/diagnosis/examples/worker-killed.log").read_bytes()
_OPEN = """
async ([chosen, most]) => {
  const { openInputs } = await import("/assets/diagnosis/inputs.mjs");
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const told = [];
  for (const files of chosen) {
    try {
      const given = files.map(([name, text]) => ({ name, blob: new Blob([bytesOf(text)]) }));
      const { logs, passed } = await openInputs(given, most, () => {});
      const read = [];
      for (const log of logs) {
        let text = "";
        for await (const chunk of log.chunks()) for (const byte of chunk) text += String.fromCharCode(byte);
        read.push([log.name, btoa(text)]);
      }
      told.push({ logs: read, passed: passed.map(({ name, why }) => `${name} ${why}`) });
    } catch (error) {
      told.push({ refused: error.message });
    }
  }
  return told;
}
"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with serve(ROOT / "overrides") as url:
        page = chromium.new_page()
        page.goto(f"{url}assets/mark.svg")
        yield page
        page.close()


def opened(page: Page, *jobs: Sequence[tuple[str, bytes]], most: float = 4e9) -> list[Any]:
    """Return what becomes of each job's files: the logs, name and bytes, and what is passed over; or why not."""
    sent = [[[name, base64.b64encode(content).decode()] for name, content in files] for files in jobs]
    told = page.evaluate(_OPEN, [sent, most])
    for answer in told:
        if "logs" in answer:
            answer["logs"] = [(name, base64.b64decode(text)) for name, text in answer["logs"]]
    return list(told)


def as_python(packed: bytes) -> bytes | None:
    """Read it as the command does; None when it is damaged."""
    try:
        return b"".join(unpacked(iter([packed])))
    except zlib.error:
        return None


def assert_read_alike(page: Page, packed: Sequence[bytes]) -> None:
    answers = opened(page, *[[("a.gz", one)] for one in packed])
    for one, answer in zip(packed, answers, strict=True):
        expected = as_python(one)
        if expected is None:
            assert answer == {"refused": "a.gz cannot be unpacked: its gzip data is damaged."}, one
        else:
            assert answer["logs"] == [("a.gz", expected)], one


def packed_with(data: bytes, level: int, strategy: int = zlib.Z_DEFAULT_STRATEGY, flush: int = 0) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    if not flush:
        return packer.compress(data) + packer.flush()
    parts = [data[at : at + flush] for at in range(0, len(data), flush)]
    return b"".join(packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH) for part in parts) + packer.flush()


def forms(data: bytes) -> list[bytes]:
    """Pack in every way that makes other blocks: stored, fixed codes, own codes, one code alone, flushed often."""
    return [
        packed_with(data, 0),
        packed_with(data, 9),
        packed_with(data, 1),
        packed_with(data, 6, zlib.Z_FIXED),
        packed_with(data, 6, zlib.Z_HUFFMAN_ONLY),
        packed_with(data, 6, zlib.Z_RLE),
        packed_with(data, 6, flush=700),
    ]


def headed(data: bytes) -> bytes:
    """Pack with all that a header may hold: extra field, name, comment and a checksum of its own."""
    head = b"\x1f\x8b\x08\x1e" + bytes(6) + struct.pack("<H", 5) + b"extra" + b"rank0.log\0" + b"a comment\0"
    return head + struct.pack("<H", zlib.crc32(head) & 0xFFFF) + packed_with(data, 6)[10:]


def test_several_members_in_a_row_are_one_log(page: Page) -> None:
    mixed = random.Random(7).randbytes(5000) + bytes(300_000) + LOG * 40  # longer than a window and its room
    for data in (LOG, mixed):
        every = forms(data)
        assert_read_alike(page, [gzip.compress(b"start\n") + one + headed(LOG) for one in every] + every)
        assert as_python(every[0] + every[1]) == data + data
    assert_read_alike(page, [gzip.compress(b"") * 3 + gzip.compress(LOG), headed(LOG) + headed(LOG)])


def test_a_cut_end_gives_what_is_there(page: Page) -> None:
    data = LOG[:1500]
    for one in (*forms(data), headed(data) + headed(data)):
        assert_read_alike(page, [one[:size] for size in range(2, len(one), 13)])
    long = packed_with(LOG * 200, 6)
    assert_read_alike(page, [long[: len(long) // 2]])
    assert LOG in (as_python(long[: len(long) // 2]) or b"")


def test_a_cut_end_is_noted_in_the_words_of_the_command(page: Page) -> None:
    whole = gzip.compress(LOG)
    said = page.evaluate(
        """async (files) => {
            const { openInputs } = await import("/assets/diagnosis/inputs.mjs");
            const chosen = files.map(([name, bytes]) => ({ name, blob: new Blob([new Uint8Array(bytes)]) }));
            const { logs, notes } = await openInputs(chosen, 4e9, () => {});
            for (const log of logs) for await (const chunk of log.chunks()) chunk.length;
            return notes();
        }""",
        [["whole.gz", list(whole)], ["cut.gz", list(whole[:-9])], ["two.gz", list(whole * 2)], ["a.gz", list(LOG)]],
    )
    assert said == ["cut.gz: the gzip data ends early; what was there was read."]
    for size in (3, 40, len(whole) - 9, len(whole) - 1):
        noted: list[int] = []
        list(unpacked(iter([whole[:size]]), on_cut=partial(noted.append, size)))
        assert noted == [size]


def test_secrets_are_masked_as_the_command_masks_them(page: Page) -> None:
    shapes = read_index(None).shapes["secrets"]
    texts = [sample for shape in SECRETS for sample in (*shape.samples, *shape.misses)]
    texts += ["https://alice:s3cretpw@hub.lab.example/a node-9 fe80::1 fe80::2", "on node-3.cluster.local now"]
    sent = [{"id": shape.id, "pattern": shape.pattern.pattern, "gives": list(shape.gives)} for shape in shapes]
    told = page.evaluate(
        """async ([shapes, texts]) => {
            const { redactor } = await import("/assets/diagnosis/redact.mjs");
            return texts.map(redactor(shapes, ["node-9"]));
        }""",
        [sent, texts],
    )
    assert told == redact(texts, shapes, ["node-9"])


def test_damage_is_told_where_python_tells_it(page: Page) -> None:
    chance = random.Random(3)
    made = []
    for one in (*forms(LOG[:1500]), headed(LOG[:1500])):
        for _ in range(25):
            at = chance.randrange(2, len(one))
            made.append(one[:at] + bytes([one[at] ^ (1 << chance.randrange(8))]) + one[at + 1 :])
    whole = gzip.compress(LOG)
    made += [whole + b"junk", whole + b"\0", whole + bytes(512), whole + b"\x1f", whole + whole[:7]]
    assert_read_alike(page, made)
    assert 50 < sum(as_python(one) is None for one in made) < len(made)


class _Pipe(io.RawIOBase):
    """What cannot be gone back in, so that sizes follow an entry's bytes."""

    def __init__(self) -> None:
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.written += data
        return len(data)


def streamed(*, large: bool) -> bytes:
    """Write an archive as a pipe gets it; large: each entry in the form for more than 4 GB."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w") as archive:
        for name, method in (("a.log", zipfile.ZIP_DEFLATED), ("b.log", zipfile.ZIP_STORED)):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            with archive.open(entry, "w", force_zip64=large) as file:
                file.write(LOG)
    return bytes(pipe.written)


def enlarged(archive: bytes) -> bytes:
    """Write an archive's directory and its end in the form for more than 4 GB, as if each number were too large."""
    end = archive.rindex(b"PK\5\6")
    count, start = struct.unpack("<H4xL", archive[end + 10 : end + 20])
    directory, at = bytearray(), start
    for _ in range(count):
        head = bytearray(archive[at : at + 46])
        stored, length, name, extra, comment = struct.unpack("<LLHHH", head[20:34])
        (offset,) = struct.unpack("<L", head[42:46])
        more = struct.pack("<HHH", 0x5455, 2, 0) + struct.pack("<HHQQQ", 1, 24, length, stored, offset)
        struct.pack_into("<LLHH", head, 20, 0xFFFFFFFF, 0xFFFFFFFF, name, len(more))
        struct.pack_into("<L", head, 42, 0xFFFFFFFF)
        directory += head + archive[at + 46 : at + 46 + name] + more
        at += 46 + name + extra + comment
    large = struct.pack("<LQHHLLQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, len(directory), start)
    place = struct.pack("<LLQL", 0x07064B50, 0, start + len(directory), 1)
    last = struct.pack("<LHHHHLLH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 7) + b"comment"
    return archive[:start] + bytes(directory) + large + place + last


@pytest.mark.parametrize("large", [False, True])
def test_zip64_and_sizes_that_follow_the_bytes(page: Page, large: bool) -> None:
    plain = streamed(large=large)
    assert plain[6] & 8  # sizes follow
    for archive in (plain, enlarged(plain)):
        with zipfile.ZipFile(io.BytesIO(archive)) as known:
            assert [known.read(name) for name in ("a.log", "b.log")] == [LOG, LOG]
        assert opened(page, [("x.zip", archive)]) == [{"logs": [("a.log", LOG), ("b.log", LOG)], "passed": []}]
    cut = enlarged(plain)
    at = cut.rindex(b"PK\6\6")
    [answer] = opened(page, [("x.zip", cut[:at] + b"XXXX" + cut[at + 4 :])])
    assert answer == {"refused": "x.zip is damaged, or one of several parts of an archive."}


def test_what_is_no_log_is_passed_over_by_name(page: Page) -> None:
    image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(40)
    wide = "\ufeffTraceback\n".encode("utf-16-le")
    holed = bytes(2000) + LOG
    files = [
        ("run/.DS_Store", b"Bud1"),
        ("run/a.png", image),
        ("run/b.log", LOG),
        ("run/c.zst", b"\x28\xb5\x2f\xfd" + bytes(20)),
        ("run/d.gz", gzip.compress(image)),
        ("run/e.log", wide),
        ("run/f.log", holed),
        ("run/g.bz2", b"BZh1" + b"x" * 20),
        ("run/h.log", b""),
    ]
    [several, alone] = opened(page, files, [("a.png", image)])
    assert [name for name, _ in several["logs"]] == ["run/b.log", "run/e.log", "run/f.log", "run/h.log"]
    assert several["passed"] == [
        "run/.DS_Store is a note of the system",
        "run/a.png holds no text",
        "run/c.zst is packed with zstd, which browsers do not read: unpack it first",
        "run/d.gz holds no text",
        "run/g.bz2 is packed with bzip2, which browsers do not read: unpack it first",
    ]
    assert alone == {"logs": [("a.png", image)], "passed": []}


def test_what_is_passed_over_does_not_count_against_the_limit(page: Page) -> None:
    checkpoint = ("model.pt", bytes(10) + b"x" * 3 * len(LOG))
    [answer] = opened(page, [("a.log", LOG), checkpoint], most=len(LOG))
    assert answer == {"logs": [("a.log", LOG)], "passed": ["model.pt holds no text"]}
    [answer] = opened(page, [("a.log", LOG), ("b.log", LOG)], most=len(LOG))
    assert answer == {
        "refused": f"These are more than the {len(LOG)} bytes that are read here. The command line has no limit."
    }
