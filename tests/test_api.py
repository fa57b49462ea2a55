"""The API, the feeds and the lists: valid against what describes them, whatever a title holds; the same bytes twice."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import feedparser  # type: ignore[import-untyped]
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from referencing import Registry, Resource

from generator.api.plain import to_data
from generator.api.v1 import ENDPOINTS, SCHEMAS
from generator.load import load
from generator.model import Catalog, Entry
from generator.parts import Line
from generator.publish import site_files
from generator.render import Renderer
from generator.site.revisions import Revisions
from tests.pages import real_catalog
from tests.site import ROOT

SITE = "https://encyclopedia.example/"
HOSTILE = "\"quotes\" 'and' <b>&amp; ]]> </script> %0A::error::x `tick` \u202e \u0007 [a](b) | {{ x }}"


def revisions_of(catalog: Catalog) -> Revisions:
    days = {entry.file: f"2026-11-{1 + number % 28:02}" for number, entry in enumerate(catalog.entries)}
    return Revisions(added=days, changed={file: day.replace("-11-", "-12-") for file, day in days.items()})


def made(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")
    names = {"site_name": "The Encyclopedia", "site_description": "What breaks.", "site_url": SITE}
    files = site_files(catalog, Renderer(ROOT / "overrides"), revisions_of(catalog), **names)
    return {file.path: file.content for file in files}


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    with pytest.MonkeyPatch.context() as patch:
        return made(real_catalog(), patch)


def registry(files: Mapping[str, str]) -> Registry[Any]:
    schemas = {name: json.loads(files[f"api/v1/schemas/{name}.schema.json"]) for name in SCHEMAS}
    resources = [(f"{name}.schema.json", Resource.from_contents(schema)) for name, schema in schemas.items()]
    return Registry[Any]().with_resources(resources)


def errors(files: Mapping[str, str], schema: str, content: str) -> list[str]:
    validator = Draft202012Validator({"$ref": schema}, registry=registry(files))
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(content))]


def paths_of(path: str) -> list[str]:
    ids = [entry.id for entry in real_catalog().entries] if "{id}" in path else [""]
    return [f"api/v1/{path.format(id=id_)}" for id_ in ids]


@pytest.mark.parametrize("path", [path for path, (_, schema) in ENDPOINTS.items() if schema])
def test_every_answer_is_valid(files: Mapping[str, str], path: str) -> None:
    for name in paths_of(path):
        assert errors(files, ENDPOINTS[path][1], files[name]) == [], name


def test_an_answer_that_is_wrong_is_seen(files: Mapping[str, str]) -> None:
    answer = json.loads(files["api/v1/entries.json"])
    del answer["entries"][0]["permanent_url"]
    answer["entries"][1]["status"] = "gone"
    found = errors(files, "api.schema.json#/$defs/entries", json.dumps(answer))
    assert len(found) == 2
    answer = json.loads(files["api/v1/entries/MLFE-6612.json"])
    answer["entry"]["titel"] = answer["entry"].pop("title")
    assert errors(files, "api.schema.json#/$defs/entry", json.dumps(answer))


def test_an_entry_is_there_as_its_file_has_it(files: Mapping[str, str]) -> None:
    for entry in real_catalog().entries:
        answer = json.loads(files[f"api/v1/entries/{entry.id}.json"])
        assert answer["entry"] == load((ROOT / entry.file).read_bytes(), entry.file).data == to_data(entry)
        assert answer["permanent_url"] == f"{SITE}r/{entry.number}/"
        assert answer["generated_at"] == "2026-12-01T00:00:00Z"


def test_openapi_describes_what_there_is(files: Mapping[str, str], tmp_path: Path) -> None:
    document = json.loads(files["api/v1/openapi.json"])
    for path, content in files.items():
        if path.startswith("api/v1/schemas/"):
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
    place = tmp_path / "api/v1/openapi.json"
    place.write_text(files["api/v1/openapi.json"], encoding="utf-8")
    validate(document, base_uri=place.as_uri())
    assert [path.removeprefix("/") for path in document["paths"]] == list(ENDPOINTS)
    listed = json.loads(files["api/v1/index.json"])["endpoints"]
    assert [one["path"] for one in listed] == [f"/api/v1/{path}" for path in ENDPOINTS]
    for path in ENDPOINTS:
        assert path.format(id="MLFE-6612") in {name.removeprefix("api/v1/") for name in files}


def test_two_runs_of_one_commit_are_the_same(files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert made(real_catalog(), monkeypatch) == dict(files)


def test_the_feeds_are_feeds(files: Mapping[str, str]) -> None:
    atoms = [path for path in files if path.endswith("feed.atom")]
    assert {"feed.atom", "memory/feed.atom", "framework/pytorch/feed.atom"} <= set(atoms)
    for path in atoms:
        parsed = feedparser.parse(files[path])
        assert not parsed.bozo, (path, parsed.get("bozo_exception"))
        items = json.loads(files[path.replace(".atom", ".json")])
        assert items["version"] == "https://jsonfeed.org/version/1.1"
        assert [entry.id for entry in parsed.entries] == [item["id"] for item in items["items"]]
        assert [entry.title for entry in parsed.entries] == [item["title"] for item in items["items"]]
        assert len({entry.id for entry in parsed.entries}) == len(parsed.entries) <= 50
        assert parsed.feed.id == f"{SITE}{path}" == parsed.feed.links[0].href
        updated = [entry.updated for entry in parsed.entries]
        assert updated == sorted(updated, reverse=True)
        assert parsed.feed.updated == updated[0]
        assert all(re.fullmatch(rf"{SITE}r/[0-9]{{4}}/", entry.id) for entry in parsed.entries)
        assert parsed.feed.author == "The Encyclopedia"


def test_drafts_are_in_the_api_and_in_no_feed(files: Mapping[str, str]) -> None:
    drafts = {f"{SITE}r/{entry.number}/" for entry in real_catalog().entries if entry.status == "draft"}
    assert drafts
    assert not drafts & {item["id"] for item in json.loads(files["feed.json"])["items"]}
    assert drafts <= {entry["permanent_url"] for entry in json.loads(files["api/v1/entries.json"])["entries"]}


def test_the_list_for_language_models_names_every_published_entry(files: Mapping[str, str]) -> None:
    text = files["llms.txt"]
    assert text.startswith("# The Encyclopedia\n\n> What breaks.\n")
    for entry in real_catalog().entries:
        assert text.count(f"({SITE}{entry.address}/index.md)") == 1
    assert text.index("## Optional") > text.index("## Memory")


def test_the_search_is_described(files: Mapping[str, str]) -> None:
    root = ElementTree.fromstring(files["opensearch.xml"])
    space = "{http://a9.com/-/spec/opensearch/1.1/}"
    assert root.find(f"{space}Url").attrib["template"] == f"{SITE}?q={{searchTerms}}"  # type: ignore[union-attr]
    assert len(root.findtext(f"{space}ShortName") or "") <= 16


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    entry = next(entry for entry in real_catalog().published if entry.category == "memory")
    bad: Entry = replace(entry, title=Line(HOSTILE), summary=Line(HOSTILE))
    return made(replace(real_catalog(), entries=(bad,)), monkeypatch)


def test_a_hostile_title_is_a_text_everywhere(hostile: dict[str, str]) -> None:
    title = json.loads(hostile["api/v1/entries.json"])["entries"][0]["title"]
    assert '"quotes"' in title
    assert errors(hostile, "api.schema.json#/$defs/entries", hostile["api/v1/entries.json"]) == []
    parsed = feedparser.parse(hostile["feed.atom"])
    assert not parsed.bozo
    assert ElementTree.fromstring(hostile["feed.atom"])[-1][1].text == title.replace("\u0007", "\ufffd")
    assert json.loads(hostile["feed.json"])["items"][0]["title"] == title
    [row] = [line for line in hostile["llms.txt"].splitlines() if line.startswith("- ")]
    assert row.count("](https://") == 1


def test_the_examples_of_the_page_run(files: Mapping[str, str], tmp_path: Path) -> None:
    if shutil.which("jq") is None:
        pytest.skip("jq is not here")
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    commands = re.findall(r'curl -s "\$SITE/([^"]+)" \| jq -r \'([^\']+)\'', text)
    assert len(commands) == 2
    for path, program in commands:
        ran = subprocess.run(["jq", "-r", program], input=files[path], capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.strip()
