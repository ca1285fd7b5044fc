"""The notes of one project, or of all: what may become of them, and the only code that writes them.

Everything that writes holds the store's lock from the first look to the last write, and says what
really happened. A text editor is a supported client: what it wrote is the current version, and what
we wrote before it stays a version. Where the texts are kept is for a `NoteStore` to know.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from recollect import ids
from recollect.errors import LibraryError, NoteError, NotFoundError
from recollect.notes import exchange, lifecycle, note_model, note_text
from recollect.notes.categories import Category
from recollect.notes.exchange import Incoming
from recollect.notes.lifecycle import Due, Rules, Step
from recollect.notes.note_model import By, Note
from recollect.store.contract.notes import (
    ChangeResult,
    NoteKey,
    NoteText,
    NoteVersion,
    Outcome,
)
from recollect.store.library import EDITOR_RACES
from recollect.store.note_reader import NoteReader, place_of

Edit = Callable[[Note], Note]
"""Makes of a note what it shall be instead."""

_OUTCOMES: Mapping[Step, Outcome] = {
    "retire": "retired",
    "restore": "restored",
    "archive": "archived",
    "unarchive": "unarchived",
}
P = ParamSpec("P")
Subject = TypeVar("Subject", str, Note, Incoming)


class _OvertakenError(LibraryError):
    """Another program changed the text between our look and our write."""

    def __init__(self, location: str) -> None:
        super().__init__(f"{location}: changed by another program", hint="Try again.")


class _NothingToDo(Exception):  # noqa: N818 - a fact, not a fault
    """There is a reason to do nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _locked(
    work: Callable[Concatenate["Notebook", Subject, P], ChangeResult],
) -> Callable[Concatenate["Notebook", Subject, P], ChangeResult]:
    """Let *work* hold the lock; a reason to do nothing and a failure are outcomes of it."""

    @wraps(work)
    def locked(
        notebook: "Notebook", subject: Subject, /, *args: P.args, **kwargs: P.kwargs
    ) -> ChangeResult:
        def locked_work() -> ChangeResult:
            with notebook.store.locked():
                return work(notebook, subject, *args, **kwargs)

        return _outcome(_id_of(subject), locked_work)

    return locked


