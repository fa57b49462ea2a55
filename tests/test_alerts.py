"""The exported rules, judged by the tools that read them: each fires on exactly the lines that ours does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import re2  # type: ignore[import-untyped]
import yaml
from click.testing import CliRunner
from vrl_python import VRLRuntime

from generator.alerts.rules import COUNTER, alert_files
from generator.alerts.watches import watches_of
from generator.checks.matching import compile_wordings, lines_of, recognises
from generator.cli import main
from generator.diagnosis.lines import clean
from generator.model import Catalog, Entry
from generator.parts import Line
from tests.pages import example, real_catalog
from tests.site import ROOT

SITE = "https://encyclopedia.example/"
SAID = "{{ $labels }} %0A::error::x `a` \"b\" 'c' / \\n {% raw %} <b> # end"
HOSTILE = f"{SAID} \u202e"
"""A template holds no invisible characters: the check refuses them."""


def lines() -> tuple[str, ...]:
    """Return every sample and near miss of the catalogue, cleaned."""
    found: dict[str, None] = {}
    for entry in real_catalog().entries:
        for signature in entry.signatures:
            for wording in signature.wordings:
                for text in (*(sample.text for sample in wording.samples), *wording.near_misses):
                    found.update(dict.fromkeys(clean(line.encode()) for line in lines_of(text)))
    return tuple(filter(None, found))


LINES = lines()


def expected(catalog: Catalog) -> Mapping[str, set[str]]:
    """Return which of the exported signatures recognise each line, as the entries say."""
    wanted = {watch.id for watch in watches_of(catalog, SITE)[0]}
    found: dict[str, set[str]] = {line: set() for line in LINES}
    for entry in catalog.entries:
        for signature in entry.signatures:
            if entry.signature_id(signature) not in wanted:
                continue
            for template in compile_wordings(signature).templates:
                for line in LINES:
                    if any(text in line for text in template.gate) and recognises(signature, template, line):
                        found[line].add(entry.signature_id(signature))
    return found


@pytest.fixture(scope="module")
def truth() -> Mapping[str, set[str]]:
    return expected(real_catalog())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("alerts")
    result = CliRunner().invoke(main, ("export", "--alerts", str(target)))
    assert (result.exit_code, result.output) == (0, f"Wrote 4 files of rules to {target}.\n")
    assert sorted(path.name for path in target.iterdir()) == [
        "encyclopedia.loki.yml", "encyclopedia.mtail", "encyclopedia.prometheus.yml", "encyclopedia.vrl",
    ]  # fmt: skip
    return target


def hostile() -> Catalog:
    """A catalogue of one entry whose title and template hold what other languages give a meaning."""
    entry = example()
    [signature, *_] = [one for one in entry.signatures if one.role == "cause"]
    wording = signature.wordings[0]
    template = SAID.replace("{", "{{").replace("}", "}}") + " {count:int} times"
    changed: Any = replaced(
        signature,
        wordings=(replaced(wording, template=template),),
        when={"count": {"min": 2}},
        requires=(),
        absent=(),
        specificity="unique",
    )
    made: Entry = replaced(entry, title=Line(HOSTILE), signatures=(changed,))
    return Catalog(entries=(made,))


def replaced(value: Any, **changes: Any) -> Any:
    from dataclasses import replace

    return replace(value, **changes)


def tool(name: str) -> str:
    """Find a program; a test that would judge nothing without it fails."""
    found = shutil.which(name) or shutil.which(name, path=ROOT / "tests/tools/debian/usr/bin")
    return found or pytest.fail(f"{name} is not here: run scripts/log-tools")


def mtail(program: Path, log: Path) -> Counter[str]:
    command = [tool("mtail"), "--one_shot", "--one_shot_format", "prometheus", "--logtostderr"]
    options = ["--max_regexp_length=8192", "--progs", str(program), "--logs", str(log)]
    ran = subprocess.run([*command, *options], capture_output=True, text=True, check=False, timeout=100)
    assert ran.returncode == 0, ran.stderr[-2000:]
    told = [row for row in ran.stdout.splitlines() if row.startswith(COUNTER)]
    return Counter({row.split('signature="')[1].split('"')[0]: int(float(row.rsplit(" ", 1)[1])) for row in told})


def test_there_is_much_to_compare(truth: Mapping[str, set[str]]) -> None:
    assert len(LINES) > 600
    assert sum(map(bool, truth.values())) > 300
    assert len({id_ for ids in truth.values() for id_ in ids}) == len(watches_of(real_catalog(), SITE)[0])


def test_mtail_counts_the_lines_that_ours_recognises(
    folder: Path, truth: Mapping[str, set[str]], tmp_path: Path
) -> None:
    log = tmp_path / "job.log"
    log.write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    assert mtail(folder / "encyclopedia.mtail", log) == Counter(id_ for ids in truth.values() for id_ in ids)


def test_vector_marks_the_lines_that_ours_recognises(folder: Path, truth: Mapping[str, set[str]]) -> None:
    program = (folder / "encyclopedia.vrl").read_text(encoding="utf-8")
    runtime = VRLRuntime()
    for line, ids in truth.items():
        event = runtime.execute(program, {"message": line}).processed_event
        found = event.get("ml_failures", [])
        assert {one["id"] for one in found} == ids, line
        assert all(one["runbook_url"] == f"{SITE}r/{one['id'].removeprefix('MLFE-')}/" for one in found)
    assert runtime.execute(program, {"other": 1}).processed_event == {"other": 1}


def test_loki_reads_the_rules_and_their_patterns_find_the_lines(folder: Path, truth: Mapping[str, set[str]]) -> None:
    rules = rules_of((folder / "encyclopedia.loki.yml").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {line: set() for line in LINES}
    for rule, stages in zip(rules, logql([rule["expr"] for rule in rules]), strict=True):
        for query in stages:
            filters = [re2.compile(text) for text in query["filters"]]
            for line in LINES:
                if all(pattern.search(line) for pattern in filters) and passes(query, line):
                    found[line].add(rule["alert"])
    assert found == dict(truth)
    assert all(
        rule["annotations"]["runbook_url"] == f"{SITE}r/{rule['alert'].removeprefix('MLFE-')}/" for rule in rules
    )


def passes(query: Mapping[str, Any], line: str) -> bool:
    """Decide the label filters of a query as Loki does, on what its regexp stages have found."""
    labels = {k: v for text in query["regexps"] for k, v in re2.search(text, line).groupdict().items()}
    compare = {"==": lambda a, b: a == b, ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b}
    return all(any(compare[o](float(labels[n]), float(v)) for n, o, v in either) for either in query["labels"])


def logql(queries: list[str]) -> list[Any]:
    """Parse queries with Grafana's grammar; one that it cannot read fails."""
    command = ["node", str(ROOT / "tests/tools/logql.mjs")]
    ran = subprocess.run(command, input=json.dumps(queries), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    parsed: list[Any] = json.loads(ran.stdout)
    return parsed


def rules_of(text: str) -> list[Any]:
    return [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]


def test_prometheus_fires_when_a_line_was_counted(folder: Path, tmp_path: Path) -> None:
    rules = folder / "encyclopedia.prometheus.yml"
    promtool("check", "rules", str(rules))
    told = {rule["alert"]: rule for rule in rules_of(rules.read_text(encoding="utf-8"))}
    watches = watches_of(real_catalog(), SITE)[0]
    assert {watch.id for watch in watches} <= set(told)
    alerts = {}
    for watch in watches:
        assert told[watch.id]["annotations"]["runbook_url"] == watch.url
        labels = {"severity": watch.severity, "signature": watch.id}
        annotations = {"summary": watch.title, "runbook_url": watch.url}
        alerts[watch.id] = [{"exp_labels": labels, "exp_annotations": annotations}]
    none: dict[str, list[Any]] = {id_: [] for id_ in alerts}
    cases = [case("_ _ _ 1 1", 4, alerts), case("3 3 3 4 4", 4, alerts), case("3 3 3 3 3 3 3", 6, none)]
    tests = {"rule_files": [str(rules)], "evaluation_interval": "1m", "tests": cases}
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(tests), encoding="utf-8")
    promtool("test", "rules", str(tmp_path / "tests.yml"))


