"""How well a statement, and a whole entry, is borne out: computed, never typed by hand.

References and examples -> evidence grades; an entry -> its maturity with the reason for each rung. Refuses to know
what the page looks like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.entry_page.bodies import Step
from generator.entry_page.phrases import Item, Phrase, ours, own_text
from generator.model import Entry, Term
from generator.parts import Example, Reference

GRADES: Mapping[str, Term] = {
    value: Term(value=value, title=title, description=description)
    for value, title, description in (
        ("reproduced", "Reproduced", "A program on this page shows it each time the tests run."),
        ("source_line", "Source line", "The upstream source code itself reads so."),
        ("maintainer", "Maintainer", "A maintainer of the project says so."),
        ("vendor_doc", "Documentation", "The documentation of the project or the vendor says so."),
        ("captured_log", "Captured log", "A public thread shows the log."),
        ("single_report", "Single report", "One report, article or paper says so."),
    )
}
"""Best first."""

MATURITY: Mapping[str, Term] = {
    value: Term(value=value, title=title, description=description)
    for value, title, description in (
        ("unverified", "From sources", "Written from sources; nothing on the page is run or tested."),
        ("signature_tested", "Signature tested", "Each signature is tested against lines it must and must not match."),
        ("reproduced", "Reproduced", "The tests make the failure happen."),
        ("reviewed", "Reviewed", "Someone who did not write the page checked it."),
    )
}
"""Lowest first."""

_ORDER = tuple(GRADES)


def grade_of(source: Reference | Example) -> Term:
    """Grade one source."""
    if isinstance(source, Example):
        return GRADES["reproduced" if source.run == "cpu" else "single_report"]
    by_type = {"upstream_source": "source_line", "upstream_doc": "vendor_doc", "vendor_doc": "vendor_doc"}
    by_voice = {"maintainer": "maintainer", "captured_log": "captured_log"}
    return GRADES[by_type.get(source.type) or by_voice.get(source.voice or "", "single_report")]


def best(grades: Iterable[Term]) -> Term:
    """Return the best of at least one grade."""
    return min(grades, key=lambda grade: _ORDER.index(grade.value))


def maturity(entry: Entry) -> tuple[Term, tuple[Step, ...]]:
    """Compute the maturity, and what is behind each rung.

    It is the highest rung reached of a published entry whose first rung is reached: a fault that no test can make
    happen may still be reviewed.
    """
    tested = _tested(entry)
    steps = (*((tested,) if tested else ()), _reproduced(entry), _reviewed(entry))
    if entry.status != "published" or tested is None or not tested.reached:
        return MATURITY["unverified"], steps
    return next(step.term for step in reversed(steps) if step.reached), steps


def _tested(entry: Entry) -> Step | None:
    """Tell whether its lines are tested; None where nobody has said whether it prints any."""
    count = len(entry.signatures)
    runs = next((e for e in entry.examples if e.run == "cpu" and e.kind in ("confirm", "broken")), None)
    if count:
        whole = "All signatures are" if count > 1 else "Its signature is"
        why: Item = (ours(f"{whole} tested against samples and near misses."),)
    elif runs:
        lead = "It prints no line of its own; the example" if entry.silent else "The example"
        why = (ours(lead), _example(runs), ours("runs in the tests."))
    elif not entry.silent:
        return None
    else:
        why = (ours("It prints no line of its own, and no example that confirms it runs in the tests."),)
    return Step(term=MATURITY["signature_tested"], reached=bool(count or runs), why=why)


def _reproduced(entry: Entry) -> Step:
    broken = next((e for e in entry.examples if e.run == "cpu" and e.kind == "broken"), None)
    why = (
        (ours("The example"), _example(broken), ours("makes it happen when the tests run."))
        if broken
        else (ours("No example that a CPU can run makes it happen."),)
    )
    return Step(term=MATURITY["reproduced"], reached=broken is not None, why=why)


def _reviewed(entry: Entry) -> Step:
    others = [review for review in entry.reviews if review.by not in entry.authors]
    why = (
        (ours("Checked by"), ours(f"{others[-1].by}, {others[-1].date}."))
        if others
        else (ours("Nobody but its authors has checked it yet."),)
    )
    return Step(term=MATURITY["reviewed"], reached=bool(others), why=why)


def _example(example: Example) -> Phrase:
    return own_text(example.id, f"#example-{example.id}")
