"""The notes of one project, or of all: the only code that writes them.

Everything that writes holds the library's lock from the first look to the last write, and
says what really happened. A text editor is a supported client: what it wrote is the
current version, and what we wrote before it stays in the history.
"""

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from recollect import files, ids
from recollect.errors import LibraryError, NoteError, NotFoundError
from recollect.files import Stamp
from recollect.notes import categories, exchange, lifecycle, note_model, note_text, resolve
from recollect.notes.categories import Category
from recollect.notes.exchange import Incoming
from recollect.notes.lifecycle import Due, Revision, Rules, Step
from recollect.notes.note_model import By, Note
from recollect.notes.note_text import NotePlace
from recollect.notes.resolve import ChangeFacts
from recollect.store.files import history
from recollect.store.files.history import History, Version
from recollect.store.files.library import LOCK_NAME, LOCK_SECONDS
from recollect.store.files.shelf import (
    NoteFile,
    Shelf,
    Shelves,
    Trouble,
    category_of,
    explained,
    place_of,
    refuse_link,
    text_at,
)
from recollect.store.library import EDITOR_RACES

Outcome = Literal[
    "created", "updated", "retired", "restored", "archived", "unarchived", "superseded",
    "brought-back", "put-away", "erased", "waiting", "nothing", "failed",
]  # fmt: skip
"""What became of a note: `waiting` when the user should decide (`recollect review`), `nothing`
when there was a reason not to, `failed` when it could not be done."""

Edit = Callable[[Note], Note | None]
"""What a note shall be instead; None leaves it alone."""

_DRAFT = re.compile(r"\..+\.md\..+\.tmp")

# A drafter that is overtaken by other changes so often had better ask again later.
DRAFTS = 3

