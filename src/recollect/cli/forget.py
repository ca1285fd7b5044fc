"""`forget` and `restore`: take a memory out, and bring it back while that can be done."""

import contextlib
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from recollect import paths
from recollect.app import App, opened
from recollect.cli import show
from recollect.cli.notes import found_file, named, placed, project_of, tell
from recollect.curation.forget import Gone
from recollect.errors import NotFoundError, RecollectError
from recollect.index.database import Indexed
from recollect.retrieval import disclose
from recollect.retrieval.report import iso

if TYPE_CHECKING:
    from recollect.curation.curator import Held, Unread


@click.command()
@click.argument("ids", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Only say what would go, and from where.")
@click.option("--really", is_flag=True, help="Erase it for good, now, wherever we have it.")
@click.option("--yes", is_flag=True, help="Do not ask before erasing.")
@click.option("--list", "listing", is_flag=True, help="List what was forgotten and can come back.")
@placed
@show.as_json
@click.pass_obj
def forget(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    ids: tuple[str, ...],
    dry_run: bool,
    really: bool,
    yes: bool,
    listing: bool,
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Take the memories IDS out: they are neither shown nor found any more.

    `recollect restore` brings them back for as long as `delete.grace_days` says. With
    `--really` they are erased at once: from the library and its history, the archive, the
    index and backups. What is beyond our reach is named.
    """
    if not ids and not listing:
        raise click.UsageError("Say what to forget: recollect forget ID")
    with opened(paths.home(), flags=flags) as app:
        where = project_of(app, project, everywhere=everywhere)
        if listing:
            taken = [(one.id, one.title, one.at) for one in app.forgetting.forgotten(where)]
            taken += [
                (held.name, held.note.title, held.note.updated_at.timestamp())
                for held in app.curator.forgotten(where)
            ]
            taken += [(name, name, at.timestamp()) for name, at in app.curator.past(where)]
            _list(taken, to_json=to_json)
            return
        found = [_memory(app, prefix, where, project) for prefix in ids]
        told = [app.curator.look(one, really=really) for one in found]
        if really and not dry_run:
            _agree(told, yes=yes, to_json=to_json)
        if not dry_run:
            now = datetime.now(UTC)
            told = [app.curator.forget(one, really=really, now=now) for one in found]
    if to_json:
        data = [_as_data(one, done=not dry_run) for one in told]
        show.dump(data if len(data) > 1 else data[0])
        return
    for one in told:
        _tell(one, done=not dry_run)


def _agree(told: list[Gone], *, yes: bool, to_json: bool) -> None:
    """Return if the user agrees that these are erased; leave with nothing done if not."""
    if yes:
        return
    if to_json or not sys.stdin.isatty():
        why = "--json does not ask" if to_json else "there is no terminal to ask at"
        raise RecollectError(f"nothing was erased: {why}", hint="Say --yes if you are sure.")
    titles = ", ".join(f"“{one.title}”" for one in told)
    click.confirm(f"Erase {titles} for good?", abort=True)


@click.command()
@click.argument("ids", nargs=-1, required=True)
@click.option(
    "--version",
    type=click.IntRange(1),
    help="Let a note say what it said then: `show --history` lists its versions.",
)
@placed
@show.as_json
@click.pass_obj
def restore(
    flags: dict[str, str],
    ids: tuple[str, ...],
    version: int | None,
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Bring back what was retired or forgotten: notes by name, memories by id.

    A note whose file is gone comes back as it was last. With `--version` a note says again
    what it said in an earlier version; what it says now becomes a version, too.
    """
    if version and len(ids) > 1:
        raise click.UsageError("A version is of one note: name one")
    with opened(paths.home(), flags=flags) as app:
        if version:
            place = named(app, ids[0], project, everywhere=everywhere)
            done = app.curator.bring_back(*place, number=version, now=datetime.now(UTC))
            tell(done, to_json=to_json)
            return
        where = project_of(app, project, everywhere=everywhere)
        for prefix in ids:
            taken = [one for one in app.forgetting.forgotten(where) if one.id.startswith(prefix)]
            if len(taken) > 1:
                raise NotFoundError(f"{prefix}: more than one was forgotten", hint="Say more.")
            if taken:
                app.forgetting.restore(where, taken[0].id)
                text = f"[green]✓[/green] restored [bold]{escape(taken[0].title)}[/bold]"
                show.report(text, to_json=to_json, outcome="restored", name=taken[0].id)
                continue
            place = named(app, prefix, project, everywhere=everywhere)
            tell(app.curator.restore(*place, now=datetime.now(UTC)), to_json=to_json)


def _memory(app: App, prefix: str, where: str, project: str | None) -> "Held | Unread | Indexed":
    """Return the note or the entry that *prefix* names."""
    app.sync(where)
    entry = None
    with contextlib.suppress(NotFoundError):  # A note by its bare id, or one that was retired.
        entry = disclose.find(app.index, prefix)
    if entry and entry.kind != "note":
        return entry
    if entry:
        return app.curator.find(entry.id, among=[entry.project])
    return found_file(app, prefix, project, everywhere=where == paths.EVERYWHERE)


def _list(found: list[tuple[str, str, float]], *, to_json: bool) -> None:
    if to_json:
        show.dump([{"id": id_, "title": title, "at": iso(at)} for id_, title, at in found])
        return
    for id_, title, at in found:
        show.say(f"{escape(title)} [dim]forgotten {show.ago(at)} · {escape(id_)}[/dim]")
    if not found:
        show.say("Nothing was forgotten that could come back.")


def _as_data(told: Gone, *, done: bool) -> dict[str, object]:
    verb = "erased" if told.erased else "forgotten"
    return {
        "outcome": verb if done else "nothing",
        "id": told.id,
        "title": told.title,
        "places": told.places,
        "beyond": told.beyond,
        "also": told.also,
    }


def _tell(told: Gone, *, done: bool) -> None:
    verb = "erased" if told.erased else "forgotten"
    said = verb if done else f"would be {verb}"
    show.say(f"[green]✓[/green] {said}: [bold]{escape(told.title)}[/bold]")
    show.say(f"  [dim]from {escape(', '.join(told.places))}[/dim]")
    for place in told.beyond:
        show.say(f"  [yellow]![/yellow] not ours to delete: {escape(place)}")
    for line in told.also:
        show.say(f"  [yellow]![/yellow] {escape(line)}")
    if done and not told.erased:
        show.say(f"  [dim]Back: recollect restore {escape(told.id)}[/dim]")
