"""`forget` and `restore`: take a memory out, and bring it back while that can be done."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from recollect import paths
from recollect.app import results
from recollect.app.naming import called
from recollect.app.recollect import Recollect, opened
from recollect.app.results import Change
from recollect.cli import several, show
from recollect.cli.notes import here, placed, tell, tell_all
from recollect.curation.forget import Gone
from recollect.errors import RecollectError
from recollect.search.report import iso

if TYPE_CHECKING:
    from recollect.curation.curator import Memory


@click.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be removed and from where, and do nothing."
)
@click.option("--really", is_flag=True, help="Erase for good, now, wherever Recollect has it.")
@click.option("--yes", is_flag=True, help="Erase without asking.")
@click.option(
    "--list", "listing", is_flag=True, help="List what was forgotten and can be restored."
)
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
    """Remove the memories IDS: they are no longer shown or found.

    `recollect restore` brings them back within `delete.grace_days`. With `--really` they are
    erased at once: from the journal, the notes and their history, the archive, the index and the
    backups. Places that Recollect cannot erase them from are named.
    """
    if not ids and not listing:
        raise click.UsageError("Say what to forget: recollect forget ID")
    with opened(paths.home(), flags=flags) as app:
        naming = here(app, project, everywhere=everywhere)
        if listing:
            _list(_forgotten(app, naming.project), to_json=to_json)
            return
        # A wrong name stops all, before anything is done.
        found = _distinct([naming.memory(name) for name in ids])
        told = [app.notes.look(one, really=really) for one in found]
        failed: list[RecollectError] = []
        if not dry_run:
            if really:
                _agree(told, yes=yes, to_json=to_json)
            now = datetime.now(UTC)
            told, failed = several.tried(
                found, lambda one: app.notes.forget(one, really=really, now=now)
            )
    _report(told, failed, done=not dry_run, to_json=to_json)


def _forgotten(app: Recollect, where: str) -> list[tuple[str, str, float]]:
    """Return what can come back: its id, its title, and since when it is gone."""
    return [
        *((one.id, one.title, one.at) for one in app.forgetting.forgotten(where)),
        *(
            (held.name, held.note.title, held.note.updated_at.timestamp())
            for held in app.notes.forgotten(where)
        ),
        *((one.name, one.name, one.since.timestamp()) for one in app.notes.past(where)),
    ]


def _report(told: list[Gone], failed: list[RecollectError], *, done: bool, to_json: bool) -> None:
    """Say what was done, and then what could not be."""
    if failed and not told and len(failed) == 1:
        raise failed[0]
    if to_json:
        data = [_as_data(one, done=done) for one in told]
        data += [{"outcome": "failed", "reason": e.message, "hint": e.hint} for e in failed]
        show.dump(data if len(data) > 1 else data[0])
    else:
        for one in told:
            _tell(one, done=done)
        for error in failed:
            click.echo(f"✗ {error.message}\n  {error.hint}".rstrip(), err=True)
    if failed:
        sys.exit(1)


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
    help="Go back to version N of a note; `show --history` lists them.",
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

    A note whose file was deleted comes back as it was last. With `--version`, a note goes back to
    an earlier version; its present text is kept as a version, too.
    """
    if version and len(ids) > 1:
        raise click.UsageError("--version takes one note")
    with opened(paths.home(), flags=flags) as app:
        naming = here(app, project, everywhere=everywhere)
        if version:
            place = naming.note(ids[0])
            done = app.notes.revert_to(*place, number=version, now=datetime.now(UTC))
            tell(done, to_json=to_json)
            return

        def put_back(name: str) -> Change:
            done = app.notes.restore(naming.forgotten(name), now=datetime.now(UTC))
            return results.change(done)

        tell_all(several.outcomes(ids, put_back), to_json=to_json)


def _distinct(found: "list[Memory]") -> "list[Memory]":
    """Return each of *found* once, whatever it was called by."""
    return list({(one.project, called(one)): one for one in found}.values())


def _list(found: list[tuple[str, str, float]], *, to_json: bool) -> None:
    if to_json:
        show.dump([{"id": id_, "title": title, "at": iso(at)} for id_, title, at in found])
        return
    for id_, title, at in found:
        show.say(f"{escape(title)} [dim]forgotten {show.ago(at)} · {escape(id_)}[/dim]")
    if not found:
        show.say("Nothing was forgotten that could be restored.")


def _as_data(told: Gone, *, done: bool) -> dict[str, object]:
    verb = "erased" if told.erased else "forgotten"
    return {
        "outcome": verb if done else "nothing",
        "id": told.id,
        "title": told.title,
        "places": told.places,
        "not_deleted": told.beyond,
        "beyond": told.beyond,  # Its former name, until 0.2.
        "also": told.also,
    }


def _tell(told: Gone, *, done: bool) -> None:
    verb = "erased" if told.erased else "forgotten"
    said = verb if done else f"would be {verb}"
    show.say(f"[green]✓[/green] {said}: [bold]{escape(told.title)}[/bold]")
    show.say(f"  [dim]from {escape(', '.join(told.places))}[/dim]")
    for place in told.beyond:
        show.say(f"  [yellow]![/yellow] Recollect cannot delete: {escape(place)}")
    for line in told.also:
        show.say(f"  [yellow]![/yellow] {escape(line)}")
    if done and not told.erased:
        show.say(f"  [dim]To bring it back: recollect restore {escape(told.id)}[/dim]")
