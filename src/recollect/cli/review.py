"""`review`: the notes that wait for a word of yours, one after the other."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.panel import Panel

from recollect import paths
from recollect.app import App, opened
from recollect.cli import several, show
from recollect.cli.notes import (
    as_data,
    edit_note,
    found_note,
    here,
    placed,
    tell,
    tell_all,
)
from recollect.errors import NotFoundError
from recollect.memories import markdown

if TYPE_CHECKING:
    from recollect.curation.curator import Held
    from recollect.curation.review import Item, Review
    from recollect.memories.notebook import Done

CHOICES = {
    "a": "accept",
    "r": "reject",
    "o": "replace the old one",
    "e": "edit",
    "s": "skip",
    "q": "quit",
}


@click.command()
@click.option("--accept", "accepted", metavar="NAME", multiple=True, help="It holds as it stands.")
@click.option("--reject", "rejected", metavar="NAME", multiple=True, help="It does not: retire it.")
@click.option(
    "--replace", "replacing", metavar="NAME", multiple=True, help="It replaces what it contradicts."
)
@placed
@show.as_json
@click.pass_obj
def review(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    accepted: tuple[str, ...],
    rejected: tuple[str, ...],
    replacing: tuple[str, ...],
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Look at notes that were proposed, may contradict each other, or may be out of date."""
    decided = (accepted, rejected, replacing)
    if len({*accepted, *rejected, *replacing}) < sum(map(len, map(set, decided))):
        raise click.UsageError("One decision for each note")
    with opened(paths.home(), flags=flags) as app:
        where = here(app, project, everywhere=everywhere).project
        waiting = app.review(where)
        items = waiting.items(tuple(dict.fromkeys((where, paths.EVERYWHERE))))
        steps = (waiting.accept, waiting.reject, waiting.replace)
        works = {name: step for names, step in zip(decided, steps, strict=True) for name in names}
        if works:

            def decide(name: str) -> "Done":
                held = found_note(app, name, project, everywhere=everywhere)
                return works[name](_waiting(items, held), now=datetime.now(UTC))

            tell_all(several.outcomes(list(works), decide), to_json=to_json)
            return
        if to_json:
            show.dump([_as_data(item) for item in items])
        elif not items:
            show.say("Nothing waits for you.")
        elif sys.stdin.isatty():
            _walk(app, waiting, items)
        else:
            for item in items:
                _show(item)


def _walk(app: App, waiting: "Review", items: list["Item"]) -> None:
    for number, item in enumerate(items, start=1):
        show.say(f"[dim]{number} of {len(items)}[/dim]")
        _show(item)
        choice = _asked(item)
        if choice == "q":
            return
        if choice == "e" and edit_note(app, item.held):
            waiting.settle(item, now=datetime.now(UTC))
        elif choice in "aro":
            work = {"a": waiting.accept, "r": waiting.reject, "o": waiting.replace}[choice]
            tell(work(item, now=datetime.now(UTC)), to_json=False)


def _asked(item: "Item") -> str:
    offered = {key: told for key, told in CHOICES.items() if key != "o" or item.can_replace}
    said = " · ".join(f"[bold]{key}[/bold] {told}" for key, told in offered.items())
    show.say(said)
    while (key := click.getchar().lower()) not in offered:
        pass
    return key


def _show(item: "Item") -> None:
    note = item.held.note
    head = f"{note.category.replace('_', ' ')} · {item.kind}: {item.about}"
    show.console().print(
        Panel(escape(_body(item.held.stored.text)), title=escape(head), title_align="left")
    )
    if item.other:
        show.console().print(
            Panel(
                escape(_body(item.other.stored.text)),
                title=escape(f"earlier: {item.other.name}"),
                title_align="left",
                style="dim",
            )
        )
    show.say(f"[dim]{escape(item.held.name)}[/dim]")


def _body(text: str) -> str:
    """Return a note without its front matter, and without what nobody sees."""
    return markdown.legible(text.split("\n---\n", 1)[-1].strip())


def _waiting(items: list["Item"], held: "Held") -> "Item":
    place = (held.project, held.name)
    for item in items:
        if (item.held.project, item.held.name) == place:
            return item
    raise NotFoundError(f"{held.name}: does not wait for you", hint="See: recollect review --json")


def _as_data(item: "Item") -> dict[str, object]:
    return {
        "kind": item.kind,
        "about": item.about,
        "other": item.other.name if item.other else None,
        **as_data(item.held),
    }
