"""A YAML parser's complaint and the line it is about -> what is wrong in plain words, and what to do.

Row 1: plain text in, plain text out; knows no parser. The complaints of libyaml and of PyYAML's own parser are both
read, and both lead to the same words. Most of them have one reason: a log line that stands in the file without quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

QUOTE = "Put the line in single quotes."
_ALIGN = "Keys of one level begin in the same column, two spaces further in for each level."


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One syntax error, explained."""

    message: str
    mend: str
    code: str = "syntax"
    at_context: bool = False
    """Point at where the broken construct begins rather than at where the parser gave up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """When every one of these words is in the complaint, this is the trouble."""

    words: tuple[str, ...]
    trouble: Trouble


def _rule(*words: str, message: str, mend: str, code: str = "syntax", at_context: bool = False) -> _Rule:
    return _Rule(words=words, trouble=Trouble(message=message, mend=mend, code=code, at_context=at_context))


DEEPEST = 40
"""Most levels of nesting; the schema needs seven."""
DEEP = Trouble(
    code="too-deep",
    message=f"nested more than {DEEPEST} levels deep",
    mend="No entry needs so much. If it is text, put it in single quotes.",
)
_TAB = Trouble(code="tab", message="a tab cannot be used for indentation", mend="Use spaces, two for each level.")

_RULES = (
    _Rule(words=("nesting depth",), trouble=DEEP),
    _rule(
        "quoted scalar",
        "escape",
        message="a backslash in double quotes begins an escape, and this is not one",
        mend="Put the text in single quotes, where a backslash is plain text.",
    ),
    _rule(
        "quoted scalar",
        "expected hex",
        message="a backslash in double quotes begins an escape, and this is not one",
        mend="Put the text in single quotes, where a backslash is plain text.",
    ),
    _rule(
        "quoted scalar",
        message="the quoted text that begins here never ends",
        mend="Close it with the same quote; inside single quotes write an apostrophe twice.",
        at_context=True,
    ),
    _rule(
        "simple key",
        message="this line is neither a key nor part of the text above",
        mend="Write 'key: value' with a space after the colon, or indent the line further to continue the text above.",
        at_context=True,
    ),
    _rule(
        "sequence entries are not allowed",
        message="a list item cannot begin here",
        mend="Put '- ' on a line of its own below the key. If it is text, put the line in single quotes.",
    ),
    _rule("mapping keys are not allowed", message="a text cannot begin with '? '", mend=QUOTE),
    _rule("scanning an anchor", message="a text cannot begin with '&'", mend=QUOTE, at_context=True),
    _rule("scanning an alias", message="a text cannot begin with '*'", mend=QUOTE, at_context=True),
    _rule("directive", message="a line cannot begin with '%'", mend=QUOTE, at_context=True),
    _rule("version number", message="a line cannot begin with '%'", mend=QUOTE, at_context=True),
    _rule("tag", message="a text cannot begin with '!'", mend=QUOTE, at_context=True),
    _rule("tab character", message=_TAB.message, mend=_TAB.mend, code=_TAB.code),
    _rule(
        "block scalar",
        message="a text cannot begin with '|' or '>'",
        mend="Put the line in single quotes; or write '|' alone and the text below it, indented.",
        at_context=True,
    ),
    _rule(
        "flow sequence",
        message="the list that begins here with '[' is not closed",
        mend="Close it with ']'. If it is text, put the line in single quotes.",
        at_context=True,
    ),
    _rule(
        "flow mapping",
        message="the mapping that begins here with '{' is not closed",
        mend="Close it with '}'. If it is text, put the line in single quotes.",
        at_context=True,
    ),
)

_OUT_OF_STEP = (
    _rule(
        "block collection",
        message="this line is out of step with the list above it",
        mend="Begin each item with '- ' in one column, and each key of an item below the item's first key.",
    ),
    _rule("block mapping", message="this line does not line up with the keys above it", mend=_ALIGN),
    _rule("document start", message="this line does not belong to anything above it", mend=_ALIGN),
)


_SIGN_BEFORE = re.compile(r"(?:^|[:\-] +)(?P<sign>[*&!])\S*\s*$")


def explain(complaint: str, line: str, column: int) -> Trouble:
    """Explain a complaint about a line; the column, from 1, is where the parser gave up.

    >>> explain("mapping values are not allowed in this context", "note: a: b", 8).mend
    'Put the line in single quotes.'
    """
    before, sign = line[: column - 1], line[column - 1 : column]
    if "mapping values are not allowed" in complaint:
        return _colon(before)
    if "cannot start any token" in complaint:
        return _TAB if sign == "\t" else Trouble(message=f"a text cannot begin with '{sign}'", mend=QUOTE)
    return _first(_RULES, complaint) or _goes_on(before) or _first(_OUT_OF_STEP, complaint) or _unknown(sign)


def _first(rules: tuple[_Rule, ...], complaint: str) -> Trouble | None:
    return next((rule.trouble for rule in rules if all(word in complaint for word in rule.words)), None)


def _colon(before: str) -> Trouble:
    """Tell a log line with a colon in it from a key that is indented too far."""
    if ": " in before:
        return Trouble(message="a second colon followed by a space cannot stand in a text without quotes", mend=QUOTE)
    return Trouble(
        message="a key cannot stand here, because the line above already has a value",
        mend=f"{_ALIGN} If it is text, put it in single quotes.",
    )


def _goes_on(before: str) -> Trouble | None:
    """Explain text after a closing quote or bracket, or after what YAML takes for an alias, an anchor or a tag."""
    match = _SIGN_BEFORE.search(before)
    if match:
        return Trouble(message=f"a text cannot begin with '{match['sign']}'", mend=QUOTE)
    last = before.rstrip()[-1:]
    if last == "'":
        mend = "Inside single quotes write an apostrophe twice: ''."
        return Trouble(message="the text goes on after its closing quote", mend=mend)
    if last == '"':
        return Trouble(message="the text goes on after its closing quote", mend="Put the whole line in single quotes.")
    if last and last in "]}":
        return Trouble(message=f"the text goes on after '{last}'", mend=QUOTE)
    return None


def _unknown(sign: str) -> Trouble:
    if sign and sign in ",[]{}":
        return Trouble(message=f"'{sign}' cannot stand here", mend=QUOTE)
    return Trouble(message="the file cannot be read from here on", mend="Look at quotes, colons and indentation.")
