"""The issue bot against a small GitHub on the loopback interface: one comment, kept up to date, none of the text."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from generator.bot.comment import GONE, MARKER
from tests.site import ROOT

SHOWN = "RuntimeError: CUDA error: device-side assert triggered\nCUDA kernel errors might be reported asynchronously"
TRACE = f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    f()\n{SHOWN}\n'
BOT = {"login": "github-actions[bot]", "type": "Bot"}
PERSON = {"login": "ann", "type": "User"}
HOSTILE = (
    "@everyone see https://evil.example/x [click](https://evil.example) <img src=x onerror=alert(1)>\n"
    "%0A::error::injected\n::set-output name=x::y\n::stop-commands::z\n`$(touch /nowhere)` ${{ github.token }} \u202e\n"
)


@dataclass
class Hub:
    """What the small GitHub holds and was asked."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    """Status codes with which the next calls fail."""


class _Answers(BaseHTTPRequestHandler):
    hub: Hub

    def _handle(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        content: Any = json.loads(self.rfile.read(size)) if size else None
        assert self.headers["Authorization"] == "Bearer secret"
        self.hub.asked.append((self.command, self.path, content))
        if self.hub.failures:
            self.send_response(self.hub.failures.pop(0))
            self.send_header("Retry-After", "0")
            self.end_headers()
            return
        found: Any = {}
        if self.command == "GET":
            page = int(re.findall("&page=([0-9]+)", self.path)[0])
            found = self.hub.comments[(page - 1) * 100 : page * 100]
        elif self.command == "POST":
            self.hub.comments.append({"id": 1000 + len(self.hub.comments), "user": BOT, **content})
        else:
            [comment] = [one for one in self.hub.comments if one["id"] == int(self.path.rsplit("/", 1)[1])]
            comment.update(content)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

    do_GET = do_POST = do_PATCH = _handle  # noqa: N815 -- the base class's names

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class's name
        """Say nothing."""


@dataclass
class Ran:
    code: int
    said: str
    error: str


class Runner:
    """Runs the bot as the action does."""

    def __init__(self, hub: Hub, address: str, folder: Path) -> None:
        self.hub = hub
        self._address = address
        self._file = folder / "event.json"

    def run(self, event: Any, **environment: str) -> Ran:
        self._file.write_bytes(event if isinstance(event, bytes) else json.dumps(event).encode())
        given = {
            **os.environ,
            "GITHUB_EVENT_PATH": str(self._file),
            "GITHUB_API_URL": self._address,
            "GITHUB_REPOSITORY": "owner/project",
            "GITHUB_TOKEN": "secret",
            **environment,
        }
        command = [sys.executable, "-m", "generator.bot"]
        ran = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False, timeout=60)
        return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Answers", (_Answers,), {"hub": hub}))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Runner(hub, f"http://127.0.0.1:{server.server_address[1]}", tmp_path)
    server.shutdown()
    server.server_close()
    thread.join()


def event(body: Any, *, action: str = "opened", title: str = "It crashes", **issue: Any) -> dict[str, Any]:
    """Return an event in the shape of GitHub's documentation, "Webhook events and payloads: issues"."""
    return {
        "action": action,
        "issue": {
            "number": 12,
            "title": title,
            "body": body,
            "state": "open",
            "locked": False,
            "user": PERSON,
            **issue,
        },
        "repository": {"full_name": "owner/project"},
        "sender": PERSON,
    }


def test_a_known_failure_is_named_with_its_link_and_lines(runner: Runner) -> None:
    ran = runner.run(event(f"My job died.\n\n```\n{TRACE}```\n"))
    assert (ran.code, ran.said, ran.error) == (0, "issue 12: commented\n", "")
    [comment] = runner.hub.comments
    assert comment["body"].startswith(MARKER)
    [link] = re.findall(r"\]\(([^)]*)\) \((MLFE-\d{4}-\d+)\), line 8", comment["body"])
    assert link[0].endswith(f"/r/{link[1].removeprefix('MLFE-')}/")
    assert "Traceback" not in comment["body"]
    assert "train.py" not in comment["body"]


def test_an_edit_changes_the_one_comment(runner: Runner) -> None:
    runner.run(event(TRACE))
    assert runner.run(event(TRACE, action="edited")).said == "issue 12: the comment fits\n"
    assert runner.run(event(f"one line more\n{TRACE}", action="edited")).said == "issue 12: comment changed\n"
    assert runner.run(event("It was my mistake.", action="edited")).said == "issue 12: comment changed\n"
    [comment] = runner.hub.comments
    assert comment["body"] == GONE
    runner.run(event(TRACE, action="edited"))
    assert "MLFE-" in runner.hub.comments[0]["body"]
    assert len(runner.hub.comments) == 1


