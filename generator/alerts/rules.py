"""Watches -> rule files: mtail, Prometheus, Loki, Vector.

A rule of a signature fires on exactly the lines that the signature recognises. Every language reads the portable
patterns as they are; what differs is how a text is quoted and a captured value compared. What was left out stands at
the head of each file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from generator.alerts.watches import Gauge, Pattern, Test, Watch, gauges_of, watches_of
from generator.model import Catalog

COUNTER = "ml_failure_lines_total"
"""Lines that the mtail program has counted, by signature; the Prometheus rules read it."""
SELECTOR = '{job=~".+"}'
"""The log streams that the Loki rules read, if no other is given."""
WINDOW = "5m"
"""How far a rule looks back."""

_RAW = "Lines are read as they are: colours or doubled blanks inside a message hide it."


def alert_files(catalog: Catalog, site_url: str, selector: str = SELECTOR) -> Mapping[str, str]:
    """Return the rule files by name; a site's address ends in a slash."""
    watches, left_out = watches_of(catalog, site_url)
    gauges, unread = gauges_of(catalog, site_url)
    return {
        "encyclopedia.mtail": _mtail(watches, left_out),
        "encyclopedia.prometheus.yml": _prometheus(watches, gauges, unread),
        "encyclopedia.loki.yml": _loki(watches, selector, left_out),
        "encyclopedia.vrl": _vrl(watches, left_out),
    }


def write_alerts(catalog: Catalog, site_url: str, target: Path, selector: str = SELECTOR) -> tuple[Path, ...]:
    """Write the rule files into a folder, each when it is complete, and return their paths.

    Raises OSError when one cannot be written.
    """
    target.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in alert_files(catalog, site_url, selector).items():
        beside = target / f".{name}.new"
        try:
            beside.write_text(text, encoding="utf-8", newline="\n")
            paths.append(beside.replace(target / name))
        finally:
            beside.unlink(missing_ok=True)
    return tuple(paths)


def _head(says: Sequence[str], left_out: Sequence[str]) -> str:
    told = [*says, *(["Left out:", *(f"  {line}" for line in left_out)] if left_out else [])]
    return "".join(f"# {_one_line(line)}\n" for line in told)


def _one_line(text: str) -> str:
    """Keep a text from ending a comment."""
    return "".join(char if char.isprintable() else " " for char in text).rstrip()


def _mtail(watches: Sequence[Watch], left_out: Sequence[str]) -> str:
    says = [
        f"Counts the lines of each signature as {COUNTER}; encyclopedia.prometheus.yml alerts on it.",
        "Start mtail with --max_regexp_length=8192: some patterns are longer than it takes otherwise.",
        _RAW,
    ]
    blocks = []
    for watch in watches:
        count = f"{COUNTER}[{_quoted(watch.id)}]++"
        tested = [pattern for pattern in watch.patterns if pattern.tests]
        block = "".join(_clause(p, f"{_all_of(p.tests, _in_mtail)} {{\n{count}\n}}") for p in tested)
        for pattern in reversed([pattern for pattern in watch.patterns if not pattern.tests]):
            block = _clause(pattern, count, block)
        blocks.append(f"\n# {watch.url}\n{block}")
    return _head(says, left_out) + f"\ncounter {COUNTER} by signature\n" + "".join(blocks)


def _clause(pattern: Pattern, does: str, otherwise: str = "") -> str:
    """Write what mtail does at a pattern, and what where it is not found: a line counts once."""
    rest = f" else {{\n{otherwise}}}" if otherwise else ""
    return f"/{pattern.text.replace('/', chr(92) + '/')}/ {{\n{does}\n}}{rest}\n"


def _prometheus(watches: Sequence[Watch], gauges: Sequence[Gauge], left_out: Sequence[str]) -> str:
    says = [f"Alerts on {COUNTER}, which encyclopedia.mtail counts, and on the metrics that entries name."]
    lines = ["groups:", "- name: signatures", "  rules:"]
    for watch in watches:
        series = f'{COUNTER}{{signature="{watch.id}"}}'
        # A counter that appears has counted its first line, which no increase shows.
        query = f"increase({series}[{WINDOW}]) > 0 or ({series} unless {series} offset {WINDOW})"
        lines += _rule(watch.id, query, watch.severity, watch.title, watch.url)
    lines += ["- name: metrics", "  rules:"] if gauges else []
    for gauge in gauges:
        lines += _rule(f"{gauge.entry}-metric-{gauge.number}", gauge.query, gauge.severity, gauge.what, gauge.url)
    return _head(says, left_out) + "\n".join(lines) + "\n"


