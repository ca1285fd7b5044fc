"""`save`: take in now what a session has said so far, and tell what came of it."""

from collections import Counter

import click
from rich.markup import escape

from recollect import paths
from recollect.app.recollect import opened
from recollect.cli import show
from recollect.store import saved
from recollect.store.contract.state import NoteChange
from recollect.worker import saving
from recollect.worker.saving import SaveReport


@click.command()
@click.option(
    "--session",
    "wanted",
    metavar="ID",
    help="The session, by the beginning of its id; the latest one here if you do not say.",
)
@show.as_json
@click.pass_obj
def save(flags: dict[str, str], wanted: str | None, to_json: bool) -> None:
    """Save what a session has said so far, and say which notes came of it.

    This happens by itself whenever a turn ends; this command waits until it is done. A turn that
    is still running is saved when it ends.
    """
    with opened(paths.home(), flags=flags) as app:
        done = saving.save(app, wanted)
    show.report(escape(_in_words(done)), to_json=to_json, **done.as_json())


def _in_words(found: SaveReport) -> str:
    """Return what a save did, in a line."""
    sentences = [_done(found)]
    if found.under_way:
        sentences.append("This turn is saved when it ends.")
    if found.for_a_model:
        turns = show.count(found.for_a_model, "turn")
        sentences.append(f"A model has yet to look at {turns}.")
    if found.failed:
        events = show.count(found.failed, "event")
        sentences.append(f"{events} could not be taken in: recollect doctor.")
    return " ".join(sentences)


def _done(found: SaveReport) -> str:
    if found.changes:
        made = [NoteChange(one.category, one.outcome) for one in found.changes]
        return f"{saved.in_words(made)}."
    if found.turns:
        return f"Saved {show.count(found.turns, 'turn')} to the journal; no note came of it."
    if found.session.turns:
        return f"Nothing new to save. Already kept of this session: {_kept(found)}."
    return "Nothing new to save."


def _kept(found: SaveReport) -> str:
    kinds = Counter(name.partition("/")[0].replace("_", " ") for name in found.notes)
    counted = (f"{kind} ({count})" if count > 1 else kind for kind, count in kinds.items())
    return ", ".join([show.count(found.session.turns, "turn"), *counted])
