from __future__ import annotations

import doctest
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import generator.load
from generator.issues import Issue, Location, Problem
from generator.issues import Path as DataPath
from generator.load import Document, load
from generator.reading import source, syntax, tree
from generator.reading.source import LIMIT
from generator.report import to_text

ROOT = Path(__file__).parent.parent
MINIMAL = (ROOT / "tests/data/minimal.yaml").read_bytes()
SEEDS = [path.read_bytes() for path in sorted((ROOT / "tests/invalid").glob("*/entry.yaml"))]


def at(issue: Issue) -> tuple[int, int, str]:
    return issue.location.line, issue.location.column, issue.code


def check_located(document: Document) -> None:
    """Every issue stands at a place that the file has, and can be reported."""
    lines = document.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for issue in document.issues:
        place = issue.location
        assert place.file == document.file
        assert 1 <= place.line <= len(lines)
        assert 1 <= place.column <= len(lines[place.line - 1]) + 1
        assert 1 <= issue.width <= max(1, len(issue.source) - (place.column - 1 - issue.cut))
        assert 0 <= place.column - 1 - issue.cut <= len(issue.source) <= 120
        assert issue.message
        assert issue.mend
    report = to_text(document.issues, 1)
    assert report.replace("\n", "").isprintable()


# --- what is read


def test_minimal_entry() -> None:
    document = load(MINIMAL, "minimal.yaml")
    assert document.issues == ()
    assert document.data == {
        "id": "MLFE-0001",
        "title": "DataLoader worker is killed",
        "status": "draft",
        "category": "data-pipeline",
        "summary": "A worker process of the DataLoader is killed by the kernel.",
    }


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("7", 7),
        ("-7", -7),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("2.10", 2.1),
        ("-.5", -0.5),
        ("1.5e3", 1500.0),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("Off", "Off"),
        ("22:30", "22:30"),
        ("190:20:30", "190:20:30"),
        ("1e3", "1e3"),
        ("1_000", "1_000"),
        ("0b101", "0b101"),
        ("2026-06-09", "2026-06-09"),
        ("2026-02-30", "2026-02-30"),
        ("2026-06-09 10:00:00", "2026-06-09 10:00:00"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1.0e999", "1.0e999"),
        ("=", "="),
        ("<<", "<<"),
        ("'7'", "7"),
        ('"true"', "true"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_plain_words_are_read_as_yaml_1_2_has_it(written: str, read: object) -> None:
    document = load(f"value: {written}\n".encode(), "f")
    assert document.issues == ()
    assert document.data == {"value": read}
    assert type(document.data["value"]) is type(read)


def test_keys_are_text() -> None:
    assert load(b"1: a\nno: b\n2026-06-09: c\n~: d\ntrue: e\n", "f").data == {
        "1": "a",
        "no": "b",
        "2026-06-09": "c",
        "~": "d",
        "true": "e",
    }


def test_byte_order_mark_counts_as_nothing() -> None:
    document = load(b"\xef\xbb\xbfid: a\n", "f")
    assert document.issues == ()
    assert document.issue(Problem(path=("id",), code="c", message="m", mend="d")).location == Location("f", 1, 5)


# --- what is refused


@pytest.mark.parametrize(
    ("raw", "line", "column", "code"),
    [
        (b"[" * 1_000_000, 1, 1001, "too-deep"),  # libyaml looks a thousand levels ahead
        (b"{" * 1_000_000, 1, 1001, "too-deep"),
        (b"[" * 500, 1, 41, "too-deep"),
        (b"a:\n " + b"- " * 500, 2, 80, "too-deep"),
        (b"- " * 500_000, 1, 81, "too-deep"),
        (b"a: " + b"[" * 41 + b"]" * 41, 1, 43, "too-deep"),
        (b"[" * (1 << 20), 1, 1, "too-large"),
        (b"a: b\n" * 190_000, 2, 1, "duplicate-key"),
        (b"", 1, 1, "empty-file"),
        (b"\xef\xbb\xbf", 1, 1, "empty-file"),
        (b"---\n", 1, 1, "empty-file"),
        (b"---\n---\n", 1, 1, "empty-file"),
        (b"*a", 1, 1, "anchor"),
        (b"a: b\nc: \xff\n", 2, 4, "encoding"),
        ("é: ".encode() + b"\xff", 1, 4, "encoding"),
        (b"\xff\xfea\x00", 1, 1, "encoding"),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", 1, 1, "encoding"),
        (b"a: b\x00\xff", 1, 5, "binary"),
        ("a: b\nc: \u2028\n".encode(), 2, 4, "control-character"),
        (b"a: b\nc: \xc2\x85\n", 2, 4, "control-character"),
        (b'a: "\\0"', 1, 4, "control-character"),
        (b'a: "\\ud800"', 1, 7, "syntax"),
        (b'a: "\\UFFFFFFFF"', 1, 7, "syntax"),
        (b"a: [b", 1, 4, "syntax"),
        (b"a: b\r\rc: d: e", 3, 5, "syntax"),
        (b"? [a]\n: b\n", 1, 3, "key-not-text"),
        (b"? *a\n: b\n", 1, 3, "anchor"),
        (b"%YAML 2.0\n---\na: b\n", 1, 1, "syntax"),
    ],
    ids=lambda value: repr(value)[:20] if isinstance(value, bytes) else None,
)
def test_first_issue(raw: bytes, line: int, column: int, code: str) -> None:
    document = load(raw, "f")
    check_located(document)
    assert at(document.issues[0]) == (line, column, code)


def test_every_line_of_a_block_that_tabs_indent_is_named_in_one_run() -> None:
    text = "a:\n\tb: 1\n  \tc: 2\n\n\td: 3\ne:\n  code: |\n    x:\n    \ty\nf:\n\tg: 4\n"
    (issue,) = load(text.encode(), "entry.yaml").issues
    assert (issue.location.line, issue.code) == (2, "tab")
    assert issue.message == "a tab cannot be used for indentation; so it is in lines 3, 5, 11 too"
    (issue,) = load(b"a:\n\tb: 1\n\tc: 2\n", "entry.yaml").issues
    assert issue.message == "a tab cannot be used for indentation; so it is in line 3 too"
    (issue,) = load(b"a:\n\tb: 1\nc: 2\n", "entry.yaml").issues
    assert issue.message == "a tab cannot be used for indentation"


def test_all_duplicate_keys_are_found_and_the_first_value_stays() -> None:
    document = load(b"a: {b: 1, b: 2}\nc:\n  - {d: 1, e: 2, d: 3, d: {f: 1, f: 2}}\na: 3\n", "f")
    assert [at(issue) for issue in document.issues] == [
        (1, 11, "duplicate-key"),
        (3, 18, "duplicate-key"),
        (3, 24, "duplicate-key"),
        (3, 34, "duplicate-key"),
        (4, 1, "duplicate-key"),
    ]
    assert document.data == {"a": {"b": 1}, "c": [{"d": 1, "e": 2}]}


def test_bomb_is_not_expanded() -> None:
    rows = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))]
    document = load("\n".join(rows).encode(), "f")
    assert {issue.code for issue in document.issues} == {"anchor"}
    assert len(document.issues) == 30 + 29  # each anchor, and each alias where it is first used
    assert all(
        len(value) <= 9 and not any(isinstance(item, list) for item in value) for value in document.data.values()
    )


