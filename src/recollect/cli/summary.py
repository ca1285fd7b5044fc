"""`summary`: how the last sessions went."""

import click
from rich.markup import escape

from recollect import paths
from recollect.app.recollect import opened
from recollect.cli import scope, show
from recollect.journal.model import SUMMARY_FIELDS


@click.command()
@click.option(
    "-n",
    "--limit",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Show the last N sessions.",
)
@scope.scoped
@show.as_json
@click.pass_obj
def summary(
    flags: dict[str, str], limit: int, project: str | None, all_projects: bool, to_json: bool
) -> None:
    """Show how recent sessions went: what was asked, learned and done, and what is next."""
    with opened(paths.home(), flags=flags) as app:
        among = scope.chosen(app, project, all_projects=all_projects)
        found = app.sessions.summaries(among, limit=limit)
    if to_json:
        show.dump([{**show.session_as_json(session), **told} for session, told in found])
        return
    for session, told in found:
        turns = show.count(session.turns, "turn")
        show.say(
            f"[bold]Session {escape(session.id[:8])}[/bold] [dim]{show.ago(session.last_seen)} ·"
            f" {turns} · {session.status}[/dim]"
        )
        for field in SUMMARY_FIELDS:
            if value := told[field]:
                said = ", ".join(value) if isinstance(value, list) else value
                show.say(f"  {field.replace('_', ' ')}: {escape(str(said))}")
    if not found:
        show.say("No session has been summarised here yet.")
