"""`mkdocs.yml` -> the few settings that do not depend on MkDocs: names and addresses.

They stand in that file alone; this reads them where MkDocs does not run, with its `!ENV [NAME, default]`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the site is called and where it and its sources are."""

    site_name: str
    site_description: str
    site_url: str
    """With a slash at its end, as is the next."""
    repo_url: str
    copyright: str


def read_settings(path: Path) -> Settings:
    """Read the settings.

    Raises OSError when the file cannot be read, ValueError when it is no such file.
    """
    try:
        raw = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 -- a safe loader with one tag
        texts = {name: str(raw[name]) for name in Settings.__dataclass_fields__}
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: no settings of a site in it ({error})") from None
    for name in ("site_url", "repo_url"):
        texts[name] = texts[name].rstrip("/") + "/"
    return Settings(**texts)


def new_issue_form(repo_url: str) -> str:
    """Return the address of the form for a new issue, which takes a title and a body; empty without a repository.

    >>> new_issue_form("https://code.example/x"), new_issue_form("")
    ('https://code.example/x/issues/new', '')
    """
    return f"{repo_url.rstrip('/')}/issues/new" if repo_url else ""


class _Loader(yaml.SafeLoader):
    """Reads `!ENV` as MkDocs does and passes over its other tags."""


def _env(loader: _Loader, node: yaml.Node) -> Any:
    if not isinstance(node, yaml.SequenceNode):
        return os.environ.get(str(node.value), "")
    *names, default = (loader.construct_object(item) for item in node.value)
    return next((os.environ[name] for name in names if name in os.environ), default)


_Loader.add_constructor("!ENV", _env)
_Loader.add_multi_constructor("tag:", lambda loader, suffix, node: None)
