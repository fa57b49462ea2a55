"""Refuses templates that cannot work: what would never match, what nobody could tell apart, what could be slow.

Cleaned lines never hold two blanks in a row or a tab; two placeholders need a text between them that the first cannot
match, so that where it ends is no guess; a template needs text that is always there.
"""

from __future__ import annotations

from itertools import product
from math import prod

from generator.language.template_text import MOST_EXPANSIONS, TWO_BLANKS, Item, Slot, TemplateError, Text

_MOST_ANY = 2


def refuse(items: tuple[Item, ...]) -> None:
    """Raise TemplateError for the first rule that the items break."""
    _refuse_doubled_names(items)
    _refuse_bad_any(items)
    _refuse_unclear_text(items)
    if not any(isinstance(item, Text) and all(map(str.strip, item.options)) for item in items):
        raise TemplateError(
            0, "the template has no text that is always there", "Add words that the line holds beside the placeholders."
        )


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
    if prod(map(len, choices)) > MOST_EXPANSIONS:
        raise TemplateError(
            written,
            f"the alternatives expand into more than {MOST_EXPANSIONS} texts",
            "Write the wordings apart: a signature may have several.",
        )
    texts = ["".join(choice) for choice in product(*choices)]
    if any("  " in text for text in texts):
        raise TemplateError(written, *TWO_BLANKS)
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
