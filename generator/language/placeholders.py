"""The placeholders of the template language: what each matches, and what reads its text.

Row 1 of the house: knows neither templates nor lines. Patterns are written in the subset that Python `re` (with
`re.ASCII`), JavaScript (`u` flag) and RE2 read alike: explicit character classes, bounded repeats, no flags, no
lookaround, no backreference, no named group. Every pattern can take its text in one way only from where it starts, or
gives back a few characters at most, so that matching stays linear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.language.values import MILLISECONDS, Value, read_bytes, read_milliseconds, read_quoted, read_shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """What may stand beside a placeholder that opens or closes its template.

    A template is not anchored, so a match could begin or end within a number or a word and capture a part of it. As
    nothing in the pattern subset looks around, the neighbour is matched as well; it is never captured.
    """

    opens: str
    """Matches what may stand before it: the line's start, or a character that is no part of it."""
    closes: str
    """Matches what may stand behind it."""
    stops: str
    """Matches what may stand behind a last text that could itself be part of the placeholder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """One kind of placeholder."""

    kind: str
    meaning: str
    """What it matches, for people."""
    pattern: str
    read: Callable[[str], Value] | None
    """Turns its text into a value; None when it captures nothing."""
    runs_on: str | None = None
    """Matches a text over which it could run on: no separator before another placeholder. None: it never could."""
    edges: Edges | None = None
    """None when it delimits itself."""
    last: str | None = None
    """Its pattern at the end of a template, where the punctuation that ends a sentence is not part of it."""

    @property
    def captures(self) -> bool:
        """Whether a match holds a value for it."""
        return self.read is not None


_NUMERIC = Edges(
    opens="(?:^|[^A-Za-z0-9_.,+-])",
    closes="(?:[.,+-](?:[^A-Za-z0-9_]|$)|[^A-Za-z0-9_.,+-]|$)",
    stops="(?:[^A-Za-z0-9_]|$)",
)
_MEASURED = Edges(
    opens=_NUMERIC.opens,
    closes="(?:[.,+/-](?:[^A-Za-z0-9_]|$)|[^A-Za-z0-9_.,+/-]|$)",  # "20 MiB/s" is no size
    stops=_NUMERIC.stops,
)
_WORDY = Edges(
    opens="(?:^|[^A-Za-z0-9_.-])",
    closes="[.-]{0,99}(?:[^A-Za-z0-9_.-]|$)",
    stops="(?:[^A-Za-z0-9_.-]|$)",
)
_NAME_END = "(?:[\\n\"'`()\\[\\]{}<>]|$)"
_PATH_END = "(?:[ \\t\\r\\n\"'`,()\\[\\]{}<>]|$)"

_INT = "-?[0-9]{1,20}"
_NUMBER = "-?[0-9]{1,40}(?:\\.[0-9]{1,40})?(?:[eE][-+]?[0-9]{1,3})?"
_HEX = "0x[0-9a-fA-F]{1,128}|[0-9a-fA-F]{4,128}"
_VERSION = "[0-9]{1,9}\\.[0-9]{1,9}(?:[A-Za-z][A-Za-z0-9]{0,63})?(?:[-+._][A-Za-z0-9]{1,64}){0,9}"
_PATH = "[^ \\t\\r\\n\"'`,()\\[\\]{}<>]"
_HOST = "[A-Za-z0-9][A-Za-z0-9_.-]{0,252}"
_GROUP = "[0-9a-fA-F]{1,4}"
_GROUPS = f"{_GROUP}(?::{_GROUP}){{0,6}}"
_IPV6 = (
    f"(?:{_GROUP}(?::{_GROUP}){{7}}|(?:{_GROUPS})?::(?:{_GROUPS}(?:(?:\\.[0-9]{{1,3}}){{3}})?)?)"
    "(?:%[A-Za-z0-9_-]{1,32})?"
)
_PORT = "[0-9]{1,5}"
_DIMENSIONS = "(?:-?[0-9]{1,20}(?:, ?-?[0-9]{1,20}){0,15},?)?"

NONFINITE = ("nan", "NaN", "-nan", "inf", "-inf", "Inf", "Infinity")
"""The texts of `{nonfinite}`: a closed list, so that they count as literal text."""


def _longest_first(texts: tuple[str, ...]) -> str:
    return "|".join(sorted(texts, key=len, reverse=True))


_ALL = (
    Placeholder(
        kind="int",
        meaning="digits, a minus before them or not",
        pattern=_INT,
        read=int,
        runs_on="[0-9]+",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="number",
        meaning="a finite decimal number, with an exponent or without",
        pattern=_NUMBER,
        read=str,
        runs_on="[0-9]*(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]*)?",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="nonfinite",
        meaning="one of " + " ".join(NONFINITE),
        pattern=_longest_first(NONFINITE),
        read=str,
        runs_on="i(?:n(?:i(?:ty?)?)?)?",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="bytes",
        meaning="a number and one of B KB KiB MB MiB GB GiB TB TiB bytes, a blank between them or not",
        pattern=f"{_NUMBER} ?(?:bytes|[KMGT]i?B|B)",
        read=read_bytes,
        edges=_MEASURED,
    ),
    Placeholder(
        kind="duration",
        meaning="a number and one of ns us ms s seconds minutes hours, a blank between them or not",
        pattern=f"{_NUMBER} ?(?:{_longest_first(tuple(MILLISECONDS))})",
        read=read_milliseconds,
        runs_on="e(?:c(?:o(?:n(?:ds?)?)?)?)?",
        edges=_MEASURED,
    ),
    Placeholder(
        kind="hex",
        meaning="0x and hex digits, or at least four hex digits",
        pattern=_HEX,
        read=str,
        runs_on="[0-9a-fA-F]+",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="version",
        meaning="digits with dots between, and suffixes such as rc1, .dev2026 or +cpu",
        pattern=_VERSION,
        read=str,
        runs_on="[A-Za-z0-9._+-]+",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="word",
        meaning="letters, digits, '_', '.' and '-'",
        pattern="[A-Za-z0-9_.-]{1,500}",
        last="[A-Za-z0-9_.-]{0,499}[A-Za-z0-9_]",
        read=str,
        runs_on="[A-Za-z0-9_.-]+",
        edges=_WORDY,
    ),
    Placeholder(
        kind="name",
        meaning="1 to 64 characters without bracket or quote, blanks included",
        pattern="[^\\n\"'`()\\[\\]{}<>]{1,64}?",  # lazy: a name may hold the text that is to end it
        last="[^\\n\"'`()\\[\\]{}<>]{0,63}[^ \\t\\n\"'`()\\[\\]{}<>]",
        read=str,
        runs_on="[^\\n\"'`()\\[\\]{}<>]+",
        edges=Edges(opens="(?:^|[\\n\"'`()\\[\\]{}<>])", closes=f"[ \\t]{{0,99}}{_NAME_END}", stops=""),
    ),
    Placeholder(
        kind="path",
        meaning="characters other than blank, quote, comma and bracket",
        pattern=f"{_PATH}{{1,1000}}",
        last=f"{_PATH}{{0,999}}[^ \\t\\r\\n\"'`,()\\[\\]{{}}<>.:;!?]",
        read=str,
        runs_on=f"{_PATH}+",
        edges=Edges(
            opens="(?:^|[ \\t\\r\\n\"'`,()\\[\\]{}<>])",
            closes=f"[.:;!?]{{0,99}}{_PATH_END}",
            stops=_PATH_END,
        ),
    ),
    Placeholder(
        kind="host",
        meaning="a host name or IP address without port",
        pattern=f"{_IPV6}|{_HOST}",
        last=f"{_IPV6}|[A-Za-z0-9](?:[A-Za-z0-9_.-]{{0,251}}[A-Za-z0-9_])?",
        read=str,
        runs_on="[A-Za-z0-9_.-]+",
        edges=_WORDY,
    ),
    Placeholder(
        kind="addr",
        meaning="a host name or IP address with its port, as host:p, host<p> or [host]:p",
        pattern=f"\\[(?:{_IPV6}|{_HOST})\\]:{_PORT}|{_IPV6}<{_PORT}>|{_HOST}(?::{_PORT}|<{_PORT}>)",
        read=str,
        runs_on="[0-9]+",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="shape",
        meaning="[64, 16], (64, 16), torch.Size([64, 16]) or 64x16",
        pattern=(
            f"torch\\.Size\\(\\[{_DIMENSIONS}\\]\\)|\\[{_DIMENSIONS}\\]|\\({_DIMENSIONS}\\)"
            "|[0-9]{1,20}(?:x[0-9]{1,20}){1,15}"
        ),
        read=read_shape,
        runs_on="[0-9x]+",
        edges=_NUMERIC,
    ),
    Placeholder(
        kind="quoted",
        meaning="text in single, double or back quotes",
        pattern="'[^'\\n]{0,400}'|\"[^\"\\n]{0,400}\"|`[^`\\n]{0,400}`",
        read=read_quoted,
    ),
    Placeholder(
        kind="any",
        meaning="up to 400 characters, not captured",
        pattern="[^\\n]{0,400}?",  # lazy: it ends at the first place where the rest of the template goes on
        read=None,
    ),
    Placeholder(
        kind="sp",
        meaning="one or more blanks, not captured",
        pattern="[ \\t]{1,200}",
        read=None,
    ),
)

PLACEHOLDERS: dict[str, Placeholder] = {placeholder.kind: placeholder for placeholder in _ALL}
"""Every placeholder by kind, in the order in which they are explained."""
