"""The notes of one project as they are: found by name, read, and what is wrong with them.

Nothing is written here and no lock is taken: a store has each text whole. A text is read again only
when it has changed.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from recollect import ids
from recollect.errors import LibraryError, NoteError, NotFoundError, RecollectError
from recollect.notes import categories, note_model, note_text
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.note_model import Note
from recollect.notes.note_text import NotePlace
from recollect.store.contract.notes import (
    BrokenNote,
    DeletedNote,
    NoteKey,
    NoteStore,
    NoteText,
    NoteTrouble,
    NoteVersion,
    StoredNote,
)

_STATED_ID = re.compile(r"^id:[ \t]*['\"]?([\w-]{1,80})", re.MULTILINE)


class NoteReader:
    """What there is in a *store*.

    A note is named by its id, or by `category/id` where two categories have the same id.
    """

    def __init__(self, store: NoteStore) -> None:
        self.store = store
        self._known: dict[NoteKey, tuple[Hashable, StoredNote | BrokenNote]] = {}

    def notes(self) -> list[StoredNote]:
        """Return every note."""
        return [one for one in self._all() if isinstance(one, StoredNote)]

    def broken(self) -> list[BrokenNote]:
        """Return what should be a note and cannot be read as one."""
        return [one for one in self._all() if isinstance(one, BrokenNote)]

    def misnamed(self) -> list[BrokenNote]:
        """Return what is meant as a note, and whose name is none for one."""
        return [self._misnamed(key) for key in self.store.misnamed()]

    def doubtful(self) -> list[NoteTrouble]:
        """Return what is odd about notes that can be read."""
        return list(_doubts(self.notes()))

    def at(self, location: str) -> StoredNote | None:
        """Return the note at this *location*; None when it cannot be read as one."""
        key = self.store.key_at(location)
        found = self._look(key) if key else None
        return found if isinstance(found, StoredNote) else None

    def look_up(self, prefix: str) -> StoredNote | BrokenNote:
        """Return the one note whose id, or `category/id`, begins with *prefix*."""
        found = {each.name: each for each in self._all()}
        return found[_resolved(prefix, found)]

    def find_deleted(self, prefix: str) -> DeletedNote:
        """Return the one note that *prefix* begins and that has only its versions left."""
        names = {key.name: key for key in self._deleted_keys()}
        return self._deleted(names[_resolved(prefix, names)])

    def deleted(self) -> list[DeletedNote]:
        """Return the notes that have only their versions left."""
        return [self._deleted(key) for key in self._deleted_keys()]

    def versions(self, name: str) -> list[NoteVersion]:
        """Return every version of the note, oldest first; the last is what it says now."""
        key = self.key_of(name)
        kept = self.store.versions(key)
        current = self.text_of(key)
        if current and (not kept or current.text != self.store.version_text(key, kept[-1].number)):
            number = kept[-1].number + 1 if kept else 1
            return [*kept, NoteVersion(number, current.modified)]
        return kept

    def version(self, name: str, number: int) -> str:
        """Return the whole text of a version."""
        key = self.key_of(name)
        if any(each.number == number for each in self.store.versions(key)):
            return self.store.version_text(key, number)
        if any(each.number == number for each in self.versions(key.name)):
            return self.store.read(key).text
        raise NotFoundError(f"{name}: there is no version {number}")

    def last_readable(self, name: str) -> Note | None:
        """Return the last version of the note that can be read."""
        return _last(self._versions_read(self.key_of(name)))

    def _all(self) -> list[StoredNote | BrokenNote]:
        return [self._look(key) for key in self.store.listed()]

    def _look(self, key: NoteKey) -> StoredNote | BrokenNote:
        """Return what is there, which is read again only when it has changed."""
        version = self.store.version(key)
        known = self._known.get(key)
        if known and known[0] == version:
            return known[1]
        found = self._attempt(key)
        if version is not None:
            self._known[key] = (version, found)
        return found

    def _attempt(self, key: NoteKey) -> StoredNote | BrokenNote:
        content: str | None = None
        try:
            raw = self.store.read(key)
            content = raw.text
            return self._stored(key, raw)
        except (LibraryError, NotFoundError) as error:
            return self._broken(key, error, content)

    def _misnamed(self, key: NoteKey) -> BrokenNote:
        better = note_model.slug(key.id, "decision")
        error = NoteError("not a name for a note", hint=f"Rename it to {better}.md.")
        content: str | None = None
        with suppress(LibraryError, NotFoundError):
            content = self.store.read(key).text
        return replace(self._broken(key, error, content), is_misnamed=True)

    def _broken(self, key: NoteKey, error: RecollectError, content: str | None) -> BrokenNote:
        location = self.store.location(key)
        trouble = NoteTrouble(
            name=key.name,
            location=location,
            # The location stands beside what is said of it.
            what=error.message.removeprefix(f"{location}: "),
            fix=error.hint,
            line=error.line if isinstance(error, NoteError) else 0,
        )
        return BrokenNote(project=self.store.project, trouble=trouble, content=content)

    def read(self, key: NoteKey) -> StoredNote:
        """Return the note as it is now; `NoteError` when it cannot be read as one."""
        return self._stored(key, self.store.read(key))

    def _stored(self, key: NoteKey, raw: NoteText) -> StoredNote:
        return StoredNote(
            project=self.store.project,
            note=note_text.read(raw.text, place_of(key, raw.modified)),
            raw=raw,
            location=self.store.location(key),
        )

    def current(self, key: NoteKey, *, otherwise: Note) -> Note:
        """Return the note as it stands; *otherwise* where it is broken or gone."""
        try:
            return self.read(key).note
        except (NoteError, NotFoundError):
            return otherwise

    def text_of(self, key: NoteKey) -> NoteText | None:
        """Return the text of the note; None when it has none."""
        return None if self.store.version(key) is None else self.store.read(key)

    def _deleted_keys(self) -> list[NoteKey]:
        return [key for key in self.store.versioned() if self.store.version(key) is None]

    def _deleted(self, key: NoteKey) -> DeletedNote:
        last = self.store.versions(key)[-1]
        read = self._versions_read(key)
        return DeletedNote(
            project=self.store.project,
            name=key.name,
            location=self.store.location(key),
            text=self.store.version_text(key, last.number),
            note=_last(read),
            since=last.at,
            is_broken=read[-1] is None,
        )

    def _versions_read(self, key: NoteKey) -> list[Note | None]:
        """Return the notes that its versions were, oldest first; None for what was broken."""
        return [
            _readable(self.store.version_text(key, one.number), place_of(key, one.at))
            for one in self.store.versions(key)
        ]

    # What they are called.

    def key_of(self, name: str) -> NoteKey:
        """Return which note *name* means: one that has a text, or versions."""
        head, slash, note_id = name.rpartition("/")
        if not ids.is_note_id(note_id):
            raise NotFoundError(f"{name[:120]}: no such note")
        if slash:
            key = NoteKey(categories.named(head), note_id)
            homes = [key.category] if key.category in CATEGORIES and self._is_known(key) else []
        else:
            homes = self.homes(note_id) or self.past_homes(note_id)
        if not homes:
            raise NotFoundError(f"{name}: no such note")
        if len(homes) > 1:
            raise _ambiguous(note_id, homes)
        return NoteKey(homes[0], note_id)

    def _is_known(self, key: NoteKey) -> bool:
        return self.store.version(key) is not None or bool(self.store.versions(key))

    def homes(self, note_id: str) -> list[Category]:
        """Return the categories in which a note has this id, broken or not."""
        keys = (NoteKey(category, note_id) for category in CATEGORIES)
        return [key.category for key in keys if self.store.version(key) is not None]

    def past_homes(self, note_id: str) -> list[Category]:
        """Return the categories in which a note of this id has left versions."""
        return [each for each in CATEGORIES if self.store.versions(NoteKey(each, note_id))]


def unreadable(broken: BrokenNote) -> NoteError:
    """What to tell somebody who needs the note that cannot be read."""
    trouble = broken.trouble
    return NoteError(
        f"{trouble.location}: {trouble.what}",
        hint=f"Mend it: recollect edit {trouble.name}",
        line=trouble.line,
    )


def place_of(key: NoteKey, modified: datetime) -> NotePlace:
    """What is known of a note that was written then, whatever its text says."""
    return NotePlace(category=key.category, id=key.id, modified=modified)


def _readable(text: str, place: NotePlace) -> Note | None:
    try:
        return note_text.read(text, place)
    except NoteError:
        return None


def _last(notes: Sequence[Note | None]) -> Note | None:
    return next((note for note in reversed(notes) if note), None)


def _resolved(prefix: str, names: Collection[str]) -> str:
    """The one of *names*, each `category/id`, that *prefix* begins, with or without category."""
    head, slash, tail = prefix.partition("/")
    if slash and not tail:
        raise NotFoundError(
            f"{prefix}: no such id", hint=f"That is a category. See: recollect list -c {head}"
        )
    if slash:
        return ids.resolve(f"{categories.named(head)}/{tail}", names)
    by_id = defaultdict(list)
    for name in names:
        by_id[name.partition("/")[2]].append(name)
    note_id = ids.resolve(prefix, by_id)
    if len(by_id[note_id]) > 1:
        raise _ambiguous(note_id, [name.partition("/")[0] for name in by_id[note_id]])
    return by_id[note_id][0]


def _ambiguous(note_id: str, homes: Sequence[str]) -> NotFoundError:
    names = ", ".join(f"{category}/{note_id}" for category in homes)
    return NotFoundError(f"{note_id}: {len(homes)} notes have this id", hint=f"Name one: {names}.")


# What is odd about notes that can be read.


def _doubts(notes: Sequence[StoredNote]) -> Iterator[NoteTrouble]:
    by_id: defaultdict[str, list[StoredNote]] = defaultdict(list)
    for each in notes:
        by_id[each.note.id].append(each)
    for each in notes:
        for what, fix in (
            *_misstated(each),
            *_doubled(each, by_id[each.note.id]),
            *_half_superseded(each, by_id),
        ):
            yield NoteTrouble(name=each.name, location=each.location, what=what, fix=fix)


def _misstated(stored: StoredNote) -> Iterator[tuple[str, str]]:
    stated = _STATED_ID.search(stored.text[: note_text.LARGEST // 100])
    if stated and stated[1] != stored.note.id:
        what = f"says that it is {stated[1]}; the name of the file counts"
        yield what, f"Write id: {stored.note.id}."


def _doubled(stored: StoredNote, same: Sequence[StoredNote]) -> Iterator[tuple[str, str]]:
    if len(same) > 1:
        what = f"{len(same)} notes are called {stored.note.id}"
        yield what, f"Name it {stored.name}, or rename a file."


def _half_superseded(
    stored: StoredNote, by_id: Mapping[str, Sequence[StoredNote]]
) -> Iterator[tuple[str, str]]:
    for old_id in stored.note.supersedes:
        for old in by_id.get(old_id, ()):
            if old.note.superseded_by != stored.note.id:
                what = f"says that it supersedes {old_id}, which does not say so"
                yield what, "Supersede it again."
