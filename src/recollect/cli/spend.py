"""`spend`: what models cost, by day, by project and by model."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta

import click
from rich.markup import escape
from rich.table import Table

from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.cli import show
from recollect.store import ledger
from recollect.store.contract.state import LedgerRow

WIDEST_BAR = 40
EVERYWHERE = "all projects"
SWITCHED_ON_WITH = "recollect config set synthesis.engine claude"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """What several lines of the ledger come to."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    without_price: int = 0
    estimated: int = 0

    @classmethod
    def of(cls, lines: Sequence[LedgerRow]) -> "Sum":
        """Add up *lines*."""
        return cls(
            calls=sum(line.calls for line in lines),
            input_tokens=sum(line.input_tokens for line in lines),
            output_tokens=sum(line.output_tokens for line in lines),
            cached_tokens=sum(line.cached_tokens for line in lines),
            cost=sum(line.cost for line in lines),
            without_price=sum(line.without_price for line in lines),
            estimated=sum(line.estimated for line in lines),
        )

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens

    def as_json(self) -> dict[str, object]:
        """Return it for programs; the cost is null where no price is known."""
        known = self.calls > self.without_price
        return {
            **asdict(self),
            "tokens": self.tokens,
            "cost": round(self.cost, 6) if known else None,
        }


