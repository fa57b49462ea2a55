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
from itertools import product
from math import prod
from typing import TypeAlias

from generator.placeholders import NONFINITE, PLACEHOLDERS, Placeholder

_NAME = re.compile("[a-z][a-z0-9_]{0,39}")
_MOST_EXPANSIONS = 64
_MOST_ANY = 2
_TWO_BLANKS = (
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
    items = tuple(_split(text))
    _refuse_doubled_names(items)
    _refuse_bad_any(items)
    _refuse_unclear_text(items)
    if not any(isinstance(item, Text) and all(map(str.strip, item.options)) for item in items):
        raise TemplateError(
            0, "the template has no text that is always there", "Add words that the line holds beside the placeholders."
        )
    return items


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
        if prod(map(len, found[-1])) * len(options) > _MOST_EXPANSIONS:
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
    message = f"there is no placeholder {{{body}}}"
    if close:
        mend = f"Did you mean {{{close[0]}}}?"
    else:
        kinds = " ".join(f"{{{kind}}}" for kind in PLACEHOLDERS)
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
        raise TemplateError(text.index("  ") + 1, *_TWO_BLANKS)


def _refuse_doubled_names(items: tuple[Item, ...]) -> None:
    names = set()
    for item in items:
        if isinstance(item, Slot) and item.name is not None:
            if item.name in names:
                raise TemplateError(item.position, f"two captures are named '{item.name}'", "Give each its own name.")
            names.add(item.name)


def _refuse_bad_any(items: tuple[Item, ...]) -> None:
    seen = 0
    for place, item in enumerate(items):
        if not isinstance(item, Slot) or item.placeholder.kind != "any":
            continue
        seen += 1
        if seen > _MOST_ANY:
            raise TemplateError(
                item.position,
                f"{{any}} stands more than {_MOST_ANY} times",
                "Name the parts, or end the template before it.",
            )
        if place in (0, len(items) - 1):
            raise TemplateError(
                item.position, "{any} stands at an end", "Remove it: a template is found anywhere in a line."
            )
        for beside in (items[place - 1], items[place + 1]):
            if isinstance(beside, Slot) or beside.is_choice:
                raise TemplateError(
                    item.position, "{any} stands beside another placeholder", "Put text of the line between them."
                )


def _refuse_unclear_text(items: tuple[Item, ...]) -> None:
    """Look at every text that may stand between two placeholders, alternatives expanded and padding as one blank."""
    left: Slot | None = None
    between: list[Item] = []
    for item in (*items, None):
        if isinstance(item, Text) or (item is not None and item.placeholder.kind == "sp"):
            between.append(item)
            continue
        texts = _expanded(between)
        if left is not None and item is not None:
            _refuse_unclear_border(left, texts, item)
        left, between = item, []


def _expanded(between: list[Item]) -> list[str]:
    choices = [item.options if isinstance(item, Text) else (" ",) for item in between]
    written = next((item.position for item in between if isinstance(item, Slot) or item.is_choice), 0)
    if prod(map(len, choices)) > _MOST_EXPANSIONS:
        raise TemplateError(
            written,
            f"the alternatives expand into more than {_MOST_EXPANSIONS} texts",
            "Write the wordings apart: a signature may have several.",
        )
    texts = ["".join(choice) for choice in product(*choices)]
    if any("  " in text for text in texts):
        raise TemplateError(written, *_TWO_BLANKS)
    return texts


def _refuse_unclear_border(left: Slot, texts: list[str], right: Slot) -> None:
    """Refuse a separator that the left placeholder could match: where it ends would then be a guess."""
    if "" in texts:
        raise TemplateError(
            right.position,
            f"nothing stands between {left.written} and {right.written}",
            f"Put a text between them that {left.written} cannot match.",
        )
    swallowed = next((text for text in texts if left.runs_over(text)), None)
    if swallowed is not None:
        raise TemplateError(
            right.position,
            f"'{swallowed}' between {left.written} and {right.written} could be part of {left.written}",
            f"Put a text between them that {left.written} cannot match, or use a narrower placeholder.",
        )
