"""The fields of an entry -> its quick answer and its three perspectives: what each reader needs first.

Picks and shortens; whatever it says stands again, whole, in a section below, and it links there.
"""

from __future__ import annotations

from generator.entry_page.bodies import FirstCheck, FirstFix, Perspective, QuickAnswer, Restart
from generator.entry_page.links import Link, Statement
from generator.entry_page.lookup import Lookup
from generator.entry_page.phrases import Item, described, enumerated, ours, own, own_text, termed
from generator.entry_page.sections import TELLING, printed
from generator.parts import Confirmation, Fix, Line
from generator.prose import first_sentence

_FEW = 2
_SHORT = 5


def quick_answer(look: Lookup) -> QuickAnswer:
    """Answer on one screen: what it is, whether this is the place, what to run, what to do, whether to restart."""
    entry = look.entry
    lines = printed(look)
    own_line = any(signature.role in TELLING for signature in entry.signatures)
    command = next((step for step in _cheapest(look) if step.command), None)
    now = next((fix for fix in entry.fixes if fix.horizon == "now"), None)
    return QuickAnswer(
        summary=entry.summary,
        printed=lines[0] if lines else None,
        own_line=own_line,
        symptom=entry.symptoms[0].observe if entry.symptoms and not own_line else None,
        cause=_cause(look),
        check=FirstCheck(
            do=command.do,
            command=command.command or "",
            expect=command.expect_if_yes,
            more=look.part("confirm", command.id),
        )
        if command
        else None,
        fix=_first_fix(look, now) if now else None,
        restart=_restart(look),
    )


def _first_fix(look: Lookup, fix: Fix) -> FirstFix:
    """Take the head of each step, and code that is no longer than they are; the section tells the rest."""
    code = fix.code if fix.code and fix.code.text.count("\n") < _SHORT else None
    return FirstFix(
        steps=tuple(Line(first_sentence(step)) for step in fix.steps), code=code, more=look.part("fix", fix.id)
    )


def perspectives(look: Lookup) -> tuple[Perspective, ...] | None:
    """Tell it to whoever is on call, to the engineer and to the executive; one with nothing to say is left out."""
    told = (
        ("on-call", "On call", _on_call(look)),
        ("engineer", "Engineer", _engineer(look)),
        ("executive", "Executive", _executive(look)),
    )
    return tuple(Perspective(anchor=a, title=t, statements=s) for a, t, s in told if s) or None


def _cheapest(look: Lookup) -> list[Confirmation]:
    """Sort the confirmations by what they cost and what they disturb; the entry's order decides between equals."""
    costs, safeties = list(look.catalog.vocabularies["cost"]), list(look.catalog.vocabularies["safety"])
    return sorted(look.entry.confirm, key=lambda step: (costs.index(step.cost), safeties.index(step.safety)))


def _cause(look: Lookup) -> Statement | None:
    if not look.entry.causes:
        return None
    first, *others = look.entry.causes
    name = own_text(look.name(first.id), f"#cause-{first.id}", end=":")
    items: list[Item] = [(name, own(first_sentence(first.mechanism)))]
    if others:
        names = (own_text(look.name(other.id), f"#cause-{other.id}") for other in others)
        items.append((ours("Or:"), *enumerated(names)))
    return Statement(label="Cause", items=tuple(items))


def _restart(look: Lookup) -> Restart | None:
    entry = look.entry
    if not (entry.resume_safe or entry.recoverability):
        return None
    return Restart(
        answer=look.term("resume_answer", entry.resume_safe.answer) if entry.resume_safe else None,
        check=entry.resume_safe.check if entry.resume_safe else None,
        recoverability=look.term("recoverability", entry.recoverability) if entry.recoverability else None,
    )


def _on_call(look: Lookup) -> tuple[Statement, ...]:
    entry = look.entry
    fixes = [fix for fix in entry.fixes if fix.horizon == "now"]
    now, others = (fixes[0], fixes[1:]) if fixes else (None, [])
    looks = [step for step in _cheapest(look) if step.safety == "read_only"][:_FEW]
    restart = _restart(look)
    return _said(
        Statement(
            label="Look first",
            items=tuple((own(step.do),) for step in looks),
            more=Link(text="Commands and expected results", address="#confirm") if looks else None,
        ),
        Statement(
            label="Then do",
            items=tuple((own(step),) for step in now.steps) if now else (),
            more=Link(text="How to verify it", address=f"#fix-{now.id}") if now else None,
            ordered=True,
        ),
        Statement(
            label="Or",
            items=tuple((own_text(look.name(fix.id), f"#fix-{fix.id}", end=":"), own(fix.steps[0])) for fix in others),
        ),
        Statement(
            label="May I restart?",
            items=(
                (
                    *((termed(restart.answer, "."),) if restart.answer else ()),
                    *((own(restart.check),) if restart.check else ()),
                    *((described(restart.recoverability),) if restart.recoverability else ()),
                ),
            )
            if restart
            else (),
        ),
        Statement(label="Do not lose time on", items=tuple((own(end.action),) for end in entry.dead_ends[:_FEW])),
    )


def _engineer(look: Lookup) -> tuple[Statement, ...]:
    entry = look.entry
    lasting = [fix for fix in entry.fixes if fix.horizon != "now" and fix.kind != "stop-gap"]
    lasting = lasting or [fix for fix in entry.fixes if fix.kind != "stop-gap"]
    return _said(
        Statement(
            label="Mechanism",
            items=tuple(
                (own_text(look.name(c.id), f"#mechanism-{c.id}", end=":"), own(first_sentence(c.mechanism)))
                for c in entry.causes
            ),
        ),
        Statement(
            label="Lasting fix",
            items=tuple(_fix(look, fix) for fix in lasting),
        ),
        Statement(label="Keep it away", items=tuple((own(part.do),) for part in entry.prevention[:_FEW])),
    )


def _fix(look: Lookup, fix: Fix) -> Item:
    return (own_text(look.name(fix.id), f"#fix-{fix.id}", end=":"), own(first_sentence(fix.steps[0])))


def _executive(look: Lookup) -> tuple[Statement, ...]:
    entry = look.entry
    if entry.impact is None:
        return ()
    severity = look.term("severity", entry.severity) if entry.severity else None
    domain = look.term("failure_domain", entry.failure_domain) if entry.failure_domain else None
    horizons = dict.fromkeys(look.term("horizon", fix.horizon) for fix in entry.fixes)
    return _said(
        Statement(label="What it costs", items=((own(entry.impact),),)),
        Statement(label="How bad", items=((termed(severity, ":"), described(severity)),) if severity else ()),
        Statement(label="Whose it is", items=((termed(domain, ":"), described(domain)),) if domain else ()),
        Statement(label="When it can be fixed", items=tuple((termed(h, ":"), described(h)) for h in horizons)),
    )


def _said(*statements: Statement) -> tuple[Statement, ...]:
    """Leave out what has nothing to say."""
    return tuple(statement for statement in statements if any(statement.items))
