"""A new note beside those that are there: counted on one of them, in its place, in doubt, or new.

What says the same is counted on the note that is there; what takes back an earlier choice
supersedes it; what only might is kept, and put before the user (`recollect review`) rather than
guessed.
"""

from dataclasses import replace
from datetime import datetime

from recollect import paths
from recollect.notes import compare, note_model
from recollect.notes.compare import Nearness, statement
from recollect.notes.lifecycle import Rules, is_proposed
from recollect.notes.note_model import Note
from recollect.store.contract.notes import ChangeResult
from recollect.store.notebook import Notebook


def keep(
    note: Note,
    notebook: Notebook,
    *,
    everywhere: Notebook,
    rules: Rules,
    now: datetime,
    nearness: Nearness,
) -> ChangeResult:
    """Keep *note*, compared with what holds in its *notebook* and *everywhere*."""
    active = _active(notebook)
    # A model says several things of a turn; what it says twice is compared below.
    if (turn := note.source.turn) and note.source.by != "model":
        of_turn = (other for other in active.values() if other.source.turn == turn)
        if any(statement(other) == statement(note) for other in of_turn):
            reason = "this turn has such a note already"
            return ChangeResult(outcome="nothing", id=note.id, reason=reason)
    said_at = note.updated_at
    verdict = compare.verdict(note, active, now=said_at, nearness=nearness)
    if verdict.kind == "same":
        latest = max(said_at, active[verdict.name].updated_at)
        return _count_again(notebook, verdict.name, note, now=latest)
    besides = ""
    if verdict.kind == "doubt":
        note = _doubted(note, verdict.name)
    elif verdict.kind == "new" and notebook.store.project != everywhere.store.project:
        note, besides = _beside_what_holds_everywhere(note, everywhere, nearness)
    done = notebook.create(note, now=now, rules=rules)
    done = replace(done, reason="; ".join(filter(None, (done.reason, besides))))
    if verdict.kind == "instead" and done.outcome == "created":
        old = notebook.supersede(verdict.name, by=f"{note.category}/{done.id}", now=now)
        return replace(done, also=(*done.also, old))
    return done


def _active(notebook: Notebook) -> dict[str, Note]:
    return {held.name: held.note for held in notebook.notes() if held.note.active}


def _beside_what_holds_everywhere(
    note: Note, everywhere: Notebook, nearness: Nearness
) -> tuple[Note, str]:
    """Return *note*, in doubt if need be, and what to say of it beside the global notes.

    A project may differ from what holds everywhere: what is said of it goes first there, and
    nothing global is touched for it.
    """
    verdict = compare.verdict(note, _active(everywhere), now=note.updated_at, nearness=nearness)
    name = f"{paths.EVERYWHERE}/{verdict.name}"
    if verdict.kind == "doubt":
        return _doubted(note, name), ""
    return note, f"here it goes before {name}" if verdict.kind == "instead" else ""


def _count_again(notebook: Notebook, name: str, note: Note, *, now: datetime) -> ChangeResult:
    """Count on the note *name* that it was said again; what is new in *note* is added."""

    def counted(old: Note) -> Note:
        files = (*old.related_files, *note.related_files)
        return old.changed(
            seen=old.seen + 1,
            related_files=tuple(dict.fromkeys(files))[: note_model.MOST_FILES],
            evidence=note.evidence if note.evidence.files else old.evidence,
            tags=note_model.tidy_tags((*old.tags, *note.tags)),
            pinned=old.pinned or note.pinned,
            review=old.review if is_proposed(note) or not is_proposed(old) else None,
        )

    done = notebook.update(name, counted, now=now, by=note.source.by)
    return replace(done, reason=done.reason or f"{name} says the same; it counts once more")


def _doubted(note: Note, name: str) -> Note:
    doubt = f"may contradict {name}"
    return note.changed(review=f"{note.review}, {doubt}" if note.review else doubt)