def case(values: str, minute: int, alerts: Mapping[str, list[Any]]) -> Any:
    """Say what fires after some minutes when every signature's counter goes so."""
    return {
        "interval": "1m",
        "input_series": [{"series": f'{COUNTER}{{signature="{id_}"}}', "values": values} for id_ in alerts],
        "alert_rule_test": [
            {"eval_time": f"{minute}m", "alertname": id_, "exp_alerts": expected} for id_, expected in alerts.items()
        ],
    }


def promtool(*words: str) -> None:
    ran = subprocess.run([tool("promtool"), *words], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-3000:]


def test_a_metric_that_alerts_is_there_and_one_that_does_not_is_named(folder: Path) -> None:
    text = (folder / "encyclopedia.prometheus.yml").read_text(encoding="utf-8")
    queries = {rule["expr"] for rule in rules_of(text)}
    assert "increase(node_vmstat_oom_kill[10m]) > 0" in queries
    assert "DCGM_FI_DEV_XID_ERRORS == 79" in queries
    assert not [query for query in queries if "torch." in query]
    assert re.search("^#   MLFE-6612, '.*': its query compares nothing in PromQL$", text, re.MULTILINE)


def test_hostile_texts_are_texts_in_every_language(tmp_path: Path) -> None:
    catalog = hostile()
    [watch] = watches_of(catalog, SITE)[0]
    files = alert_files(catalog, SITE)
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    hit, missed = f"{SAID} 2 times", f"{SAID} 1 times"
    log = tmp_path / "job.log"
    log.write_text(f"{hit}\n{missed}\n{hit[1:]}\n", encoding="utf-8")
    assert mtail(tmp_path / "encyclopedia.mtail", log) == {watch.id: 1}
    run = VRLRuntime()
    events = [run.execute(files["encyclopedia.vrl"], {"message": line}).processed_event for line in (hit, missed)]
    assert [len(event.get("ml_failures", [])) for event in events] == [1, 0]
    promtool("check", "rules", str(tmp_path / "encyclopedia.prometheus.yml"))
    [rule] = [r for r in rules_of(files["encyclopedia.loki.yml"]) if r["alert"] == watch.id]
    [[query]] = logql([rule["expr"]])
    assert [re2.search(query["filters"][0], line) is not None for line in (hit, hit[1:])] == [True, False]
    assert (passes(query, hit), passes(query, missed)) == (True, False)
    assert "\n" not in rule["annotations"]["summary"]


def test_export_needs_to_know_what_to_write() -> None:
    result = CliRunner().invoke(main, ("export",))
    assert (result.exit_code, result.output) == (2, "Error: say what to write: --markdown DIR, --alerts DIR or both.\n")


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(main, ("export", "--alerts", str(tmp_path / "file")))
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
