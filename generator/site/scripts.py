"""Modules under `overrides/assets/` -> one classic script, so that a page opened from a disk runs it too.

Browsers refuse modules on `file://`. The modules are few and ours: each import names a module of the same list, each
export stands before a declaration, and no two declare the same name; anything else is an error. No Node is needed.
A worker cannot be loaded from a disk either: the page's script carries the worker's as a text.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SEARCH = tuple(f"search/{name}.mjs" for name in ("tokens", "signature", "engine", "dialog", "lost", "mount"))

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\./[\w.-]+|\.\./[\w-]+/[\w.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) ([\w$]+)", re.MULTILINE)


def diagnosis_script(assets: Path, given: Mapping[str, Any]) -> str:
    """Join the script of the page that diagnoses: its own modules, and the worker's script among what it is given."""
    engine = bundle(assets, needed(assets, "diagnosis/worker.mjs"))
    return bundle(assets, needed(assets, "diagnosis/mount.mjs"), {"engine": engine, **given})


def needed(assets: Path, name: str) -> tuple[str, ...]:
    """List a module and all that it imports from, each after those it needs."""
    found: dict[str, None] = {}

    def visit(here: str, above: tuple[str, ...]) -> None:
        if here in found or here in above:
            return
        for match in _IMPORT.finditer((assets / here).read_text(encoding="utf-8")):
            visit(_source(here, match[2]), (*above, here))
        found[here] = None

    visit(name, ())
    return tuple(found)


def bundle(assets: Path, names: Sequence[str], given: Mapping[str, Any] | None = None) -> str:
    """Join modules, each after those it imports from, into one script with a scope of its own.

    What is given stands in it as the constant `given`.

    Raises ValueError when a module does what cannot be joined, OSError when one cannot be read.
    """
    seen: dict[str, str] = {}
    parts = [f"const given = {json.dumps(given, ensure_ascii=False)};\n"] if given is not None else []
    for name in names:
        text = (assets / name).read_text(encoding="utf-8")
        for match in _IMPORT.finditer(text):
            source = _source(name, match[2])
            if " as " in match[1] or source not in names[: names.index(name)]:
                raise ValueError(f"{name}: '{match[0].strip()}' cannot be joined")
        body = _EXPORT.sub("", _IMPORT.sub("", text))
        for declared in _DECLARED.findall(body):
            if declared in seen:
                raise ValueError(f"{name}: '{declared}' is also declared in {seen[declared]}")
            seen[declared] = name
        if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
            raise ValueError(f"{name}: an import or export that cannot be joined")
        parts.append(f"// {name}\n{body}")
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def _source(name: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), imported))
