"""Take in notes from elsewhere, or only say what would become of each.

Both are used as `with`: at its end, what is too many by then is retired, the least often met
again and the oldest first, whether it is from here or from elsewhere.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from recollect.notes import exchange, lifecycle, note_text
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.exchange import Incoming
from recollect.notes.lifecycle import Due, Rules
from recollect.notes.note_model import Note
from recollect.privacy import redact
from recollect.store.contract.notes import ChangeResult
from recollect.store.notebook import Notebook, shared_id

ERASED = "was erased here"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTarget:
    """Where notes go to."""

    notebook: Notebook
    rules: Mapping[Category, Rules]
    is_buried: Callable[[Note], bool]
    """Tells whether a note was erased there."""
    refresh: Callable[[], None]
    """Brings what follows from the notes in step."""


class NoteImport:
    """Takes notes in."""

    def __init__(self, target: ImportTarget, *, now: datetime) -> None:
        self._target = target
        self._now = now
        self._touched: set[Category] = set()
        self.also: list[ChangeResult] = []
        """What became of other notes, because there were too many."""

    def __enter__(self) -> Self:
        return self

    def take(self, incoming: Incoming) -> ChangeResult:
        """Keep a note, redacted as all that is kept. Raises `NoteError` if nothing is left."""
        target = self._target
        incoming = redacted(incoming)
        note = incoming.note
        done = target.notebook.import_note(
            incoming,
            now=self._now,
            rules=target.rules[note.category],
            unwanted=ERASED if target.is_buried(note) else "",
        )
        if done.outcome in ("created", "updated"):
            self._touched.add(note.category)
        return done

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._retire_surplus()
        if self._touched:  # Whatever stopped us, what was written is to be found.
            self._target.refresh()

    def _retire_surplus(self) -> None:
        target = self._target
        if not self._touched:
            return
        kept = [held.note for held in target.notebook.notes()]
        for due in _surplus(kept, target.rules, self._touched):
            name = f"{due.note.category}/{due.note.id}"
            done = target.notebook.step(name, "retire", now=self._now, reason=due.reason)
            self.also.append(replace(done, reason=done.reason or due.reason))


class DryRun:
    """Says what `NoteImport` would do, and changes nothing."""

    def __init__(self, target: ImportTarget, *, now: datetime) -> None:
        self._target = target
        self._now = now
        self._notes = {held.name: held.note for held in target.notebook.notes()}
        self._broken = {broken.name: broken.trouble for broken in target.notebook.broken()}
        self._touched: set[Category] = set()
        self.also: list[ChangeResult] = []

    def __enter__(self) -> Self:
        return self

    def take(self, incoming: Incoming) -> ChangeResult:
        """Say what would become of a note, given those that came before it."""
        incoming = redacted(incoming)
        note, name = incoming.note, incoming.name
        current = self._notes.get(name)
        if why := self._why_not(current, incoming):
            return ChangeResult(outcome="nothing", id=note.id, reason=why)
        if trouble := self._broken.get(name):
            return ChangeResult(outcome="failed", id=note.id, reason=trouble.what, fix=trouble.fix)
        kept = exchange.overtaken(current, incoming, now=self._now) if current else note
        note_text.render(kept)  # What cannot be written is said now, too.
        self._notes[name] = kept
        self._touched.add(note.category)
        if current:
            return ChangeResult(outcome="updated", id=note.id)
        return ChangeResult(outcome="created", id=note.id, reason=self._also_called_so(note))

    def _also_called_so(self, note: Note) -> str:
        """Say which notes of other categories have the id of *note*."""
        names = [f"{category}/{note.id}" for category in CATEGORIES if category != note.category]
        return shared_id(name for name in names if name in self._notes or name in self._broken)

    def _why_not(self, current: Note | None, incoming: Incoming) -> str:
        category = incoming.note.category
        if why := lifecycle.why_off(category, self._target.rules[category]):
            return why
        if current:
            return exchange.why_not(current, incoming)
        if incoming.name in self._broken:
            return ""
        return ERASED if self._target.is_buried(incoming.note) else ""

    def __exit__(self, *_: object) -> None:
        for due in _surplus(self._notes.values(), self._target.rules, self._touched):
            self.also.append(ChangeResult(outcome="retired", id=due.note.id, reason=due.reason))


def redacted(incoming: Incoming) -> Incoming:
    """*incoming* without what is never kept: secrets, and blocks that are private."""
    fields = incoming.note.model_dump()
    clean = _cleaned(fields)
    if clean == fields:
        return incoming
    assert isinstance(clean, dict)
    return replace(incoming, note=incoming.note.changed(**clean))


def _surplus(
    kept: Iterable[Note], rules: Mapping[Category, Rules], touched: Iterable[Category]
) -> list[Due]:
    kept = list(kept)
    return [
        due
        for category in sorted(touched)
        for due in lifecycle.overflow(
            [note for note in kept if note.category == category], rules[category]
        )
    ]


def _cleaned(value: object) -> object:
    match value:
        case str():
            return redact.clean(value)
        case tuple():
            return tuple(map(_cleaned, value))
        case dict():
            return {redact.clean(name): _cleaned(each) for name, each in value.items()}
        case _:
            return value
