"""The few calls of GitHub's REST API that the bot makes: comments of an issue, listed, written, changed.

Source: "REST API endpoints for issue comments" in GitHub's documentation, API version 2022-11-28.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

TIMEOUT = 20.0
"""Seconds that one call may take."""
TRIES = 3
_PAGE = 100
_MOST_PAGES = 30
_LONGEST_WAIT = 60
_AGAIN = (403, 429, 500, 502, 503, 504)


class Refused(Exception):  # noqa: N818 -- what GitHub does
    """A call that GitHub did not take; its text is the bot's own."""


@dataclass(frozen=True, kw_only=True)
class Issue:
    """An issue of a repository, and how to reach it."""

    api: str
    """Address of the API, `https://api.github.com`."""
    repository: str
    number: int
    token: str = field(repr=False)
    sleep: Callable[[float], None] = time.sleep

    def comments(self) -> Iterator[dict[str, Any]]:
        """Yield the issue's comments, oldest first; raises Refused."""
        for page in range(1, _MOST_PAGES + 1):
            found = self._call("GET", f"issues/{self.number}/comments?per_page={_PAGE}&page={page}")
            yield from found
            if len(found) < _PAGE:
                return

    def write(self, body: str) -> None:
        """Add a comment; raises Refused."""
        self._call("POST", f"issues/{self.number}/comments", {"body": body})

    def change(self, comment: int, body: str) -> None:
        """Change a comment; raises Refused."""
        self._call("PATCH", f"issues/comments/{comment}", {"body": body})

    def _call(self, method: str, path: str, content: dict[str, str] | None = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "Content-Type": "application/json",
            "User-Agent": "ml-failure-encyclopedia",
        }
        address = f"{self.api}/repos/{self.repository}/{path}"
        for attempt in range(1, TRIES + 1):
            request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 -- the runner's own
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as error:
                why, wait = f"status {error.code}", error.headers.get("Retry-After", "")
                may_pass = error.code in _AGAIN
            except (OSError, ValueError) as error:
                why, wait, may_pass = type(error).__name__, "", True
            if not may_pass or attempt == TRIES:
                raise Refused(f"{method} {path.partition('?')[0]}: {why}")
            self.sleep(min(int(wait) if wait.isdigit() else 2**attempt, _LONGEST_WAIT))
        raise AssertionError
