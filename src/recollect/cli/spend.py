"""`spend`: what models cost, by day, by project and by model."""

import click
from rich.markup import escape
from rich.table import Table

from recollect import paths
from recollect.app.recollect import opened
from recollect.app.results import as_data
from recollect.app.spending import Spending, SpentSum
from recollect.cli import show

WIDEST_BAR = 40
SWITCHED_ON_WITH = "recollect config set synthesis.engine claude"


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
        found = app.spending.of(days=days, project=project)
        only = app.projects.find(project).name if project else ""
        engine = app.settings.of(only).synthesis_engine
    if to_json:
        show.dump(as_data(found))
        return
    if found.total.calls:
        _show_days(found)
    else:
        _say_nothing_was_spent(engine, days)
    if found.total.calls or found.today.tokens:
        limit = f"{found.today.tokens:,} of {found.today.limit:,} tokens today"
        show.say(f"{limit}{', all projects together' if only else ''}")
    if found.total.calls:
        _show_table(found)


def _say_nothing_was_spent(engine: str, days: int) -> None:
    within = "today" if days == 1 else f"in the last {days} days"
    show.say(f"No model was asked {within}: 0 tokens.")
    if engine == "extractive":
        show.say(f"[dim]To let one work on memories: {SWITCHED_ON_WITH}[/dim]")


def _show_days(found: Spending) -> None:
    most = max(one.tokens for one in found.days)
    for one in found.days:
        tokens = guessed(one.tokens, estimated=one.estimated)
        bar = f" [cyan]{_bar(one.tokens, most)}[/cyan] {tokens}" if one.calls else ""
        show.say(f"{one.day}{bar}")


def _bar(tokens: int, most: int) -> str:
    """Return a bar whose length tells *tokens*; whatever there is can be seen.

    >>> _bar(10, 20) == "▇" * 20, _bar(1, 1_000_000), _bar(0, 20)
    (True, '▇', '')
    """
    return "▇" * max(round(WIDEST_BAR * tokens / most), 1) if tokens else ""


def _show_table(found: Spending) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("project", "model", "purpose"):
        table.add_column(head, overflow="fold")
    for head in ("calls", "sent", "answered", "cached", "cost"):
        table.add_column(head, justify="right")
    for one in found.groups:
        model = f"{one.engine}/{one.model}" if one.model else one.engine
        names = (one.label, model, one.purpose)
        table.add_row(*(escape(_visible(name)) for name in names), *_figures(one))
    if len(found.groups) > 1:
        table.add_row("together", "", "", *_figures(found.total), style="bold")
    show.console().print()
    show.console().print(table)


def _figures(one: SpentSum) -> list[str]:
    return [
        f"{one.calls:,}",
        guessed(one.input_tokens, estimated=one.estimated),
        guessed(one.output_tokens, estimated=one.estimated),
        f"{one.cached_tokens:,}",
        price(one.cost or 0.0, calls=one.calls, without_price=one.without_price),
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
