"""`stats`: what agents were given from memory, what they used of it, and what it cost."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

import click
from rich.markup import escape
from rich.table import Table

from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.app.usage import UsedMemory
from recollect.cli import show, spend
from recollect.journal.markdown import one_line
from recollect.search.report import iso
from recollect.store import ledger
from recollect.store.contract.state import OFTEN, Total, Totals

LISTED = 5

MEANING = (
    "Used: opened or cited by its id, a file it names worked on, or its names or words taken up,"
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
        app.usage.take_in()
        found = _gathered(app, days=days, project=project, now=time.time())
    if to_json:
        show.dump(found.as_json())
    elif found.totals.together.times:
        _show(found)
    else:
        where = f" in {escape(found.label)}" if found.label else ""
        _say(f"Nothing was shown to an agent{where} {found.period}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stats:
    days: int
    since: float
    project: str
    label: str
    totals: Totals
    models: spend.Sum
    most_used: Sequence[UsedMemory]
    never_used: Sequence[UsedMemory]

    @property
    def period(self) -> str:
        return "today" if self.days == 1 else f"in the last {self.days} days"

    def as_json(self) -> dict[str, object]:
        return {
            "days": self.days,
            "since": iso(self.since),
            "project": self.project or None,
            "events": {name: _as_json(one) for name, one in self.totals.events.items()},
            "together": _as_json(self.totals.together),
            "models": self.models.as_json(),
            "most_used": [_fared_as_json(one) for one in self.most_used],
            "never_used": [_fared_as_json(one) for one in self.never_used],
        }


def _fared_as_json(one: UsedMemory) -> dict[str, object]:
    return {**asdict(one.tally), "title": one.title or None}


def _as_json(total: Total) -> dict[str, object]:
    return {**asdict(total), "used": total.used}


def _gathered(app: Recollect, *, days: int, project: str | None, now: float) -> _Stats:
    chosen = app.projects.find(project) if project else None
    only = chosen.name if chosen else None
    first = date.fromisoformat(ledger.day_of(now)) - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time()).astimezone().timestamp()
    spent = app.models.spent(since=first.isoformat(), project=only or "")
    return _Stats(
        days=days,
        since=since,
        project=only or "",
        label=chosen.label if chosen else "",
        totals=app.usage.totals(since=since, project=only),
        models=spend.Sum.of(spent),
        most_used=app.usage.most_used(since=since, project=only, limit=LISTED),
        never_used=app.usage.never_used(since=since, project=only),
    )


def _show(found: _Stats) -> None:
    together = found.totals.together
    where = f" of {escape(found.label)}" if found.label else ""
    sessions = show.count(together.sessions, "session")
    got = f"{sessions}{where} got {show.count(together.memories, 'memory')}"
    _say(f"{got} {found.period}, {together.different:,} different.")
    _show_events(found.totals)
    _say_used(together)
    _say_tokens(together, found.models)
    _list("Used most", found.most_used)
    _list(f"Shown for {OFTEN} prompts or more, never used: they sink", found.never_used)


def _show_events(totals: Totals) -> None:
    # Narrow enough for 40 columns with numbers that are never broken.
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True)
    table.add_column("", no_wrap=True)
    for head in ("times", "memories", "used", "≈ tokens"):
        table.add_column(head, justify="right", no_wrap=True)
    for event, one in totals.events.items():
        if one.times:
            table.add_row(event, *_figures(one))
    table.add_row("together", *_figures(totals.together), style="bold")
    show.console().print()
    show.console().print(table)


def _figures(one: Total) -> list[str]:
    return [f"{number:,}" for number in (one.times, one.memories, one.used, one.tokens)]


def _say_used(together: Total) -> None:
    how = ", ".join(f"{how} {count:,}" for how, count in together.uses.items() if count)
    show.console().print()
    said = f"Used, as far as we can tell: {together.used:,} of {together.memories:,}"
    _say(f"{said} ({how})." if how else f"{said}.")
    _say(f"[dim]{MEANING}[/dim]")


def _say_tokens(together: Total, models: spend.Sum) -> None:
    spent = spend.guessed(models.tokens, estimated=models.estimated)
    show.console().print()
    _say(
        f"Injected ≈ {together.tokens:,} tokens + {spent} spent on models; the turns behind the"
        f" injected memories in full ≈ {together.in_full:,}."
    )
    _say(f"[dim]{IN_FULL}[/dim]")


def _list(heading: str, fared: Sequence[UsedMemory]) -> None:
    if not fared:
        return
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True)
    for head in ("used", "shown"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("memory", overflow="fold")
    for one in fared[:LISTED]:
        name = f"[dim]{escape(one_line(one.tally.id))}[/dim]"
        called = f"{escape(one_line(one.title))} {name}" if one.title else name
        table.add_row(f"{one.tally.used:,}", f"{one.tally.shown:,}", called)
    show.console().print()
    _say(f"[bold]{heading}[/bold]")
    show.console().print(table)
    if len(fared) > LISTED:
        _say(f"[dim]and {len(fared) - LISTED:,} more: --json lists them all[/dim]")


def _say(text: str) -> None:
    """Print *text*, broken between words where the terminal is narrow."""
    show.console().print(text)
