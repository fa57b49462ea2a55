"""Modules become one classic script, or the build says which of them cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.site.scripts import SEARCH, bundle

ROOT = Path(__file__).parent.parent


def test_the_search_is_one_classic_script() -> None:
    script = bundle(ROOT / "overrides/assets", SEARCH)
    assert script.startswith('"use strict";\n(() => {\n')
    assert script.endswith("})();\n")
    assert "\nimport " not in script
    assert "\nexport " not in script
    assert [line for line in script.splitlines() if line.startswith("// search/")] == [f"// {name}" for name in SEARCH]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("const one = 2;\n", "two.mjs: 'one' is also declared in one.mjs"),
        (
            'import { one as other } from "./one.mjs";\n',
            "two.mjs: 'import { one as other } from \"./one.mjs\";' cannot",
        ),
        ('import { late } from "./three.mjs";\n', "two.mjs: 'import { late } from \"./three.mjs\";' cannot be joined"),
        ('import * as one from "./one.mjs";\n', "two.mjs: an import or export that cannot be joined"),
        ("export default 3;\n", "two.mjs: an import or export that cannot be joined"),
    ],
)
def test_what_cannot_be_joined_is_refused(tmp_path: Path, second: str, message: str) -> None:
    (tmp_path / "one.mjs").write_text("export const one = 1;\n", encoding="utf-8")
    (tmp_path / "two.mjs").write_text(second, encoding="utf-8")
    with pytest.raises(ValueError, match=r"two\.mjs") as refused:
        bundle(tmp_path, ("one.mjs", "two.mjs"))
    assert str(refused.value).startswith(message)
