"""What the action runs: an event of GitHub -> at most one comment on its issue, kept up to date.

Reads the event's file and the environment; prints ids and numbers alone, so that no line of an issue is read as a
command of the workflow. Exit status: 0 done or nothing to do, 2 the event or GitHub does not let it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.bot.comment import GONE, MARKER, comment_on
from generator.bot.github import Issue, Refused
from generator.diagnosing import read_index

_ACTIONS = ("opened", "edited", "reopened")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_LOGIN = "github-actions[bot]"
"""Who writes with the token that a workflow has."""


def main() -> None:
    """Handle the event that the environment names."""
    try:
        print(handle(read_event(os.environ), os.environ))  # noqa: T201 -- the log of the workflow
    except (Refused, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


def read_event(environment: Mapping[str, str]) -> Mapping[str, Any]:
    """Read the event's file.

    Raises ValueError when it is none, OSError when it cannot be read.
    """
    try:
        event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_bytes())
    except (KeyError, ValueError, RecursionError):
        raise ValueError("GITHUB_EVENT_PATH names no event of GitHub") from None
    if not isinstance(event, dict):
        raise ValueError("GITHUB_EVENT_PATH names no event of GitHub")
    return event


def handle(event: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Comment, change the comment or do nothing; return what was done.

    Raises Refused when GitHub does not take it, ValueError when the environment lacks something.
    """
    issue = event.get("issue")
    if not isinstance(issue, dict) or not isinstance(issue.get("number"), int) or "pull_request" in issue:
        return "not an issue"
    sender = event.get("sender")
    if event.get("action") not in _ACTIONS or (isinstance(sender, dict) and sender.get("type") == "Bot"):
        return "nothing to do"
    if issue.get("state") != "open" or issue.get("locked"):
        return "the issue is closed"
    text = "\n".join(part for part in (issue.get("title"), issue.get("body")) if isinstance(part, str))
    return _keep_up(_place(issue["number"], environment), comment_on(text, read_index(None)), environment)


def _keep_up(place: Issue, wanted: str | None, environment: Mapping[str, str]) -> str:
    """Write the comment, or change the one that is there."""
    login = environment.get("BOT_LOGIN") or _LOGIN
    own = next((comment for comment in place.comments() if _is_own(comment, login)), None)
    if own is None and wanted is None:
        return f"issue {place.number}: nothing established"
    if own is None:
        place.write(wanted or GONE)
        return f"issue {place.number}: commented"
    text = wanted or GONE
    if own["body"].strip() == text.strip():
        return f"issue {place.number}: the comment fits"
    place.change(own["id"], text)
    return f"issue {place.number}: comment changed"


def _place(number: int, environment: Mapping[str, str]) -> Issue:
    repository, token = environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_TOKEN", "")
    if not _REPOSITORY.fullmatch(repository):
        raise ValueError("GITHUB_REPOSITORY names no repository")
    if not token:
        raise ValueError("GITHUB_TOKEN is not set")
    api = environment.get("GITHUB_API_URL") or "https://api.github.com"
    return Issue(api=api.rstrip("/"), repository=repository, number=number, token=token)


def _is_own(comment: Mapping[str, Any], login: str) -> bool:
    user = comment.get("user") or {}
    body = comment.get("body") or ""
    return user.get("type") == "Bot" and user.get("login") == login and body.startswith(MARKER)


if __name__ == "__main__":
    main()
