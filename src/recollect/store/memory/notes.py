"""The notes of one project in dicts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from recollect import ids
from recollect.errors import NotFoundError
from recollect.notes.categories import CATEGORIES, named
from recollect.store.contract.notes import NoteKey, NoteStore, NoteText, NoteVersion


@dataclass(slots=True)
class _Kept:
    """All that there is of one note: its text, if it has one, its versions, and its drafts."""

    text: NoteText | None = None
    versions: list[tuple[datetime, str]] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)

    def keep(self, text: str) -> bool:
        if self.versions and self.versions[-1][1] == text:
            return False
        self.versions.append((datetime.now(UTC), text))
        return True


class MemoryNotes:
    """`NoteStore` in a dict, each text with the number of the write that made it."""

    def __init__(self, project: str) -> None:
        self.project = project
        self._notes: dict[NoteKey, _Kept] = {}
        self._writes = count(1)

    def put(self, key: NoteKey, text: str | None) -> None:
        """Make *text* the note, or delete it, as a person would: no version is made of it."""
        kept = self._notes.setdefault(key, _Kept())
        kept.text = None
        if text is not None:
            now = datetime.now(UTC).replace(microsecond=0)
            kept.text = NoteText(text=text, version=next(self._writes), modified=now)

    def listed(self) -> list[NoteKey]:
        """Return the notes of which there is a text."""
        return [key for key in self._with_text() if ids.is_note_id(key.id)]

    def misnamed(self) -> list[NoteKey]:
        """Return those whose id is none."""
        return [key for key in self._with_text() if not ids.is_note_id(key.id)]

    def location(self, key: NoteKey) -> str:
        """Return the project and the name of the note."""
        return f"{self.project}/{key.name}"

    def key_at(self, location: str) -> NoteKey | None:
        """Return which note that is."""
        project, _, name = location.partition("/")
        category, _, note_id = name.partition("/")
        is_known = project == self.project and named(category) in CATEGORIES
        return NoteKey(named(category), note_id) if is_known else None

    def version(self, key: NoteKey) -> int | None:
        """Return the number of the write that made the text; None when there is none."""
        text = self._of(key).text
        return int(str(text.version)) if text else None

    def read(self, key: NoteKey) -> NoteText:
        """Return the text of the note."""
        text = self._of(key).text
        if text is None:
            raise NotFoundError(f"{key.name[:80]}: no such note")
        return text

    def write(self, key: NoteKey, text: str, *, over: NoteText | None) -> bool:
        """Make *text* the note, and a version, while it is as it was read."""
        if self._of(key).text != over:
            return False
        kept = self._notes.setdefault(key, _Kept())
        if over:
            kept.keep(over.text)
        kept.keep(text)
        self.put(key, text)
        return True

    def amend(self, key: NoteKey, text: str, *, over: NoteText) -> bool:
        """Make *text* the note while it is as it was read, and no version."""
        if self._of(key).text != over:
            return False
        self.put(key, text)
        return True

    def remove(self, key: NoteKey, *, over: NoteText, at: datetime) -> bool:
        """Delete the text of the note, which is the newest version, while it is as it was read."""
        kept = self._of(key)
        if kept.text != over:
            return False
        kept.keep(over.text)
        kept.versions[-1] = (at, over.text)
        kept.text = None
        return True

    def erase(self, key: NoteKey) -> None:
        """Delete all of the note."""
        self._notes.pop(key, None)

    def keep(self, key: NoteKey) -> bool:
        """Make the text of the note the newest version, unless it is that."""
        return self._of(key).keep(self.read(key).text)

    def versioned(self) -> list[NoteKey]:
        """Return the notes that have versions."""
        return [key for key in self._sorted() if self._notes[key].versions]

    def versions(self, key: NoteKey) -> list[NoteVersion]:
        """Return the versions of the note, the oldest first."""
        kept = self._of(key).versions
        return [NoteVersion(number, at) for number, (at, _) in enumerate(kept, start=1)]

    def version_text(self, key: NoteKey, number: int) -> str:
        """Return the text of the version *number*."""
        kept = self._of(key).versions
        if not 1 <= number <= len(kept):
            raise NotFoundError(f"{key.id}: there is no version {number}")
        return kept[number - 1][1]

    def amend_version(self, key: NoteKey, number: int, text: str) -> None:
        """Make *text* the version *number*."""
        kept = self._of(key).versions
        kept[number - 1] = (kept[number - 1][0], text)

    def save_draft(self, key: NoteKey, text: str) -> str:
        """Keep *text* beside the note."""
        drafts = self._notes.setdefault(key, _Kept()).drafts
        drafts.append(text)
        return f"{self.location(key)}, draft {len(drafts)}"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Do nothing: nobody else writes."""
        yield

    @contextmanager
    def comparing(self) -> Iterator[None]:
        """Do nothing: nobody else compares."""
        yield

    def tidy(self) -> None:
        """Do nothing: nothing is half-written."""

    def take_over(self, other: NoteStore) -> None:
        """Move the notes of *other* here; one whose id is taken gets a number behind it."""
        assert isinstance(other, MemoryNotes)
        for key, kept in other._notes.items():
            here = self._notes.get(key)
            if here and here.text and kept.text and here.text.text == kept.text.text:
                kept.text = None  # Its versions are those of a deleted note then.
            free, number = key, count(2)
            while free in self._notes:
                free = NoteKey(key.category, f"{key.id}-{next(number)}")
            self._notes[free] = kept
        other._notes.clear()

    def _of(self, key: NoteKey) -> _Kept:
        """What there is of the note; what becomes of nothing is not kept."""
        return self._notes.get(key) or _Kept()

    def _with_text(self) -> list[NoteKey]:
        return [key for key in self._sorted() if self._notes[key].text]

    def _sorted(self) -> list[NoteKey]:
        places = {category: place for place, category in enumerate(CATEGORIES)}
        return sorted(self._notes, key=lambda key: (places[key.category], key.id))
