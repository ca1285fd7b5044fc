"""`export`: notes for other programs and other machines."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import click
from rich.console import Console
from rich.markup import escape

from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.cli import copies, fill, scope, show
from recollect.cli.notes import STATUSES, here
from recollect.errors import RecollectError
from recollect.notes.categories import CATEGORIES
from recollect.store.contract.notes import BrokenNote, StoredNote

Form = Literal["json", "markdown"]
_SEVERAL = (
    "Notes of several projects need --output FOLDER: each project has a folder of its own there"
)
SUFFIXES = {"json": ".json", "markdown": ".md"}


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(("json", "markdown")),
    default="json",
    show_default=True,
    help="Records for programs, or the Markdown files as they are.",
)
@click.option("--full", is_flag=True, help="Include the fields that only Recollect has.")
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    help="Write one file per note into this folder.",
)
@click.option("--force", is_flag=True, help="Overwrite files there that differ.")
@click.option(
    "-c",
    "--category",
    "categories",
    type=click.Choice(CATEGORIES),
    multiple=True,
    help="Only this kind.",
)
@click.option(
    "--status",
    "statuses",
    type=click.Choice(STATUSES),
    multiple=True,
    help="Only with this status; all if you do not say.",
)
@click.option("--tag", "tags", multiple=True, help="Only with this tag.")
@click.option("--global", "everywhere", is_flag=True, help="Notes that apply to every project.")
@scope.scoped
@show.as_json
@click.pass_obj
def export(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    names: tuple[str, ...],
    form: Form,
    full: bool,
    folder: str | None,
    force: bool,
    categories: tuple[str, ...],
    statuses: tuple[str, ...],
    tags: tuple[str, ...],
    everywhere: bool,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """Write notes out as JSON, for `recollect import` and for other programs.

    Without NAMES, all notes of this project are exported, whatever their status. They are printed
    as one list; with `--output`, each becomes a file, such as `decisions/use-pnpm.json`. Notes of
    several projects need `--output`: each project gets a folder of its own there, and so do the
    notes that apply everywhere.

    The fields are those that other programs know. `--full` adds what only Recollect has:
    `source`, `evidence`, `pinned`, `seen`, `supersedes`, `superseded_by`, `visibility` and
    `review`. Fields and sections that you added yourself are left out of JSON, with a warning;
    `--format markdown` keeps everything.

    A file that cannot be read as a note is named in a warning. As Markdown it is copied
    unchanged; as JSON it is left out, and the exit code is 1.
    """
    from recollect.curation.curator import NoteFilter  # noqa: PLC0415 - notes take pydantic

    if everywhere and (project or all_projects):
        raise click.UsageError("--global excludes --project and --all-projects")
    if names and (all_projects or categories or tags or statuses):
        raise click.UsageError("Give names or filters, not both")
    _check_output(folder, form, all_projects=all_projects, to_json=to_json)
    output = Path(folder) if folder else None
    with opened(paths.home(), flags=flags) as app:
        if names:
            notes, broken = _named(app, names, project, everywhere=everywhere)
        else:
            among = _among(app, project, everywhere=everywhere, all_projects=all_projects)
            wanted = NoteFilter(categories=categories, statuses=statuses or STATUSES, tags=tags)
            notes = app.notes.listed(among, wanted)
            broken = app.notes.unread(among, categories)
    notes.sort(key=lambda held: (held.project, held.name))
    copied = [one for one in broken if form == "markdown" and one.content is not None]
    _warn(broken, copied)
    if form == "json" and not full:
        _warn_of_review(notes)
    lost = _lost(notes) if form == "json" else {}
    _warn_of_loss(lost)
    chosen: list[StoredNote | BrokenNote] = [*notes, *copied]
    several = all_projects or len({one.project for one in chosen}) > 1
    if output:
        texts = _texts(chosen, output, full=full, form=form, by_project=several)
        kept = _write(texts, len(chosen), output=output, force=force, lost=lost, to_json=to_json)
    elif several:
        raise click.UsageError(_SEVERAL)
    elif form == "json":
        show.dump([_record(held, full=full) for held in notes])
        kept = 0
    else:
        _print_one(chosen)
        kept = 0
    if kept or len(copied) < len(broken):
        sys.exit(1)


def _check_output(folder: str | None, form: Form, *, all_projects: bool, to_json: bool) -> None:
    if folder == "":
        raise click.UsageError("--output needs the name of a folder")
    if folder is None and all_projects:
        raise click.UsageError(_SEVERAL)
    if folder is None and form == "markdown" and to_json:
        raise click.UsageError("--json tells what was written, and needs --output FOLDER")
    if folder and Path(folder).exists() and not Path(folder).is_dir():
        raise RecollectError(f"{folder}: is not a folder", hint="Name a folder, or use > FILE.")


def _among(
    app: Recollect, project: str | None, *, everywhere: bool, all_projects: bool
) -> list[str]:
    """Return the projects whose notes are meant.

    Unlike in a list, what holds everywhere is not among those of a project: an import could not
    tell them apart.
    """
    if everywhere:
        return [paths.EVERYWHERE]
    chosen = scope.chosen(app, project, all_projects=all_projects)
    return [*(one.name for one in chosen), *([paths.EVERYWHERE] if all_projects else [])]


def _named(
    app: Recollect, names: Sequence[str], project: str | None, *, everywhere: bool
) -> tuple[list[StoredNote], list[BrokenNote]]:
    """Return the notes called *names*, each once, and the files of such that cannot be read."""
    found = {
        one.location: one
        for name in names
        for one in [app.notes.look_up(*here(app, project, everywhere=everywhere).note(name))]
    }
    return (
        [one for one in found.values() if isinstance(one, StoredNote)],
        [one for one in found.values() if isinstance(one, BrokenNote)],
    )


def _record(held: StoredNote, *, full: bool) -> dict[str, object]:
    from recollect.notes import exchange  # noqa: PLC0415 - takes pydantic

    return exchange.full_record(held.note) if full else exchange.record(held.note)


def _warn(broken: Sequence[BrokenNote], copied: Sequence[BrokenNote]) -> None:
    console = Console(stderr=True, highlight=False)
    for one in broken:
        what = "copied as it is" if one in copied else "left out"
        said = f"{one.location}: {one.trouble.what}; {what}"
        console.print(f"[yellow]![/yellow] {escape(said)}", soft_wrap=True)
        mend = one.trouble.fix if one.is_misnamed else f"Mend it: recollect edit {one.name}"
        console.print(f"  {escape(mend)}", soft_wrap=True)


def _warn_of_review(notes: Sequence[StoredNote]) -> None:
    """Say which notes nobody has said yes to: elsewhere they would hold."""
    console = Console(stderr=True, highlight=False)
    for held in notes:
        if held.note.review:
            said = f"{held.name}: waits for review ({held.note.review}); only --full says so"
            console.print(f"[yellow]![/yellow] {escape(said)}", soft_wrap=True)


def _lost(notes: Sequence[StoredNote]) -> dict[str, list[str]]:
    """Return what is in the files of *notes* and in no record, by their names."""
    from recollect.notes import note_text  # noqa: PLC0415 - takes pydantic

    found = {
        f"{held.project}/{held.name}": note_text.beyond(held.text, held.note.category)
        for held in notes
    }
    return {name: what for name, what in found.items() if what}


def _warn_of_loss(lost: Mapping[str, Sequence[str]]) -> None:
    console = Console(stderr=True, highlight=False)
    for name, what in lost.items():
        said = f"{name}: without {', '.join(what)}; --format markdown keeps all"
        console.print(f"[yellow]![/yellow] {escape(said)}", soft_wrap=True)


def _print_one(chosen: Sequence[StoredNote | BrokenNote]) -> None:
    if len(chosen) != 1:
        raise click.UsageError(
            f"{show.count(len(chosen), 'note')}, and one at a time can be printed as Markdown:"
            " name it, or say --output FOLDER"
        )
    click.echo(chosen[0].text.encode("utf-8", "surrogateescape"), nl=False)


def _texts(
    chosen: Sequence[StoredNote | BrokenNote],
    output: Path,
    *,
    full: bool,
    form: Form,
    by_project: bool,
) -> Iterator[tuple[Path, str]]:
    """Return what is to be written, and where."""
    for one in chosen:
        folder = output / one.project if by_project else output
        category, _, note_id = one.name.partition("/")
        path = folder / CATEGORIES[category].folder / (note_id + SUFFIXES[form])
        if form == "markdown":
            yield path, one.text
        else:
            text = json.dumps(_record(one, full=full), ensure_ascii=False, indent=2)  # type: ignore[arg-type]
            yield path, f"{text}\n"


def _write(
    texts: Iterator[tuple[Path, str]],
    total: int,
    *,
    output: Path,
    force: bool,
    lost: Mapping[str, Sequence[str]],
    to_json: bool,
) -> int:
    """Write *texts*, say what became of them, and return how many other files were in the way."""
    became: dict[str, list[str]] = {"written": [], "unchanged": [], "kept": []}
    with fill.progress(to_json=to_json) as bar:
        task = bar.add_task("Writing", total=total)
        for path, text in texts:
            became[copies.put(path, text, force=force)].append(str(path))
            bar.advance(task)
    kept = became["kept"]
    if to_json:
        numbers = {name: len(became[name]) for name in ("written", "unchanged")}
        told = {"folder": str(output), **numbers, "not_overwritten": kept, "lost": lost}
        show.dump({**told, "kept": kept})  # Its former name, until 0.2.
        return len(kept)
    same = f", {len(became['unchanged'])} were there already" if became["unchanged"] else ""
    written = show.count(len(became["written"]), "note")
    show.say(f"{written} written to {escape(str(output))}{same}.")
    for other in kept:
        show.say(f"[red]✗[/red] {escape(other)}: differs, and was left alone")
    if kept:
        show.say("  To overwrite: --force")
    return len(kept)