def test_several_problems_of_the_bytes_do_not_hide_those_of_the_yaml() -> None:
    document = load(b"a: \x1b[0m\nb: 1\nb: 2\n", "f")
    assert [at(issue) for issue in document.issues] == [(1, 4, "control-character"), (3, 1, "duplicate-key")]


def test_hopeless_bytes_are_reported_twenty_times_at_most() -> None:
    document = load(b"\x01\n" * 500, "f")
    assert [issue.location.line for issue in document.issues] == list(range(1, 21))
    assert document.data is None


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        ("a: b: c", syntax.QUOTE),
        ("a: [rank0]: b", syntax.QUOTE),
        ("a: [rank0] b", syntax.QUOTE),
        ("a: {bytes} b", syntax.QUOTE),
        ("a: *** b", syntax.QUOTE),
        ("a: && b", syntax.QUOTE),
        ("a: !! b", syntax.QUOTE),
        ("a: !b c", "Remove it. If the text itself begins with '!', put it in single quotes."),
        ("a: %s", syntax.QUOTE),
        ("a: @b", syntax.QUOTE),
        ("a: `b`", syntax.QUOTE),
        ("a: ? b", syntax.QUOTE),
        ("%s", syntax.QUOTE),
        ('a: "b" c', "Put the whole line in single quotes."),
        ("a: 'it's'", "Inside single quotes write an apostrophe twice: ''."),
        ("- [rank0]: b", "A text that begins with '[' or '{' needs quotes. Put the line in single quotes."),
    ],
)
def test_log_lines_without_quotes_get_quotes_as_mend(line: str, mend: str) -> None:
    assert mend in [issue.mend for issue in load(line.encode(), "f").issues]


