"""The endpoints of API v1 -> their OpenAPI 3.1 document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ID = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The entry's permanent id.",
    "schema": {"type": "string", "pattern": "^MLFE-[0-9]{4}$"},
    "example": "MLFE-6612",
}


def openapi(endpoints: Mapping[str, tuple[str, str]], site_url: str, version: int) -> dict[str, Any]:
    """Describe the endpoints; their schemas lie beside the document and are named from there."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ML Failure Encyclopedia",
            "version": f"{version}.0.0",
            "description": "Static files: every request is a GET, and an address that is not there is a 404.",
            "license": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
        },
        "servers": [{"url": f"{site_url}api/v{version}"}],
        "paths": {f"/{path}": {"get": _operation(path, what, schema)} for path, (what, schema) in endpoints.items()},
    }


def _operation(path: str, what: str, schema: str) -> dict[str, Any]:
    content = {"schema": {"$ref": f"schemas/{schema}"}} if schema else {"schema": {"type": "object"}}
    return {
        "operationId": path.removesuffix(".json").replace("/{id}", "_by_id").replace("/", "_"),
        "summary": what,
        **({"parameters": [_ID]} if "{id}" in path else {}),
        "responses": {
            "200": {"description": what, "content": {"application/json": content}},
            **({"404": {"description": "No entry has this id."}} if "{id}" in path else {}),
        },
    }
