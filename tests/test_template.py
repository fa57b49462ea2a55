"""The template language: shared cases, the portable pattern subset, and what holds for every template."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import re2  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator import conditions, template
from generator.language import values
from generator.language.placeholders import NONFINITE, PLACEHOLDERS
from generator.language.values import Value
from generator.template import TemplateError, compile_template

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "tests" / "conformance" / "templates").glob("*.json"))
CASES = [(file.stem, case) for file in FILES for case in json.loads(file.read_text())["cases"]]
ACCEPTED = [case for _, case in CASES if "lines" in case]
REFUSED = [case for _, case in CASES if "error" in case]


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["template"]) for case in cases]


def plain(value: Value) -> int | str | list[int]:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("case", named(ACCEPTED))
def test_conformance(case: dict[str, Any]) -> None:
    compiled = compile_template(case["template"])
    for line in case["lines"]:
        found = compiled.match(line["text"])
        captures = None if found is None else [plain(value) for value in found.values]
        assert (line["text"], captures) == (line["text"], line.get("captures"))
    for name in ("literals", "gate"):
        assert list(getattr(compiled, name)) == case.get(name, list(getattr(compiled, name)))
    assert compiled.search_key == case.get("search_key", compiled.search_key)


@pytest.mark.parametrize("case", named(REFUSED))
def test_refused(case: dict[str, Any]) -> None:
    with pytest.raises(TemplateError) as raised:
        compile_template(case["template"])
    error = raised.value
    assert {"position": error.position, "message": error.message, "mend": error.mend} == case["error"]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("exit code {int}", "(exit code 137).", "exit code 137"),
        ("{int} left", "= 12 left.", "12 left"),
        ("no {word}.", "no a.b. Yes", "no a.b."),
        ("took {int}{ ms|}", "it took 5 ms.", "took 5 ms"),
        ("{Rank |}{int} left", "[Rank 3 left]", "Rank 3 left"),
        ("at {path}", "at /a/b: x", "at /a/b"),
        ("is {quoted}", "is 'x'y", "is 'x'"),
        ("plain text", "a plain text b", "plain text"),
        ("no {word}", "no [x]", None),
    ],
)
def test_the_span_is_the_match_without_its_neighbours(text: str, line: str, part: str | None) -> None:
    span = compile_template(text).span(line)
    assert (None if span is None else line[span[0] : span[1]]) == part


def test_an_error_says_where_what_and_what_to_do() -> None:
    with pytest.raises(TemplateError) as raised:
        compile_template("Tried to allocate {byte}.")
    assert str(raised.value) == "there is no placeholder {byte}, at character 19. Did you mean {bytes}?"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_conformance_files_follow_their_schema(file: Path) -> None:
    schema = json.loads((ROOT / "schema" / "conformance.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(json.loads(file.read_text()))) == []


@pytest.mark.parametrize("kind", [*PLACEHOLDERS, "alternatives"])
def test_every_placeholder_has_samples_and_counter_samples(kind: str) -> None:
    lines = [line for name, case in CASES if name == kind for line in case["lines"]]
    assert sum(line["match"] for line in lines) >= 4
    assert sum(not line["match"] for line in lines) >= 4
    uses = re.compile(rf"\{{(?:\w+:)?{kind}\}}" if kind in PLACEHOLDERS else r"\{[^{}]*\|[^{}]*\}")
    assert all(uses.search(case["template"]) for name, case in CASES if name == kind)


@pytest.mark.parametrize("module", [conditions, template, values])
def test_examples_in_docstrings(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


TOKEN = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<set>\[\^?(?:\\.|[^\]\\])+\])"
    r"|(?P<opening>\((?:\?.)?)"
    r"|(?P<repeat>\{[0-9,]+\}\??|[*+?])"
    r"|(?P<other>.)",
    re.DOTALL,
)


def lint(pattern: str) -> Iterator[str]:
    """Yield every construct outside the subset that Python, JavaScript (`u`) and RE2 read alike."""
    for token in TOKEN.finditer(pattern):
        text = token.group()
        match token.lastgroup:
            case "escape" if text[1] not in "^$\\.*+?()[]{}|":
                yield f"needless escape {text}"
            case "set":
                inner = re.findall(r"\\(.)", text)
                yield from (f"escape \\{c} in a set" for c in inner if c not in "[]\\tnr")
            case "opening" if text not in ("(", "(?:"):
                yield f"group {text}"
            case "repeat" if text != "?":
                bounds = re.fullmatch(r"\{(?:[0-9]+,)?([0-9]+)\}\??", text)
                if bounds is None or int(bounds[1]) > 1000:
                    yield f"repeat {text}"
            case "other" if text in ".]}":
                yield f"bare {text}"
            case _:
                pass


@pytest.mark.parametrize("case", named(ACCEPTED))
def test_patterns_keep_to_the_portable_subset(case: dict[str, Any]) -> None:
    assert list(lint(compile_template(case["template"]).pattern)) == []


@pytest.mark.parametrize(
    "pattern",
    [
        "a.b",
        "a*",
        "a+",
        "a{2,}",
        "a{1,1001}",
        "(?=a)",
        "(?<n>a)",
        "(?P<n>a)",
        "(?i)a",
        r"\d",
        r"\Aa",
        r"[\w]",
        r"\-",
        "(a)\\1",
    ],
)
def test_the_lint_finds_what_is_not_portable(pattern: str) -> None:
    assert list(lint(pattern)) != []


def re2_spans(pattern: str, line: str) -> list[tuple[int, int]] | None:
    found = re2.search(pattern, line)
    return None if found is None else [found.span(group) for group in range(len(found.groups()) + 1)]


def re_spans(pattern: str, line: str) -> list[tuple[int, int]] | None:
    found = re.search(pattern, line, re.ASCII)
    return None if found is None else list(found.regs)


@pytest.mark.parametrize("case", named(ACCEPTED))
def test_re2_reads_every_pattern_alike(case: dict[str, Any]) -> None:
    pattern = compile_template(case["template"]).pattern
    for line in case["lines"]:
        assert re2_spans(pattern, line["text"]) == re_spans(pattern, line["text"])


def test_six_long_placeholders_stay_within_the_size_re2_allows() -> None:
    pattern = compile_template("a " + " b ".join(["{path}"] * 6) + " {any} c {any} d {quoted}").pattern
    assert re2_spans(pattern, "a 1 b 2 b 3 b 4 b 5 b 6 x c d y d 'q'") == re_spans(
        pattern, "a 1 b 2 b 3 b 4 b 5 b 6 x c d y d 'q'"
    )


# Random templates: what is put in comes out again.

DIGITS = st.integers(0, 2**63).map(str)
DECIMAL = st.one_of(DIGITS, st.from_regex(r"-?[0-9]{1,12}\.[0-9]{1,6}(?:e-?[0-9]{1,2})?", fullmatch=True))
HOSTS = st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9](?:\.[a-z]{2,5})?", fullmatch=True)
PORTS = st.integers(0, 65535)
SHAPES = st.lists(st.integers(-1, 10**6), max_size=5)
INSIDE = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="'\"`()[]{}<>, "))
TEXTS: dict[str, st.SearchStrategy[tuple[str, Any]]] = {
    "int": st.integers(-(10**19), 10**19).map(lambda n: (str(n), n)),
    "number": DECIMAL.map(lambda text: (text, text)),
    "nonfinite": st.sampled_from(NONFINITE).map(lambda text: (text, text)),
    "bytes": st.tuples(
        st.integers(0, 10**6), st.sampled_from(["", " "]), st.sampled_from([("MiB", 2**20), ("GB", 10**9)])
    ).map(lambda t: (f"{t[0]}{t[1]}{t[2][0]}", t[0] * t[2][1])),
    "duration": st.tuples(
        st.integers(0, 10**6), st.sampled_from([("ms", 1), (" seconds", 1000), (" hours", 3_600_000)])
    ).map(lambda t: (f"{t[0]}{t[1][0]}", t[0] * t[1][1])),
    "hex": st.from_regex(r"0x[0-9a-f]{1,16}|[0-9a-f]{4,40}", fullmatch=True).map(lambda text: (text, text)),
    "version": st.from_regex(
        r"[0-9]{1,3}(?:\.[0-9]{1,4}){1,3}(?:rc[0-9]|\.dev[0-9]{8}|\+cu[0-9]{3})?", fullmatch=True
    ).map(lambda text: (text, text)),
    "word": st.from_regex(r"[A-Za-z0-9_.-]{0,30}[A-Za-z0-9_]", fullmatch=True).map(lambda text: (text, text)),
    "name": st.from_regex(r"[A-Za-z0-9_:,. -]{0,62}[A-Za-z0-9]", fullmatch=True).map(lambda text: (text, text)),
    "path": st.tuples(INSIDE, st.sampled_from("abc/_-%=")).map(lambda t: ("/" + t[0][:80] + t[1],) * 2),
    "host": st.one_of(HOSTS, st.ip_addresses().map(str)).map(lambda text: (text, text)),
    "addr": st.one_of(
        st.tuples(HOSTS, PORTS).map(lambda t: f"{t[0]}:{t[1]}"),
        st.tuples(st.ip_addresses(), PORTS).map(lambda t: f"[{t[0]}]:{t[1]}"),
        st.tuples(st.ip_addresses(), PORTS).map(lambda t: f"{t[0]}<{t[1]}>"),
    ).map(lambda text: (text, text)),
    "shape": st.one_of(
        SHAPES.map(lambda shape: (str(shape), shape)),
        SHAPES.map(lambda shape: (str(tuple(shape)), shape)),
        SHAPES.map(lambda shape: (f"torch.Size({shape})", shape)),
        st.lists(st.integers(0, 10**6), min_size=2, max_size=5).map(lambda shape: ("x".join(map(str, shape)), shape)),
    ),
    "quoted": st.tuples(
        st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="'\"`"), max_size=40),
        st.sampled_from("'\"`"),
    ).map(lambda t: (f"{t[1]}{t[0]}{t[1]}", t[0])),
    "any": st.from_regex("[xyz ]{0,60}", fullmatch=True).map(lambda text: (text, None)),
    "sp": st.integers(1, 20).map(lambda n: (" " * n, None)),
}
# Each text holds a character that none of the placeholders before it could match, so any two may stand around it.
BETWEEN = st.sampled_from([" [of] ", " (is) ", "] of [", ") got (", "} and {", " 'at' [", ")*.+? [", " [é] 😀 ("])
NAMES = st.sampled_from(["", "rank:", "free_2:"])


@st.composite
def filled_templates(draw: st.DrawFn) -> tuple[str, tuple[str, str, str], list[Any]]:
    """Return a template, a line made from it with what stands around it, and the values put in."""
    text, line, values, used = "", "", [], set()
    if draw(st.booleans()):
        literal = draw(BETWEEN)
        text, line = escaped(literal), literal
    for _ in range(draw(st.integers(1, 4))):
        kinds = [kind for kind in PLACEHOLDERS if kind not in ("any", "sp") or (text and text.count("{any}") < 2)]
        kind = draw(st.sampled_from(kinds))
        shown, value = draw(TEXTS[kind])
        name = draw(NAMES) if kind not in ("any", "sp") else ""
        if name in used:
            name = ""
        used.add(name)
        literal = draw(BETWEEN)
        if kind == "sp":
            text, literal = text.rstrip(" "), literal.lstrip(" ")
            line = line.rstrip(" ")
        text += f"{{{name}{kind}}}" + escaped(literal)
        line += shown + literal
        if value is not None:
            values.append(value)
    if draw(st.booleans()):
        kind = draw(st.sampled_from([kind for kind in PLACEHOLDERS if kind not in ("any", "sp", "name", "path")]))
        shown, value = draw(TEXTS[kind])
        text, line = f"{text}{{{kind}}}", line + shown
        values.append(value)
    before, behind = draw(st.sampled_from(["", "[rank0]", "(a)"])), draw(st.sampled_from(["", "]", ") x", "(y"]))
    return text, (before, line, behind), values


def escaped(literal: str) -> str:
    return literal.replace("{", "{{").replace("}", "}}")


@settings(deadline=None, max_examples=400)
@given(filled_templates())
def test_what_is_put_into_a_template_is_captured(filled: tuple[str, tuple[str, str, str], list[Any]]) -> None:
    text, (before, part, behind), values = filled
    line = before + part + behind
    compiled = compile_template(text)
    found = compiled.match(line)
    assert found is not None
    assert [plain(value) for value in found.values] == values
    assert compiled.span(line) == (len(before), len(before + part))
    assert list(lint(compiled.pattern)) == []
    assert re2_spans(compiled.pattern, line) == re_spans(compiled.pattern, line)
    assert all(literal in line for literal in compiled.literals)
    assert any(literal in line for literal in compiled.gate)
    assert "{" not in compiled.search_key.replace("} and {", "")


LINES = st.lists(
    st.one_of(
        st.sampled_from([word for case in ACCEPTED for line in case["lines"] for word in line["text"].split(" ")]),
        st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=8),
    ),
    max_size=20,
).map(" ".join)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(ACCEPTED), LINES, st.data())
def test_re2_and_python_agree_on_random_lines(case: dict[str, Any], noise: str, data: st.DataObject) -> None:
    compiled = compile_template(case["template"])
    line = data.draw(st.sampled_from(case["lines"]))["text"]
    place = data.draw(st.integers(0, len(line)))
    for mixed in (noise, line[:place] + noise + line[place:], noise + line, line[:place]):
        spans = re_spans(compiled.pattern, mixed)
        assert re2_spans(compiled.pattern, mixed) == spans
        if spans is not None:
            assert any(literal in mixed for literal in compiled.gate)
            assert all(literal in mixed for literal in compiled.literals)


@settings(deadline=None, max_examples=400)
@given(st.text(st.one_of(st.sampled_from("{}|: .abintysp-"), st.characters()), max_size=40))
def test_any_text_compiles_or_is_refused(text: str) -> None:
    compiled = compiled_or_refused(text)
    if isinstance(compiled, TemplateError):
        assert 0 <= compiled.position <= len(text)
        assert compiled.mend
    else:
        assert list(lint(compiled.pattern)) == []
        assert re2_spans(compiled.pattern, text) == re_spans(compiled.pattern, text)


def compiled_or_refused(text: str) -> template.Template | TemplateError:
    try:
        return compile_template(text)
    except TemplateError as error:
        return error
