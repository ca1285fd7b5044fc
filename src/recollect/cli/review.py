"""`review`: the notes, and the memories called wrong, that wait for a word of yours."""

import sys
from collections.abc import Sequence
from typing import get_args

import click
from rich.markup import escape
from rich.panel import Panel

from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.app.review import Decision, ReviewLine
from recollect.cli import several, show
from recollect.cli.notes import edit_note, here, placed, tell, tell_all
from recollect.journal import markdown

DECISIONS: tuple[Decision, ...] = get_args(Decision)
DECIDED_BY = dict(zip("aro", DECISIONS, strict=True))
CHOICES = {
    "a": "accept",
    "r": "reject",
    "o": "replace the old one",
    "e": "edit",
    "s": "skip",
    "q": "quit",
}
DISPUTED_CHOICES = {"a": "it is right", "r": "it is wrong", "s": "skip"}


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
        naming = here(app, project, everywhere=everywhere)
        works = {
            name: decision
            for names, decision in zip(decided, DECISIONS, strict=True)
            for name in names
        }
        if works:
            done = several.outcomes(
                list(works), lambda name: app.reviews.decide(name, naming, works[name])
            )
            tell_all(done, to_json=to_json)
            return
        lines = app.reviews.waiting(tuple(dict.fromkeys((naming.project, paths.EVERYWHERE))))
        if to_json:
            show.dump([_as_data(one) for one in lines])
        elif not lines:
            show.say("Nothing waits for you.")
        elif sys.stdin.isatty():
            _walk(app, lines)
        else:
            for one in lines:
                _show(one)


def _walk(app: Recollect, lines: Sequence[ReviewLine]) -> None:
    notes = [one for one in lines if one.kind != "disputed"]
    for line in lines:
        if line in notes:
            show.say(f"[dim]{notes.index(line) + 1} of {len(notes)}[/dim]")
        _show(line)
        naming = here(app, line.project, everywhere=False)
        match _asked(line):
            case "q":
                return
            case "e" if edit_note(app, app.notes.look_up(line.name, [line.project])):
                app.reviews.settle(line)
            case ("a" | "r" | "o") as key:
                tell(app.reviews.decide(line.name, naming, DECIDED_BY[key]), to_json=False)


def _asked(line: ReviewLine) -> str:
    if line.kind == "disputed":
        offered = DISPUTED_CHOICES
    else:
        offered = {key: what for key, what in CHOICES.items() if key != "o" or line.can_replace}
    show.say(" · ".join(f"[bold]{key}[/bold] {what}" for key, what in offered.items()))
    while (key := click.getchar().lower()) not in offered:
        pass
    return key


def _show(line: ReviewLine) -> None:
    is_disputed = line.kind == "disputed"
    what = "" if is_disputed else f"{line.note['category'].replace('_', ' ')} · "
    body = markdown.legible(f"{line.title}\n{line.body}".strip()) if is_disputed else line.body
    _panel(body, f"{what}{line.kind}: {line.about}")
    if line.other:
        _panel(line.other_body, f"earlier: {line.other}", style="dim")
    show.say(f"[dim]{escape(line.name)}[/dim]")


def _panel(text: str, title: str, *, style: str = "none") -> None:
    panel = Panel(escape(text), title=escape(title), title_align="left", style=style)
    show.console().print(panel)


def _as_data(line: ReviewLine) -> dict[str, object]:
    first = {"kind": line.kind, "about": line.about, "name": line.name, "project": line.project}
    if line.kind != "disputed":
        return {**first, "other": line.other or None, **line.note}
    own = ("title", "body", "said", "author", "session", "hidden")
    # `said` is the former name of the last one, until 0.2.
    told = {**first, "id": line.name, **{name: getattr(line, name) for name in own}}
    return {**told, "objection": line.said}