def test_long_line_is_cut_around_the_caret() -> None:
    document = load(b"a: " + b"x" * 5000 + b": y" + b"z" * 5000, "f")
    (issue,) = document.issues
    assert (issue.location.column, issue.cut) == (5004, 4953)
    assert issue.source == "…" + "x" * 49 + ": y" + "z" * 66 + "…"
    assert issue.source[issue.location.column - 1 - issue.cut] == ":"


# --- where things are


@dataclass
class Written:
    """A file being written, and where each of its values and keys begins, by its own account."""

    text: str = ""
    values: dict[DataPath, tuple[int, int]] = field(default_factory=dict)
    keys: dict[DataPath, tuple[int, int]] = field(default_factory=dict)
    end: str = "\n"

    @property
    def here(self) -> tuple[int, int]:
        rows = self.text.split(self.end)
        return len(rows), len(rows[-1]) + 1

    def scalar(self, path: DataPath, word: str, style: str) -> None:
        self.values[path] = self.here
        self.text += {"plain": word, "single": f"'{word}'", "double": f'"{word}"'}[style]

    def flow(self, path: DataPath, node: Any) -> None:
        if isinstance(node, tuple):
            self.scalar(path, *node)
            return
        self.values[path] = self.here
        self.text += "[" if isinstance(node, list) else "{"
        for number, (step, value) in enumerate(enumerate(node) if isinstance(node, list) else node.items()):
            self.text += ", " if number else ""
            if isinstance(node, dict):
                self.keys[*path, step] = self.here
                self.text += f"{step}: "
            self.flow((*path, step), value)
        self.text += "]" if isinstance(node, list) else "}"

    def block(self, path: DataPath, node: Any, indent: int, *, same_line: bool) -> None:
        """Write a node after a key or dash; only a mapping in a list begins on the same line."""
        if isinstance(node, tuple):
            self.text += " "
            self.scalar(path, *node)
            self.text += self.end
        elif not node or indent > 6:
            self.text += " "
            self.flow(path, node)
            self.text += self.end
        else:
            self.text += " " if same_line else self.end
            for number, (step, value) in enumerate(enumerate(node) if isinstance(node, list) else node.items()):
                if number or not same_line:
                    self.text += f"{' ' * indent}# note{self.end}" if number % 3 == 2 else ""
                    self.text += " " * indent
                if not number:
                    self.values[path] = self.here
                if isinstance(node, list):
                    self.text += "-"
                else:
                    self.keys[*path, step] = self.here
                    self.text += f"{step}:"
                inner = isinstance(node, list) and isinstance(value, dict)
                self.block((*path, step), value, indent + 2, same_line=inner)


def plain(node: Any) -> Any:
    if isinstance(node, tuple):
        return node[0]
    return [plain(item) for item in node] if isinstance(node, list) else {k: plain(v) for k, v in node.items()}


WORDS = st.text("abcdefgéñ漢😀", min_size=1, max_size=12)
SCALARS = st.tuples(WORDS, st.sampled_from(["plain", "single", "double"]))
NODES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=30,
)


@given(st.dictionaries(WORDS, NODES, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]))
@settings(deadline=None)
def test_positions_point_at_keys_and_values(tree: dict[str, Any], end: str) -> None:
    written = Written(text=f"# a comment{end}", end=end)
    written.block((), tree, 0, same_line=True)
    text = written.text.replace("comment" + end + " ", "comment" + end)  # the top has no dash before it
    document = load(text.encode(), "f")
    assert document.issues == ()
    assert document.data == plain(tree)

    def place(path: DataPath, *, at_key: bool) -> tuple[int, int]:
        location = document.issue(Problem(path=path, code="c", message="m", mend="d", at_key=at_key)).location
        return location.line, location.column

    shifted = {2: 1}  # the first key lost its blank
    for places, at_key in ((written.values, False), (written.keys, True)):
        for path, (line, column) in places.items():
            if path:
                assert place(path, at_key=at_key) == (line, column - shifted.get(line, 0)), path


def issue_at(text: str, *path: str | int, at_key: bool = False) -> tuple[int, int, str]:
    issue = load(text.encode(), "f").issue(Problem(path=path, code="c", message="m", mend="d", at_key=at_key))
    start = issue.location.column - 1 - issue.cut
    return issue.location.line, issue.location.column, issue.source[start : start + issue.width]