def _loki(watches: Sequence[Watch], selector: str, left_out: Sequence[str]) -> str:
    says = [
        f"For Loki's ruler. Every rule reads the streams {selector}.",
        _RAW,
    ]
    lines = ["groups:", "- name: signatures", "  rules:"]
    for watch in watches:
        queries = []
        for patterns in _together(watch.patterns):
            stages = [f"{selector} |~ {_quoted(_either(patterns))}"]
            if patterns[0].tests:
                stages.append(f"regexp {_quoted(patterns[0].text)}")
            stages += [" or ".join(_in_logql(test.name, *one) for one in test.any_of) for test in patterns[0].tests]
            queries.append(f"sum(count_over_time({' | '.join(stages)} [{WINDOW}])) > 0")
        lines += _rule(watch.id, " or ".join(queries), watch.severity, watch.title, watch.url)
    return _head(says, left_out) + "\n".join(lines) + "\n"


def _rule(name: str, query: str, severity: str | None, summary: str, url: str) -> list[str]:
    """Write one alert; YAML reads JSON's texts as they are."""
    labels = [f"    labels: {{severity: {severity}}}"] if severity else []
    return [
        f"  - alert: {name}",
        f"    expr: {_quoted(query)}",
        *labels,
        f"    annotations: {{summary: {_quoted(_untemplated(summary))}, runbook_url: {_quoted(url)}}}",
    ]


def _untemplated(text: str) -> str:
    """Keep a text from being read as a template of an annotation."""
    return text.replace("{{", '{{ "{{" }}')


def _vrl(watches: Sequence[Watch], left_out: Sequence[str]) -> str:
    says = [
        "For Vector's remap transform: adds ml_failures to an event, a list of {id, role, runbook_url}.",
        _RAW,
    ]
    lines = ['line = string(.message) ?? ""', "found = []"]
    for watch in watches:
        given = {"id": watch.id, "role": watch.role, "runbook_url": watch.url}
        push = f"found = push(found, {json.dumps(given, ensure_ascii=False)})"
        for patterns in _together(watch.patterns):
            expression = _either(patterns).replace("'", r"\x27")
            if not (compared := _all_of(patterns[0].tests, _in_vrl)):
                lines.append(f"if match(line, r'{expression}') {{ {push} }}")
                continue
            lines.append(f"hit, error = parse_regex(line, r'{expression}')")
            lines.append(f"if error == null && {compared} {{ {push} }}")
    return _head(says, left_out) + "\n".join([*lines, "if length(found) > 0 { .ml_failures = found }"]) + "\n"


def _all_of(tests: Sequence[Test], compare: Callable[[str, str, int | str], str]) -> str:
    told = (" || ".join(compare(test.name, *one) for one in test.any_of) for test in tests)
    return " && ".join(f"({one})" for one in told)


def _in_mtail(name: str, operator: str, value: int | str) -> str:
    return (
        f"${name} {operator} {_quoted(value)}" if isinstance(value, str) else f"strtol(${name}, 10) {operator} {value}"
    )


def _in_logql(name: str, operator: str, value: int | str) -> str:
    return f"{name} = {_quoted(value)}" if isinstance(value, str) else f"{name} {operator} {value}"


def _in_vrl(name: str, operator: str, value: int | str) -> str:
    if isinstance(value, str):
        return f"hit.{name} == {_quoted(value)}"
    least = "-9223372036854775807" if operator == "<=" else "-1"
    return f"(to_int(hit.{name}) ?? {least}) {operator} {value}"


def _together(patterns: Sequence[Pattern]) -> list[Sequence[Pattern]]:
    """Group patterns that can be one: those without conditions; a name may stand in a pattern once."""
    if any(pattern.tests for pattern in patterns):
        return [[pattern] for pattern in patterns]
    return [patterns]


def _either(patterns: Sequence[Pattern]) -> str:
    if len(patterns) == 1:
        return patterns[0].text
    return "|".join(f"(?:{pattern.text})" for pattern in patterns)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
