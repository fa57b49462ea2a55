"""The house rules: which module may know which, where HTML and libraries live, one definition of a valid entry."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from generator import parts
from generator.model import Entry

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator"
ROWS = (
    "git home issues language logs parts prose_problems settings shapes terminal tokens",
    "conditions model prose template",
    "entry_page reading register rules search twin_text",
    "checks draft expand index index_pages load register_changes render",
    "alerts diagnosis indexing nearest redact report site twin validate",
    "api catalog explain findings fix fix_register",
    "publish",
    "asking diagnosing export plugin propose selection",
    "agent bot drafting fixing",
    "cli",
)
"""A module, or a folder of modules, imports only from the rows above its own."""
LIBRARIES = {
    "mcp": {"agent"},
    "mkdocs": {"plugin"},
    "yaml": {"load", "settings"},
    "jsonschema": {"validate"},
    "markdown": {"prose"},
    "pygments": {"render"},
    "jinja2": {"draft", "plugin", "render", "twin"},
    "click": {"asking", "cli", "explain", "terminal"},
}
"""Who alone imports a library."""
TAG = re.compile(
    r"</?(?:a|abbr|b|br|button|code|dd|details|div|dl|dt|em|h[1-6]|i|img|li|ol|p|pre|section|span|table|td|tr|ul)\b[^>]*>"
)
HTML_BY_NATURE = {"language", "prose", "prose_problems", "plugin", "render"}
"""They look for tags in what a library made or a contributor wrote, or describe `<p>` as a form of a port."""
SCHEMA: dict[str, Any] = json.loads((ROOT / "schema/entry.schema.json").read_text(encoding="utf-8"))

CONDITION = re.compile(r"/(?:if|then|else|allOf)\b")
"""A part of the schema that says when a property is needed, not what it is."""
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))


def unit(path: Path) -> str:
    """Name the module, or the folder of modules, that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Yield the full name of every module a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "generator":
                yield from (f"generator.{alias.name}" for alias in node.names)
            else:
                yield node.module


def test_every_module_has_a_row() -> None:
    units = {unit(path) for path in MODULES} - {"__init__"}
    assert units == {name for row in ROWS for name in row.split()}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_rows_above(path: Path) -> None:
    own = unit(path)
    above: set[str] = {own}
    for row in ROWS:
        if own in row.split():
            break
        above |= set(row.split())
    used = {name.split(".")[1] for name in imports(path) if name.startswith("generator.")}
    assert used <= above


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_known_to_few(library: str) -> None:
    users = {unit(path) for path in MODULES for name in imports(path) if name.split(".")[0] == library}
    assert users == LIBRARIES[library]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    assert not text or ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_html_stands_in_overrides_alone(path: Path) -> None:
    if unit(path) in HTML_BY_NATURE:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in said]
    assert not [text for text in strings if isinstance(text, str) and TAG.search(text)]


def test_schema_and_model_name_the_same_fields() -> None:
    assert set(SCHEMA["properties"]) == {field.name for field in fields(Entry)} - {"file"}
    by_properties = {
        frozenset(field.name.removesuffix("_") for field in fields(part))
        for part in vars(parts).values()
        if isinstance(part, type) and part.__module__ == parts.__name__
    }
    missing = [
        path
        for path, node in objects(SCHEMA, "")
        if node.get("properties")
        and path
        and not CONDITION.search(path)
        and frozenset(node["properties"]) not in by_properties
    ]
    # A range of accepted values stays the mapping it is: conditions have keys of the entry's own making.
    assert missing == ["/$defs/condition/additionalProperties/oneOf/1"]


def objects(node: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema node that describes properties."""
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict) and "if" not in path.rsplit("/", 1)[-1:]:
            yield path, node
        for key, value in node.items():
            yield from objects(value, f"{path}/{key}")
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from objects(value, f"{path}/{place}")


def test_every_property_and_every_value_is_described() -> None:
    for path, node in objects(SCHEMA, ""):
        if CONDITION.search(path):
            continue
        for name, described in node["properties"].items():
            named = SCHEMA["$defs"].get(described.get("$ref", "").removeprefix("#/$defs/"), {})
            assert described.get("description") or named.get("description"), f"{path}/{name}"
    for name, definition in SCHEMA["$defs"].items():
        assert definition.get("description"), name
        for value in definition.get("oneOf", ()):
            if "const" in value:
                assert value["title"], value
                assert value["description"].endswith("."), value


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wrong = re.compile(r"/(?:tmp|work|root|home)/[a-z]+/main\b|\bpypi\.org\b|\bpythonhosted\b|\bregistry\.npmjs\b")
    for name in listed.splitlines():
        path = ROOT / name
        if path.suffix in (".png", ".gz") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        assert name == "tests/test_house.py" or not wrong.search(text), name


def test_the_lock_pins_everything_and_names_no_host() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    names = re.findall(r"^([a-z0-9-]+)==[^ ]+ \\$", lock, re.MULTILINE)
    assert len(names) > 40
    assert lock.count("--hash=sha256:") >= len(names)


def test_the_diagnosis_knows_only_the_index() -> None:
    known = {
        name.split(".")[1]
        for path in MODULES
        if unit(path) == "diagnosis"
        for name in imports(path)
        if "generator." in name
    }
    assert known <= {"diagnosis", "index", "language", "model"}
