"""JavaScript reads every pattern as Python does: the same matches and the same captured texts, line for line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Page

from generator.language.placeholders import PLACEHOLDERS
from generator.load import load
from generator.model import Entry
from generator.parts import Signature
from generator.template import Template, compile_template

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
CASES = [
    case
    for file in sorted((ROOT / "tests" / "conformance" / "templates").glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))["cases"]
    if "lines" in case
]

RUN = """
([patterns, lines, which]) => patterns.map((source, i) => {
    const pattern = new RegExp(source, "u");
    return (which === null ? lines : which[i].map((n) => lines[n])).map((line) => {
        const found = pattern.exec(line);
        return found === null ? null : found.slice(1);
    });
})
"""


def in_javascript(
    page: Page, templates: list[Template], lines: list[str], which: list[list[int]] | None = None
) -> list[list[list[str] | None]]:
    answers: list[list[list[str] | None]] = page.evaluate(RUN, [[t.pattern for t in templates], lines, which])
    return answers


def in_python(template: Template, line: str) -> list[str] | None:
    found = template.match(line)
    return None if found is None else list(found.texts)


def entry_signatures() -> list[tuple[str, Signature]]:
    found = []
    for path in sorted((ROOT / "entries").glob("*/*.yaml")):
        file = path.relative_to(ROOT).as_posix()
        entry = Entry.from_raw(load(path.read_bytes(), file).data, file)
        found += [(entry.signature_id(signature), signature) for signature in entry.signatures]
    return found


def test_conformance_cases(browser_page: Page) -> None:
    templates = [compile_template(case["template"]) for case in CASES]
    lines = [line["text"] for case in CASES for line in case["lines"]]
    numbers = iter(range(len(lines)))
    which = [[next(numbers) for _ in case["lines"]] for case in CASES]
    for case, template, answers in zip(
        CASES, templates, in_javascript(browser_page, templates, lines, which), strict=True
    ):
        for line, answer in zip(case["lines"], answers, strict=True):
            assert (template.text, line["text"], answer) == (
                template.text,
                line["text"],
                in_python(template, line["text"]),
            )
            assert (answer is not None) == line["match"]


def test_every_case_on_the_lines_of_every_other(browser_page: Page) -> None:
    templates = [compile_template(case["template"]) for case in CASES]
    lines = sorted({line["text"] for case in CASES for line in case["lines"]})
    assert_alike(browser_page, templates, lines)


def test_random_lines(browser_page: Page) -> None:
    templates = [compile_template(case["template"]) for case in CASES]
    assert_alike(browser_page, templates, random_lines(2500, [line["text"] for c in CASES for line in c["lines"]]))


def test_signatures_of_all_entries(browser_page: Page) -> None:
    signatures = entry_signatures()
    assert signatures
    templates = [compile_template(w.template) for _, s in signatures for w in s.wordings]
    samples = [sample.line for _, s in signatures for w in s.wordings for sample in w.samples]
    misses = [line for _, s in signatures for w in s.wordings for line in w.near_misses]
    assert_alike(browser_page, templates, samples + misses + random_lines(1000, samples + misses))


def assert_alike(page: Page, templates: list[Template], lines: list[str]) -> None:
    answers = in_javascript(page, templates, lines)
    for template, given in zip(templates, answers, strict=True):
        for line, answer in zip(lines, given, strict=True):
            if answer != in_python(template, line):
                assert (template.pattern, line, answer) == (template.pattern, line, in_python(template, line))
    assert any(answer is not None for given in answers for answer in given)


ODD: tuple[str, ...] = (
    *"\t\r\v\f\x00\x1b\u00a0\u2028\ufeff\u0130\u212a\U0001f600'\"`()[]{}<>,.:;-_+/\\|^$*?0aZé",
    "  ",
    "nan",
    "0x",
)


def random_lines(count: int, real: list[str]) -> list[str]:
    """Mix words, cuts and odd characters into real lines; always the same ones."""
    source = random.Random(17)
    words = sorted({word for line in real for word in line.split(" ")} | set(PLACEHOLDERS))
    lines = []
    for _ in range(count):
        line = source.choice(real)
        for _ in range(source.randrange(4)):
            line = altered(line, source, words, real)
        lines.append(line[:1500])
    return lines


def altered(line: str, source: random.Random, words: list[str], real: list[str]) -> str:
    place = source.randrange(len(line) + 1)
    before, after = line[:place], line[place:]
    match source.randrange(5):
        case 0:
            return before + source.choice(ODD) + after
        case 1:
            return before + source.choice(words) + after[source.randrange(5) :]
        case 2:
            return before + source.choice(real)[source.randrange(8) :]
        case 3:
            return before + after[:1] * source.choice([2, 63, 401]) + after
        case _:
            return after
