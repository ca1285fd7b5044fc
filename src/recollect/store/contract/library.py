"""What a library is: the journal of one project, its archived turns, and what changed in it.

Values, and protocols for whatever keeps them. `recollect.store.library.Library` decides over any of
them what is recorded and what is left alone. `recollect.testing.LibraryContract` holds every
implementation to it.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from recollect.journal.model import LibraryItem
from recollect.transcripts.turns import CleanTurn, Turn

DocumentKind = Literal["journal", "note", "hosted", "archive"]
"""A day, a note, a fact that a host itself remembers, or the archived turns of a session."""

# Stands where a turn has its host: what was erased was a note.
NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentChange:
    """A document of a library that is not as somebody knew it."""

    document: str
    """Its name, which no other has in this home, in words that a person can find it by."""
    kind: DocumentKind = "journal"
    version: str = ""
    """Tells this state of it from another; empty when it is gone."""
    items: Sequence[LibraryItem] | None = None
    """All that stands in it now; None when it says what it said."""
    turns: Sequence[Turn] = ()
    """Of an archive, the turns that were added …"""
    is_more: bool = False
    """… to those that were there; otherwise these are all."""


class Followed(Protocol):
    """What an index keeps in step with."""

    @property
    def project(self) -> str:
        """The name of the project."""

    def changes(self, since: Mapping[str, str]) -> Iterator[DocumentChange]:
        """Yield the documents that are not of the versions in *since*, each read as it is yielded.

        Those in *since* that are gone come last.
        """


class Documents(Protocol):
    """The documents of one kind in a library."""

    kind: DocumentKind

    def states(self) -> Mapping[str, str]:
        """Return the state of each of them, by its name: cheap, and a prefix of its version."""

    def state(self, document: str) -> str:
        """Return the state of one *document*; empty when it is gone, or none of these."""

    def change(self, document: str, known: str) -> DocumentChange | None:
        """Return what became of *document* since the version *known*; None when it is gone.

        *known* is empty for a document that nobody knows.
        """

    def items(self, document: str) -> Sequence[LibraryItem]:
        """Return what stands in *document*, which is one of these, at this moment."""

    def text(self, document: str) -> str:
        """Return the text of *document*, which is one of these; an archive has none."""


class Days(Protocol):
    """The texts of a journal, one a day, called by the day: `2026-11-15`."""

    def names(self) -> list[str]:
        """Return the days of which there is a text, in order."""

    def document(self, name: str) -> str:
        """Return what a person finds the day *name* by."""

    def version(self, name: str) -> Hashable:
        """Return what tells this text of the day *name* from another; None when there is none."""

    def text(self, name: str) -> str:
        """Return the text of the day *name*, which is there."""

    def write(self, name: str, text: str, *, seen: Hashable) -> bool:
        """Make *text* the day *name*, whole or not at all, while it is as it was *seen*.

        Return whether it was.
        """

    def remove(self, name: str) -> None:
        """Delete the day *name*."""

    def locked(self) -> AbstractContextManager[None]:
        """Let nobody else write. Raises `BusyError`."""

    def discard(self) -> None:
        """Delete what is left of a library in which nothing was kept."""

    def check_writable(self) -> None:
        """Raise `LibraryError` if nothing could be written now."""


class Archive(Protocol):
    """The redacted turns of one project, by session."""

    def append(self, session: str, turn: CleanTurn) -> None:
        """Add *turn* to *session*; a turn of the same key there is replaced by it."""

    def read(self, session: str) -> list[CleanTurn]:
        """Return the turns of *session*, oldest first."""

    def backwards(self, session: str) -> Iterator[CleanTurn]:
        """Yield the turns of *session*, the last that was written first, as they are read."""

    def remove(self, session: str, key: str) -> bool:
        """Take the turn *key* out of *session*; tell whether it was there."""

    def prune(self, *, max_bytes: int) -> int:
        """Remove the oldest sessions until *max_bytes* hold the rest; return how many went."""

    def sessions(self) -> list[str]:
        """Return what the archived sessions are kept by; mostly their ids."""

    def take_over(self, other: "Archive") -> None:
        """Move the turns of *other* here; both are of one kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """A memory that was taken out of the journal and can still be put back."""

    id: str
    day: str
    """The name of the file it stood in."""
    section: str
    at: float
    """When it was taken out."""
    title: str = ""
    turn: str = ""
    host: str = ""
    session: str = ""


class TrashStore(Protocol):
    """What was taken out of a journal, and hashes of what was erased."""

    def keep(self, taken: Forgotten) -> None:
        """Keep what was *taken* out."""

    def find(self, id: str) -> Forgotten:  # noqa: A002 - it is the word people use
        """Return the forgotten memory *id*. Raises `LibraryError`."""

    def all(self) -> list[Forgotten]:
        """Return everything that can still be put back, the latest first."""

    def drop(self, taken: Forgotten) -> None:
        """Delete the copy that was kept of *taken*."""

    def bury(self, taken: Forgotten) -> None:
        """See to it that the turn of *taken* is never recorded again."""

    def bury_note(self, mark: str) -> None:
        """See to it that no note that is known by *mark* is made again unasked."""

    def is_buried(self, host: str, turn: str) -> bool:
        """Tell whether this turn, or the note of this mark (its host is `NOTE`), was erased."""

    def is_empty(self) -> bool:
        """Tell whether nothing was taken out, and nothing erased."""

    def take_over(self, other: "TrashStore") -> None:
        """Take what was taken out of *other*, and what was erased there; both are of one kind."""