_STEPS: Mapping[Step, Outcome] = {
    "retire": "retired",
    "restore": "restored",
    "archive": "archived",
    "unarchive": "unarchived",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeResult:
    """What really happened to one note, and *also* to others with it."""

    outcome: Outcome
    id: str
    reason: str = ""
    fix: str = ""
    hash: str = ""
    """Of the text that stands there now, where something was written."""
    before: str = ""
    """Of the text that it was written over, if any."""
    category: Category | None = None
    """Of the note, where something was written."""
    stale: bool = False
    """True when nothing happened because the note is not what was expected."""
    also: tuple["ChangeResult", ...] = ()

    @property
    def name(self) -> str:
        """What every door knows the note by: `category/id`, where the category is known."""
        return f"{self.category}/{self.id}" if self.category and "/" not in self.id else self.id


class _OvertakenError(LibraryError):
    """Another program changed the file between our look and our write."""


class _Declined(Exception):  # noqa: N818 - a fact, not a fault
    """There is a reason to do nothing."""

    def __init__(self, reason: str, *, stale: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.stale = stale


class Notebook:
    """The notes in *folder*.

    A note is named by its id, or by `category/id` where two categories have the same id.
    Writing raises `BusyError` when the lock cannot be had; every other failure is an outcome.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._shelves = Shelves(folder)

    def all(self) -> Shelf:
        """Every note, and every file that is none."""
        return self._shelves.look()

    def at(self, path: Path) -> NoteFile | None:
        """The note in the file *path*; None when it cannot be read as one."""
        found = self._shelves.at(path)
        return found if isinstance(found, NoteFile) else None

    def find(self, prefix: str) -> NoteFile:
        """The one note whose id, or `category/id`, begins with *prefix*."""
        found = self.look_up(prefix)
        if isinstance(found, Trouble):
            raise unreadable(found)
        return found

    def look_up(self, prefix: str) -> NoteFile | Trouble:
        """What `find` returns, or what is wrong with the file that should be it."""
        shelf = self.all()
        found: dict[str, NoteFile | Trouble] = {each.name: each for each in shelf.notes}
        found |= {each.name: each for each in shelf.broken}
        return found[_resolved(prefix, found)]

    def find_past(self, prefix: str) -> str:
        """The name of the one note that *prefix* begins and that has only its history left."""
        return _resolved(prefix, self.past())

    def past(self) -> list[str]:
        """The names of notes that have only their history left."""
        return [
            f"{category}/{note_id}"
            for category, note_id, kept in self._histories()
            if kept.versions() and category not in self._shelves.homes(note_id)
        ]

    def create(
        self,
        note: Note,
        *,
        now: datetime,
        rules: Rules | None = None,
    ) -> ChangeResult:
        """Keep *note*, under another id where its own is taken.

        What is then too many by the *rules* is retired in the same step, as of *now*, whenever
        the note was said; one said before all that it would push out is not made. A note that
        was retired since, or a moment before, or whose file the user deleted, is not made anew
        by itself.
        """
        return self._done(note.id, lambda: self._create(note, now, rules or Rules()))

    def snapshot(self, note: Note, *, now: datetime, rules: Rules | None = None) -> ChangeResult:
        """Keep *note* as the summary of its session, in place of an earlier one of it.

        The oldest of too many is retired in the same step.
        """

        def keep() -> ChangeResult:
            same = [each for each in self.all().notes if _is_snapshot(each.note, note)]
            if not same:
                return self._create(note, now, rules or Rules())
            return self._change(same[0].name, "updated", refresh)

        def refresh(there: NoteFile) -> Note:
            said = max(there.note.updated_at, note.updated_at)
            return lifecycle.refreshed(there.note, note, now=said)

        return self._done(note.id, keep)

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
        enabled = (rules or Rules()).enabled

        def work() -> ChangeResult:
            facts = ChangeFacts(category=note.category, now=now, enabled=enabled)
            if why := resolve.veto(facts):
                raise _Declined(why)
            path = self._shelves.path(note.category, note.id)
            if files.stamp(path):
                return self._change(incoming.name, "updated", overtaken)
            if unwanted:
                raise _Declined(unwanted)
            also_called_so = [f"{each}/{note.id}" for each in self._shelves.homes(note.id)]
            done = self._put(path, note_text.render(note), "created", over=None)
            return replace(done, reason=shared_id(also_called_so))

        def overtaken(there: NoteFile) -> Note:
            if why := exchange.why_not(there.note, incoming):
                raise _Declined(why)
            return exchange.overtaken(there.note, incoming, now=now)

        return self._done(note.id, work)

    def update(
        self, name: str, edit: Edit, revision: Revision, *, expected: str = ""
    ) -> ChangeResult:
        """Make the note what *edit* makes of it; *edit* is called under the lock, so be quick.

        With *expected*, only while its text still has that hash. `lifecycle.updated` says
        what stays whatever the edit does.
        """

        def change(there: NoteFile) -> Note:
            note = there.note
            if why := resolve.changed(expected or there.hash, there.hash):
                raise _Declined(why, stale=True)
            if not note.active:
                raise _Declined(f"{note.id} is {note.record_status}, and is not updated")
            edited = edit(note) or note
            if why := lifecycle.why_not_updated(note, edited):
                raise NoteError(f"{note.id}: {why}", hint="Leave these fields as they are.")
            return lifecycle.updated(note, edited, revision)

        return self._done(name, lambda: self._change(name, "updated", change))

    def redraft(
        self, name: str, draft: Callable[[NoteFile], Note | None], revision: Revision
    ) -> ChangeResult:
        """Update the note by a *draft* that takes its time, and is not made under the lock.

        Overtaken by another change, the note is read and drafted again, three times at
        most; then it is said.
        """
        done = ChangeResult(outcome="nothing", id=name, stale=True)
        for _ in range(DRAFTS):
            try:
                there = self._shelves.read(*self._named(name))
                drafted = draft(there)
            except (LibraryError, NotFoundError) as error:
                return ChangeResult(outcome="failed", id=name, reason=error.message, fix=error.hint)
            done = self.update(name, _always(drafted), revision, expected=there.hash)
            if not done.stale:
                break
        return done

    def rewrite(
        self, name: str, text: str, *, now: datetime, expected: str = "", by: By = "user"
    ) -> ChangeResult:
        """Make *text* the note as of *now*; every word of it stays.

        What was only proposed is accepted with it, if a person wrote it; what an agent wrote is
        the agent's word from then on, and logged. With *expected*, only while the note's text
        still has that hash.
        """

        def work() -> ChangeResult:
            category, note_id = self._named(name)
            path = self._shelves.path(category, note_id)
            stamp = _stamp_of(path)
            before = text_at(path)
            if why := resolve.changed(expected or ids.text_hash(before), ids.text_hash(before)):
                raise _Declined(why, stale=True)
            place = place_of(category, note_id, stamp)
            written = note_text.read(text, place)
            # What could not be read until now is what it is mended to.
            there = self._current(category, note_id, otherwise=written)
            if why := lifecycle.why_not_updated(there, written):
                raise NoteError(f"{note_id}: {why}", hint="Leave these fields as they are.")
            if by != "user" and ids.text_hash(text) == ids.text_hash(before):
                raise _Declined("there is nothing to change")
            told = lifecycle.retold(there, written, Revision(now=now, by=by))
            if written.updated_at == there.updated_at:
                told = told.changed(updated_at=now)
            new = text if told == written else note_text.rewrite(text, told, place)
            done = self._put(path, new, "updated", over=(before, stamp))
            was_proposed = told.review != written.review
            return replace(done, reason="accepted, since you edited it") if was_proposed else done

        return self._done(name, work)

    def retire(self, name: str, *, now: datetime, reason: str = "") -> ChangeResult:
        """Take the note out of context and search; `gc` collects it after its grace."""
        return self._done(name, lambda: self._step(name, "retire", now, reason))

    def restore(self, name: str, *, now: datetime) -> ChangeResult:
        """Make a retired note active again."""
        return self._done(name, lambda: self._step(name, "restore", now))

    def archive(self, name: str, *, now: datetime, reason: str = "") -> ChangeResult:
        """Take the note out of context, and keep it for ever."""
        return self._done(name, lambda: self._step(name, "archive", now, reason))

    def unarchive(self, name: str, *, now: datetime) -> ChangeResult:
        """Make an archived note active again; what superseded it supersedes it no more."""

        def work() -> ChangeResult:
            old = self._shelves.read(*self._named(name)).note
            done = self._step(name, "unarchive", now)
            if not old.superseded_by:
                return done
            return replace(done, also=(self._release(old.superseded_by, old, now),))

        return self._done(name, work)

    def supersede(self, new: str, old: str, *, now: datetime) -> ChangeResult:
        """Put the note *new* in the place of *old*; each says so, and *old* is archived."""

        def work() -> ChangeResult:
            newer = self._shelves.read(*self._named(new))
            older = self._shelves.read(*self._named(old))
            if why := lifecycle.why_not_superseded(newer.note, older.note):
                raise _Declined(why)
            linked = self._link(newer.name, older.note, now)
            done = self._change(
                older.name,
                "superseded",
                lambda there: lifecycle.superseded(there.note, newer.note, now=now),
            )
            return replace(done, also=(linked,))

        return self._done(old, work)

    def keep_archived(self, name: str, *, now: datetime) -> ChangeResult:
        """Leave an archived note archived, though what superseded it holds no longer."""

        def work() -> ChangeResult:
            old = self._shelves.read(*self._named(name)).note
            done = self._change(name, "updated", keep_archived)
            if not old.superseded_by:
                return done
            return replace(done, also=(self._release(old.superseded_by, old, now),))

        def keep_archived(there: NoteFile) -> Note:
            freed = there.note.changed(superseded_by=None, review=None)
            return lifecycle.updated(there.note, freed, Revision(now=now, by="user"))

        return self._done(name, work)

    def history(self, name: str) -> list[Version]:
        """Every version of the note, oldest first; the last is what its file says now."""
        category, note_id = self._named(name)
        path = self._shelves.path(category, note_id)
        kept = self._history_of(path)
        versions = kept.versions()
        stamp = files.stamp(path)
        if stamp and text_at(path) != kept.latest():
            number = versions[-1].number + 1 if versions else 1
            versions.append(Version(number, place_of(category, note_id, stamp).modified, path))
        return versions

    def path_of(self, name: str) -> Path:
        """Where the note stands, or stood while it had a file."""
        return self._shelves.path(*self._named(name))

    def versions_read(self, name: str) -> list[Note | None]:
        """Every version in the note's history, oldest first; None where it cannot be read."""
        category, note_id = self._named(name)
        kept = self._history_of(self._shelves.path(category, note_id))
        return [
            _read(
                files.read_text(one.path), NotePlace(category=category, id=note_id, modified=one.at)
            )
            for one in kept.versions()
        ]

    def version(self, name: str, number: int) -> str:
        """The whole text of a version."""
        for version in self.history(name):
            if version.number == number:
                return files.read_text(version.path)
        raise NotFoundError(f"{name}: there is no version {number}")

    def revert_to(self, name: str, number: int, *, now: datetime) -> ChangeResult:
        """Make the note say again what it said in the version *number*.

        It stands where it stands: active, retired or archived. A broken file is mended so,
        and one that was deleted by hand is there again.
        """

        def work() -> ChangeResult:
            category, note_id = self._named(name)
            place = NotePlace(category=category, id=note_id, modified=now)
            text = self.version(f"{category}/{note_id}", number)
            path = self._shelves.path(category, note_id)
            stamp = files.stamp(path)
            try:
                old = note_text.read(text, place)
            except NoteError:
                if stamp:
                    raise
                # It was put away broken, and comes back as it was.
                return self._put(path, text, "brought-back", over=None)
            current = self._current(category, note_id, otherwise=old)
            note = lifecycle.reverted(old, current, number=number, now=now)
            over = (text_at(path), stamp) if stamp else None
            new = note_text.rewrite(text, note, place)
            done = self._put(path, new, "brought-back", over=over)
            return replace(done, reason=_still_aside(note))

        return self._done(name, work)

    def quarantine(self, name: str, *, now: datetime) -> ChangeResult:
        """Take a file that cannot be read as a note out of the way; its text stays a version.

        That version is dated *now*, because its grace begins.
        """

        def work() -> ChangeResult:
            path = self._shelves.path(*self._named(name))
            stamp = _stamp_of(path)
            kept = self._history_of(path)
            kept.keep(text_at(path))
            kept.date(now)
            if files.stamp(path) != stamp:
                raise _OvertakenError(f"{path}: changed by another program", hint="Try again.")
            path.unlink()
            return ChangeResult(outcome="put-away", id=path.stem)

        return self._done(name, work)

    def keep_hand_edits(self) -> list[str]:
        """Copy to the history what was changed by hand; the names of these notes."""
        with self._locked():
            shelf = self.all()
            paths = [*(each.path for each in shelf.notes), *(each.path for each in shelf.broken)]
            return [name for path in paths if (name := self._keep_hand_edit(path))]

    def due(
        self,
        *,
        now: datetime,
        rules: Mapping[Category, Rules],
    ) -> list[Due]:
        """What `gc` would do now."""
        kept = [each.note for each in self.all().notes]
        return lifecycle.due(kept, rules, now=now)

    def gc(
        self,
        *,
        now: datetime,
        rules: Mapping[Category, Rules],
    ) -> list[ChangeResult]:
        """Retire, archive or delete what is due by the *rules*, and say so note by note."""
        with self._locked():
            self._sweep()
            return [self._collect(each, now) for each in self.due(now=now, rules=rules)]

    def erase(self, name: str) -> ChangeResult:
        """Leave nothing of the note: neither its file nor any version."""
        return self._done(name, lambda: self._erase(*self._named(name)))

    def remove_references(self, gone: str) -> list[ChangeResult]:
        """Take the name of a note that was erased elsewhere out of all notes."""
        with self._locked():
            return list(self._remove_references(gone))

    def _done(self, name: str, work: Callable[[], ChangeResult]) -> ChangeResult:
        """What came of *work*, done under the lock."""
        try:
            with self._locked():
                return _said(name, work)
        except LibraryError as error:
            return ChangeResult(outcome="failed", id=name, reason=error.message, fix=error.hint)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with files.locked(self.folder / LOCK_NAME, wait=LOCK_SECONDS):
                yield
        except OSError as error:
            raise explained(error) from error

    def _create(self, note: Note, now: datetime, rules: Rules) -> ChangeResult:
        there = [each.note for each in self.all().notes]
        self._refuse_new(note, there, now, rules)
        kept = note.changed(id=self._free_id(note.id))
        own = [other for other in there if other.category == kept.category]
        if why := lifecycle.no_room(kept, own, rules):
            raise _Declined(why)
        path = self._shelves.path(kept.category, kept.id)
        done = self._put(path, note_text.render(kept), "created", over=None)
        surplus = lifecycle.overflow([*own, kept], rules, spare=kept.id)
        also = tuple(self._collect(each, now) for each in surplus)
        taken = "" if kept.id == note.id else f"{note.id} is taken"
        return replace(done, reason=taken, also=also)

    def _refuse_new(self, note: Note, there: Iterable[Note], now: datetime, rules: Rules) -> None:
        """Raise `_Declined` when there is a reason not to make *note*."""
        slug = note_model.slug(note.title, note.category)
        alike = [
            other.retired_at or other.updated_at
            for other in there
            if other.record_status == "retired"
            and (other.id == note.id or note_model.slug(other.title, other.category) == slug)
        ]
        facts = ChangeFacts(
            category=note.category,
            now=now,
            enabled=rules.enabled,
            slug=note.id,
            retired_at=max(alike, default=None),
        )
        since = any(at > note.updated_at for at in alike)
        retired_since = f"{note.id} was retired after this was said: restore it" if since else ""
        if why := resolve.veto(facts) or retired_since or self._deleted_by_hand(note):
            raise _Declined(why)

    def _deleted_by_hand(self, note: Note) -> str:
        gone = not self._shelves.homes(note.id) and note.category in self._past_homes(note.id)
        if note.source.by == "user" or not gone:
            return ""
        return f"the file of {note.id} was deleted by hand; a version of it can be brought back"

    def _free_id(self, wanted: str) -> str:
        """*wanted*, or the first of it with a number that no note has or had."""
        taken = self._shelves.taken()
        number = 1
        name = wanted
        while name in taken or (number > 1 and self._past_homes(name)):
            number += 1
            ending = f"-{number}"
            name = wanted[: note_model.LONGEST_ID - len(ending)].rstrip("-") + ending
        return name

    def _change(
        self, name: str, outcome: Outcome, change: Callable[[NoteFile], Note]
    ) -> ChangeResult:
        """Write what *change* makes of the note, unless it is the same."""
        category, note_id = self._named(name)
        for _ in range(EDITOR_RACES):
            there = self._shelves.read(category, note_id)
            note = change(there)
            if note == there.note:
                raise _Declined("there is nothing to change")
            text = note_text.rewrite(there.text, note, there.place)
            with contextlib.suppress(_OvertakenError):
                return self._put(there.path, text, outcome, over=(there.text, there.stamp))
        raise LibraryError(
            f"{there.path}: changed by another program each time we wanted to write",
            hint="Close the program that keeps writing this file; nothing was lost.",
        )

    def _put(
        self, path: Path, text: str, outcome: Outcome, *, over: tuple[str, Stamp] | None
    ) -> ChangeResult:
        """Write *text*, a copy first, *over* what was read, which may not have changed."""
        kept = self._history_of(path)
        if over:
            kept.keep(over[0])
        number = kept.keep(text)
        written = False
        try:
            written = files.write_over(path, text, seen=over[1] if over else None)
        finally:
            if number and not written:
                kept.withdraw(number)
        if not written:
            raise _OvertakenError(f"{path}: changed by another program", hint="Try again.")
        before = ids.text_hash(over[0]) if over else ""
        return ChangeResult(
            outcome=outcome,
            id=path.stem,
            hash=ids.text_hash(text),
            before=before,
            category=categories.folders().get(path.parent.name),
        )

    def _step(self, name: str, step: Step, now: datetime, reason: str = "") -> ChangeResult:
        def change(there: NoteFile) -> Note:
            note = there.note
            if why := lifecycle.why_not(note, step):
                raise _Declined(why)
            if step == "unarchive":
                note = lifecycle.released(note)
            return lifecycle.stepped(note, step, now=now, reason=reason)

        done = self._change(name, _STEPS[step], change)
        if step in ("retire", "archive"):
            return replace(done, also=tuple(self._left_alone_by(name)))
        return done

    def _left_alone_by(self, name: str) -> Iterator[ChangeResult]:
        """Whatever the note *name*, which holds no longer, had taken the place of."""
        new = self._shelves.read(*self._named(name)).note
        there = self.all().notes if new.supersedes else ()
        for old in (each.note for each in there):
            if old.id in new.supersedes and old.superseded_by == new.id:
                yield _waiting(old.id, lifecycle.left_alone(new))

    def _link(self, new: str, old: Note, now: datetime) -> ChangeResult:
        def change(there: NoteFile) -> Note:
            return lifecycle.superseding(there.note, old, now=now)

        return _said(new, lambda: self._change(new, "updated", change))

    def _release(self, new: str, old: Note, now: datetime) -> ChangeResult:
        def change(there: NoteFile) -> Note:
            return lifecycle.releasing(there.note, old, now=now)

        return _said(new, lambda: self._change(new, "updated", change))

    def _collect(self, due: Due, now: datetime) -> ChangeResult:
        category, note_id, step = due.note.category, due.note.id, due.step
        if step == "delete":
            done = _said(note_id, lambda: self._erase(category, note_id))
        else:
            name = f"{category}/{note_id}"
            done = _said(note_id, lambda: self._step(name, step, now, due.reason))
        return replace(done, reason=done.reason or due.reason)

    def _erase(self, category: Category, note_id: str) -> ChangeResult:
        """Erase all that hangs on the note, and then its file: until then it can be done again."""
        path = self._shelves.path(category, note_id)
        kept = self._history_of(path)
        also: tuple[ChangeResult, ...] = ()
        try:
            for beside in path.parent.glob(f".{path.name}.*"):  # Drafts, and what `edit` kept.
                beside.unlink(missing_ok=True)
            kept.erase()
            also = tuple(self._remove_references(note_id, but_for=category))
            path.unlink(missing_ok=True)
        except OSError as error:
            left = ", ".join(str(each) for each in (path, kept.folder) if files.stamp(each))
            raise LibraryError(
                f"not all of it could be erased: {explained(error).message}; still there: {left}",
                hint="Mend that and erase it again: what is left goes then.",
            ) from error
        return ChangeResult(outcome="erased", id=note_id, also=also)

    def _remove_references(
        self, gone: str, *, but_for: Category | None = None
    ) -> Iterator[ChangeResult]:
        """Take the name of an erased note out of all others, and out of their versions.

        Its own file, of the category *but_for*, may still be there.
        """
        homes = self._shelves.homes(gone)
        if any(home != but_for for home in homes):
            return  # A note of another category has it, too.
        for category, note_id, kept in self._histories():
            for version in kept.versions():
                written = _stamp_of(version.path).mtime_ns
                yield from self._remove_references_in(version.path, category, note_id, gone=gone)
                # It is still the version of that day.
                os.utime(version.path, ns=(written, written))
        for path in self._plain_paths():
            if homes and path.stem == gone:
                continue
            category = categories.folders()[path.parent.name]
            yield from self._remove_references_in(path, category, path.stem, gone=gone)

    def _plain_paths(self) -> list[Path]:
        """The files of notes, broken or not; a folder that is a link is left alone."""
        shelf = self.all()
        paths = [*(each.path for each in shelf.notes), *(each.path for each in shelf.broken)]
        return [path for path in paths if not path.parent.is_symlink()]

    def _remove_references_in(
        self, path: Path, category: Category, note_id: str, *, gone: str
    ) -> Iterator[ChangeResult]:
        try:
            text, stamp = text_at(path), _stamp_of(path)
            if gone not in text:
                return
            place = place_of(category, note_id, stamp)
            old = note_text.read(text, place)
            new = lifecycle.without_references_to(old, gone)
            if new != old and not files.write_over(
                path, note_text.rewrite(text, new, place), seen=stamp
            ):
                raise _OvertakenError("changed by another program")
        except (LibraryError, OSError) as error:
            yield ChangeResult(
                outcome="failed", id=note_id, reason=f"{path} may still name it: {error}"
            )
            return
        if old.superseded_by == gone and path.stem == note_id:
            yield _waiting(note_id, lifecycle.ORPHANED)

    def _histories(self) -> Iterator[tuple[Category, str, History]]:
        """Every history there is, of whatever note; links are not followed."""
        root = self.folder / history.FOLDER
        for name, category in categories.folders().items():
            folder = root / name
            if not (root.is_symlink() or folder.is_symlink()):
                for left in sorted(folder.glob("*")):
                    if note_model.is_id(left.name) and left.is_dir() and not left.is_symlink():
                        yield category, left.name, History(left)

    def _current(self, category: Category, note_id: str, *, otherwise: Note) -> Note:
        """The note as it stands; *otherwise* where its file is broken or gone."""
        try:
            return self._shelves.read(category, note_id).note
        except (NoteError, NotFoundError):
            return otherwise

    def _keep_hand_edit(self, path: Path) -> str:
        try:
            number = self._history_of(path).keep(text_at(path))
        except (LibraryError, OSError):
            return ""  # `all` says what is wrong with this file.
        return path.stem if number else ""

    def _sweep(self) -> None:
        """Delete drafts that a killed process left; nobody else writes while we hold the lock."""
        for place in (*categories.folders(), history.FOLDER):
            if not (self.folder / place).is_symlink():
                for folder, _, names in os.walk(self.folder / place):
                    for name in filter(_DRAFT.fullmatch, names):
                        Path(folder, name).unlink(missing_ok=True)

    def _named(self, name: str) -> tuple[Category, str]:
        """The category and id of the note *name*, which has a file or a history."""
        head, slash, note_id = name.rpartition("/")
        if not note_model.is_id(note_id):
            raise NotFoundError(f"{name[:120]}: no such note")
        homes = self._shelves.homes(note_id) or self._past_homes(note_id)
        if slash:
            known = {*homes, *self._past_homes(note_id)}
            homes = [category for category in known if category == category_of(head)]
        if not homes:
            raise NotFoundError(f"{name}: no such note")
        if len(homes) > 1:
            raise _ambiguous(note_id, homes)
        return homes[0], note_id

    def _past_homes(self, note_id: str) -> list[Category]:
        """The categories in which a note of this id has left versions."""
        root = self.folder / history.FOLDER
        return [
            each
            for folder, each in categories.folders().items()
            # A note that could not be made leaves an empty folder.
            if History(root / folder / note_id).versions()
        ]

    def _history_of(self, path: Path) -> History:
        folder = self.folder
        for part in (history.FOLDER, path.parent.name, path.stem):
            folder /= part
            refuse_link(folder)
        return History(folder)


def _said(name: str, work: Callable[[], ChangeResult]) -> ChangeResult:
    """What came of *work*; a reason to do nothing and a failure are outcomes too."""
    note_id = name.rpartition("/")[2]
    try:
        return work()
    except _Declined as declined:
        return ChangeResult(
            outcome="nothing", id=note_id, reason=declined.reason, stale=declined.stale
        )
    except (LibraryError, NotFoundError) as error:
        return ChangeResult(outcome="failed", id=note_id, reason=error.message, fix=error.hint)
    except OSError as error:
        told = explained(error)
        return ChangeResult(outcome="failed", id=note_id, reason=told.message, fix=told.hint)


def shared_id(others: Iterable[str]) -> str:
    """What to say of a note whose id *others*, of other categories, have as well."""
    names = " and ".join(others)
    return f"{names} has this id, too" if names else ""


def _waiting(note_id: str, why: str) -> ChangeResult:
    return ChangeResult(outcome="waiting", id=note_id, reason=f"{why}; decide: recollect review")


def _still_aside(note: Note) -> str:
    """What to know of a note that says something again, and does not hold; empty if it does."""
    if note.active:
        return ""
    verb = "unarchive" if note.record_status == "archived" else "restore"
    name = f"{note.category}/{note.id}"
    return f"it is still {note.record_status}; to let it hold: recollect {verb} {name}"


def _always(note: Note | None) -> Edit:
    return lambda _: note


def _is_snapshot(there: Note, note: Note) -> bool:
    """True when both tell of the same session."""
    session = note.source.session
    same = there.category == note.category and there.source.session == session
    return bool(session) and same and there.active


def unreadable(trouble: Trouble) -> NoteError:
    """What to tell somebody who needs the note that cannot be read."""
    return NoteError(
        f"{trouble.path}: {trouble.what}",
        hint=f"Mend it: recollect edit {trouble.name}",
        line=trouble.line,
    )


def _resolved(prefix: str, names: Collection[str]) -> str:
    """The one of *names*, each `category/id`, that *prefix* begins, with or without category."""
    head, slash, tail = prefix.partition("/")
    if slash and not tail:
        raise NotFoundError(
            f"{prefix}: no such id", hint=f"That is a category. See: recollect list -c {head}"
        )
    if slash:
        return ids.resolve(f"{category_of(head)}/{tail}", names)
    by_id = defaultdict(list)
    for name in names:
        by_id[name.partition("/")[2]].append(name)
    note_id = ids.resolve(prefix, by_id)
    if len(by_id[note_id]) > 1:
        raise _ambiguous(note_id, [name.partition("/")[0] for name in by_id[note_id]])
    return by_id[note_id][0]


def _read(text: str, place: NotePlace) -> Note | None:
    try:
        return note_text.read(text, place)
    except NoteError:
        return None


def _stamp_of(path: Path) -> Stamp:
    stamp = files.stamp(path)
    if stamp is None:
        raise NotFoundError(f"{path.stem}: no such note")
    return stamp


def _ambiguous(note_id: str, homes: Sequence[str]) -> NotFoundError:
    names = ", ".join(f"{category}/{note_id}" for category in homes)
    return NotFoundError(f"{note_id}: {len(homes)} notes have this id", hint=f"Name one: {names}.")
