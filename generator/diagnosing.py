"""The logs given to the command and an index -> their diagnosis; where the index comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.diagnosis.diagnose import diagnose
from generator.home import PACKAGE, folder
from generator.index import Index
from generator.logs import Source
from generator.redact import redact

if TYPE_CHECKING:
    from generator.model import Catalog


def read_index(path: Path | None) -> Index:
    """Read an index from a file; else the one that came with the package, else make it of the clone's entries.

    Raises OSError when it cannot be read, ValueError when it is none.
    """
    packed = PACKAGE / "signatures.json"
    if path is None and not packed.is_file():
        from generator.catalog import read_catalog  # they take longer to import than a small log to diagnose
        from generator.indexing import build
        from generator.settings import read_settings

        entries = folder("entries")
        reading = read_catalog(entries, folder("schema") / "entry.schema.json")
        if any(issue.severity == "error" for issue in reading.issues):
            raise ValueError("the entries have problems; see them with: encyclopedia check")
        return Index.from_json(build(reading.catalog, read_settings(entries.parent / "mkdocs.yml").site_url))
    chosen = path or packed
    try:
        return Index.from_json(json.loads(chosen.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{chosen}: no signature index of this version in it ({error})") from None


def diagnose_logs(
    sources: Sequence[Source], index: Index, *, masked: bool, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Diagnose logs as those of one job; masked, no text in the answer names a person, host or secret.

    Raises OSError when one cannot be read.
    """
    notes: list[str] = []
    found = diagnose([(source.name, source.chunks(progress, notes.append)) for source in sources], index)
    found["gaps"] = [*notes, *found["gaps"]]
    if masked:
        masked_: dict[str, Any] = redact(found, index.shapes["secrets"], found["who"]["hosts"])
        return masked_
    return found


def site_of(catalog: Catalog) -> str:
    """Return the site's address: the settings of the clone one stands in say it, or the index in the package.

    Raises OSError when neither can be read, ValueError when it is none.
    """
    from generator.settings import read_settings

    here = Path.cwd()
    settings = (here if (here / "schema/entry.schema.json").is_file() else folder("entries").parent) / "mkdocs.yml"
    if settings.is_file():
        return read_settings(settings).site_url
    cards = read_index(None).cards
    slug = next(iter(cards.keys() & catalog.by_slug.keys()))
    return cards[slug].url.removesuffix(f"{catalog.by_slug[slug].address}/")
