"""`remember`, `list`, `show`, `edit`, `retire`, `restore`, `archive`, `gc`: the notes, by hand."""

import os
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.markup import escape

from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.cli import scope, show
from recollect.errors import NoteError, RecollectError
from recollect.journal import markdown
from recollect.notes.categories import CATEGORIES, Category
from recollect.search.report import iso
from recollect.store.contract.notes import BrokenNote, ChangeResult, DeletedNote, StoredNote

if TYPE_CHECKING:
    from recollect.app.naming import Naming
    from recollect.app.results import Change
    from recollect.curation.curator import NoteFilter, Planned

STATUSES = ("active", "retired", "archived")
PAGE = 20

_CATEGORY = click.Choice(CATEGORIES)


def placed(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--project` and `--global`."""
    everywhere = click.option(
        "--global", "everywhere", is_flag=True, help="Notes that apply to every project."
    )
    one = click.option(
        "--project", metavar="NAME", help="In another project: its name, label or path."
    )
    return everywhere(one(command))


@click.command()
@click.argument("words", nargs=-1)
@click.option(
    "-c", "--category", type=_CATEGORY, help="The kind of note; guessed if you do not say."
)
@click.option("-t", "--title", help="The title; taken from the words if you do not say.")
@click.option("--tag", "tags", multiple=True, help="A tag; repeat for several.")
@click.option("--pin", is_flag=True, help="Show it before all others.")
@click.option(
    "--file",
    "source",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the words from this file.",
)
@placed
@show.as_json
@click.pass_obj
def remember(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    words: tuple[str, ...],
    category: Category | None,
    title: str | None,
    tags: tuple[str, ...],
    pin: bool,
    source: Path | None,
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Keep WORDS as a note: a decision, a rule, how you want things done.

    The words come from the command line, from a file (`--file`), or with `-` from standard
    input. If there is such a note already, it is counted as seen again. It is an error if the
    note may not be made: its category is switched off, or one like it was retired just now.
    """
    text = _given(words, source)
    with opened(paths.home(), flags=flags) as app:
        done = app.changes.remember(
            text,
            here(app, project, everywhere=everywhere),
            category=category,
            title=title or "",
            tags=tags,
            pinned=pin,
            everywhere=everywhere,
        )
    if done.outcome == "nothing" and not to_json:
        raise RecollectError(f"nothing was kept: {done.reason}", hint=done.fix)
    tell(done, to_json=to_json)
    if done.outcome == "nothing":
        sys.exit(1)


def _given(words: Sequence[str], source: Path | None) -> str:
    if source and words:
        raise click.UsageError("Give words or a file, not both")
    if source:
        text = source.read_text(encoding="utf-8", errors="replace")
    else:
        text = sys.stdin.read() if tuple(words) == ("-",) else " ".join(words)
    if not text.strip():
        raise click.UsageError("Say what to remember: recollect remember WORDS")
    return text


@click.command("list")
@click.argument("text", default="")
@click.option(
    "-c", "--category", "categories", type=_CATEGORY, multiple=True, help="Only this kind."
)
@click.option(
    "--status",
    "statuses",
    type=click.Choice(STATUSES),
    multiple=True,
    default=("active",),
    show_default=True,
    help="Only with this status.",
)
@click.option("--tag", "tags", multiple=True, help="Only with this tag.")
@click.option(
    "-n",
    "--limit",
    default=PAGE,
    show_default=True,
    type=click.IntRange(1),
    help="Show N notes on a page.",
)
@click.option("--page", default=1, show_default=True, type=click.IntRange(1), help="Show page N.")
@click.option(
    "--global", "everywhere", is_flag=True, help="Only notes that apply to every project."
)
@scope.scoped
@show.as_json
@click.pass_obj
def list_(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    text: str,
    categories: tuple[str, ...],
    statuses: tuple[str, ...],
    tags: tuple[str, ...],
    limit: int,
    page: int,
    everywhere: bool,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """List notes, newest first; with TEXT, only those that contain it."""
    from recollect.curation.curator import NoteFilter  # noqa: PLC0415 - notes take pydantic

    wanted = NoteFilter(categories=categories, statuses=statuses, tags=tags, text=text)
    with opened(paths.home(), flags=flags) as app:
        if everywhere:
            among = []
        elif project or all_projects:
            among = scope.chosen(app, project, all_projects=all_projects)
        else:
            here = app.projects.at(os.getcwd())
            among = [here] if here else []
        names = dict.fromkeys([*(one.name for one in among), paths.EVERYWHERE])
        found = app.notes.listed(names, wanted)
    shown = found[(page - 1) * limit : page * limit]
    if to_json:
        show.dump([as_data(held) for held in shown])
        return
    for held in shown:
        _say_line(held)
    if found and not shown:
        show.say(f"There are only {show.count(-(-len(found) // limit), 'page')}.")
    elif not found:
        show.say(_nothing_listed(wanted))
    elif len(found) > page * limit:
        show.say(f"[dim]{len(found)} in all · next page: --page {page + 1}[/dim]")
    else:
        show.say("[dim]Show one: recollect show NAME · change it: recollect edit NAME[/dim]")


def _nothing_listed(wanted: "NoteFilter") -> str:
    """Say that there is no note, or none that is *wanted*."""
    if wanted.text or wanted.categories or wanted.tags or wanted.statuses != ("active",):
        return "No note matches."
    return 'No notes yet. Add one: [bold]recollect remember "…"[/bold]'


def _say_line(held: StoredNote) -> None:
    note = held.note
    marks = [note.category.replace("_", " ")]
    marks += ["everywhere"] if held.project == paths.EVERYWHERE else []
    marks += [note.record_status] if not note.active else []
    marks += [note.review] if note.review else []
    marks += ["pinned"] if note.pinned else []
    marks += [f"said {note.seen + 1} times"] if note.seen else []
    show.say(f"[bold]{escape(note.title)}[/bold]")
    when = show.ago(note.updated_at.timestamp())
    show.say(f"     [dim]{escape(' · '.join([when, *marks, held.name]))}[/dim]")


@click.command("show")
@click.argument("name")
@click.option("--version", type=click.IntRange(1), help="As it was in version N.")
@click.option("--history", is_flag=True, help="List its versions.")
@placed
@show.as_json
@click.pass_obj
def show_(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    name: str,
    version: int | None,
    history: bool,
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Show the note NAME: `category/id`, or the id alone; the beginning is enough."""
    with opened(paths.home(), flags=flags) as app:
        find = found_versions if history or version else found_file
        held = find(app, name, project, everywhere=everywhere)
        if history:
            _say_history(held, app.notes.history(held), to_json=to_json)
            return
        text = app.notes.version(held, version) if version else held.text
        written = {one.number: one.at for one in app.notes.history(held)} if version else {}
    if to_json:
        told = _version_as_data(held, text, written[version]) if version else _file_as_data(held)
        show.dump({**told, "text": text})
        return
    show.say(f"[dim]{escape(held.location)}[/dim]")
    if trouble := _trouble(held):
        show.say(f"[yellow]![/yellow] {escape(trouble)}")
        show.say(f"  [dim]Mend it: recollect edit {escape(held.name)}[/dim]")
    show.console().print(markdown.legible(text), markup=False, soft_wrap=True)


def _trouble(held: StoredNote | BrokenNote | DeletedNote) -> str:
    """Return why a note cannot be read; empty if it can."""
    trouble = getattr(held, "trouble", None)
    return trouble.what if trouble else ""


def _file_as_data(held: StoredNote | BrokenNote | DeletedNote) -> dict[str, object]:
    if trouble := _trouble(held):
        where = {"name": held.name, "project": held.project, "file": held.location}
        return {**where, "trouble": trouble}
    return as_data(held)  # type: ignore[arg-type]


def _version_as_data(
    held: StoredNote | BrokenNote | DeletedNote, text: str, written: datetime
) -> dict[str, object]:
    """Return what a note said in the version *text*, which may be one that cannot be read."""
    from recollect.notes import note_text  # noqa: PLC0415 - notes take pydantic

    where = {"name": held.name, "project": held.project, "file": held.location}
    category, _, note_id = held.name.partition("/")
    place = note_text.NotePlace(category=category, id=note_id, modified=written)
    try:
        note = note_text.read(text, place)
    except NoteError as error:
        return {**where, "trouble": error.message}
    return {**where, **note.model_dump(mode="json")}


def _say_history(
    held: StoredNote | BrokenNote | DeletedNote, versions: Sequence[Any], *, to_json: bool
) -> None:
    if to_json:
        show.dump([{"version": one.number, "at": iso(one.at.timestamp())} for one in versions])
        return
    rows = [(one.number, show.local(one.at.timestamp())) for one in versions]
    show.table(("version", "written"), rows)
    name = escape(held.name)
    show.say(f"[dim]One of them: recollect show {name} --version N[/dim]")
    show.say(f"[dim]Back to it: recollect restore {name} --version N[/dim]")


@click.command()
@click.argument("name")
@placed
@click.pass_obj
def edit(flags: dict[str, str], name: str, project: str | None, everywhere: bool) -> None:
    """Change the note NAME in your editor ($VISUAL or $EDITOR).

    If the result cannot be read as a note, you can go on editing, and your text is kept.
    """
    with opened(paths.home(), flags=flags) as app:
        edit_note(app, found_file(app, name, project, everywhere=everywhere))


def edit_note(app: Recollect, held: StoredNote | BrokenNote) -> bool:
    """Let the user change a note until it is right, or put it off; no text is lost.

    Tell whether it was changed.
    """
    text = before = held.text
    while True:
        edited = _edited(text)
        if edited is None or edited == before:
            show.say("Nothing was changed.")
            return False
        done = app.notes.rewrite(held, edited, over=before, now=_now())
        if done.outcome == "updated":
            tell(done, to_json=False)
            return True
        draft = app.notes.save_draft(held, edited)
        show.say(f"[red]✗[/red] {escape(done.reason)}\n  {escape(done.fix)}")
        show.say(f"The note is as it was. Your text: {escape(draft)}")
        if not click.confirm("Go on editing?"):
            return False
        # Somebody else may have changed it meanwhile: what is saved now is meant to hold.
        before = app.notes.look_up(held.name, among=[held.project]).text
        text = edited


def _edited(text: str) -> str | None:
    """Return what the user's editor makes of *text*; None if they did not save."""
    # As bytes, because a broken file may have some that are no UTF-8.
    edited = click.edit(text.encode("utf-8", "surrogateescape"), extension=".md")
    return None if edited is None else edited.decode("utf-8", "surrogateescape")


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--undo", is_flag=True, help="Unpin them.")
@placed
@show.as_json
@click.pass_obj
def pin(
    flags: dict[str, str],
    names: tuple[str, ...],
    undo: bool,
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Show the notes NAMES before all others when a session starts."""
    with opened(paths.home(), flags=flags) as app:
        held = [found_note(app, name, project, everywhere=everywhere) for name in names]
        done = [
            app.notes.change(one, lambda note: note.changed(pinned=not undo), now=_now())
            for one in held
        ]
    tell_all(done, to_json=to_json, updated="unpinned" if undo else "pinned")


def _stepping(verb: str, help_text: str, *, with_reason: bool) -> click.Command:
    """Return the command that takes the step *verb*."""

    def run(
        flags: dict[str, str],
        names: tuple[str, ...],
        project: str | None,
        everywhere: bool,
        to_json: bool,
        reason: str = "",
    ) -> None:
        with opened(paths.home(), flags=flags) as app:
            held = [found_note(app, name, project, everywhere=everywhere) for name in names]
            done = [
                app.notes.step(one, verb, now=_now(), reason=reason)  # type: ignore[arg-type]
                for one in held
            ]
        tell_all(done, to_json=to_json)

    command: Callable[..., Any] = click.pass_obj(run)
    if with_reason:
        command = click.option("--reason", default="", help="Why; kept in the note's log.")(command)
    command = placed(show.as_json(command))
    command = click.argument("names", nargs=-1, required=True)(command)
    return click.command(verb, help=help_text)(command)


retire = _stepping(
    "retire",
    "Stop showing and finding the notes NAMES.\n\n`recollect restore` brings them back, until"
    " `recollect gc` deletes them after `delete.grace_days`.",
    with_reason=True,
)
archive = _stepping(
    "archive",
    "Stop showing the notes NAMES, but keep them for good.\n\n`recollect unarchive` makes them"
    " active again.",
    with_reason=True,
)
unarchive = _stepping("unarchive", "Make the archived notes NAMES active again.", with_reason=False)


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option(
    "--global", "everywhere", is_flag=True, help="Only notes that apply to every project."
)
@scope.scoped
@show.as_json
@click.pass_obj
def gc(
    flags: dict[str, str],
    dry_run: bool,
    everywhere: bool,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """Delete what is past its grace period: retired notes and forgotten memories.

    The period is `delete.grace_days`. The worker does this by itself, once a day.
    """
    with opened(paths.home(), flags=flags) as app:
        among = [] if everywhere else scope.chosen(app, project, all_projects=all_projects)
        names = dict.fromkeys([*(one.name for one in among), paths.EVERYWHERE])
        if dry_run:
            due = [one for name in names for one in app.notes.due(name, now=_now())]
            _say_due(due, to_json=to_json)
            return
        done = [one for name in names for one in app.notes.collect(name, now=_now())]
    if to_json:
        show.dump([_done_as_data(one) for one in done])
        return
    for one in done:
        tell(one, to_json=False)
    if not done:
        show.say("Nothing is past its grace period.")


def _say_due(due: Sequence["Planned"], *, to_json: bool) -> None:
    if to_json:
        told = [{"would": one.step, "name": one.name, "reason": one.reason} for one in due]
        show.dump([{"outcome": "nothing", **one} for one in told])
        return
    for one in due:
        show.say(f"would {one.step} [bold]{escape(one.name)}[/bold]: {escape(one.reason)}")
    if not due:
        show.say("Nothing is past its grace period.")


def as_data(held: StoredNote) -> dict[str, object]:
    """Return a note for programs."""
    return {
        "name": held.name,
        "project": held.project,
        "file": held.location,
        **held.note.model_dump(mode="json", exclude_defaults=False),
    }


def found_note(app: Recollect, name: str, project: str | None, *, everywhere: bool) -> StoredNote:
    """Return the note that *name* begins: where the options say, or here and everywhere."""
    return app.notes.find(*here(app, project, everywhere=everywhere).note(name))


def found_file(
    app: Recollect, name: str, project: str | None, *, everywhere: bool
) -> StoredNote | BrokenNote:
    """Return what `found_note` does, also if its file cannot be read."""
    return app.notes.look_up(*here(app, project, everywhere=everywhere).note(name))


def found_versions(
    app: Recollect, name: str, project: str | None, *, everywhere: bool
) -> StoredNote | BrokenNote | DeletedNote:
    """Return what `found_file` does, or a note that has only its history left."""
    return app.notes.look_back(*here(app, project, everywhere=everywhere).note(name))


def here(app: Recollect, project: str | None, *, everywhere: bool) -> "Naming":
    """Return who knows what names mean: where the options say, or here and everywhere."""
    if everywhere and project:
        raise click.UsageError("--project and --global exclude each other")
    return app.naming(folder=os.getcwd(), project=project, everywhere=everywhere)


def _now() -> datetime:
    return datetime.now(UTC)


def _done_as_data(done: "Change | ChangeResult") -> dict[str, object]:
    return {
        "outcome": done.outcome,
        "name": done.name,
        "reason": done.reason,
        "also": [_done_as_data(one) for one in done.also],
    }


def tell_all(
    done: "Sequence[Change | ChangeResult]", *, to_json: bool, updated: str = "updated"
) -> None:
    """Say of each what really happened; for programs in one list, if there are several.

    If one of several failed, the others are told all the same, and the exit code is 1. *updated*
    is what a person calls the update.
    """
    if len(done) == 1:
        tell(done[0], to_json=to_json, updated=updated)
        return
    if to_json:
        show.dump([_done_as_data(one) for one in done])
    for one in () if to_json else done:
        if one.outcome == "failed":
            _tell_failure(one)
        else:
            tell(one, to_json=False, updated=updated)
    if any(one.outcome == "failed" for one in done):
        sys.exit(1)


def _tell_failure(done: "Change | ChangeResult") -> None:
    console = Console(stderr=True, highlight=False)
    console.print(f"[red]✗[/red] {escape(done.name)}: {escape(done.reason)}", soft_wrap=True)
    if done.fix:
        console.print(f"  {escape(done.fix)}", soft_wrap=True)


def tell(done: "Change | ChangeResult", *, to_json: bool, updated: str = "updated") -> None:
    """Say what really happened; what failed is an error. *updated* is what an update is called."""
    if done.outcome == "failed":
        raise RecollectError(f"{done.name}: {done.reason}", hint=done.fix)
    if to_json:
        show.dump(_done_as_data(done))
        return
    mark = "[yellow]–[/yellow]" if done.outcome == "nothing" else "[green]✓[/green]"
    why = f" [dim]({escape(done.reason)})[/dim]" if done.reason else ""
    words = {"nothing": "unchanged", "updated": updated}
    outcome = words.get(done.outcome, done.outcome)
    show.say(f"{mark} {outcome} [bold]{escape(done.name)}[/bold]{why}")
    for one in done.also:
        why = f" [dim]({escape(one.reason)})[/dim]" if one.reason else ""
        show.say(f"  {one.outcome} {escape(one.name)}{why}")
