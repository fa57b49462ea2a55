"""Modules under `overrides/assets/` -> one classic script, so that a page opened from a disk runs it too.

Browsers refuse modules on `file://`. The modules are few and ours: each import names a module of the same list, each
export stands before a declaration, and no two declare the same name; anything else is an error. No Node is needed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

SEARCH = ("search/tokens.mjs", "search/engine.mjs", "search/dialog.mjs", "search/mount.mjs")

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) ([\w$]+)", re.MULTILINE)


def bundle(assets: Path, names: Sequence[str]) -> str:
    """Join modules, each after those it imports from, into one script with a scope of its own.

    Raises ValueError when a module does what cannot be joined, OSError when one cannot be read.
    """
    seen: dict[str, str] = {}
    parts = []
    for name in names:
        text = (assets / name).read_text(encoding="utf-8")
        for match in _IMPORT.finditer(text):
            source = str(Path(name).with_name(match[2]))
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
