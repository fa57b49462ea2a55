"""Puts the signature index into the wheel, so that an installed command diagnoses without reading an entry."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class IndexHook(BuildHookInterface[Any]):
    """Writes the index before a wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the index of the entries and add it to the wheel; an editable install reads the entries themselves."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        from generator.catalog import read_catalog
        from generator.indexing import build, to_text
        from generator.settings import read_settings

        reading = read_catalog(root / "entries", root / "schema/entry.schema.json")
        if any(issue.severity == "error" for issue in reading.issues):
            raise SystemExit("an entry has problems: encyclopedia check")
        text = to_text(build(reading.catalog, read_settings(root / "mkdocs.yml").site_url))
        place = Path(tempfile.mkdtemp()) / "signatures.json"
        place.write_text(text, encoding="utf-8")
        build_data["force_include"][str(place)] = "generator/signatures.json"
