"""The bytes of a piece of a log -> its text as templates see it: no colours, no control characters, single blanks.

Knows neither files nor signatures. Twin: `overrides/assets/diagnosis/lines.mjs`, held to this by
`tests/conformance/lines/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ESCAPES = re.compile(
    "\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    "|[\\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)"  # OSC and its kin: titles, links
    "|[ -/]*[0-~])"  # the two-byte ones, and the head of a broken one
)
# Longer runs of numbers are no colours, and `[5m]` and `[12ms` are times.
_LOST_ESCAPES = re.compile(r"\[[0-9]{1,3}(?:;[0-9]{1,3}){0,7}m(?!\]|(?:s|in)(?![A-Za-z]))")
ESCAPE = b"\x1b"
UNSEEN = re.compile(
    "[\x00-\x08\x0d-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
"""Characters that nobody sees."""
ODD_BLANKS = re.compile("[\t\x0b\x0c\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
"""Blanks other than the space."""
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_UNREADABLE = 5
"""Text of which more than one character in so many is no text is no log."""
_RUNS = re.compile("  +")


def clean(data: bytes) -> str:
    r"""Decode a piece and return its text; several pieces joined by LF are cleaned each for itself.

    Bytes that are not UTF-8 become U+FFFD. Indentation stays, as spaces; blanks at the end go.

    >>> clean(b"  \x1b[31mError:\t \x00out of\xc2\xa0memory[0m ")
    '  Error: out of memory'
    """
    return _single_blanks(_LOST_ESCAPES.sub("", _visible(data)))


def searched(data: bytes) -> str:
    """Return the text in which a scan looks for literals: as `clean`, but an escape that lost its ESC stays.

    To look at every bracket of a large log would cost more than all else.
    """
    return _single_blanks(_visible(data))


def plain(data: bytes) -> str:
    """Return the text of one piece as `clean` does, but with its blanks as they are.

    What stands behind a launcher's prefix keeps its indentation, and what a screen padded its padding.

    >>> plain(b"[rank0]:   File 'a'  ")
    "[rank0]:   File 'a'  "
    """
    return _LOST_ESCAPES.sub("", _visible(data))


def decoded(data: bytes) -> str:
    """Return the characters of a piece, escapes and all; bytes that are not UTF-8 become U+FFFD."""
    return data.decode("utf-8", "replace")


def is_unreadable(texts: Sequence[str]) -> bool:
    """Whether so many characters of texts stand for bytes that are no text that they are data, not a log."""
    return sum(text.count("\ufffd") for text in texts) * _UNREADABLE > sum(map(len, texts))


def _visible(data: bytes) -> str:
    text = decoded(data)
    if data.translate(None, _PLAIN):
        text = ODD_BLANKS.sub(" ", UNSEEN.sub("", _ESCAPES.sub("", text)))
    return text


def _single_blanks(text: str) -> str:
    return _RUNS.sub(_single, text).replace(" \n", "\n").removesuffix(" ")


def _single(run: re.Match[str]) -> str:
    text, start, end = run.string, run.start(), run.end()
    if end == len(text) or text[end] == "\n":
        return ""
    return run[0] if start == 0 or text[start - 1] == "\n" else " "
