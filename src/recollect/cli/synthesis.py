"""`resynthesise` and `retry`: make entries anew, by a model or without one; ask models again."""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from recollect import line, paths, worker_client
from recollect.app.recollect import Recollect, opened
from recollect.cli import show
from recollect.cli.fill import progress
from recollect.cli.scope import chosen, scoped
from recollect.errors import EngineError, NotFoundError, RecollectError
from recollect.journal.model import JournalEntry
from recollect.search import moments
from recollect.store.contract.state import QueuedTurn

if TYPE_CHECKING:
    from recollect.app.models import Preview, RewrittenEntry, Work

CHOICES = {"y": "replace", "n": "leave", "a": "replace all", "q": "quit"}


@click.command()
@click.option("--list", "only_list", is_flag=True, help="Only list the turns, and why they failed.")
@show.as_json
def retry(only_list: bool, to_json: bool) -> None:
    """Ask a model again about turns that were set aside after three failures.

    A model that was paused (no login, no credit) is asked again, too.
    """
    with opened(paths.home()) as app:
        aside = app.models.set_aside()
        resting = app.models.status(now=time.time()).trouble
        if not only_list:
            app.models.retry()
        told = [_as_data(one) for one in aside]
        is_awaited = bool(app.models.waiting())
    if is_awaited and not only_list:
        _wake()
    if to_json:
        show.dump({"retried": not only_list, "turns": told, "paused": resting})
        return
    for one in aside:
        show.say(f"  {show.local(one.queued)} {escape(one.turn)}: {escape(one.reason)}")
    if resting:
        show.say(f"[yellow]![/yellow] no model was asked: {escape(str(resting))}")
    if not aside and not resting:
        show.say("No turns were set aside.")
    elif only_list:
        show.say("To try again: [bold]recollect retry[/bold]")
    else:
        put_back = f"{show.count(len(aside), 'turn')} put back" if aside else "The pause is over"
        show.say(f"{put_back}; the worker will ask a model again.")


def _wake() -> None:
    """Let the worker look at once; one that does not run is started."""
    with suppress(line.Absent):
        line.ask(paths.socket(paths.home()), "wake", seconds=1.0)
        return
    worker_client.start(paths.home())


def _as_data(one: QueuedTurn) -> dict[str, object]:
    return {
        "turn": one.turn,
        "session": one.session,
        "project": one.project,
        "kind": one.kind,
        "reason": one.reason,
        "tries": one.tries,
    }


