"""`search`, `expand`, `transcript`: from a headline to the turn itself."""

import sys

import click
from rich.markup import escape
from rich.padding import Padding

from recollect import paths
from recollect.app import opened
from recollect.cli import scope, show
from recollect.transcripts.turns import ToolCall, Turn


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", default=10, show_default=True, help="At most so many results.")
@click.option("--bar", type=float, help="Show what clears this bar (0–1) instead of the usual one.")
@scope.scoped
@show.as_json
@click.pass_obj
def search(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    words: tuple[str, ...],
    limit: int,
    bar: float | None,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """Find memories that answer WORDS; nothing is a normal answer.

    `-` reads the words from standard input.
    """
    question = sys.stdin.read() if words == ("-",) else " ".join(words)
    with opened(paths.home(), flags=flags) as app:
        among = scope.chosen(app, project, all_projects=all_projects)
        found = app.search(question, among=among, limit=limit, bar=bar)
    if to_json:
        show.dump([show.found_as_json(one) for one in found])
        return
    if not found:
        show.say(
            "Nothing clears the bar. Try other words, or [bold]--bar 0[/bold] to see what is near."
        )
    for one in found:
        title = escape(one.entry.title)
        place = f" · {one.entry.project}" if len(among) > 1 else ""
        when = show.ago(one.entry.at)
        show.say(f"[green]{one.score:.2f}[/green] [bold]{title}[/bold]")
        show.say(f"     [dim]{when}{place} · {escape(one.entry.id)}[/dim]")


@click.command()
@click.argument("id")
@show.as_json
@click.pass_obj
def expand(flags: dict[str, str], id: str, to_json: bool) -> None:  # noqa: A002
    """Show the whole memory ID (any unambiguous beginning), with what came before and after."""
    with opened(paths.home(), flags=flags) as app:
        whole = app.expand(id)
    if to_json:
        show.dump(
            {
                **show.entry_as_json(whole.entry),
                "before": show.entry_as_json(whole.before) if whole.before else None,
                "after": show.entry_as_json(whole.after) if whole.after else None,
            }
        )
        return
    if whole.before:
        show.say(f"[dim]before: {escape(whole.before.title)} · {escape(whole.before.id)}[/dim]")
    entry = whole.entry
    show.say(f"[bold]{escape(entry.title)}[/bold] [dim]{show.ago(entry.at)}[/dim]")
    show.console().print(Padding(escape(entry.body.strip()), (0, 0, 0, 2)))
    show.say(f"[dim]{escape(entry.path)}:{entry.first_line} · {escape(entry.id)}[/dim]")
    if whole.after:
        show.say(f"[dim]after: {escape(whole.after.title)} · {escape(whole.after.id)}[/dim]")


@click.command()
@click.argument("id")
@show.as_json
@click.pass_obj
def transcript(flags: dict[str, str], id: str, to_json: bool) -> None:  # noqa: A002
    """Show the turns of a session, or the one turn behind a memory, from the archive."""
    with opened(paths.home(), flags=flags) as app:
        session, turns = app.turns(id)
    if to_json:
        shown = [show.turn_as_json(turn) for turn in turns]
        show.dump({"session": show.session_as_json(session), "turns": shown})
        return
    show.say(f"[bold]Session {escape(session.id)}[/bold] [dim]{show.ago(session.started)}[/dim]")
    for turn in turns:
        _show_turn(turn)


def _show_turn(turn: Turn) -> None:
    show.say(f"\n[bold cyan]▸ {escape(turn.prompt.strip())}[/bold cyan]")
    for call in turn.tools:
        mark = "[red]✗[/red]" if call.failed else "[green]✓[/green]"
        show.say(f"  {mark} [dim]{escape(call.name)} {escape(_gist(call))}[/dim]")
    if turn.answer:
        show.console().print(Padding(escape(turn.answer.strip()), (0, 0, 0, 2)))
    if turn.interrupted:
        show.say("  [yellow]interrupted[/yellow]")


def _gist(call: ToolCall) -> str:
    """Return the one input that tells most about a call."""
    for field in ("command", "file_path", "path", "notebook_path", "pattern", "url", "description"):
        value = call.input.get(field)
        if isinstance(value, str) and value:
            return value.splitlines()[0][:100]
    return ""