@pytest.mark.parametrize(
    "body",
    [
        "It does not work.",
        "",
        None,
        17,
        "RuntimeError: something else broke",
        "step 1\nstep 2",
        "CUDA",
        "\0" * 50,
        "?" * 1_000_000,
    ],
)
def test_what_is_not_established_is_passed_over(runner: Runner, body: Any) -> None:
    ran = runner.run(event(body))
    assert (ran.code, ran.said, ran.error) == (0, "issue 12: nothing established\n", "")
    assert runner.hub.comments == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"action": "closed"}, "nothing to do\n"),
        ({"action": "labeled"}, "nothing to do\n"),
        ({"sender": BOT}, "nothing to do\n"),
        ({"issue": {**event(TRACE)["issue"], "pull_request": {"url": "x"}}}, "not an issue\n"),
        ({"issue": {**event(TRACE)["issue"], "state": "closed"}}, "the issue is closed\n"),
        ({"issue": {**event(TRACE)["issue"], "locked": True}}, "the issue is closed\n"),
        ({"issue": None}, "not an issue\n"),
        ({"issue": {"number": "12; rm"}}, "not an issue\n"),
    ],
)
def test_other_events_are_passed_over(runner: Runner, changes: dict[str, Any], said: str) -> None:
    ran = runner.run({**event(TRACE), **changes})
    assert (ran.code, ran.said, runner.hub.asked) == (0, said, [])


def test_nothing_of_the_issue_is_repeated(runner: Runner) -> None:
    ran = runner.run(event(HOSTILE + TRACE + HOSTILE, title=HOSTILE))
    assert (ran.code, ran.error) == (0, "")
    said = ran.said + runner.hub.comments[0]["body"]
    for bad in ("@", "evil", "::", "img", "$(", "${{", "\u202e", "token", "injected"):
        assert bad not in said
    assert "MLFE-" in said


def test_a_comment_that_only_looks_like_its_own_is_left_alone(runner: Runner) -> None:
    runner.hub.comments += [
        {"id": 1, "user": PERSON, "body": f"{MARKER}\nmine"},
        {"id": 2, "user": {"login": "other[bot]", "type": "Bot"}, "body": f"{MARKER}\nmine too"},
        {"id": 3, "user": BOT, "body": f"quoted: {MARKER}"},
        {"id": 4, "user": None, "body": None},
    ]
    runner.run(event(TRACE))
    assert [comment["body"] for comment in runner.hub.comments[:2]] == [f"{MARKER}\nmine", f"{MARKER}\nmine too"]
    assert len(runner.hub.comments) == 5


def test_its_comment_is_found_behind_many_others(runner: Runner) -> None:
    runner.hub.comments += [{"id": n, "user": PERSON, "body": "+1"} for n in range(250)]
    runner.hub.comments.append({"id": 900, "user": BOT, "body": f"{MARKER}\nold"})
    assert runner.run(event(TRACE)).said == "issue 12: comment changed\n"
    assert len(runner.hub.comments) == 251


def test_a_call_that_fails_is_tried_again(runner: Runner) -> None:
    runner.hub.failures += [502, 403]
    assert runner.run(event(TRACE)).said == "issue 12: commented\n"


@pytest.mark.parametrize(
    ("failures", "why"), [([500, 500, 500], "status 500"), ([404], "status 404"), ([401], "status 401")]
)
def test_a_call_that_goes_on_failing_is_one_line(runner: Runner, failures: list[int], why: str) -> None:
    runner.hub.failures += failures
    ran = runner.run(event(TRACE))
    assert (ran.code, ran.said, ran.error) == (2, "", f"GET issues/12/comments: {why}\n")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_broken_event_is_one_line(runner: Runner, content: bytes) -> None:
    ran = runner.run(content)
    assert (ran.code, ran.said, ran.error) == (2, "", "GITHUB_EVENT_PATH names no event of GitHub\n")


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "GITHUB_REPOSITORY"])
def test_what_is_missing_is_named(runner: Runner, name: str) -> None:
    ran = runner.run(event(TRACE), **{name: ""})
    assert (ran.code, ran.error.count("\n")) == (2, 1)
    assert name in ran.error


def test_the_page_shows_a_workflow_that_gives_no_more_than_is_needed() -> None:
    [block] = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/bot.md").read_text(encoding="utf-8"), re.DOTALL)
    workflow = yaml.safe_load(block)
    [job] = workflow["jobs"].values()
    assert workflow[True] == {"issues": {"types": ["opened", "edited"]}}  # YAML 1.1 reads `on` so
    assert (workflow["permissions"], job["permissions"]) == ({}, {"issues": "write"})
    action = yaml.safe_load((ROOT / "action/action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    assert not [step for step in steps if "${{" in step["run"]]
    assert steps[-1]["run"].endswith("-m generator.bot")