@click.command()
@click.option("--since", metavar="WHEN", help="Entries since then: 2026-11-15, yesterday, 2w.")
@click.option(
    "--session",
    "prefix",
    metavar="ID",
    help="Only this session; the beginning of its id is enough.",
)
@click.option("--extractive", is_flag=True, help="Without a model, from the archive; free.")
@click.option("--all", "all_of_them", is_flag=True, help="Also entries that are up to date.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked or changed, and do nothing.")
@click.option("-y", "--yes", is_flag=True, help="Replace without asking.")
@scoped
@show.as_json
@click.pass_obj
def resynthesise(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    since: str | None,
    prefix: str | None,
    extractive: bool,
    all_of_them: bool,
    dry_run: bool,
    yes: bool,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """Write journal entries anew, and show what changes before anything is replaced.

    With another model: `recollect --set synthesis.default_model=NAME resynthesise --since 2w`.

    Without a model: `recollect resynthesise --extractive` rewrites, from the archive, the entries
    that an earlier version wrote without one; with `--all`, also those that a model wrote.

    Notes and entries that you edited stay as they are.
    """
    if not (since or prefix or extractive):
        raise click.UsageError("Say from when on (--since), or which session (--session)")
    if extractive:
        flags = {**flags, "synthesis.engine": "extractive"}
    if to_json and not (yes or dry_run):
        raise click.UsageError("--json does not ask: add --yes or --dry-run")
    with opened(paths.home(), flags=flags) as app:
        works = _works(
            app,
            since,
            prefix,
            project,
            all_projects=all_projects,
            is_done=_is_done(app, extractive=extractive, every=all_of_them),
        )
        told, numbers = _told(works)
        if extractive and dry_run:
            _preview(app, works, to_json=to_json)
            return
        if dry_run or not works:
            show.report(told, to_json=to_json, **numbers, replaced=[])
            return
        costs = numbers["tokens"] > 0
        for name in {work.session.project for work in works if work.tokens}:
            if trouble := app.models.trouble(name):
                raise EngineError(trouble, kind="missing", hint="See: recollect status")
        if not to_json:
            show.say(told)
        if not yes:
            _agree(costs=costs)
        replaced = _redo(app, works, yes=yes, to_json=to_json)
    noun = "entry" if len(replaced) == 1 else "entries"
    words = f"{len(replaced)} {noun} replaced."
    show.report(words, to_json=to_json, **numbers, replaced=replaced)


def _works(
    app: Recollect,
    since: str | None,
    prefix: str | None,
    project: str | None,
    *,
    all_projects: bool,
    is_done: Callable[[JournalEntry, str], bool],
) -> list["Work"]:
    begins = moments.read(since, now=datetime.now().astimezone()) if since else 0.0
    if begins is None:
        raise NotFoundError(f"--since: {since} is not a time", hint="For example: 2026-11-15, 2w.")
    if prefix:
        those = app.sessions.matching(prefix)
        if len(those) != 1:
            what = "means several sessions" if those else "is no session"
            raise NotFoundError(
                f"--session: {prefix} {what}", hint="`recollect summary` shows ids."
            )
    else:
        among = chosen(app, project, all_projects=all_projects)
        those = list(chain(*(app.sessions.of_project(one.name) for one in among)))
    return list(app.models.due(reversed(those), since=begins, is_done=is_done))


def _is_done(
    app: Recollect, *, extractive: bool, every: bool
) -> Callable[[JournalEntry, str], bool]:
    """Return how to tell the entries that stay as they are."""

    def is_done(entry: JournalEntry, project: str) -> bool:
        if every:
            return False
        if extractive and not entry.by.startswith("extractive/"):
            return True  # A model said it better.
        return app.models.rewriter.is_up_to_date(entry, project)

    return is_done


def _preview(app: Recollect, works: Sequence["Work"], *, to_json: bool) -> None:
    """Show what would change without a model, and change nothing."""
    changes: list[dict[str, object]] = []
    for work in works:
        for one in app.models.rewriter.preview(work.session, work.turns).rewritten:
            if not to_json:
                _show(app, one)
            changes.append(
                {
                    "id": one.before.id,
                    "before": one.before.by,
                    "after": one.after.by,
                    "old_title": one.before.headline,
                    "new_title": one.after.headline,
                }
            )
    noun = "entry" if len(changes) == 1 else "entries"
    words = f"{len(changes)} {noun} would change. To do so, leave out --dry-run."
    if not changes:
        words = "No entry would change."
    turns = sum(len(work.turns) for work in works)
    show.report(
        words, to_json=to_json, turns=turns, calls=0, tokens=0, replaced=[], changes=changes
    )


def _told(works: Sequence["Work"]) -> tuple[str, dict[str, int]]:
    """Return how much is to be asked about, in words and in numbers."""
    turns = sum(len(work.turns) for work in works)
    sent = sum(work.tokens for work in works)
    calls = sum(work.calls for work in works)
    asked = f"{show.count(calls, 'call')}, at most {sent:,} tokens sent"
    words = f"{show.count(turns, 'turn')}: {asked if sent else 'no model is asked'}."
    if not works:
        words = "Nothing to do: every entry is up to date, or edited by you."
    return words, {"turns": turns, "calls": calls, "tokens": sent}


def _agree(*, costs: bool) -> None:
    """Ask whether to ask a model. Raises `RecollectError` where nobody can be asked anything."""
    if not sys.stdin.isatty():
        raise RecollectError(
            "nothing was asked: there is no terminal to ask at", hint="Add --yes, or --dry-run."
        )
    if costs:
        click.confirm("Ask the model?", default=True, abort=True)


def _redo(
    app: Recollect, works: Sequence["Work"], *, yes: bool, to_json: bool
) -> list[dict[str, object]]:
    """Ask about each of *works* and replace what the user agrees to; return what was replaced."""
    replaced: list[dict[str, object]] = []
    every = yes
    with progress(to_json=to_json or not yes) as bar:
        task = bar.add_task("Asking", total=len(works))
        for work in works:
            try:
                preview = app.models.rewriter.preview(work.session, work.turns)
            except EngineError as error:
                if not replaced:
                    raise
                show.say(f"[yellow]![/yellow] stopped: {escape(error.message)}")
                break
            accepted, declined, every, stop = _chosen(app, preview, every=every, to_json=to_json)
            outcomes = app.models.rewriter.apply(preview, accepted, declined=declined)
            if "replaced" in outcomes:
                app.renew_summary(work.session)
            replaced += [
                {"id": one.before.id, "before": one.before.by, "after": one.after.by}
                for one, outcome in zip(accepted, outcomes, strict=True)
                if outcome == "replaced"
            ]
            bar.advance(task)
            if stop:
                break
    return replaced


def _chosen(
    app: Recollect, preview: "Preview", *, every: bool, to_json: bool
) -> tuple[list["RewrittenEntry"], list["RewrittenEntry"], bool, bool]:
    """Return what the user wants replaced and what not, whether from now on all, and to stop."""
    accepted: list[RewrittenEntry] = []
    declined: list[RewrittenEntry] = []
    if not to_json:
        _show_summary(app, preview)
    for one in preview.rewritten:
        if not to_json:
            _show(app, one)
        choice = "a" if every else _asked()
        if choice == "q":
            return accepted, declined, every, True
        every = every or choice == "a"
        (accepted if choice in "ya" else declined).append(one)
    return accepted, declined, every, False


def _show_summary(app: Recollect, preview: "Preview") -> None:
    """Show how the session's summary would change, once all below it is replaced."""
    changes = app.models.summary_changes(preview)
    if preview.rewritten and changes:
        show.say("\n[bold]Summary of the session[/bold] [dim]if all of these are replaced[/dim]")
        _say_changes(changes)


def _show(app: Recollect, one: "RewrittenEntry") -> None:
    show.say(f"\n[bold]{escape(one.before.headline)}[/bold] [dim]{one.before.id}[/dim]")
    _say_changes(app.models.changes(one))


def _say_changes(changes: Sequence[str]) -> None:
    colours = {"+": "green", "-": "red"}
    for changed in changes:
        colour = colours.get(changed[:1], "dim")
        show.say(f"[{colour}]{escape(changed)}[/{colour}]")


def _asked() -> str:
    show.say(" · ".join(f"[bold]{key}[/bold] {told}" for key, told in CHOICES.items()))
    while (key := click.getchar().lower()) not in CHOICES:
        pass
    return key
