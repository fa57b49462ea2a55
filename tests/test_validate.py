from __future__ import annotations

import copy
import doctest
import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.issues import Path as DataPath
from generator.issues import Problem
from generator.load import load
from generator.model import Entry
from generator.reading import describe, naming
from generator.reading import schema as schema_module
from generator.reading.describe import DESCRIBED
from generator.reading.schema import flatten, python_pattern
from generator.reading.source import Unread
from generator.validate import check_document, load_schema, validate

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "schema/entry.schema.json"
RAW: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
MINIMAL: dict[str, Any] = load((ROOT / "tests/data/minimal.yaml").read_bytes(), "minimal.yaml").data
SEEDS = [
    document.data
    for path in sorted((ROOT / "tests/invalid").glob("*/entry.yaml"))
    if (document := load(path.read_bytes(), "f")).data is not None and not document.issues
]

PLAIN = load_schema(SCHEMA, "jsonschema")
USUAL = load_schema(SCHEMA)


def check(**fields: Any) -> list[Problem]:
    return validate({**MINIMAL, **fields}, PLAIN)


def said(problems: list[Problem]) -> list[tuple[DataPath, str]]:
    return [(problem.path, problem.code) for problem in problems]


# --- the schema itself


def keywords(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from keywords(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key
            if key == "properties":
                for rule in value.values():
                    yield from keywords(rule)
            elif key != "$defs":
                yield from keywords(value)


def test_every_rule_of_the_schema_has_words() -> None:
    not_rules = {"title", "description", "$schema", "x-group", "x-form", "items", "properties", "if", "then", "else"}
    about_keys = {"required", "additionalProperties", "not", "allOf"}
    assert set(keywords(flatten(RAW))) - not_rules <= DESCRIBED | about_keys


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(RAW)
    Draft202012Validator.check_schema(dict(PLAIN.flat))


def test_nothing_is_referred_to_any_more() -> None:
    assert not {"$ref", "$defs"} & set(keywords(dict(PLAIN.flat)))


def test_vocabularies_are_those_of_the_schema_in_its_order() -> None:
    category = PLAIN.vocabularies["category"]
    assert list(category)[:2] == ["memory", "numerics"]
    assert category["memory"].title == "Memory"
    assert category["memory"].description.endswith(".")
    assert PLAIN.vocabularies["phase"]["prefill"].group == "inference"
    assert "line" not in PLAIN.vocabularies


def test_a_definition_that_refers_to_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="tree refers to itself"):
        flatten({"$ref": "#/$defs/tree", "$defs": {"tree": {"items": {"$ref": "#/$defs/tree"}}}})


def test_what_stands_beside_a_reference_holds_as_well() -> None:
    definitions = {"word": {"type": "string", "maxLength": 9, "minLength": 2}}
    flat = flatten({"$ref": "#/$defs/word", "maxLength": 20, "minLength": 1, "$defs": definitions})
    assert flat == {"type": "string", "maxLength": 9, "minLength": 2, "allOf": [{"minLength": 1}]}


def test_patterns_end_where_the_text_ends() -> None:
    assert python_pattern("^[a$]+$") == "^[a$]+\\Z"
    assert said(check(id="MLFE-0001\n")) == [(("id",), "wrong-form")]
    assert said(check(authors=["\u2003\ufeff"])) == [(("authors", 0), "empty")]
    assert check(authors=["\x1c"]) == []


# --- one value


@pytest.mark.parametrize(
    ("fields", "path", "message", "mend"),
    [
        (
            {"title": 2.1},
            ("title",),
            "title must be text, but YAML reads it as the number 2.1",
            "Put it in single quotes; without them 2.10 and 2.1 are the same number.",
        ),
        (
            {"also_known_as": [{"torch.OutOfMemoryError": "CUDA out of memory."}]},
            ("also_known_as", 0),
            "also_known_as[0] must be text, but YAML reads it as a mapping",
            "A colon followed by a space starts a mapping. Put the line in single quotes.",
        ),
        (
            {"authors": [{"a": "b"}]},
            ("authors", 0),
            "author must be text, but YAML reads it as a mapping",
            "A colon followed by a space starts a mapping. Put the line in single quotes.",
        ),
        (
            {"tags": ["Out of memory"]},
            ("tags", 0),
            "unknown value 'Out of memory' in tags",
            "Did you mean 'out-of-memory'?",
        ),
        (
            {"silent": False},
            ("silent",),
            "silent must be true, but YAML reads it as the truth value false",
            "Write true without quotes, or remove the key.",
        ),
        (
            {"title": "x" * 81},
            ("title",),
            "title has 81 characters; at most 80 are allowed",
            "Shorten it by 1. Names the failure, not the fix.",
        ),
        (
            {"id": "MLFE-00001"},
            ("id",),
            "id 'MLFE-00001' does not have the expected form",
            "Permanent id of an entry: MLFE- and four digits, drawn at random by `encyclopedia new`, never reused.",
        ),
        ({"aliases": []}, ("aliases",), "aliases is empty", "Write at least one item, or remove the key."),
        ({"impact": ""}, ("impact",), "impact is empty", "Write some text, or remove the key."),
        (
            {"impact": None},
            ("impact",),
            "impact must be text, but nothing is written there",
            "Write it, or remove the key. A text that begins with '#' needs quotes, or YAML takes it for a comment.",
        ),
        (
            {"category": "x" * 500},
            ("category",),
            f"unknown value '{'x' * 59}…' for category",
            "Allowed: memory, numerics, distributed-comm, data-pipeline, checkpoint-storage, hardware-fault, "
            "driver-runtime, compile-kernel, dependency-build, configuration, launch-orchestration, performance … "
            "(14 in all, described in schema/entry.schema.json).",
        ),
        (
            {"category": ["memory"]},
            ("category",),
            "category must be text, but YAML reads it as a list",
            "A text that begins with '[' or '- ' is read as a list. Put the line in single quotes.",
        ),
        (
            {"detector": {"kind": "slope", "floor": "low"}},
            ("detector", "floor"),
            "floor must be a number, but YAML reads it as text",
            "Write a number.",
        ),
        (
            {"detector": {"kind": "slope", "min_points": "10"}},
            ("detector", "min_points"),
            "min_points must be a whole number, but YAML reads it as text",
            "Write 10 without quotes.",
        ),
    ],
)
def test_one_problem(fields: dict[str, Any], path: DataPath, message: str, mend: str) -> None:
    (problem,) = check(**fields)
    assert (problem.path, problem.message, problem.mend) == (path, message, mend)


def test_valid_data_has_no_problem() -> None:
    assert validate(MINIMAL, PLAIN) == []
    Entry.from_raw(MINIMAL, "entries/data-pipeline/minimal.yaml")


def test_dates_that_do_not_exist() -> None:
    for day in ("2026-02-30", "2026-13-01", "0000-01-01", "2025-02-29"):
        assert said(check(verified_on={"date": day, "versions": ["x"]})) == [
            (("verified_on", "date"), "impossible-date")
        ]
    assert check(verified_on={"date": date(2024, 2, 29).isoformat(), "versions": ["x"]}) == []


def test_no_text_of_a_message_is_a_pattern() -> None:
    patterns = {json.loads(found) for found in _patterns(RAW)}
    for data in SEEDS:
        for problem in validate(data, PLAIN):
            assert not [p for p in patterns if len(p) > 3 and p in problem.message + problem.mend]


def _patterns(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            yield json.dumps(node["pattern"])
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _patterns(item)


# --- keys


def test_each_unknown_and_each_missing_key_is_a_problem_of_its_own() -> None:
    problems = validate({"colour": 1, "shape": 2, **{k: MINIMAL[k] for k in ("id", "title", "status")}}, PLAIN)
    assert said(problems) == [
        (("colour",), "unknown-key"),
        (("shape",), "unknown-key"),
        (("category",), "missing-key"),
        (("summary",), "missing-key"),
    ]
    assert all(problem.at_key for problem in problems)


def test_misspelt_and_missing_key_are_one_problem() -> None:
    data = {("sumary" if key == "summary" else key): value for key, value in MINIMAL.items()}
    (problem,) = validate(data, PLAIN)
    assert (problem.message, problem.mend) == ("unknown key 'sumary'", "Did you mean 'summary'?")


def test_two_misspelt_keys_do_not_share_a_guess() -> None:
    first, second = check(impacts="x", impatc="y")
    assert first.mend == "Did you mean 'impact'?"
    assert "'impact'" not in second.mend
    assert " impact," not in second.mend


def test_a_key_that_is_there_is_not_what_was_meant() -> None:
    (problem,) = check(titles="x")
    assert "'title'" not in problem.mend


def test_a_key_of_another_mapping_is_sent_there() -> None:
    (problem,) = check(near_misses=["x"])
    assert problem.mend == "'near_misses' belongs to signatures[].wordings[]; look at the indentation."


def test_a_condition_stands_on_the_value_that_asks_for_it() -> None:
    (problem,) = check(relations=[{"type": "looks_like", "slug": "other"}])
    assert (problem.path, problem.at_key) == (("relations", 0, "type"), False)
    assert problem.message == "missing key 'discriminator' in relations[0], needed when type is 'looks_like'"


def test_a_condition_on_a_broken_key_says_nothing() -> None:
    example = {"id": "a", "kind": "broken", "language": "python", "stack": "x", "code": "x", "why": "because"}
    assert said(check(examples=[{**example, "run": "tpu"}])) == [(("examples", 0, "run"), "unknown-value")]
    assert said(check(examples=[example])) == [(("examples", 0, "run"), "missing-key")]


def test_refused_values_are_not_spoken_of() -> None:
    assert check(title=Unread("a"), tags=[Unread("a"), Unread("a")], category=Unread("a"), scale=Unread("a")) == []
    assert said(check(title=Unread("a"), colour=Unread("a"))) == [(("colour",), "unknown-key")]


def test_hopeless_files_get_an_end() -> None:
    assert len(check(**{f"key{n}": n for n in range(1000)})) == 50
    assert len(check(causes=["x"] * 1000)) == 200


# --- both engines


def test_without_the_fast_engine_the_slow_one_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    assert validate({**MINIMAL, "id": 1}, load_schema(SCHEMA)) == check(id=1)
    with pytest.raises(ImportError):
        load_schema(SCHEMA, "jsonschema-rs")


def test_fast_engine_accepts_valid_data() -> None:
    pytest.importorskip("jsonschema_rs")
    assert USUAL.accepts(MINIMAL)
    assert not USUAL.accepts({**MINIMAL, "id": 1})
    assert not USUAL.accepts({**MINIMAL, "title": Unread("a")})
    assert not USUAL.accepts({**MINIMAL, "title": "\ud800"})


LEAVES = st.sampled_from(
    [*(None, True, False, 0, 1, -1, 1.0, 2.1, 10**30), *("", " ", "x", "x\n", "\ufeff", "\x1c", "é")]
)
LEAVES |= st.sampled_from(
    ["memory", "pytorch", "MLFE-0001", "MLFE-0001-1", "a-b", "a-b\n", "https://a.b", "2026-02-30"]
)
LEAVES |= st.sampled_from(["0000-01-01", "2026-06-09", "2026-06-09\n", "published", "merged", "draft", "x" * 81, "cpu"])
VALUES = LEAVES | st.lists(LEAVES, max_size=3) | st.dictionaries(st.sampled_from(["id", "when", "min", "x"]), LEAVES)
NAMES = st.sampled_from(sorted({key for seed in SEEDS for key in seed} | {"", "no", "titel", "ids", "evidence", "min"}))
STEPS = st.lists(
    st.tuples(st.integers(0, 10_000), st.sampled_from(["replace", "remove", "add", "double"]), NAMES, VALUES),
    max_size=4,
)


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container with each of its keys or positions."""
    steps: Any = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for step in steps:
        yield node, step
        yield from places(node[step])


def mutate(seed: dict[str, Any], steps: list[tuple[int, str, str, Any]]) -> dict[str, Any]:
    data = copy.deepcopy(seed)
    for number, act, key, value in steps:
        found = list(places(data))
        if not found:
            return data
        node, step = found[number % len(found)]
        if act == "replace":
            node[step] = copy.deepcopy(value)
        elif act == "remove":
            del node[step]
        elif isinstance(node, list):
            node.append(copy.deepcopy(node[step] if act == "double" else value))
        else:
            node[key] = copy.deepcopy(value)
    return data


def reaches(data: Any, path: DataPath) -> bool:
    try:
        for step in path:
            data = data[step]
    except (KeyError, IndexError, TypeError):
        return False
    return True


@given(st.builds(mutate, st.sampled_from([MINIMAL, *SEEDS]), STEPS))
@settings(deadline=None, max_examples=300)
def test_engines_agree_and_every_problem_has_a_place(data: dict[str, Any]) -> None:
    rust: Any = pytest.importorskip("jsonschema_rs")
    untouched = rust.Draft202012Validator(RAW, validate_formats=True)
    problems = validate(data, PLAIN)
    assert validate(data, USUAL) == problems
    if "0000-01-01" not in repr(data):  # a year that Rust has and Python has not
        assert (problems == []) is untouched.is_valid(data)
    assert len(set(problems)) == len(problems)
    for problem in problems:
        assert reaches(data, problem.path if not problem.at_key else problem.path[:-1]), problem
        assert problem.mend
        assert problem.message.isprintable()


def test_check_document_reports_yaml_and_schema_together() -> None:
    text = (ROOT / "tests/data/minimal.yaml").read_text(encoding="utf-8") + "title: again\ncolour: red\n"
    issues = check_document(load(text.encode(), "f"), PLAIN)
    assert [(issue.location.line, issue.code) for issue in issues] == [(7, "duplicate-key"), (8, "unknown-key")]


@pytest.mark.parametrize("module", [describe, naming, schema_module])
def test_examples_in_docstrings(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
