"""Links that lead nowhere are found, with the page they stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.site.sitecheck import LinkCheck, check_site


@pytest.mark.parametrize(
    ("page", "link", "why"),
    [
        ("", "memory/y/", "leads to no page of the site"),
        ("memory/x/", "../../memory/y/", "leads to no page of the site"),
        ("memory/x/", "../y/", "leads to no page of the site"),
        ("memory/x/", "index.txt", "leads to no page of the site"),
        ("memory/x/", "../x", "leads to no page of the site"),
        ("memory/x/", "/elsewhere/", "leads to no page of the site"),
        ("memory/x/", "#nothing", "names no anchor of /memory/x/"),
        ("", "memory/x/#nothing", "names no anchor of /memory/x/"),
    ],
)
def test_a_broken_link_is_named(page: str, link: str, why: str) -> None:
    pages = {"": '<h1 id="top">', "memory/x/": '<h2 class="a" id="fixes">'}
    check = LinkCheck(base="/base/")
    for address, html in pages.items():
        check.add(address, html + (f'<a class="b" href="{link}">' if address == page else ""))
    (broken,) = check.broken({"index.html", "memory/x/index.html"})
    assert str(broken) == f"/{page}: the link to '{link}' {why}"


@pytest.mark.parametrize(
    "link",
    [
        "memory/x/#fixes",
        "./memory/x/",
        "#top",
        "./",
        "memory/x/index.md",
        "memory/x/?h=a#fixes",
        "/base/memory/x/",
        "https://other.example/",
        "mailto:a@b.example",
        "memory/a%20b/",
        "memory/x/#a&amp;b",
    ],
)
def test_a_good_link_is_not(link: str) -> None:
    check = LinkCheck(base="/base/")
    check.add("", f'<h1 id="top"><a href="{link}">')
    check.add("memory/x/", '<h2 id="fixes"><h2 id="a&amp;b">')
    files = {"index.html", "memory/x/index.html", "memory/x/index.md", "memory/a b/index.html"}
    assert check.broken(files) == ()


def test_a_link_typed_into_a_text_is_none() -> None:
    check = LinkCheck()
    check.add("", '<code>&lt;a href="nowhere/"&gt;</code>')
    assert check.broken({"index.html"}) == ()


def test_a_site_on_the_disk_is_checked_whole(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text('<a href="a/#here">')
    (tmp_path / "a/index.html").write_text('<p id="here"><img src="../gone.png">')
    (tmp_path / "404.html").write_text('<a href="/a/">')
    assert [str(broken) for broken in check_site(tmp_path)] == [
        "/a/: the link to '../gone.png' leads to no page of the site"
    ]
