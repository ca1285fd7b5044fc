"""What keeps the notes of a project: their texts, by category and id, and the versions they had.

Values, and a protocol for whatever keeps them. `recollect.store.notebook.Notebook` decides over any
of them what is written. `recollect.testing.NotesContract` holds every implementation to it.
"""

from collections.abc import Hashable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from recollect import ids
from recollect.errors import NoteError
from recollect.notes.categories import Category

if TYPE_CHECKING:
    from recollect.notes.note_model import Note

Outcome = Literal[
    "created", "updated", "retired", "restored", "archived", "unarchived", "superseded",
    "brought-back", "put-away", "erased", "waiting", "nothing", "failed",
]  # fmt: skip
"""What became of a note: `brought-back` to what a version said, `put-away` when it cannot be read
and only its versions stay, `waiting` when the user should decide (`recollect review`), `nothing`
when there was a reason not to, `failed` when it could not be done."""


class NoteKey(NamedTuple):
    """Which note of a project it is: no other has both."""

    category: Category
    id: str

    @property
    def name(self) -> str:
        """What every command knows it by: `category/id`."""
        return f"{self.category}/{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """What stands where a note should, whether it can be read as one or not."""

    text: str
    version: Hashable
    """Tells this state of it from another."""
    modified: datetime
    """When it was last written."""


class NoteVersion(NamedTuple):
    """One of the texts that a note had."""

    number: int
    """From 1, the oldest."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteTrouble:
    """Something about a note that a person should look at."""

    name: str
    """`category/id`, or what stands in its place."""
    location: str
    """Where it is, in words for a person."""
    what: str
    fix: str
    line: int = 0
    """0 where none is meant."""

    @property
    def place(self) -> str:
        """Where it is, with the line."""
        return f"{self.location}:{self.line}" if self.line else self.location


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredNote:
    """A note as its store has it."""

    project: str
    note: "Note"
    raw: NoteText
    location: str
    """Where it is, in words for a person."""

    @property
    def key(self) -> NoteKey:
        """Which note of its project it is."""
        return NoteKey(self.note.category, self.note.id)

    @property
    def name(self) -> str:
        """What every command knows it by: `category/id`."""
        return self.key.name

    @property
    def text(self) -> str:
        """All of its text, also what a person added to its fields."""
        return self.raw.text

    @property
    def hash(self) -> str:
        """Of the text; a note with another hash says something else."""
        return ids.text_hash(self.raw.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenNote:
    """What should be a note and cannot be read as one: *trouble* says why."""

    project: str
    trouble: NoteTrouble
    content: str | None
    """All of its text; None where not even that can be read."""
    is_misnamed: bool = False
    """True when its name is none for a note."""

    @property
    def name(self) -> str:
        """What the note is called: `category/id`."""
        return self.trouble.name

    @property
    def location(self) -> str:
        """Where it is, in words for a person."""
        return self.trouble.location

    @property
    def text(self) -> str:
        """All of its text. Raises `NoteError` where that cannot be read."""
        if self.content is None:
            raise NoteError(f"{self.location}: {self.trouble.what}", hint=self.trouble.fix)
        return self.content


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedNote:
    """A note of which only versions are left: a person deleted it, or it was put away broken."""

    project: str
    name: str
    """What it was called: `category/id`."""
    location: str
    """Where it was, in words for a person."""
    text: str
    """What it said last."""
    note: "Note | None"
    """What it was when it could last be read."""
    since: datetime
    is_broken: bool
    """True if what it said last cannot be read: it was put away so."""

    @property
    def id(self) -> str:
        """What is erased when its time is over."""
        return self.name


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
    also: tuple["ChangeResult", ...] = ()

    @property
    def name(self) -> str:
        """What every door knows the note by: `category/id`, where the category is known."""
        return f"{self.category}/{self.id}" if self.category and "/" not in self.id else self.id


class NoteStore(Protocol):
    """The texts of the notes of one project.

    Whoever writes holds the lock, but for `save_draft`. Any of it raises `LibraryError` where the
    store cannot do it.
    """

    @property
    def project(self) -> str:
        """The name of the project."""

    def listed(self) -> list[NoteKey]:
        """Return the notes of which there is a text, by category and then by id."""

    def misnamed(self) -> list[NoteKey]:
        """Return what is meant as a note, and can be read, but whose id is none."""

    def location(self, key: NoteKey) -> str:
        """Return where the note is, or would be, in words for a person; no other is there."""

    def key_at(self, location: str) -> NoteKey | None:
        """Return which note is at this *location*; None for no place of a note."""

    def version(self, key: NoteKey) -> Hashable:
        """Return what tells this text of the note from another; None when there is none."""

    def read(self, key: NoteKey) -> NoteText:
        """Return the text of the note. Raises `NotFoundError` when there is none."""

    def write(self, key: NoteKey, text: str, *, over: NoteText | None) -> bool:
        """Make *text* the note, whole or not at all, while it is as it was read: *over*, or None.

        Return whether it was. Both texts are versions then.
        """

    def amend(self, key: NoteKey, text: str, *, over: NoteText) -> bool:
        """Do as `write`, and make no versions: something is to be known no longer."""

    def remove(self, key: NoteKey, *, over: NoteText, at: datetime) -> bool:
        """Delete the note while it is as it was read; return whether it was.

        Its text is the newest version, as of the time *at*.
        """

    def erase(self, key: NoteKey) -> None:
        """Leave nothing of the note: no version, no draft; its text goes last."""

    def keep(self, key: NoteKey) -> bool:
        """Make the text of the note, which a person may have edited, the newest version.

        Return False when it is that already.
        """

    def versioned(self) -> list[NoteKey]:
        """Return the notes that have versions, whether they have a text or not."""

    def versions(self, key: NoteKey) -> list[NoteVersion]:
        """Return the versions of the note, the oldest first."""

    def version_text(self, key: NoteKey, number: int) -> str:
        """Return the text of the version *number*. Raises `NotFoundError` when there is none."""

    def amend_version(self, key: NoteKey, number: int, text: str) -> None:
        """Make *text* the version *number*, which is still of its time."""

    def save_draft(self, key: NoteKey, text: str) -> str:
        """Keep *text*, which did not become the note; return where, in words for a person."""

    def locked(self) -> AbstractContextManager[None]:
        """Let nobody else write to this project. Raises `BusyError`."""

    def comparing(self) -> AbstractContextManager[None]:
        """Let nobody else compare a new note with those that are there. Raises `BusyError`.

        Others may write meanwhile: comparing may take its time.
        """

    def tidy(self) -> None:
        """Delete what was left half-written."""

    def take_over(self, other: "NoteStore") -> None:
        """Move the notes of *other* here, with their versions; both are of one kind.

        One whose id is taken gets a number behind it; of one that says the same as the one that
        is here only the versions stay. Whoever calls holds both locks.
        """
