"""A log's name and the catalogue -> proposals for a new entry: the disk end of `encyclopedia new --from-log`."""

from __future__ import annotations

from collections.abc import Callable

from generator.diagnosis.diagnose import diagnose
from generator.diagnosis.gate import Gate
from generator.diagnosis.labels import label
from generator.diagnosis.lines import plain
from generator.diagnosis.scan import scan
from generator.index import Index
from generator.indexing import build
from generator.logs import find_sources
from generator.model import Catalog
from generator.propose import Proposals, propose
from generator.redact import redact


def read_proposals(name: str, catalog: Catalog, progress: Callable[[str], None]) -> Proposals:
    """Diagnose a log and propose from it; what names a person, host or secret is masked.

    Raises OSError when it cannot be read, ValueError when its name means no file.
    """
    index = Index.from_json(build(catalog, site_url=""))
    [source] = find_sources([name])
    chunks = list(source.chunks(progress, lambda note: None))  # read once: it may be standard input

    found = diagnose([(source.name, chunks)], index)
    secrets, hosts = index.shapes["secrets"], found["who"]["hosts"]
    kept = scan(chunks, Gate.of(index.literals))
    lines = label([(0, piece.number, plain(piece.data).rstrip(" ")) for piece in kept.pieces], index)
    bodies = redact([line.body for line in lines], secrets, hosts)
    return propose(
        redact(found, secrets, hosts), [(line.number, body) for line, body in zip(lines, bodies, strict=True)], catalog
    )


def told(found: Proposals) -> str:
    """Say what was found, for a terminal."""
    lines = [f"line {one.number}: {one.line}\n  template: {one.template}" for one in found.proposals]
    return "\n".join(
        [*lines, *([f"Nearest entries, to look at first: {', '.join(found.near)}."] if found.near else [])]
    )