ENTRY = """\
id: MLFE-0001
causes:
  - id: first
    mechanism: >-
      one line
      and another
    evidence: [a, 'b']
  -
    id: second
scale: {one_gpu: "x"}
impact:
"""


@pytest.mark.parametrize(
    ("path", "at_key", "place"),
    [
        (("id",), False, (1, 5, "MLFE-0001")),
        (("id",), True, (1, 1, "id")),
        (("causes",), False, (3, 3, "-")),
        (("causes",), True, (2, 1, "causes")),
        (("causes", 0), False, (3, 5, "id")),
        (("causes", 0), True, (3, 5, "id")),
        (("causes", 0, "mechanism"), False, (4, 16, ">-")),
        (("causes", 0, "evidence", 1), False, (7, 19, "'b'")),
        (("causes", 1), False, (9, 5, "id")),
        (("causes", 1, "mechanism"), True, (9, 5, "id")),
        (("causes", 0, "evidence", 7), False, (7, 5, "evidence")),
        (("scale",), False, (10, 8, "{")),
        (("scale", "many_gpus"), True, (10, 1, "scale")),
        (("impact",), True, (11, 1, "impact")),
        (("impact",), False, (11, 8, "")),
        (("summary",), True, (1, 1, "i")),
        ((), False, (1, 1, "i")),
    ],
)
def test_position_of(path: DataPath, at_key: bool, place: tuple[int, int, str]) -> None:
    assert issue_at(ENTRY, *path, at_key=at_key) == place


def test_a_duplicate_does_not_move_what_was_there_first() -> None:
    text = "a:\n  b: 1\nc: 2\na:\n  b: 3\n"
    assert issue_at(text, "a", "b") == (2, 6, "1")
    assert issue_at(text, "a", at_key=True) == (1, 1, "a")


# --- whatever the bytes


TOKENS = [
    *(b"a b: - ? [ ] { } , # & * ! | > ' \" % @ ` \\ ~ --- ... << : ::".split()),
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b"  ", b"\x00", b"\x1b", b"\x7f", b"\xff", b"\xc3", b"\xef\xbb\xbf"),
    *(text.encode() for text in ("\x85", "\u2028", "\ufeff", "é", "漢", "😀", "\ud7ff")),
    *(b"&a ", b"*a", b"!!str ", b"!<x> ", b"%YAML 1.2\n", b"%TAG ! x\n", b'"\\x00"', b'"\\uD800"', b"|2", b">-\n"),
    *(b"key: value\n", b"- item\n", b"? k\n: v\n", b"{a: b}", b"[a, b]", b"a: b: c", b"1.5", b"0x1f", b"2026-02-30"),
]
CUTS = st.tuples(st.integers(0, 1000), st.integers(0, 30), st.sampled_from(TOKENS) | st.binary(max_size=3))


def mutate(seed: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for offset, length, token in cuts:
        start = offset % (len(seed) + 1)
        seed = seed[:start] + token + seed[start + length :]
    return seed


ANYTHING = st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))
ANYTHING |= st.builds(mutate, st.sampled_from([MINIMAL, *SEEDS]), st.lists(CUTS, max_size=6))
ANYTHING |= st.lists(st.sampled_from(TOKENS), max_size=40).map(b"".join)
ANYTHING |= st.text().map(lambda text: text.encode("utf-16", "surrogatepass"))


@given(ANYTHING)
@example(b"a: [b\n")
@example(b"\r")
@settings(deadline=None, max_examples=600)
def test_never_raises_and_always_answers(raw: bytes) -> None:
    document = load(raw, "f")
    assert isinstance(document.data, dict) or document.issues
    check_located(document)
    document.issue(Problem(path=("a", 0, "b"), code="c", message="m", mend="d"))


@given(ANYTHING)
@settings(deadline=None, max_examples=150)
def test_pyyamls_own_parser_never_raises_either(raw: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator.load, "_LOADER", yaml.SafeLoader)
        document = load(raw, "f")
    assert isinstance(document.data, dict) or document.issues
    check_located(document)


def test_limit_is_said_in_the_message() -> None:
    (issue,) = load(b" " * (LIMIT + 1), "f").issues
    assert issue.message == "the file has 1,000,001 bytes; at most 1,000,000 are read"


@pytest.mark.parametrize("module", [source, syntax, tree])
def test_examples_in_docstrings(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
