"""What `encyclopedia new` asks: each field is checked as soon as it is given, and asked for again when it cannot stand.

What was given as an option is checked before anything is asked, so that nothing typed is lost. Writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches

import click

from generator.draft import one_line, slug_of
from generator.validate import Schema, validate

_LABELS = {
    "title": "Title (names the failure, not the fix)",
    "category": "Category",
    "summary": "Summary (what happens, and to whom)",
}


def ask(given: Mapping[str, str | None], schema: Schema, slugs: Collection[str]) -> dict[str, str]:
    """Return title, category, summary and slug; `slugs` are those that are taken.

    Raises click.UsageError when an option cannot stand, click.Abort when the answers end.
    """

    def check(field: str) -> Callable[[str], str]:
        return lambda text: _checked(field, text, schema)

    answers = {field: check(field)(text) for field in _LABELS if (text := given[field]) is not None}
    if given["slug"] is not None:
        answers["slug"] = _free(given["slug"], slugs)
    missing = [field for field in _LABELS if field not in answers]
    for field in missing:
        if field == "category":
            _list_categories(schema)
        answers[field] = click.prompt(_LABELS[field], value_proc=check(field))
    if "slug" not in answers:
        try:
            answers["slug"] = _free(slug_of(answers["title"]), slugs)
        except click.UsageError as error:
            if not missing:
                raise
            click.echo(f"Error: {error.message}")
            answers["slug"] = click.prompt("Slug (the file's name)", value_proc=lambda text: _free(text, slugs))
    return answers


def _list_categories(schema: Schema) -> None:
    terms = schema.vocabularies["category"]
    wide = max(map(len, terms))
    for value, term in terms.items():
        click.echo(f"  {value:{wide}}  {term.description}")


def _checked(field: str, text: str, schema: Schema) -> str:
    """Return a field's text on one line, when the schema takes it."""
    text = one_line(text)
    categories = schema.vocabularies["category"]
    if field == "category":
        text = text.lower()
        if text not in categories:
            close = get_close_matches(text, categories, n=1)
            choices = f"did you mean '{close[0]}'?" if close else f"choose {', '.join(categories)}."
            raise click.UsageError(f"no category '{text}': {choices}")
    data = {"id": "MLFE-0001", "title": "A title", "status": "draft", "category": next(iter(categories))}
    problems = validate({**data, "summary": "What happens.", field: text}, schema)
    if problems:
        raise click.UsageError("; ".join(f"{problem.message}. {problem.mend}" for problem in problems))
    return text


def _free(slug: str, taken: Collection[str]) -> str:
    """Return a slug when it is one and nobody has it."""
    if not slug or slug_of(slug) != slug:
        raise click.UsageError(f"'{slug}' is no slug: give lower-case words joined by hyphens with --slug.")
    if slug in taken:
        raise click.UsageError(f"the slug '{slug}' is taken: give another with --slug.")
    return slug
