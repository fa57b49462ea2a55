"""Catalog -> the files of API v1, `/api/v1/…`: the entries, the vocabularies, and what describes them.

What is promised of them stands in `docs/api.md`. Times are those of the commit, so that two builds of it are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from generator.api.openapi import openapi
from generator.api.plain import to_data
from generator.expand import maturity_of
from generator.home import folder
from generator.model import Catalog, Entry
from generator.prose import plain_text
from generator.site.revisions import Revisions

VERSION = 1
ROOT = "api/v1/"
ENDPOINTS: Mapping[str, tuple[str, str]] = {
    "index.json": ("This list.", "api.schema.json#/$defs/index"),
    "entries.json": ("Every entry in short.", "api.schema.json#/$defs/entries"),
    "entries/{id}.json": ("One entry whole, by its id, MLFE-NNNN.", "api.schema.json#/$defs/entry"),
    "signatures.json": ("The index that a diagnosis reads.", "signatures.schema.json"),
    "vocabularies.json": ("The closed lists, each value with its meaning.", "api.schema.json#/$defs/vocabularies"),
    "openapi.json": ("The same as an OpenAPI 3.1 document.", ""),
}
"""Path below `/api/v1/`, what is there, and its schema below `/api/v1/schemas/`."""
SCHEMAS = ("api", "diagnosis", "entry", "signatures")


def api_files(catalog: Catalog, revisions: Revisions, site_url: str, epoch: int) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file but the signature index; a site's address ends in a slash."""
    head = {"schema_version": VERSION, "generated_at": time_of(epoch)}
    summaries = {entry.id: _summary(entry, revisions, site_url) for entry in catalog.entries}
    endpoints = [
        {"path": f"/{ROOT}{path}", "what": what, "schema": f"/{ROOT}schemas/{schema}" if schema else None}
        for path, (what, schema) in ENDPOINTS.items()
    ]
    yield f"{ROOT}index.json", _text({**head, "site": site_url, "endpoints": endpoints})
    yield f"{ROOT}entries.json", _text({**head, "entries": [summaries[id_] for id_ in sorted(summaries)]})
    yield f"{ROOT}vocabularies.json", _text({**head, "vocabularies": _vocabularies(catalog)})
    for entry in catalog.entries:
        yield f"{ROOT}entries/{entry.id}.json", _text({**head, **summaries[entry.id], "entry": to_data(entry)})
    schemas = {name: (folder("schema") / f"{name}.schema.json").read_text(encoding="utf-8") for name in SCHEMAS}
    for name, text in schemas.items():
        yield f"{ROOT}schemas/{name}.schema.json", text
    yield f"{ROOT}openapi.json", _text(openapi(ENDPOINTS, site_url, VERSION))


def time_of(epoch: int) -> str:
    """Write a time, seconds since 1970, as RFC 3339 has it.

    >>> time_of(1796083200)
    '2026-12-01T00:00:00Z'
    """
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _summary(entry: Entry, revisions: Revisions, site_url: str) -> dict[str, Any]:
    return {
        "id": entry.id,
        "slug": entry.slug,
        "title": plain_text(entry.title),
        "summary": plain_text(entry.summary),
        "status": entry.status,
        "replaced_by": entry.replaced_by,
        "category": entry.category,
        "severity": entry.severity,
        "maturity": maturity_of(entry).value,
        "frameworks": list(entry.frameworks),
        "tags": list(entry.tags),
        "signatures": [entry.signature_id(signature) for signature in entry.signatures],
        "url": f"{site_url}{entry.address}/",
        "permanent_url": f"{site_url}r/{entry.number}/",
        "markdown_url": f"{site_url}{entry.address}/index.md",
        "api_url": f"{site_url}{ROOT}entries/{entry.id}.json",
        "added": revisions.added.get(entry.file),
        "changed": revisions.changed.get(entry.file),
    }


def _vocabularies(catalog: Catalog) -> dict[str, list[dict[str, str]]]:
    return {
        name: [
            {"value": term.value, "title": term.title, "description": term.description, "group": term.group}
            for term in terms.values()
        ]
        for name, terms in catalog.vocabularies.items()
    }


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
