"""The references of an entry -> their rows, each linked to the statements it bears out."""

from __future__ import annotations

from generator.entry_page.bodies import Source
from generator.entry_page.links import Link
from generator.entry_page.lookup import Lookup

_SUPPORTED = {
    "explanation": "what-this-is",
    "causes": "causes",
    "symptoms": "symptoms",
    "confirm": "confirm",
    "fixes": "fixes",
    "dead_ends": "dead-ends",
    "prevention": "prevention",
    "recurs_when": "prevention",
    "monitor": "monitoring",
    "detector": "monitoring",
    "examples": "examples",
    "signatures": "signatures",
    "shares": "signatures",
    "affected": "affected",
    "frameworks": "affected",
    "hardware": "affected",
    "scale": "observe",
    "phase": "observe",
    "relations": "related",
    "questions": "faq",
}
_PARTS = {"causes": "cause", "symptoms": "symptom", "confirm": "confirm", "fixes": "fix", "examples": "example"}


def references(look: Lookup, anchors: frozenset[str]) -> tuple[Source, ...] | None:
    """Make a row of each reference, linked to the statements it bears out as far as they are among `anchors`."""
    return (
        tuple(
            Source(
                anchor=f"ref-{part.id}",
                number=number,
                part=part,
                kind=look.term("reference_type", part.type),
                voice=look.term("reference_voice", part.voice) if part.voice else None,
                supports=tuple(link for field in part.supports if (link := _supported(look, field, anchors))),
            )
            for number, part in enumerate(look.entry.references, 1)
        )
        or None
    )


def _supported(look: Lookup, field: str, anchors: frozenset[str]) -> Link | None:
    """Link to the statement that `causes.context-length` or `affected` names."""
    name, _, part = field.partition(".")
    words = name.replace("_", " ")
    if part and name in _PARTS and f"{_PARTS[name]}-{part}" in anchors:
        return Link(text=f"{words}: {look.name(part)}", address=f"#{_PARTS[name]}-{part}")
    section = _SUPPORTED.get(name, "quick-answer")
    return Link(text=words, address=f"#{section}") if section in anchors else None