@click.command()
@click.option(
    "--days",
    default=14,
    show_default=True,
    type=click.IntRange(1, 3660),
    help="The last N days, including today.",
)
@click.option("--project", metavar="NAME", help="Only this project: name, label or path.")
@show.as_json
@click.pass_obj
def spend(flags: dict[str, str], days: int, project: str | None, to_json: bool) -> None:
    """Show how many tokens models used, by day, by project and by model.

    ≈ marks an estimate, where the model did not say.
    """
    with opened(paths.home(), flags=flags) as app:
        found = _gathered(app, days=days, project=project, now=time.time())
    if to_json:
        show.dump(found.as_json())
        return
    if found.lines:
        _show_days(found)
    else:
        _say_nothing_was_spent(found, days)
    _say_budget(found)
    if found.lines:
        _show_table(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spending:
    days: tuple[str, ...]
    lines: tuple[LedgerRow, ...]
    labels: Mapping[str, str]
    today: int
    daily_tokens: int
    engine: str
    of_whom: str
    """Said of today's tokens, which all projects share."""

    def on(self, day: str) -> Sum:
        return Sum.of([line for line in self.lines if line.day == day])

    def groups(self) -> dict[tuple[str, str, str, str], Sum]:
        """What was spent by project, engine, model and purpose, in this order."""
        grouped: dict[tuple[str, str, str, str], list[LedgerRow]] = {}
        for line in self.lines:
            group = (line.project, line.engine, line.model, line.purpose)
            grouped.setdefault(group, []).append(line)
        order = sorted(grouped, key=lambda group: (self.labels[group[0]], group))
        return {group: Sum.of(grouped[group]) for group in order}

    def as_json(self) -> dict[str, object]:
        return {
            "today": {"tokens": self.today, "limit": self.daily_tokens},
            "days": [{"day": day, **self.on(day).as_json()} for day in self.days],
            "groups": [
                {
                    "project": project,
                    "label": self.labels[project],
                    "engine": engine,
                    "model": model,
                    "purpose": purpose,
                    **total.as_json(),
                }
                for (project, engine, model, purpose), total in self.groups().items()
            ],
            "total": Sum.of(self.lines).as_json(),
        }


def _gathered(app: Recollect, *, days: int, project: str | None, now: float) -> _Spending:
    today = date.fromisoformat(ledger.day_of(now))
    shown = tuple((today - timedelta(days=n)).isoformat() for n in reversed(range(days)))
    only = app.projects.find(project).name if project else ""
    spent = app.models.spent(since=shown[0], project=only)
    lines = tuple(line for line in spent if line.day in shown)
    return _Spending(
        days=shown,
        lines=lines,
        labels=_labels(app, {line.project for line in lines}),
        today=app.models.spent_today(now=now),
        daily_tokens=app.settings.of().synthesis_daily_tokens,
        engine=app.settings.of(only).synthesis_engine,
        of_whom=", all projects together" if only else "",
    )


def _labels(app: Recollect, names: Iterable[str]) -> dict[str, str]:
    """Return what each of *names* is called; two that are called the same keep their names."""
    called = {one.name: one.label for one in app.projects.all()}
    several = {label for label in called.values() if list(called.values()).count(label) > 1}
    labels = {name: label for name, label in called.items() if label not in several}
    everywhere = dict.fromkeys(("", paths.EVERYWHERE), EVERYWHERE)
    return {name: (everywhere | labels).get(name, name) for name in names}


def _say_nothing_was_spent(found: _Spending, days: int) -> None:
    within = "today" if days == 1 else f"in the last {days} days"
    show.say(f"No model was asked {within}: 0 tokens.")
    if found.engine == "extractive":
        show.say(f"[dim]To let one work on memories: {SWITCHED_ON_WITH}[/dim]")


def _say_budget(found: _Spending) -> None:
    if found.lines or found.today:
        show.say(f"{found.today:,} of {found.daily_tokens:,} tokens today{found.of_whom}")


def _show_days(found: _Spending) -> None:
    spent = {day: found.on(day) for day in found.days}
    most = max(one.tokens for one in spent.values())
    for day, one in spent.items():
        tokens = guessed(one.tokens, estimated=one.estimated)
        bar = f" [cyan]{_bar(one.tokens, most)}[/cyan] {tokens}" if one.calls else ""
        show.say(f"{day}{bar}")


def _bar(tokens: int, most: int) -> str:
    """Return a bar whose length tells *tokens*; whatever there is can be seen.

    >>> _bar(10, 20) == "▇" * 20, _bar(1, 1_000_000), _bar(0, 20)
    (True, '▇', '')
    """
    return "▇" * max(round(WIDEST_BAR * tokens / most), 1) if tokens else ""


def _show_table(found: _Spending) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("project", "model", "purpose"):
        table.add_column(head, overflow="fold")
    for head in ("calls", "sent", "answered", "cached", "cost"):
        table.add_column(head, justify="right")
    for (project, engine, model, purpose), one in found.groups().items():
        names = (found.labels[project], f"{engine}/{model}" if model else engine, purpose)
        table.add_row(*(escape(_visible(name)) for name in names), *_figures(one))
    if len(found.groups()) > 1:
        table.add_row("together", "", "", *_figures(Sum.of(found.lines)), style="bold")
    show.console().print()
    show.console().print(table)


def _figures(one: Sum) -> list[str]:
    return [
        f"{one.calls:,}",
        guessed(one.input_tokens, estimated=one.estimated),
        guessed(one.output_tokens, estimated=one.estimated),
        f"{one.cached_tokens:,}",
        price(one.cost, calls=one.calls, without_price=one.without_price),
    ]


def _visible(name: str) -> str:
    """Return *name*, which a server may have chosen, without what would move the cursor."""
    return "".join(character if character.isprintable() else " " for character in name)


def guessed(tokens: int, *, estimated: int) -> str:
    """Return how many *tokens*, marked where some calls are *estimated*.

    >>> guessed(12340, estimated=0), guessed(12340, estimated=1)
    ('12,340', '≈ 12,340')
    """
    return f"≈ {tokens:,}" if estimated else f"{tokens:,}"


def price(cost: float, *, calls: int, without_price: int) -> str:
    """Return what *calls* cost together, of which some may have no known price.

    >>> price(0.021, calls=2, without_price=0), price(0.021, calls=2, without_price=1)
    ('$0.02', '≥ $0.02')
    >>> price(0.0, calls=2, without_price=2), price(0.00123, calls=1, without_price=0)
    ('–', '$0.001')
    """
    if without_price >= calls:
        return "–"
    decimals = 2
    while 0 < cost < 0.95 * 10**-decimals and decimals < 6:
        decimals += 1
    return f"{'≥ ' if without_price else ''}${cost:,.{decimals}f}"
