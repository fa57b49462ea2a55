"""Tracebacks that do not stand in plain lines: in a field of a JSON line, and in the boxes that rich draws.

Knows texts alone, neither ranks nor records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

HEADER = "Traceback (most recent call last):"
NAME = "(?:[A-Za-z_][A-Za-z0-9_]{0,80}\\.){0,8}[A-Za-z_][A-Za-z0-9_]{0,80}"
EXCEPTION = re.compile(f"^({NAME})(?:\\([A-Za-z]{{1,80}}\\))?(?:: ?(.*))?$", re.ASCII)
FRAME = re.compile('^ *File "([^"]{1,1000})"(?:, line ([0-9]{1,9}))?', re.ASCII)
_FIELD = re.compile(r'Traceback \(most recent call last\):\\n((?:[^"\\\n]|\\.){1,4000})', re.ASCII)
_PLACE = re.compile("^\u2502 ([^ :]{1,300}):([0-9]{1,9}) in ", re.ASCII)
_NUMBERED = re.compile("^ {0,200}\u2502 (?:\u2771 )?[0-9]{1,9} \u2502", re.ASCII)
_OUTLIVED = re.compile(
    "Exception ignored in|exception was never retrieved|Exception in callback |--- Logging error ---"
)
_SYSTEM_PATHS = ("site-packages/", "dist-packages/", "/lib/python", "<frozen ", "/bin/")
_STRING = re.compile("\"[^\"]*(?:\"|$)|'[^']*(?:'|$)", re.ASCII)
_TITLE = "Traceback (most recent call last)"

Frames = tuple[tuple[str, int], ...]


def frames_of(bodies: Iterable[str]) -> Frames:
    """Return file and line of each frame among some lines."""
    return tuple((frame[1], int(frame[2] or 0)) for frame in map(FRAME.match, bodies) if frame)


def in_field(text: str) -> tuple[str, str, Frames, str] | None:
    r"""Read a traceback with its line feeds escaped: type and text of its first exception, frames, the rest.

    >>> in_field(r'{"exc": "Traceback (most recent call last):\n File \"a.py\", line 3\nKeyError: 1"}')
    ('KeyError', '1', (('a.py', 3),), '{"exc": ""}')
    """
    found = _FIELD.search(text)
    if found is None:
        return None
    rows = found[1].replace('\\"', '"').split("\\n")
    raised = next((one for one in map(EXCEPTION.match, rows) if one), None)
    if raised is None:
        return None
    return raised[1], (raised[2] or "").strip(" "), frames_of(rows), text[: found.start()] + text[found.end() :]


def without_strings(code: str) -> str:
    """Return a line of source with other letters in its strings: what a program could print is not printed.

    >>> without_strings("raise ValueError('no data')")
    "raise ValueError('xxxxxxx')"
    """
    return _STRING.sub(lambda found: re.sub("[^\"']", "x", found[0]), code)


def is_outlived(body: str) -> bool:
    """Whether the interpreter says that an exception ends nothing: it shows it below and goes on."""
    return _OUTLIVED.search(body) is not None


def opens_box(body: str) -> bool:
    """Whether a box with a traceback begins."""
    return body.lstrip(" ").startswith("\u256d") and _TITLE in body


def is_numbered_code(body: str) -> bool:
    """Whether a line is one of source, with its number, in such a box."""
    return _NUMBERED.match(body) is not None


def in_box(bodies: Sequence[str]) -> tuple[str, str, Frames, int] | None:
    """Read a box that begins with the first line: type and text of the exception under it, frames, and its place."""
    frames: list[tuple[str, int]] = []
    for place, body in enumerate(bodies):
        text = body.strip(" ")
        frame = _PLACE.match(text)
        if frame:
            frames.append((frame[1], int(frame[2])))
        elif text.startswith("\u2570"):
            raised = EXCEPTION.match(bodies[place + 1].strip(" ")) if place + 1 < len(bodies) else None
            return None if raised is None else (raised[1], (raised[2] or "").strip(" "), tuple(frames), place + 1)
        elif place and not text.startswith("\u2502"):
            return None
    return None


def is_own_code(file: str) -> bool:
    """Whether a frame is the job's own code, not the interpreter's nor a library's."""
    return not any(part in file for part in _SYSTEM_PATHS)
