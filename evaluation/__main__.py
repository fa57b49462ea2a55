"""Run the engine over all corpora and write the page: `python -m evaluation [MUTATIONS]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation import corpora, mutate
from evaluation.baselines import METHODS
from evaluation.changes import Case, LogFile
from evaluation.score import JobScore, Share, ThreadScore
from evaluation.table import Results, page
from generator.catalog import read_catalog
from generator.diagnosis.diagnose import diagnose
from generator.index import Index
from generator.indexing import build
from generator.settings import read_settings

ROOT = Path(__file__).resolve().parent.parent
MUTATIONS = 10_000
NAMES = corpora.FOLDERS


def main() -> None:
    """Measure, write `docs/evaluation.md` and say where it is."""
    settings = read_settings(ROOT / "mkdocs.yml")
    reading = read_catalog(ROOT / "entries", ROOT / "schema" / "entry.schema.json")
    index = Index.from_json(build(reading.catalog, settings.site_url))
    most = int(sys.argv[1]) if len(sys.argv) > 1 else MUTATIONS
    results = measure(index, most)
    target = ROOT / "docs" / "evaluation.md"
    target.write_text(page(results, settings.repo_url), encoding="utf-8")
    print(f"Wrote {target.relative_to(ROOT)}.")
    print(target.read_text(encoding="utf-8"))


def measure(index: Index, mutations: int) -> Results:
    """Run everything."""
    cases = {name: list(corpora.jobs(corpora.CORPORA / name)) for name in NAMES}
    jobs = {name: JobScore() for name in NAMES}
    baselines = {name: {method: Share() for method in METHODS} for name in NAMES}
    for name, several in cases.items():
        for case in several:
            jobs[name].add(case, _diagnosed(case.files, index))
            guilty = set(case.truth["truth"].get("initiating_ranks") or ())
            if guilty and case.truth["truth"]["outcome"] == "failed":
                for method, said in METHODS.items():
                    baselines[name][method].add(said(case) == guilty)
    threads = ThreadScore()
    for case in corpora.threads():
        threads.add(case, _diagnosed(case.files, index), index.cards)
    alarms, alarmed = Share(), []
    for case in corpora.healthy():
        found = _diagnosed(case.files, index)
        alarm = found["outcome"] in ("failed", "cancelled", "cut_off") or bool(found["what"]["entries"])
        alarms.add(alarm)
        if alarm:
            alarmed.append(f"{case.name}: {found['outcome']}")
    damaged, turned = {"same": Share(), "weaker": Share()}, []
    for case, before, one in _damaged([case for several in cases.values() for case in several], index, mutations):
        after = _diagnosed(tuple((file.name, file.data) for file in one.files), index)
        broken = mutate.broken(before, after, one)
        damaged[one.relation].add(not broken)
        if broken:
            turned.append(f"{case.name}, {one.name}: {'; '.join(broken)}")
    titles = {"same": "The answer must stay as it is", "weaker": "The answer may weaken"}
    return Results(
        jobs=jobs,
        threads=threads,
        alarms=alarms,
        alarmed=alarmed,
        damaged={titles[name]: share for name, share in damaged.items()},
        turned=turned,
        baselines=baselines,
    )


def _damaged(
    cases: list[corpora.Case], index: Index, number: int
) -> Iterator[tuple[corpora.Case, dict[str, Any], mutate.Mutated]]:
    each = -(-number // len(cases))
    for case in cases:
        planted = Case.of(case.truth, tuple(LogFile(name=name, data=data) for name, data in case.files))
        before = _diagnosed(case.files, index)
        for seed in range(each):
            yield case, before, mutate.draw(planted, seed)


def _diagnosed(files: tuple[tuple[str, bytes], ...], index: Index) -> dict[str, Any]:
    return diagnose([(name, [data]) for name, data in files], index)


if __name__ == "__main__":
    main()