class Notebook(NoteReader):
    """The notes in a *store*, and what may become of them.

    Writing raises `BusyError` when the lock cannot be had; every other failure is an outcome.
    """

    # Making notes.

    @_locked
    def create(self, note: Note, *, now: datetime, rules: Rules | None = None) -> ChangeResult:
        """Keep *note*, under another id where its own is taken.

        What is then too many by the *rules* is retired in the same step, as of *now*, whenever
        the note was said; one said before all that it would push out is not made. A note that
        was retired since, or a moment before, or that the user deleted, is not made anew by
        itself.
        """
        return self._create(note, now, rules or Rules())

    @_locked
    def snapshot(self, note: Note, *, now: datetime, rules: Rules | None = None) -> ChangeResult:
        """Keep *note* as the summary of its session, in place of an earlier one of it.

        The oldest of too many is retired in the same step.
        """
        same = [each for each in self.notes() if _is_same_snapshot(each.note, note)]
        if not same:
            return self._create(note, now, rules or Rules())

        def refreshed(old: Note) -> Note:
            return lifecycle.refreshed(old, note, now=max(old.updated_at, note.updated_at))

        return self._change(same[0].key, "updated", refreshed)

    @_locked
    def import_note(
        self,
        incoming: Incoming,
        *,
        now: datetime,
        rules: Rules | None = None,
        unwanted: str = "",
    ) -> ChangeResult:
        """Keep a note from elsewhere under its own id, as it stands there.

        Of two that differ the later one holds, and what was here is a version. *unwanted* says
        why the note may not be made where it is not here. Nothing is retired for it.
        """
        note = incoming.note
        _decline(lifecycle.why_off(note.category, rules or Rules()))
        key = NoteKey(note.category, note.id)
        if self.store.version(key) is not None:

            def overtaken(old: Note) -> Note:
                _decline(exchange.why_not(old, incoming))
                return exchange.overtaken(old, incoming, now=now)

            return self._change(key, "updated", overtaken)
        _decline(unwanted)
        others = [NoteKey(category, note.id).name for category in self.homes(note.id)]
        done = self._write(key, note_text.render(note), "created", over=None)
        return replace(done, reason=shared_id(others))

    def _create(self, note: Note, now: datetime, rules: Rules) -> ChangeResult:
        existing = [each.note for each in self.notes()]
        _decline(lifecycle.why_not_new(note, existing, rules, now=now))
        self._refuse_deleted(note)
        kept = note.changed(id=self._free_id(note.id))
        own = [other for other in existing if other.category == kept.category]
        _decline(lifecycle.no_room(kept, own, rules))
        key = NoteKey(kept.category, kept.id)
        done = self._write(key, note_text.render(kept), "created", over=None)
        surplus = lifecycle.overflow([*own, kept], rules, spare=kept.id)
        also = tuple(self._collect(each, now) for each in surplus)
        taken = "" if kept.id == note.id else f"{note.id} is taken"
        return replace(done, reason=taken, also=also)

    def _refuse_deleted(self, note: Note) -> None:
        """Raise `_NothingToDo` when the user deleted *note*, and it would be made unasked."""
        was_deleted = not self.homes(note.id) and note.category in self.past_homes(note.id)
        if was_deleted and note.source.by != "user":
            _decline(
                f"the file of {note.id} was deleted by hand; a version of it can be brought back"
            )

    def _free_id(self, wanted: str) -> str:
        """Return *wanted*, or the first of it with a number that no note has or had."""
        number = 1
        name = wanted
        while self.homes(name) or (number > 1 and self.past_homes(name)):
            number += 1
            ending = f"-{number}"
            name = wanted[: note_model.LONGEST_ID - len(ending)].rstrip("-") + ending
        return name

    # Changing what they say.

    @_locked
    def update(
        self, name: str, edit: Edit, *, now: datetime, by: By = "agent", expected: str = ""
    ) -> ChangeResult:
        """Make the note what *edit* makes of it; *edit* is called under the lock, so be quick.

        With *expected*, only while its text still has that hash. `lifecycle.updated` says
        what stays whatever the edit does.
        """

        def updated(note: Note) -> Note:
            if not note.active:
                _decline(f"{note.id} is {note.record_status}, and is not updated")
            edited = edit(note)
            _check_update(note, edited)
            return lifecycle.updated(note, edited, now=now, by=by)

        return self._change(self.key_of(name), "updated", updated, expected=expected)

    @_locked
    def rewrite(
        self, name: str, text: str, *, now: datetime, expected: str = "", by: By = "user"
    ) -> ChangeResult:
        """Make *text* the note as of *now*; every word of it stays.

        What was only proposed is accepted with it, if a person wrote it; what an agent wrote is
        the agent's word from then on, and logged. With *expected*, only while the note's text
        still has that hash.
        """
        key = self.key_of(name)
        before = self.store.read(key)
        hash_now = ids.text_hash(before.text)
        _check_hash(expected, hash_now)
        place = place_of(key, before.modified)
        written = note_text.read(text, place)
        # What could not be read until now is what it is mended to.
        old = self.current(key, otherwise=written)
        _check_update(old, written)
        if by != "user" and ids.text_hash(text) == hash_now:
            _decline("there is nothing to change")
        new = lifecycle.rewritten(old, written, now=now, by=by)
        if written.updated_at == old.updated_at:
            new = new.changed(updated_at=now)
        whole = text if new == written else note_text.rewrite(text, new, place)
        done = self._write(key, whole, "updated", over=before)
        is_accepted = new.review != written.review
        return replace(done, reason="accepted, since you edited it") if is_accepted else done

    @_locked
    def revert_to(self, name: str, number: int, *, now: datetime) -> ChangeResult:
        """Make the note say again what it said in the version *number*.

        It stands where it stands: active, retired or archived. What is broken is mended so,
        and what was deleted by hand is there again.
        """
        key = self.key_of(name)
        place = place_of(key, now)
        text = self.version(key.name, number)
        over = self.text_of(key)
        try:
            old = note_text.read(text, place)
        except NoteError:
            if over:
                raise
            # It was put away broken, and comes back as it was.
            return self._write(key, text, "brought-back", over=None)
        note = lifecycle.reverted(old, self.current(key, otherwise=old), number=number, now=now)
        done = self._write(key, note_text.rewrite(text, note, place), "brought-back", over=over)
        return replace(done, reason=_why_not_shown(note))

    def save_draft(self, name: str, text: str) -> str:
        """Keep *text*, which did not become the note, beside it; return where."""
        return self.store.save_draft(self.key_of(name), text)

    @_locked
    def remove_broken(self, name: str, *, now: datetime) -> ChangeResult:
        """Take what cannot be read as a note out of the way; its text stays a version.

        That version is dated *now*, because its grace begins.
        """
        key = self.key_of(name)
        if not self.store.remove(key, over=self.store.read(key), at=now):
            raise _OvertakenError(self.store.location(key))
        return ChangeResult(outcome="put-away", id=key.id)

    def keep_hand_edits(self) -> list[str]:
        """Make versions of what was changed by hand; return the ids of these notes."""
        with self.store.locked():
            return [key.id for key in self.store.listed() if self._keep_hand_edit(key)]

    def _keep_hand_edit(self, key: NoteKey) -> bool:
        try:
            return self.store.keep(key)
        except (LibraryError, NotFoundError):
            return False  # `broken` says what is wrong with it.

    # Changing where they stand.

    @_locked
    def step(self, name: str, step: Step, *, now: datetime, reason: str = "") -> ChangeResult:
        """Retire, restore, archive or unarchive the note.

        What is retired is in no context and no search, and `gc` collects it after its grace; what
        is archived is in no context, and kept for ever. What superseded a note that is unarchived
        supersedes it no more.
        """
        return self._step(self.key_of(name), step, now, reason)

    @_locked
    def supersede(self, old: str, *, by: str, now: datetime) -> ChangeResult:
        """Put the note *by* in the place of *old*; each says so, and *old* is archived."""
        new = self.read(self.key_of(by))
        superseded = self.read(self.key_of(old))
        _decline(lifecycle.why_not_superseded(new.note, superseded.note))
        linked = self._change_other(
            new.name, lambda note: lifecycle.superseding(note, superseded.note, now=now)
        )
        done = self._change(
            superseded.key,
            "superseded",
            lambda note: lifecycle.superseded(note, new.note, now=now),
        )
        return replace(done, also=(linked,))

    @_locked
    def keep_archived(self, name: str, *, now: datetime) -> ChangeResult:
        """Leave an archived note archived, though what superseded it holds no longer."""

        def settled(note: Note) -> Note:
            freed = note.changed(superseded_by=None, review=None)
            return lifecycle.updated(note, freed, now=now, by="user")

        old = self.read(self.key_of(name))
        done = self._change(old.key, "updated", settled)
        return replace(done, also=self._release(old.note, now))

    def due(self, *, now: datetime, rules: Mapping[Category, Rules]) -> list[Due]:
        """Return what `gc` would do now."""
        return lifecycle.due([each.note for each in self.notes()], rules, now=now)

    def gc(self, *, now: datetime, rules: Mapping[Category, Rules]) -> list[ChangeResult]:
        """Retire, archive or delete what is due by the *rules*; return what came of each."""
        with self.store.locked():
            self.store.tidy()
            return [self._collect(each, now) for each in self.due(now=now, rules=rules)]

    def _step(self, key: NoteKey, step: Step, now: datetime, reason: str = "") -> ChangeResult:
        old = self.read(key).note

        def stepped(note: Note) -> Note:
            _decline(lifecycle.why_not(note, step))
            return lifecycle.stepped(note, step, now=now, reason=reason)

        done = self._change(key, _OUTCOMES[step], stepped)
        match step:
            case "unarchive":
                return replace(done, also=self._release(old, now))
            case "restore":
                return done
            case "retire" | "archive":
                return replace(done, also=tuple(self._no_longer_superseded(key)))

    def _collect(self, due: Due, now: datetime) -> ChangeResult:
        key = NoteKey(due.note.category, due.note.id)
        step = due.step

        def work() -> ChangeResult:
            return self._erase(key) if step == "delete" else self._step(key, step, now, due.reason)

        done = _outcome(key.id, work)
        return replace(done, reason=done.reason or due.reason)

    def _no_longer_superseded(self, key: NoteKey) -> Iterator[ChangeResult]:
        """Yield whatever the note, which holds no longer, had taken the place of."""
        new = self.read(key).note
        for old in (each.note for each in (self.notes() if new.supersedes else ())):
            if old.id in new.supersedes and old.superseded_by == new.id:
                yield _waiting(old.id, lifecycle.left_alone(new))

    def _release(self, old: Note, now: datetime) -> tuple[ChangeResult, ...]:
        """Let what superseded *old*, if anything, supersede it no more."""
        if not old.superseded_by:
            return ()
        released = self._change_other(
            old.superseded_by, lambda note: lifecycle.releasing(note, old, now=now)
        )
        return (released,)

    def _change_other(self, name: str, edit: Edit) -> ChangeResult:
        """Change another note, too; that it cannot be done, or needs not, stops nothing."""
        return _outcome(name, lambda: self._change(self.key_of(name), "updated", edit))

    # Erasing.

    @_locked
    def erase(self, name: str) -> ChangeResult:
        """Leave nothing of the note: neither its text nor any version."""
        return self._erase(self.key_of(name))

    def remove_references(self, gone: str) -> list[ChangeResult]:
        """Take the id of a note that was erased elsewhere out of all notes."""
        with self.store.locked():
            return list(self._remove_references(gone))

    def _erase(self, key: NoteKey) -> ChangeResult:
        """Erase first what others say of the note: until it is gone itself it can be repeated."""
        also = tuple(self._remove_references(key.id, but_for=key))
        self.store.erase(key)
        return ChangeResult(outcome="erased", id=key.id, also=also)

    def _remove_references(
        self, gone: str, *, but_for: NoteKey | None = None
    ) -> Iterator[ChangeResult]:
        """Take the id of an erased note out of all others, and out of their versions.

        The note itself, *but_for*, may still be there.
        """
        if any(NoteKey(home, gone) != but_for for home in self.homes(gone)):
            return  # A note of another category has it, too.
        versioned = [key for key in self.store.versioned() if key != but_for]
        places = [(key, one) for key in versioned for one in self.store.versions(key)]
        current = [(key, None) for key in self.store.listed() if key != but_for]
        for key, version in (*places, *current):
            try:
                is_orphaned = self._remove_references_in(key, version, gone)
            except (LibraryError, NotFoundError) as error:
                where = self.store.location(key)
                yield ChangeResult(
                    outcome="failed", id=key.id, reason=f"{where} may still name it: {error}"
                )
            else:
                if is_orphaned and version is None:
                    yield _waiting(key.id, lifecycle.ORPHANED)

    def _remove_references_in(self, key: NoteKey, version: NoteVersion | None, gone: str) -> bool:
        """Take the id *gone* out of a version of a note, or out of what it says now.

        Tell whether it was superseded by that note.
        """
        if version is None:
            raw = self.store.read(key)
        else:
            text = self.store.version_text(key, version.number)
            raw = NoteText(text=text, version=None, modified=version.at)
        if gone not in raw.text:
            return False
        place = place_of(key, raw.modified)
        old = note_text.read(raw.text, place)
        new = lifecycle.without_references_to(old, gone)
        if new != old:
            text = note_text.rewrite(raw.text, new, place)
            if version:
                self.store.amend_version(key, version.number, text)
            elif not self.store.amend(key, text, over=raw):
                raise LibraryError("changed by another program")
        return old.superseded_by == gone

    # Writing.

    def _change(
        self, key: NoteKey, outcome: Outcome, edit: Edit, *, expected: str = ""
    ) -> ChangeResult:
        """Write what *edit* makes of the note, unless it is the same, or not as *expected*."""
        for _ in range(EDITOR_RACES):
            stored = self.read(key)
            _check_hash(expected, stored.hash)
            note = edit(stored.note)
            if note == stored.note:
                _decline("there is nothing to change")
            text = note_text.rewrite(stored.text, note, place_of(key, stored.raw.modified))
            with contextlib.suppress(_OvertakenError):
                return self._write(key, text, outcome, over=stored.raw)
        raise LibraryError(
            f"{self.store.location(key)}: changed by another program each time we wanted to write",
            hint="Close the program that keeps writing this file; nothing was lost.",
        )

    def _write(
        self, key: NoteKey, text: str, outcome: Outcome, *, over: NoteText | None
    ) -> ChangeResult:
        """Write *text* over what was read, which may not have changed."""
        if not self.store.write(key, text, over=over):
            raise _OvertakenError(self.store.location(key))
        return ChangeResult(
            outcome=outcome,
            id=key.id,
            hash=ids.text_hash(text),
            before=ids.text_hash(over.text) if over else "",
            category=key.category,
        )


