"""`search`, `expand`, `timeline`, `transcript`: from a headline to the turn itself."""

import json
import os
import sys

import click
from rich.markup import escape
from rich.padding import Padding

from recollect import ids, paths, worker_client
from recollect.app.recollect import opened
from recollect.cli import results, scope, show
from recollect.journal.markdown import legible
from recollect.search import report
from recollect.search.embedding import Embeddings
from recollect.search.report import SearchRequest
from recollect.transcripts.turns import Turn

# Without a worker, a search makes vectors that are missing for so long, before it answers.
CATCHING_UP = 3.0


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", default=10, show_default=True, help="Show at most N results.")
@click.option(
    "--min-score",
    type=float,
    metavar="N",
    help="Show results that score at least N (0–1) as good matches.",
)
@click.option("--bar", type=float, hidden=True)
@scope.scoped
@click.option("--include-archived", is_flag=True, help="Include archived and superseded notes.")
@click.option("--explain", is_flag=True, help="Say why each result was found.")
@show.as_json
@click.pass_obj
def search(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    words: tuple[str, ...],
    limit: int,
    min_score: float | None,
    bar: float | None,
    project: str | None,
    all_projects: bool,
    include_archived: bool,
    explain: bool,
    to_json: bool,
) -> None:
    """Find memories that answer WORDS, and show the passages that do.

    If nothing is a good match, the closest are shown, marked as weak.

    Use "quotes" for a phrase, a minus sign to leave a word out (`-redis`), and filters: `type:`,
    `category:`, `project:`, `file:`, `session:`, `after:` and `before:` (a date, or "2 weeks").
    With filters alone, the newest come first. Put `--` before words that start with a minus
    sign. With `-` as the only word, the question is read from standard input.
    """
    if bar is not None:
        click.echo("--bar is now called --min-score.", err=True)
    question = sys.stdin.read() if words == ("-",) else " ".join(words)
    asked = SearchRequest(
        question=question,
        limit=limit,
        min_score=bar if min_score is None else min_score,
        project=project,
        all_projects=all_projects,
        include_archived=include_archived,
        explain=explain,
        folder=os.getcwd(),
    )
    found = worker_client.search(paths.home(), asked) if not flags else None
    if found is None:
        with opened(paths.home(), flags=flags, embeddings=Embeddings()) as app:
            app.upkeep.catch_up(seconds=CATCHING_UP)
            found = app.search.report(asked)
    if to_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        results.show(found, explain=explain)


@click.command()
@click.argument("id")
@show.as_json
@click.pass_obj
def expand(flags: dict[str, str], id: str, to_json: bool) -> None:  # noqa: A002
    """Show the memory ID in full, and name the ones before and after it.

    The beginning of an id is enough, or the end: its last eight characters.
    """
    with opened(paths.home(), flags=flags) as app:
        whole = app.search.expand(id)
    if to_json:
        show.dump(
            {
                **report.of_entry(whole.entry),
                "passages": list(whole.passages),
                "before": report.of_entry(whole.before) if whole.before else None,
                "after": report.of_entry(whole.after) if whole.after else None,
            }
        )
        return
    if whole.before:
        show.say(f"[dim]before: {escape(whole.before.title)} · {escape(whole.before.id)}[/dim]")
    entry = whole.entry
    show.say(f"[bold]{escape(entry.title)}[/bold] [dim]{show.ago(entry.at)}[/dim]")
    show.console().print(Padding(escape(entry.body.strip()), (0, 0, 0, 2)))
    if whole.passages:
        show.say("[dim]from the turn:[/dim]")
        told = "\n…\n".join(text.strip() for text in whole.passages)
        show.console().print(Padding(escape(legible(told)), (0, 0, 0, 2)))
    show.say(f"[dim]{escape(entry.document)}:{entry.first_line} · {escape(entry.id)}[/dim]")
    if whole.after:
        show.say(f"[dim]after: {escape(whole.after.title)} · {escape(whole.after.id)}[/dim]")
    deeper = f"recollect transcript {entry.id} · " if entry.turn else ""
    show.say(f"[dim]More: {escape(deeper)}recollect timeline {escape(entry.id)}[/dim]")


@click.command()
@click.argument("around", default="")
@click.option("--before", default=5, show_default=True, help="Show N memories from before.")
@click.option("--after", default=5, show_default=True, help="Show N memories from then on.")
@scope.scoped
@show.as_json
@click.pass_obj
def timeline(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    around: str,
    before: int,
    after: int,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """Show what happened AROUND a memory (give its id) or a date, in order.

    A date can be `2026-11-01`, `2026-11`, `yesterday` or `2 weeks` (ago). Without one, the latest
    memories are shown.
    """
    with opened(paths.home(), flags=flags) as app:
        named = project or all_projects
        among = scope.chosen(app, project, all_projects=all_projects) if named else []
        found = app.search.timeline(
            around, among=among, folder=os.getcwd(), before=before, after=after
        )
    if to_json:
        show.dump([report.of_entry(entry) for entry in found])
        return
    if not found:
        show.say("No memories from around then.")
    day = ""
    for entry in found:
        when = show.local(entry.at)
        if when[:10] != day:
            day = when[:10]
            show.say(f"[bold]{day}[/bold]")
        is_meant = around and around in (entry.id[: len(around)], ids.short(entry.id))
        mark = "[green]▸[/green]" if is_meant else " "
        show.say(f"{mark} {when[11:]} {escape(entry.title)} [dim]{escape(entry.id)}[/dim]")
    if found:
        show.say("[dim]More of one: recollect expand ID[/dim]")


@click.command()
@click.argument("id")
@show.as_json
@click.pass_obj
def transcript(flags: dict[str, str], id: str, to_json: bool) -> None:  # noqa: A002
    """Show all turns of a session, or the turn behind a memory.

    ID is that of a session or of a memory; its beginning is enough.
    """
    with opened(paths.home(), flags=flags) as app:
        session, turns = app.sessions.turns(id)
    if to_json:
        shown = [show.turn_as_json(turn) for turn in turns]
        show.dump({"session": show.session_as_json(session), "turns": shown})
        return
    show.say(f"[bold]Session {escape(session.id)}[/bold] [dim]{show.ago(session.started)}[/dim]")
    if not turns:
        show.say(
            "[dim]Its turns are no longer in the archive; the journal still has its entries.[/dim]"
        )
    for turn in turns:
        _show_turn(turn)


def _show_turn(turn: Turn) -> None:
    show.say(f"\n[bold cyan]▸ {escape(turn.prompt.strip())}[/bold cyan]")
    for call in turn.tools:
        mark = "[red]✗[/red]" if call.failed else "[green]✓[/green]"
        show.say(f"  {mark} [dim]{escape(report.deed(call))}[/dim]")
    if turn.answer:
        show.console().print(Padding(escape(turn.answer.strip()), (0, 0, 0, 2)))
    if turn.interrupted:
        show.say("  [yellow]interrupted[/yellow]")
