"""Catalog -> the signature index, `/api/v1/signatures.json`: all that a diagnosis needs, as data.

Decides what an entry says in an answer: the next action is its first fix for now, the verification that fix's, the
questions its confirmations, cheapest first. `index` reads what is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from generator.conditions import Product, parse_comparison
from generator.index import VERSION
from generator.model import Catalog, Entry
from generator.parts import Fact, Neighbour, Signature
from generator.prose import plain_text
from generator.shapes.asks import ASKS
from generator.shapes.exits import EXITS, MAPS, MARKS, RESTARTS, SUMMARY
from generator.shapes.phases import PHASES
from generator.shapes.prefixes import PREFIXES
from generator.shapes.progress import FINISHES, PROGRESS, TIMES
from generator.shapes.secrets import SECRETS
from generator.shapes.shape import Shape
from generator.template import Template, compile_template

SHAPES: Mapping[str, tuple[Shape, ...]] = {
    "prefixes": PREFIXES,
    "times": TIMES,
    "progress": PROGRESS,
    "finishes": FINISHES,
    "restarts": RESTARTS,
    "exits": EXITS,
    "maps": MAPS,
    "summary": SUMMARY,
    "secrets": SECRETS,
}
_ROLES_OUT = ("withdrawn", "merged")


def build(catalog: Catalog, site_url: str) -> dict[str, Any]:
    """Make the index of every published entry and draft; a site's address ends in a slash."""
    entries = [entry for entry in catalog.entries if entry.status not in _ROLES_OUT]
    known = {entry.signature_id(s) for entry in entries for s in entry.signatures}
    content: dict[str, Any] = {
        "index_version": VERSION,
        "marks": list(MARKS),
        "shapes": {name: [_shape(shape) for shape in shapes] for name, shapes in SHAPES.items()},
        "asks": {state: {"ask": ask, "command": command} for state, (ask, command) in ASKS.items()},
        "phases": dict(PHASES),
        "signatures": [_signature(entry, s) for entry in entries for s in entry.signatures],
        "entries": [_entry(entry, catalog, site_url, known) for entry in entries],
    }
    digest = blake2b(to_text(content).encode(), digest_size=8).hexdigest()
    return {"index_version": VERSION, "hash": digest, **content}


def to_text(index: Mapping[str, Any]) -> str:
    """Return an index as it is written: one line of JSON."""
    return json.dumps(index, ensure_ascii=False, separators=(",", ":")) + "\n"


def _shape(shape: Shape) -> dict[str, Any]:
    return {
        "id": shape.id,
        "pattern": shape.pattern,
        "needs": list(shape.needs),
        "gives": list(shape.gives),
        "samples": [{"text": text, "gives": list(groups)} for text, groups in shape.samples.items()],
        "misses": list(shape.misses),
    }


def _signature(entry: Entry, signature: Signature) -> dict[str, Any]:
    return {
        "id": entry.signature_id(signature),
        "slug": entry.slug,
        "role": signature.role,
        "specificity": signature.specificity,
        "where": signature.where,
        "when": signature.when,
        "requires": [_neighbour(n) for n in signature.requires],
        "absent": [_neighbour(n) for n in signature.absent],
        "facts": [_fact(fact) for fact in signature.facts],
        "wordings": [_wording(compile_template(wording.template)) for wording in signature.wordings],
    }


def _wording(template: Template) -> dict[str, Any]:
    return {
        "template": template.text,
        "gate": list(template.gate),
        "pattern": template.pattern,
        "captures": [{"name": capture.name, "kind": capture.kind} for capture in template.captures],
    }


def _neighbour(neighbour: Neighbour) -> dict[str, Any]:
    return {
        "signature": neighbour.signature,
        "wording": None if neighbour.template is None else _wording(compile_template(neighbour.template)),
        "scope": neighbour.scope,
        "order": neighbour.order,
        "lines": neighbour.lines,
    }


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "clauses": [
            {"left": _sum(clause.left), "operator": clause.operator, "right": _sum(clause.right)}
            for clause in parse_comparison(fact.when).clauses
        ],
        "say": plain_text(fact.say),
    }


def _sum(parts: Iterable[Product]) -> list[dict[str, Any]]:
    return [{"sign": part.sign, "factors": list(part.factors)} for part in parts]


def _entry(entry: Entry, catalog: Catalog, site_url: str, known: set[str]) -> dict[str, Any]:
    now = next((fix for fix in entry.fixes if fix.horizon == "now"), None)
    costs = list(catalog.vocabularies.get("cost", {}))
    steps = sorted(entry.confirm, key=lambda step: costs.index(step.cost))
    return {
        "id": entry.id,
        "slug": entry.slug,
        "title": plain_text(entry.title),
        "url": f"{site_url}{entry.address}/",
        "status": entry.status,
        "phases": list(entry.phase),
        "detector": {
            "kind": entry.detector.kind,
            "metrics": list(entry.detector.metrics),
            "floor": entry.detector.floor,
            "min_points": entry.detector.min_points,
        }
        if entry.detector
        else None,
        "next_action": " ".join(plain_text(step) for step in now.steps) if now else None,
        "verify": {
            "command": now.verify.command,
            "expect": plain_text(now.verify.expect),
        }
        if now
        else None,
        "questions": [
            {
                "ask": plain_text(step.ask or step.do),
                "command": step.command,
                "separates_from": list(step.separates_from),
                "settled_by": list(step.settled_by),
            }
            for step in steps
        ],
        "looks_like": {
            relation.slug: plain_text(relation.discriminator or "")
            for relation in entry.relations
            if relation.type == "looks_like"
        },
        "masks": [relation.slug for relation in entry.relations if relation.type == "masks"],
        "shares": [
            {
                "signature": share.signature,
                "when": plain_text(share.when),
                "requires": [_neighbour(n) for n in share.requires],
                "facts": [_fact(fact) for fact in share.facts],
            }
            for share in entry.shares
            if share.signature in known
        ],
    }
