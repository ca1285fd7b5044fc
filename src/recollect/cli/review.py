"""`review`: the notes, and the memories called wrong, that wait for a word of yours."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.panel import Panel

from recollect import paths
from recollect.app.recollect import Recollect, opened
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
from recollect.journal import markdown
from recollect.store.contract.notes import ChangeResult, StoredNote

if TYPE_CHECKING:
    from recollect.curation.review import Item, Review
    from recollect.store.contract.search import IndexRow
    from recollect.store.contract.state import Dispute

    Disputed = tuple[Dispute, IndexRow]

CHOICES = {
    "a": "accept",
    "r": "reject",
    "o": "replace the old one",
    "e": "edit",
    "s": "skip",
    "q": "quit",
}


@click.command()
@click.option("--accept", "accepted", metavar="NAME", multiple=True, help="It is right as it is.")
@click.option("--reject", "rejected", metavar="NAME", multiple=True, help="It is wrong: retire it.")
@click.option(
    "--replace",
    "replacing",
    metavar="NAME",
    multiple=True,
    help="It replaces the note that it contradicts.",
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
    """Decide on notes that were proposed, may contradict others, or may be out of date.

    Memories that you or an agent called wrong wait here, too. They are hidden meanwhile: accept
    one, and it is shown again; reject it, and it stays hidden.
    """
    decided = (accepted, rejected, replacing)
    if len({*accepted, *rejected, *replacing}) < sum(map(len, map(set, decided))):
        raise click.UsageError("Give one decision for each note")
    with opened(paths.home(), flags=flags) as app:
        where = here(app, project, everywhere=everywhere).project
        waiting = app.review(where)
        places = tuple(dict.fromkeys((where, paths.EVERYWHERE)))
        items = waiting.items(places)
        disputed = app.disputes.waiting(places)
        steps = (waiting.accept, waiting.reject, waiting.replace)
        works = {name: step for names, step in zip(decided, steps, strict=True) for name in names}
        if works:

            def decide(name: str) -> ChangeResult:
                found = app.disputes.about(places, name) if name not in replacing else None
                if found:
                    return _settle(app, *found, is_right=name in accepted)
                held = found_note(app, name, project, everywhere=everywhere)
                return works[name](_waiting(items, held), now=datetime.now(UTC))

            tell_all(several.outcomes(list(works), decide), to_json=to_json)
            return
        if to_json:
            show.dump([*map(_as_data, items), *(_dispute_as_data(*one) for one in disputed)])
        elif not items and not disputed:
            show.say("Nothing waits for you.")
        elif sys.stdin.isatty():
            _walk_disputed(app, disputed)
            _walk(app, waiting, items)
        else:
            for one in disputed:
                _show_disputed(*one)
            for item in items:
                _show(item)


def _settle(app: Recollect, one: "Dispute", _: "IndexRow", *, is_right: bool) -> ChangeResult:
    app.disputes.settle(one, is_right=is_right)
    said = "right after all: it is shown again" if is_right else "it stays hidden"
    return ChangeResult(outcome="updated", id=one.id, reason=said)


def _walk_disputed(app: Recollect, disputed: list["Disputed"]) -> None:
    for one, entry in disputed:
        _show_disputed(one, entry)
        show.say("[bold]a[/bold] it is right · [bold]r[/bold] it is wrong · [bold]s[/bold] skip")
        while (key := click.getchar().lower()) not in "ars":
            pass
        if key != "s":
            tell(_settle(app, one, entry, is_right=key == "a"), to_json=False)


def _show_disputed(one: "Dispute", entry: "IndexRow") -> None:
    head = f"disputed: {_objection(one)}"
    body = markdown.legible(f"{entry.title}\n{entry.body}".strip())
    show.console().print(Panel(escape(body), title=escape(head), title_align="left"))
    show.say(f"[dim]{escape(one.id)}[/dim]")


def _objection(one: "Dispute") -> str:
    who = "you said" if one.author == "user" else "an agent said"
    hidden = "" if one.hidden else "; still shown, as nobody can tell which one was meant"
    return f"{who}: {one.said or 'it is wrong'}{hidden}"


def _dispute_as_data(one: "Dispute", entry: "IndexRow") -> dict[str, object]:
    return {
        "kind": "disputed",
        "about": _objection(one),
        "id": one.id,
        "name": one.id,
        "project": one.project,
        "title": entry.title,
        "body": entry.body,
        "said": one.said,
        "author": one.author,
        "session": one.session,
        "hidden": one.hidden,
    }


def _walk(app: Recollect, waiting: "Review", items: list["Item"]) -> None:
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
        Panel(escape(_body(item.held.text)), title=escape(head), title_align="left")
    )
    if item.other:
        show.console().print(
            Panel(
                escape(_body(item.other.text)),
                title=escape(f"earlier: {item.other.name}"),
                title_align="left",
                style="dim",
            )
        )
    show.say(f"[dim]{escape(item.held.name)}[/dim]")


def _body(text: str) -> str:
    """Return a note without its front matter, and without what nobody sees."""
    return markdown.legible(text.split("\n---\n", 1)[-1].strip())


def _waiting(items: list["Item"], held: StoredNote) -> "Item":
    place = (held.project, held.name)
    for item in items:
        if (item.held.project, item.held.name) == place:
            return item
    raise NotFoundError(
        f"{held.name}: is not waiting for review", hint="See: recollect review --json"
    )


def _as_data(item: "Item") -> dict[str, object]:
    return {
        "kind": item.kind,
        "about": item.about,
        "other": item.other.name if item.other else None,
        **as_data(item.held),
    }
