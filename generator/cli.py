"""The command `encyclopedia`: parse, call one function, print, exit.

Exit status: 0 clean, 1 problems in entries, 2 wrong usage or something that cannot be read or written.
Everything heavy is imported where it is used, so that `--help` is instant.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.home import folder
from generator.terminal import PROBLEMS, Answering, Unusable, colour, disk, showing, width

if TYPE_CHECKING:
    from generator.catalog import Reading
    from generator.draft import Proposal
    from generator.model import Catalog


@click.group(cls=Answering, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="failure-encyclopedia")
def main() -> None:
    """Check, read and extend the ML Failure Encyclopedia."""


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
@click.option("--fix", "fixes", is_flag=True, help="First mend order, quotes, ids, blanks and the register in place.")
def check(paths: tuple[Path, ...], form: str, fixes: bool) -> None:
    """Check all entries, or those under PATHS.

    Prints every problem. A path is an entry file, a folder of entries, or a folder that holds `entries/`.
    """
    from generator import report
    from generator.selection import read_selection

    if fixes:
        from generator.fixing import fix_selection

        with disk(), showing("mending") as progress:
            mended = fix_selection(paths, progress)
        click.echo("".join(f"mended {what}\n" for what in mended), nl=False, err=form != "text")

    with disk(), showing("checking") as progress:
        reading = read_selection(paths, progress)
    if form == "json":
        click.echo(report.to_json(reading.issues, len(reading.files)), nl=False)
    elif form == "github":
        click.echo(report.to_github(reading.issues), nl=False)
        if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
            with disk(Path(summary)), Path(summary).open("a", encoding="utf-8") as file:
                file.write(report.to_step_summary(reading.issues, len(reading.files)))
    else:
        click.echo(report.to_text(reading.issues, len(reading.files), colour=colour()), nl=False)
    if any(issue.severity == "error" for issue in reading.issues):
        sys.exit(PROBLEMS)


@main.command()
@click.option("--title", help="Names the failure, not the fix; at most 80 characters.")
@click.option("--category", help="What breaks; also the folder.")
@click.option("--summary", help="What happens, and to whom; at most 300 characters.")
@click.option("--slug", help="The file's name; made from the title when left out.")
@click.option(
    "--from-log", "log", metavar="FILE", help="A log of the failure: its lines become proposals for signatures."
)
@click.option("--anyway", is_flag=True, help="Also when an entry knows the log.")
def new(log: str | None, anyway: bool, **given: str | None) -> None:
    """Write a commented, valid draft with a free id.

    Asks for what is not given as an option, and registers the id.
    """
    import random
    from datetime import date

    from generator.asking import ask
    from generator.draft import free_id, make_draft, write_draft
    from generator.register import FILE, parse_register
    from generator.validate import load_schema

    root = _project()
    schema = load_schema(root / "schema/entry.schema.json")
    with disk():
        register, issues = parse_register((root / FILE).read_text(encoding="utf-8"))
        taken = {path.stem for path in (root / "entries").glob("*/*.yaml")}
    if issues:
        raise Unusable(f"{FILE} has problems; mend it first: encyclopedia check")
    proposals = _proposals(log, anyway) if log is not None else ()
    try:
        answers = ask(given, schema, taken)
    except click.UsageError as error:
        raise Unusable(error.message) from None
    id_, today = free_id(register, random.SystemRandom()), date.today().isoformat()
    draft = make_draft(id=id_, today=today, proposals=proposals, **answers)
    with disk(root / "entries"):
        write_draft(draft, root)
    click.echo(f"Wrote {draft.file} as {draft.registration.id} and registered it in {FILE}.")
    click.echo(f"Fill it in, then run: encyclopedia check {draft.file}")


@main.command()
@click.argument("what")
@click.option("--full", is_flag=True, help="Print the whole entry.")
def explain(what: str, full: bool) -> None:
    """Print an entry, or name those near a line of a log.

    WHAT is an entry's id (MLFE-NNNN) or slug, the id of one signature (MLFE-NNNN-k), or any text: then the entries
    nearest to it are named, those first whose signatures recognise it.
    """
    from generator.explain import explain_entry, find_entry, list_near
    from generator.nearest import nearest

    catalog = _catalog()
    site = _site(catalog)
    try:
        entry, signature = find_entry(catalog, what)
    except KeyError:
        near = nearest(catalog, what)
        if not near:
            raise Unusable("no entry is near that. For a whole log: encyclopedia diagnose job.log") from None
        click.echo(list_near(near, site=site), nl=False)
        return
    except LookupError as error:
        raise Unusable(str(error.args[0])) from None
    text = explain_entry(entry, catalog, colour=colour(), width=width(), site=site, signature=signature, full=full)
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)


@main.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown", "github"]), default="text", show_default=True
)
@click.option("--redact", is_flag=True, help="Mask tokens, e-mails, addresses, hosts and home folders in the answer.")
@click.option(
    "--index", "index_file", type=click.Path(path_type=Path), help="A signature index, as the site serves it."
)
def diagnose(logs: tuple[str, ...], form: str, redact: bool, index_file: Path | None) -> None:
    """Name the failure that started it, from a job's LOGS.

    `-` reads standard input. Reads nothing else and sends nothing. Exit status: 0 no failure found, or no log (empty,
    binary), 1 failure diagnosed, 2 wrong usage or a file that cannot be read, 3 failure seen that no entry knows.
    """
    from generator import findings
    from generator.diagnosing import diagnose_logs, read_index
    from generator.logs import find_sources

    with disk(), showing("reading") as progress:
        found = diagnose_logs(find_sources(logs), read_index(index_file), masked=redact, progress=progress)
    writers = {"json": findings.to_json, "markdown": findings.to_markdown, "github": findings.to_github}
    text = findings.to_text(found, colour=colour()) if form == "text" else writers[form](found)
    click.echo(text, nl=False)
    sys.exit(findings.exit_status(found))


@main.command()
@click.option("--markdown", type=click.Path(path_type=Path), metavar="DIR", help="Write the site as plain Markdown.")
@click.option("--alerts", type=click.Path(path_type=Path), metavar="DIR", help="Write rules for Prometheus, Loki, ….")
@click.option("--loki-selector", metavar="SELECTOR", help="The streams that the Loki rules read, if not all.")
def export(markdown: Path | None, alerts: Path | None, loki_selector: str | None) -> None:
    """Write the encyclopedia for other programs.

    As Markdown with its assets, for another site generator; as alert rules, for what watches logs and metrics.
    """
    if markdown is None and alerts is None:
        raise Unusable("say what to write: --markdown DIR, --alerts DIR or both.")
    if alerts is not None:
        from generator.alerts.rules import SELECTOR, write_alerts

        catalog = _catalog()
        with disk(alerts):
            paths = write_alerts(catalog, _site(catalog), alerts, loki_selector or SELECTOR)
        click.echo(f"Wrote {len(paths)} files of rules to {alerts}.")
    if markdown is not None:
        from generator.export import write_export

        root = _project()
        with disk(markdown), showing("writing") as progress:
            pages = write_export(_catalog(), root, markdown, progress)
        click.echo(f"Wrote {pages} pages to {markdown}.")


def _proposals(log: str, anyway: bool) -> tuple[Proposal, ...]:
    """Say what a log gives for a new entry, and return what belongs into its draft."""
    from generator.drafting import read_proposals, told

    catalog = _catalog()
    with disk(), showing("reading") as progress:
        found = read_proposals(log, catalog, progress)
    if found.known and not anyway:
        known = catalog.by_id[found.known[0]]
        raise Unusable(f"{log} is {known.id}, {known.file}: add its line there as a sample, or say --anyway.")
    if not found.proposals:
        raise Unusable(f"{log}: no line of it reads like an error; give one that does, or none.")
    click.echo(told(found))
    return found.proposals


def _project() -> Path:
    """Find the project: the nearest folder upwards that holds entries/ and schema/."""
    for place in (Path.cwd(), *Path.cwd().parents):
        if (place / "entries").is_dir() and (place / "schema/entry.schema.json").is_file():
            return place
    raise Unusable("no entries/ and schema/ here: run this in a clone of the encyclopedia.")


def _catalog() -> Catalog:
    """Read the catalogue of the clone one stands in, else the one that came with the package."""
    from generator import report
    from generator.catalog import read_catalog

    here = Path.cwd()
    entries = here / "entries" if (here / "schema/entry.schema.json").is_file() else folder("entries")
    with disk():
        reading: Reading = read_catalog(entries, folder("schema") / "entry.schema.json")
    if reading.issues:
        click.echo(report.to_text(reading.issues, len(reading.files), colour=colour()), nl=False, err=True)
        sys.exit(PROBLEMS)
    return reading.catalog


def _site(catalog: Catalog) -> str:
    from generator.diagnosing import site_of

    with disk():
        return site_of(catalog)


@main.command()
def mcp() -> None:
    """Serve coding agents over standard input and output.

    Speaks the Model Context Protocol; needs the extra `mcp`.
    """
    from importlib.metadata import version
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise Unusable("this needs the extra 'mcp': pip install 'failure-encyclopedia[mcp]'.")
    from generator.agent import serve
    from generator.diagnosing import read_index

    with disk():
        index = read_index(None)
    serve(_catalog(), index, version("failure-encyclopedia"))
