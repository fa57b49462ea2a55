"""Reads the text of a signature template into items and refuses what cannot work.

Knows the grammar and the placeholders' names and bounds; `template` makes a pattern of the items. A text is refused for
what would never match a cleaned line (two blanks in a row, a tab), for what a reader could not tell apart (two
placeholders without a separator) and for what could make matching slow.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from math import prod
from typing import TypeAlias

from generator.language.placeholders import NONFINITE, PLACEHOLDERS, Placeholder

_NAME = re.compile("[a-z][a-z0-9_]{0,39}")
MOST_EXPANSIONS = 64
TWO_BLANKS = (
    "two blanks in a row never match",
    "Lines are matched with blanks in a row made one space: keep one, or write {sp} for padding.",
)


class TemplateError(ValueError):
    """A template that cannot be used, with the place of the fault: a character counted from 0."""

    def __init__(self, position: int, message: str, mend: str) -> None:
        super().__init__(f"{message}, at character {position + 1}. {mend}")
        self.position = position
        self.message = message
        self.mend = mend


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Literal text, or alternatives `{a|b}`."""

    position: int
    options: tuple[str, ...]
    """One text; or the alternatives as written."""
    is_choice: bool = False
    """Whether it was written as alternatives: then the one found is captured."""

    @property
    def may_be_empty(self) -> bool:
        """Whether the empty alternative is among them."""
        return "" in self.options


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A placeholder other than alternatives."""

    position: int
    placeholder: Placeholder
    name: str | None

    @property
    def may_be_empty(self) -> bool:
        """No placeholder that may stand at an edge matches nothing."""
        return False

    @property
    def written(self) -> str:
        """The placeholder without its name, as messages show it."""
        return f"{{{self.placeholder.kind}}}"

    def runs_over(self, text: str) -> bool:
        """Tell whether a match that ended before this text could as well go on over it."""
        runs_on = self.placeholder.runs_on
        return runs_on is not None and re.fullmatch(runs_on, text) is not None


Item: TypeAlias = Text | Slot


def read_items(text: str) -> tuple[Item, ...]:
    """Return the items of a template, or raise TemplateError."""
    _refuse_odd_characters(text)
    return tuple(_split(text))


def runs(items: tuple[Item, ...]) -> list[tuple[tuple[str, ...], ...]]:
    """Return the runs of literal text between the other placeholders, each as a sequence of options.

    `{nonfinite}` is a closed list of texts and belongs to a run. A run that would expand into too many texts is cut.
    """
    found: list[list[tuple[str, ...]]] = [[]]
    for item in items:
        if isinstance(item, Text):
            options = item.options
        elif item.placeholder.kind == "nonfinite":
            options = NONFINITE
        else:
            found.append([])
            continue
        if prod(map(len, found[-1])) * len(options) > MOST_EXPANSIONS:
            found.append([])
        found[-1].append(options)
    return [tuple(run) for run in found if run]


def _split(text: str) -> Iterator[Item]:
    """Yield literal texts, alternatives and placeholders in order."""
    literal, start, place = "", 0, 0
    while place < len(text):
        character = text[place]
        if text[place : place + 2] in ("{{", "}}"):
            literal, place = literal + character, place + 2
            continue
        if character == "}":
            raise TemplateError(place, "'}' closes nothing", "Write '}}' for a brace in the line.")
        if character != "{":
            literal, place = literal + character, place + 1
            continue
        if literal:
            yield Text(position=start, options=(literal,))
        body = _body(text, place)
        yield _alternatives(place, body) if "|" in body else _slot(place, body)
        start = place = place + len(body) + 2
        literal = ""
    if literal:
        yield Text(position=start, options=(literal,))


def _body(text: str, opened: int) -> str:
    """Return what stands between the brace at this place and the next closing one."""
    closed = text.find("}", opened)
    inner = text.find("{", opened + 1)
    if closed < 0 or 0 <= inner < closed:
        raise TemplateError(
            opened, "'{' is not closed", "Close the placeholder with '}', or write '{{' for a brace in the line."
        )
    return text[opened + 1 : closed]


def _alternatives(position: int, body: str) -> Text:
    options = tuple(body.split("|"))
    if not any(options):
        raise TemplateError(position, "the alternatives are all empty", "Write a text on one side of '|'.")
    for option in options:
        if options.count(option) > 1:
            raise TemplateError(
                position, f"the alternative '{option}' stands twice", "Keep it once; the order does not matter."
            )
    return Text(position=position, options=options, is_choice=True)


def _slot(position: int, body: str) -> Slot:
    name, colon, kind = body.rpartition(":")
    placeholder = PLACEHOLDERS.get(kind)
    if placeholder is None:
        raise _unknown(position, body, kind)
    if not colon:
        return Slot(position=position, placeholder=placeholder, name=None)
    if not placeholder.captures:
        raise TemplateError(position, f"{{{kind}}} captures nothing, so it has no name", f"Write {{{kind}}}.")
    if _NAME.fullmatch(name) is None or name == "and":
        raise TemplateError(
            position,
            f"'{name}' cannot name a capture",
            "A name is a small letter, then small letters, digits and '_', at most 40; 'and' is taken.",
        )
    return Slot(position=position, placeholder=placeholder, name=name)


def _unknown(position: int, body: str, kind: str) -> TemplateError:
    close = get_close_matches(kind.strip().lower(), PLACEHOLDERS, n=1)
    kinds = " ".join(f"{{{kind}}}" for kind in PLACEHOLDERS)
    message = f"there is no placeholder {{{body}}}"
    if close:
        mend = f"Did you mean {{{close[0]}}}?"
    elif _NAME.fullmatch(body):
        mend = f"A capture has a name and a kind, as in {{{body}:int}}; there are {kinds} and {{a|b}}."
    else:
        mend = f"There are {kinds} and {{a|b}}; write '{{{{' and '}}}}' for braces in the line."
    return TemplateError(position, message, mend)


def _refuse_odd_characters(text: str) -> None:
    for place, character in enumerate(text):
        if character == "\t" or (character != " " and unicodedata.category(character) in ("Zs", "Zl", "Zp")):
            raise TemplateError(
                place,
                f"a blank other than a space stands here, U+{ord(character):04X}",
                "Lines are matched with every blank made one space: write a space, or {sp} for padding.",
            )
        if unicodedata.category(character) in ("Cc", "Cf", "Cs"):
            raise TemplateError(
                place, f"an invisible character stands here, U+{ord(character):04X}", "Remove it, or use {any}."
            )
    if "  " in text:
        raise TemplateError(text.index("  ") + 1, *TWO_BLANKS)
