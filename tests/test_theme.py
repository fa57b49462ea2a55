"""The theme: what differs in each partial we copied, and colours that can be read.

A newer theme changes the originals; then a stored difference no longer holds, and the copy is to be looked at again.
`pytest --update-golden` stores the differences of today.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import material
import pytest

from tests.conftest import Golden
from tests.site import ROOT

ORIGINALS = Path(material.__file__).parent / "templates/partials"
COPIES = sorted(path.name for path in (ROOT / "overrides/partials").glob("*.html"))
CSS = (ROOT / "overrides/assets/encyclopedia.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COPIES)
def test_a_copied_partial_differs_from_the_theme_as_intended(name: str, golden: Golden) -> None:
    original = (ORIGINALS / name).read_text(encoding="utf-8").splitlines(keepends=True)
    copy = (ROOT / "overrides/partials" / name).read_text(encoding="utf-8").splitlines(keepends=True)
    golden.check(f"theme/{name}.diff", "".join(difflib.unified_diff(original, copy, "theme", "copy", n=1)))


def test_the_pinned_theme_is_the_one_installed() -> None:
    pinned = re.search(r'"mkdocs-material==([\d.]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pinned is not None
    assert material.__version__ == pinned[1]
    for name in COPIES:
        text = (ROOT / "overrides/partials" / name).read_text(encoding="utf-8")
        assert set(re.findall(r"Material for MkDocs (\d[\d.]*\d)", text)) <= {pinned[1]}, name


def colours(scheme: str) -> dict[str, tuple[int, int, int]]:
    """Read a scheme's own colours from the style sheet."""
    block = CSS[CSS.index(f'[data-md-color-scheme="{scheme}"] {{') :].partition("}")[0]
    return {
        name: (int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16))
        for name, value in re.findall(r"--enc-([a-z-]+): #([0-9a-f]{6});", block)
    }


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it."""

    def luminance(colour: tuple[int, int, int]) -> float:
        red, green, blue = (c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_of_black_on_white_is_twenty_one() -> None:
    assert round(contrast((0, 0, 0), (255, 255, 255)), 2) == 21
    assert round(contrast((119, 119, 119), (255, 255, 255)), 2) == 4.48


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("ground", ["paper", "card"])
def test_every_colour_of_text_can_be_read_on_paper_and_on_card(scheme: str, ground: str) -> None:
    found = colours(scheme)
    texts = set(found) - {"paper", "card", "line", "mark", "cloth", "cloth-ink", "cloth-quiet"}
    assert {"ink", "quiet", "accent", "critical", "high", "medium", "low", "info"} <= texts
    assert {
        name: round(contrast(found[name], found[ground]), 2)
        for name in texts
        if contrast(found[name], found[ground]) < 4.5
    } == {}


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_text_can_be_read_on_cloth_and_on_what_is_marked(scheme: str) -> None:
    found = colours(scheme)
    assert contrast(found["cloth-ink"], found["cloth"]) >= 4.5
    assert contrast(found["cloth-quiet"], found["cloth"]) >= 4.5
    assert contrast(found["ink"], found["mark"]) >= 4.5


def test_both_schemes_name_the_same_colours() -> None:
    assert colours("default").keys() == colours("slate").keys()


def test_no_style_or_script_of_ours_names_another_host() -> None:
    for path in (ROOT / "overrides").rglob("*"):
        if path.suffix in (".css", ".js", ".mjs", ".html"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"(?:src=|url\(|@import|fetch\()\s*[\"']?(?:https?:)?//", text), path


def test_an_icon_for_the_browser_is_a_plain_picture() -> None:
    for name in ("mark.svg", "favicon.svg"):
        svg = (ROOT / "overrides/assets" / name).read_text(encoding="utf-8")
        assert svg.startswith("<svg ")
        assert len(svg) < 600
        assert "<script" not in svg
    assert (ROOT / "overrides/assets/card.png").read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(
        4, "big"
    )
