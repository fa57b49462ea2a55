from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.issues import Issue, Location, Severity
from generator.report import to_github, to_json, to_step_summary, to_text

FILE = "entries/memory/cuda-out-of-memory.yaml"
MISSPELT = Issue(
    location=Location(FILE, 6, 5),
    severity=Severity.ERROR,
    code="unknown-key",
    message="unknown key 'exampels' in signatures[0]",
    mend="Did you mean 'examples'?",
    source="    exampels:",
    width=8,
)
MAPPING = Issue(
    location=Location(FILE, 8, 9),
    severity=Severity.ERROR,
    code="wrong-type",
    message="example must be text, but YAML reads it as a mapping",
    mend="A colon followed by a space starts a mapping. Put the line in single quotes.",
    source="      - torch.OutOfMemoryError: CUDA out of memory.",
    width=22,
)
WARNING = Issue(
    location=Location("entries/numerics/loss-is-nan.yaml", 120, 1),
    severity=Severity.WARNING,
    code="old-version",
    message="last looked at two years ago",
    mend="Look again.",
)


def hostile(**fields: Any) -> Issue:
    values: dict[str, Any] = {
        "location": Location("entries/a,b:c%.yaml", 1, 1),
        "severity": Severity.ERROR,
        "code": "unknown-key",
        "message": "unknown key '::error::x'\r\n50%",
        "mend": "Remove it.",
        "source": "::error::x",
    }
    return Issue(**{**values, **fields})


def test_text_is_sorted_and_ends_with_a_tally() -> None:
    assert (
        to_text([WARNING, MAPPING, MISSPELT], 41, closing="The site was not built.")
        == """\
entries/memory/cuda-out-of-memory.yaml:6:5: error: unknown key 'exampels' in signatures[0] [unknown-key]
  6 |     exampels:
    |     ^^^^^^^^
  Did you mean 'examples'?

entries/memory/cuda-out-of-memory.yaml:8:9: error: example must be text, but YAML reads it as a mapping [wrong-type]
  8 |       - torch.OutOfMemoryError: CUDA out of memory.
    |         ^^^^^^^^^^^^^^^^^^^^^^
  A colon followed by a space starts a mapping. Put the line in single quotes.

entries/numerics/loss-is-nan.yaml:120:1: warning: last looked at two years ago [old-version]
  Look again.

2 errors and 1 warning in 2 files; 41 files checked. The site was not built.
"""
    )


def test_text_without_issues() -> None:
    assert to_text([], 12) == "12 files checked, no problems.\n"
    assert to_text([], 1) == "1 file checked, no problems.\n"


def test_tally_counts_one() -> None:
    assert to_text([MAPPING], 1).endswith("\n\n1 error in 1 file; 1 file checked.\n")
    assert to_text([WARNING], 2).endswith("\n\n1 warning in 1 file; 2 files checked.\n")


def test_gutter_grows_with_the_line_number() -> None:
    rows = to_text([hostile(location=Location("f", 1234, 3), source="a: b", width=2)], 1).split("\n")
    assert rows[1:3] == ["  1234 | a: b", "       |   ^^"]


def test_caret_of_a_cut_line_stands_where_the_fault_is() -> None:
    rows = to_text([hostile(location=Location("f", 1, 5004), source="…xx: y", cut=5000)], 1).split("\n")
    assert rows[1:3] == ["  1 | …xx: y", "    |    ^"]


def test_caret_stands_below_wide_and_combining_characters() -> None:
    source = "漢字: e\u0301x"
    rows = to_text([hostile(location=Location("f", 1, 5), source=source, width=2)], 1).split("\n")
    assert rows[1:3] == [f"  1 | {source}", "    |       ^"]
    rows = to_text([hostile(location=Location("f", 1, 1), source=source, width=2)], 1).split("\n")
    assert rows[2] == "    | ^^^^"


def test_colour_only_when_asked() -> None:
    assert "\x1b" not in to_text([MISSPELT, WARNING], 2)
    coloured = to_text([MISSPELT, WARNING], 2, colour=True)
    assert "\x1b[31merror:\x1b[0m" in coloured
    assert "\x1b[33mwarning:\x1b[0m" in coloured
    assert "\x1b[31m^^^^^^^^\x1b[0m" in coloured


def test_nothing_from_a_file_moves_the_cursor_or_breaks_a_line() -> None:
    text = to_text([hostile(message="a\x1b[2Jb\r\nc", mend="d\x07", source="\x1b]0;x\x07\u202e")], 1)
    assert text == (
        "entries/a,b:c%.yaml:1:1: error: a␛[2Jb␍␊c [unknown-key]\n  1 | ␛]0;x␇�\n    | ^\n  d␇\n\n"
        "1 error in 1 file; 1 file checked.\n"
    )


def test_json_holds_everything() -> None:
    report = json.loads(to_json([WARNING, MAPPING], 41))
    assert {key: report[key] for key in ("files_checked", "errors", "warnings")} == {
        "files_checked": 41,
        "errors": 1,
        "warnings": 1,
    }
    assert report["issues"][0] == {
        "file": FILE,
        "line": 8,
        "column": 9,
        "width": 22,
        "severity": "error",
        "code": "wrong-type",
        "message": MAPPING.message,
        "mend": MAPPING.mend,
        "source": MAPPING.source,
    }


def test_github_command() -> None:
    assert to_github([MISSPELT]) == (
        f"::error file={FILE},line=6,endLine=6,col=5,endColumn=13,title=unknown-key::"
        "unknown key 'exampels' in signatures[0]%0ADid you mean 'examples'?\n"
    )


def test_github_escapes_what_would_end_a_command() -> None:
    assert to_github([hostile()]) == (
        "::error file=entries/a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=1,endColumn=2,title=unknown-key::"
        "unknown key '::error::x'%0D%0A50%25%0ARemove it.\n"
    )


@given(st.lists(st.builds(hostile, message=st.text(), mend=st.text(), source=st.text()), max_size=3))
def test_github_writes_one_line_for_each_issue(issues: list[Issue]) -> None:
    rows = to_github(issues).split("\n")
    assert len(rows) == len(issues) + 1
    assert all(row.startswith("::error file=") and "\r" not in row for row in rows[:-1])


def test_step_summary_is_a_headed_fence() -> None:
    assert (
        to_step_summary([MISSPELT], 41)
        == f"""\
### 1 error in 1 file; 41 files checked.

```text
{FILE}:6:5: error: unknown key 'exampels' in signatures[0] [unknown-key]
  6 |     exampels:
    |     ^^^^^^^^
  Did you mean 'examples'?
```
"""
    )
    assert to_step_summary([], 41) == "### 41 files checked, no problems.\n"


@given(st.text(alphabet="`~|<>:#&x \n", max_size=40), st.text(alphabet="`\n<b>", max_size=20))
def test_nothing_from_a_file_leaves_the_fence(source: str, message: str) -> None:
    head, blank, opening, *inside, closing, end = to_step_summary([hostile(source=source, message=message)], 1).split(
        "\n"
    )
    assert (head, blank, end) == ("### 1 error in 1 file; 1 file checked.", "", "")
    assert opening == f"{closing}text"
    assert set(closing) == {"`"}
    assert len(closing) >= 3
    assert not any(closing in row for row in inside)


def test_step_summary_stays_below_githubs_limit() -> None:
    issues = [
        hostile(location=Location("f", line, 1), source="x" * 120, message="m" * 200) for line in range(1, 20_000)
    ]
    summary = to_step_summary(issues, 1)
    assert len(summary.encode()) < 1_048_576
    assert summary.endswith("\n… the rest stands in the log.\n```\n")
