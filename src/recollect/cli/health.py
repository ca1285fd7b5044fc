"""`status` and `doctor`: how it goes, and what is wrong."""

import os
from collections.abc import Sequence

import click
from rich.markup import escape

from recollect import paths
from recollect.app.model_status import ModelStatus
from recollect.app.recollect import opened
from recollect.app.results import as_data
from recollect.cli import show
from recollect.search.embedding import Embeddings
from recollect.worker import health as checks


@click.command()
@show.as_json
def status(to_json: bool) -> None:
    """Show at a glance whether memories are kept and shown."""
    with opened(paths.home()) as app:
        found = checks.status(app, folder=os.getcwd())
    if to_json:
        show.dump(as_data(found))
        return
    show.say(f"[bold]Recollect {found.version}[/bold] [dim]{escape(found.home)}[/dim]")
    is_kept = len(found.blocked) < len(found.hosts)
    said = (
        f"hooks are set up in {escape(_listed(found.hosts))}"
        if found.set_up
        else "not switched on: run [bold]recollect setup[/bold]"
    )
    show.say(f"{'[green]●[/green]' if is_kept else '[yellow]○[/yellow]'} {said}")
    for one in found.blocked:
        show.say(f"[yellow]![/yellow] {escape(one.host)}: {escape(one.what)}")
        if one.fix:
            show.say(f"  [dim]{escape(one.fix)}[/dim]")
    if found.outdated:
        names = escape(_listed(found.outdated))
        show.say(f"● run [bold]recollect setup[/bold] to bring {names} up to date")
    worker = found.worker
    show.say(f"{'[yellow]![/yellow]' if worker.trouble else '●'} {escape(worker.in_words())}")
    show.say(f"● {show.count(found.memories, 'memory')} in {show.count(found.projects, 'project')}")
    _say_models(found.models)
    if found.here:
        show.say(f"● here: {escape(found.here)}")
    if found.last_failure:
        show.say(f"[yellow]![/yellow] last failure: {escape(found.last_failure)}")
    for note in found.notes:
        show.say(f"[yellow]![/yellow] {escape(note.file)}: {escape(note.what)}")
        show.say(f"  [dim]{escape(note.fix)}[/dim]")
    if found.newer_release:
        show.say(f"● Recollect {escape(found.newer_release)} is out")


def _say_models(models: ModelStatus) -> None:
    spent = f"{models.tokens_spent:,} tokens spent"
    if not models.is_on:
        show.say(f"● no model is asked; {spent}")
        return
    name = " ".join(filter(None, (models.engine, models.model)))
    today = f"{models.tokens_today:,} of {models.daily_tokens:,} tokens today"
    waiting = f"; {show.count(models.waiting, 'turn')} to look at" if models.waiting else ""
    show.say(f"● model: {escape(name)}; {today}, {spent} in all{waiting}")
    if models.trouble:
        clock = show.local(models.until or 0.0)
        who = "one of the models is not" if models.is_partial else "no model is"
        show.say(f"[yellow]![/yellow] {who} asked until {clock}: {escape(models.trouble)}")
        if models.hint:
            show.say(f"  [dim]{escape(models.hint)}[/dim]")
    if models.set_aside:
        turns = show.count(models.set_aside, "turn")
        show.say(f"[yellow]![/yellow] {turns} set aside: [bold]recollect retry[/bold]")
    if models.dropped:
        what = ", ".join(show.count(number, name) for name, number in models.dropped.items())
        show.say(f"[dim]  dropped from what models said, because no turn supports it: {what}[/dim]")


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


@click.command()
@show.as_json
@click.pass_context
def doctor(context: click.Context, to_json: bool) -> None:
    """Check everything Recollect needs, and say how to fix what is wrong."""
    with opened(paths.home(), embeddings=Embeddings()) as app:
        found = checks.examine(app)
    if to_json:
        show.dump([as_data(check) for check in found])
    else:
        for check in found:
            mark = "[green]✓[/green]" if check.ok else "[red]✗[/red]"
            show.say(f"{mark} {check.name}: {escape(check.detail)}")
            if not check.ok and check.hint:
                show.say(f"  {escape(check.hint)}")
    if not all(check.ok for check in found):
        context.exit(1)
