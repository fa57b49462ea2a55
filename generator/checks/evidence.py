"""Claims carry what bears them out: causes have fixes, a confirmation can fail, quantities have evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.issues import Problem
from generator.model import Catalog, Entry, prose_fields

_DIGITS = r"\d[\d.,]*"
_WORDS = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)"
)
_TIME = r"(?:[nuµm]?s|secs?|(?:milli|micro)?seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?)"
_UNIT = (
    rf"(?:{_TIME}|%|‰|percent|per cent|°C|bytes?|[kKMGTP]i?B(?:/s)?|[kKMGT]bits?|[GM]bps|[MG]Hz|watts?|W|"
    r"(?:tokens?|requests?|samples?|steps?|iterations?|images?)(?: per second|/s)|"
    r"times|-?fold|cases?|reports?|users?|incidents?|failures?|threads|dollars?|USD|euros?)"
)
_RANGE = rf"{_DIGITS}(?:\s*(?:-|–|to|or|and)\s*{_DIGITS})?"
_CASES = r"(?:cases|reports|failures|users|incidents)"
_QUANTITY = re.compile(
    rf"(?<![\w.$/-])(?:{_RANGE}[\s-]?{_UNIT}(?![\w/])"
    rf"|{_WORDS}(?:\s(?:to|or)\s{_WORDS})?[\s-](?:{_TIME}|percent|times|{_CASES})(?![\w/])"
    r"|\d[\d.,]*\s?[x×](?![\w×])"
    r"|(?:dozens|hundreds|thousands|millions) of \w+"
    rf"|(?:half|a third|two thirds|a quarter|three quarters|most|the majority) of (?:all |the )?{_CASES}"
    r"|[$€£]\s?\d[\d.,]*)",
    re.IGNORECASE,
)
_NOT_PROSE = re.compile(r"(`+)(?:(?!\1).)*?\1|\]\([^)\s]*\)|https://\S+", re.DOTALL)


def check_causes_fixed(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """Each cause of a published entry has a fix, or says that none is known; never both."""
    fixed = {cause for fix in entry.fixes for cause in fix.for_}
    for position, cause in enumerate(entry.causes):
        path = ("causes", position, "id")
        if cause.id in fixed and cause.no_known_fix is not None:
            yield Problem(
                path=("causes", position, "no_known_fix"),
                code="fix-and-none",
                message=f"cause '{cause.id}' says that no fix is known, yet a fix names it",
                mend="Remove no_known_fix, or take the cause out of the fix's `for`.",
            )
        elif entry.status == "published" and cause.id not in fixed and cause.no_known_fix is None:
            yield Problem(
                path=path,
                code="cause-without-fix",
                message=f"no fix is `for` the cause '{cause.id}'",
                mend="Add one under fixes, or say in no_known_fix that none is known and what was tried.",
            )


def check_disprovable(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """At least one confirmation can say no."""
    if entry.confirm and not any(step.expect_if_no for step in entry.confirm):
        yield Problem(
            path=("confirm",),
            at_key=True,
            code="cannot-say-no",
            message="no confirmation says what is seen when it is not this failure",
            mend="Add expect_if_no to at least one step, so that a reader can rule the failure out.",
        )


def check_quantities(entry: Entry, catalog: Catalog) -> Iterator[Problem]:
    """A time, share, size, rate or count in prose has evidence beside it."""
    for path, text, evidence in prose_fields(entry):
        if evidence:
            continue
        found = quantity_in(text)
        if found is not None:
            mend = (
                "Add evidence for it" if evidence is not None else "This field has no evidence: move it to one that has"
            )
            yield Problem(
                path=path,
                code="quantity-without-evidence",
                message=f"claims a quantity, '{found}', without evidence",
                mend=f"{mend}, or say it without the number. Code and formulae go in backticks.",
            )


def quantity_in(text: str) -> str | None:
    """Return the first time, share, size, rate or count claimed in prose; versions, ranks and code are none.

    >>> quantity_in("The fix takes 10 to 30 minutes.")
    '10 to 30 minutes'
    >>> quantity_in("Rank 3 of torch 2.13 prints Xid 79, and `x = 4 GiB` is code.")
    """
    match = _QUANTITY.search(_NOT_PROSE.sub(" ` ", text))
    return match.group().strip() if match else None


CHECKS = (check_causes_fixed, check_disprovable, check_quantities)