def shared_id(others: Iterable[str]) -> str:
    """What to say of a note whose id *others*, of other categories, have as well."""
    names = " and ".join(others)
    return f"{names} has this id, too" if names else ""


def _outcome(name: str, work: Callable[[], ChangeResult]) -> ChangeResult:
    """What came of *work*; a reason to do nothing and a failure are outcomes too."""
    note_id = name.rpartition("/")[2]
    try:
        return work()
    except _NothingToDo as nothing:
        return ChangeResult(outcome="nothing", id=note_id, reason=nothing.reason)
    except (LibraryError, NotFoundError) as error:
        return ChangeResult(outcome="failed", id=note_id, reason=error.message, fix=error.hint)


def _id_of(subject: str | Note | Incoming) -> str:
    match subject:
        case str():
            return subject
        case Incoming():
            return subject.note.id
        case Note():
            return subject.id


def _decline(why: str) -> None:
    """Raise `_NothingToDo` if there is a reason to do nothing."""
    if why:
        raise _NothingToDo(why)


def _check_hash(expected: str, hash_now: str) -> None:
    """Raise `_NothingToDo` if something is *expected*, and the note is another one."""
    if expected and expected != hash_now:
        raise _NothingToDo("the note changed since it was read")


def _check_update(old: Note, new: Note) -> None:
    if why := lifecycle.why_not_updated(old, new):
        raise NoteError(f"{old.id}: {why}", hint="Leave these fields as they are.")


def _waiting(note_id: str, why: str) -> ChangeResult:
    return ChangeResult(outcome="waiting", id=note_id, reason=f"{why}; decide: recollect review")


def _why_not_shown(note: Note) -> str:
    """What to know of a note that says something again, and does not hold; empty if it does."""
    if note.active:
        return ""
    verb = "unarchive" if note.record_status == "archived" else "restore"
    name = NoteKey(note.category, note.id).name
    return f"it is still {note.record_status}; to let it hold: recollect {verb} {name}"


def _is_same_snapshot(old: Note, note: Note) -> bool:
    """True when both tell of the same session."""
    session = note.source.session
    same = old.category == note.category and old.source.session == session
    return bool(session) and same and old.active
