"""Catalog -> lists for machines: llms.txt, which names every Markdown twin, and the description of the search."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from generator.model import Catalog
from generator.prose import plain_text
from generator.twin_text import link_markdown

_OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"


def llms_text(catalog: Catalog, site_name: str, site_description: str, site_url: str) -> str:
    """Write llms.txt (llmstxt.org): what the site is, and the twin of each entry with its summary."""
    lines = [f"# {site_name}", "", f"> {site_description}", "", *_HOW, ""]
    for value, term in catalog.vocabularies.get("category", {}).items():
        entries = [entry for entry in catalog.published if entry.category == value]
        if entries:
            lines += [f"## {term.title}", ""]
            lines += [
                f"- {link_markdown(plain_text(entry.title), f'{site_url}{entry.address}/index.md')}: "
                f"{' '.join(plain_text(entry.summary).split())}"
                for entry in entries
            ]
            lines.append("")
    drafts = [entry for entry in catalog.entries if entry.status == "draft"]
    if drafts:
        lines += ["## Optional", "", "Drafts: signatures that are checked, with little text yet.", ""]
        lines += [
            f"- {link_markdown(plain_text(entry.title), f'{site_url}{entry.address}/index.md')}" for entry in drafts
        ]
        lines.append("")
    return "\n".join(lines)


_HOW = (
    "One entry is one failure: how its log lines read, what causes it, commands that confirm or exclude it, fixes,",
    "each with its reference. `encyclopedia diagnose job.log` finds the entry from a log on the reader's own machine.",
    "All entries in one file: llms-full.txt. As JSON: api/v1/index.json.",
)


def twins_of(catalog: Catalog) -> Iterator[str]:
    """Yield the paths of the published entries' twins, in the order of llms-full.txt."""
    yield from (f"{entry.address}/index.md" for entry in catalog.published)


def opensearch(site_name: str, site_url: str) -> str:
    """Describe the site's search to a browser."""
    root = ElementTree.Element("OpenSearchDescription", {"xmlns": _OPENSEARCH})
    ElementTree.SubElement(root, "ShortName").text = site_name[:16]
    ElementTree.SubElement(root, "Description").text = f"Search the {site_name} for an error or a symptom"
    ElementTree.SubElement(root, "InputEncoding").text = "UTF-8"
    ElementTree.SubElement(root, "Url", {"type": "text/html", "template": f"{site_url}?q={{searchTerms}}"})
    ElementTree.SubElement(root, "Image", {"type": "image/svg+xml"}).text = f"{site_url}assets/favicon.svg"
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
