"""`stats`: what agents were given from memory, what they used of it, and what it cost."""

from collections.abc import Sequence

import click
from rich.markup import escape
from rich.table import Table

from recollect import paths
from recollect.app.recollect import opened
from recollect.app.results import as_data
from recollect.app.spending import SpentSum
from recollect.app.usage import LISTED, FaredMemory, UsageReport, UsageTotal
from recollect.cli import show, spend
from recollect.journal.markdown import one_line
from recollect.store.contract.state import OFTEN

MEANING = (
    "Used: opened or cited by its id, a file it names worked on, or two of its names taken up,"
    " if neither the prompt nor a tool had them first."
)
IN_FULL = (
    "≈ is our estimate. A turn counts once a session; no tool would give an agent all of them."
)


@click.command()
@click.option(
    "--days",
    default=30,
    show_default=True,
    type=click.IntRange(1, 3660),
    help="The last N days, including today.",
)
@click.option("--project", metavar="NAME", help="Only this project: name, label or path.")
@show.as_json
@click.pass_obj
def stats(flags: dict[str, str], days: int, project: str | None, to_json: bool) -> None:
    """Show what agents were given from memory, what they used of it, and what it cost.

    A memory that an agent read and followed without a trace is not counted, so the true figure is
    higher.
    """
    with opened(paths.home(), flags=flags) as app:
        found = app.usage.report(days=days, project=project)
        label = app.projects.find(project).label if project else ""
    if to_json:
        show.dump(as_data(found))
        return
    period = "today" if days == 1 else f"in the last {days} days"
    if found.together.times:
        _show(found, label, period)
    else:
        where = f" in {escape(label)}" if label else ""
        _say(f"Nothing was shown to an agent{where} {period}.")


def _show(found: UsageReport, label: str, period: str) -> None:
    together = found.together
    where = f" of {escape(label)}" if label else ""
    sessions = show.count(together.sessions, "session")
    got = f"{sessions}{where} got {show.count(together.memories, 'memory')}"
    _say(f"{got} {period}, {together.different:,} different.")
    _show_events(found)
    _say_used(together)
    _say_tokens(together, found.models)
    _list("Used most", found.most_used)
    _list(f"Shown for {OFTEN} prompts or more, never used: they sink", found.never_used)


def _show_events(found: UsageReport) -> None:
    # Narrow enough for 40 columns with numbers that are never broken.
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True)
    table.add_column("", no_wrap=True)
    for head in ("times", "memories", "used", "≈ tokens"):
        table.add_column(head, justify="right", no_wrap=True)
    for event, one in found.events.items():
        if one.times:
            table.add_row(event, *_figures(one))
    table.add_row("together", *_figures(found.together), style="bold")
    show.console().print()
    show.console().print(table)


def _figures(one: UsageTotal) -> list[str]:
    return [f"{number:,}" for number in (one.times, one.memories, one.used, one.tokens)]


def _say_used(together: UsageTotal) -> None:
    how = ", ".join(f"{how} {count:,}" for how, count in together.uses.items() if count)
    show.console().print()
    said = f"Used, as far as we can tell: {together.used:,} of {together.memories:,}"
    _say(f"{said} ({how})." if how else f"{said}.")
    _say(f"[dim]{MEANING}[/dim]")


def _say_tokens(together: UsageTotal, models: SpentSum) -> None:
    spent = spend.guessed(models.tokens, estimated=models.estimated)
    show.console().print()
    _say(
        f"Injected ≈ {together.tokens:,} tokens + {spent} spent on models; the turns behind the"
        f" injected memories in full ≈ {together.in_full:,}."
    )
    _say(f"[dim]{IN_FULL}[/dim]")


def _list(heading: str, fared: Sequence[FaredMemory]) -> None:
    if not fared:
        return
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True)
    for head in ("used", "shown"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("memory", overflow="fold")
    for one in fared[:LISTED]:
        name = f"[dim]{escape(one_line(one.id))}[/dim]"
        called = f"{escape(one_line(one.title))} {name}" if one.title else name
        table.add_row(f"{one.used:,}", f"{one.shown:,}", called)
    show.console().print()
    _say(f"[bold]{heading}[/bold]")
    show.console().print(table)
    if len(fared) > LISTED:
        _say(f"[dim]and {len(fared) - LISTED:,} more: --json lists them all[/dim]")


def _say(text: str) -> None:
    """Print *text*, broken between words where the terminal is narrow."""
    show.console().print(text)
