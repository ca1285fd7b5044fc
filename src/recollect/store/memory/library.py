"""The library of one project in dicts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import tzinfo
from itertools import count
from typing import TYPE_CHECKING

from recollect.errors import LibraryError
from recollect.journal.model import LibraryItem
from recollect.store import archived
from recollect.store.contract.library import (
    NOTE,
    Archive,
    DocumentChange,
    DocumentKind,
    Forgotten,
    TrashStore,
)
from recollect.store.library import Library
from recollect.transcripts.turns import CleanTurn

if TYPE_CHECKING:
    from recollect.store.notebook import Notebook


def new_library(
    project: str, *, notebook: "Notebook | None" = None, zone: tzinfo | None = None
) -> Library:
    """Return an empty library of *project*, with the notes of a *notebook*."""
    days, archive = MemoryDays(project), MemoryArchive(project)
    notes = notebook.store if notebook else None
    library = Library(
        project, days=days, archive=archive, trash=MemoryTrash(), notes=notes, zone=zone
    )
    notes_followed = (_documents_of_notes(notebook),) if notebook else ()
    library.documents = (
        _documents_of_days(days, library.items_on),
        *notes_followed,
        ArchiveDocuments(archive),
    )
    return library


class MemoryDays:
    """`Days` in a dict, each text with the number of the write that made it."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._writes = count(1)
        self.texts: dict[str, tuple[int, str]] = {}

    def names(self) -> list[str]:
        """Return the days of which there is a text, in order."""
        return sorted(self.texts)

    def document(self, name: str) -> str:
        """Return what a person finds the day *name* by."""
        return f"{self._project}/{name}"

    def version(self, name: str) -> int | None:
        """Return what tells this text of the day *name* from another; None when there is none."""
        return self.texts[name][0] if name in self.texts else None

    def text(self, name: str) -> str:
        """Return the text of the day *name*, which is there."""
        return self.texts[name][1]

    def write(self, name: str, text: str, *, seen: object) -> bool:
        """Make *text* the day *name*, while it is as it was *seen*."""
        if self.version(name) != seen:
            return False
        self.texts[name] = (next(self._writes), text)
        return True

    def remove(self, name: str) -> None:
        """Delete the day *name*."""
        del self.texts[name]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Do nothing: nobody else writes."""
        yield

    def discard(self) -> None:
        """Do nothing: nothing is left."""

    def check_writable(self) -> None:
        """Do nothing: it can be written."""


class MemoryArchive:
    """`Archive` in a dict: the lines of each session, as they were added."""

    def __init__(self, project: str) -> None:
        self.project = project
        self.lines: dict[str, list[bytes]] = {}

    def append(self, session: str, turn: CleanTurn) -> None:
        """Add *turn* to *session*; a turn of the same key there is replaced by it."""
        self.lines.setdefault(session, []).append(archived.line_of(turn))

    def read(self, session: str, start: int = 0) -> list[CleanTurn]:
        """Return the turns of *session* behind its first *start* lines, oldest first."""
        lines = self.lines.get(session, [])[start:]
        turns = {turn.key: turn for line in lines for turn in archived.turns_in(line)}
        return list(turns.values())

    def backwards(self, session: str) -> Iterator[CleanTurn]:
        """Yield the turns of *session*, the last that was written first."""
        seen: set[str] = set()
        for line in reversed(self.lines.get(session, [])):
            for turn in reversed(archived.turns_in(line)):
                if turn.key not in seen:
                    seen.add(turn.key)
                    yield turn

    def remove(self, session: str, key: str) -> bool:
        """Take the turn *key* out of *session*; tell whether it was there."""
        lines = self.lines.get(session, [])
        left = [line for line in lines if all(t.key != key for t in archived.turns_in(line))]
        if len(left) < len(lines):
            self.lines[session] = left
        return len(left) < len(lines)

    def prune(self, *, max_bytes: int) -> int:
        """Remove the oldest sessions until *max_bytes* hold the rest; return how many went."""
        sizes = {session: sum(map(len, lines)) for session, lines in self.lines.items()}
        gone = 0
        for session, size in list(sizes.items()):
            if sum(sizes.values()) <= max_bytes:
                break
            del self.lines[session], sizes[session]
            gone += bool(size)
        return gone

    def sessions(self) -> list[str]:
        """Return the ids of the archived sessions."""
        return sorted(self.lines)

    def take_over(self, other: Archive) -> None:
        """Move the turns of *other* here."""
        assert isinstance(other, MemoryArchive)
        self.lines |= other.lines
        other.lines.clear()


class MemoryTrash:
    """`TrashStore` in a dict."""

    def __init__(self) -> None:
        self._taken: dict[str, Forgotten] = {}
        self._buried: set[tuple[str, str]] = set()

    def keep(self, taken: Forgotten) -> None:
        """Keep what was *taken* out."""
        self._taken[taken.id] = taken

    def find(self, id: str) -> Forgotten:  # noqa: A002 - it is the word people use
        """Return the forgotten memory *id*. Raises `LibraryError`."""
        if id not in self._taken:
            raise LibraryError(f"{id}: was not forgotten", hint="See: recollect forget --list")
        return self._taken[id]

    def all(self) -> list[Forgotten]:
        """Return everything that can still be put back, the latest first."""
        return sorted(self._taken.values(), key=lambda one: -one.at)

    def drop(self, taken: Forgotten) -> None:
        """Delete the copy that was kept of *taken*."""
        self._taken.pop(taken.id, None)

    def bury(self, taken: Forgotten) -> None:
        """See to it that the turn of *taken* is never recorded again."""
        if taken.turn:
            self._buried.add((taken.host, taken.turn))

    def bury_note(self, mark: str) -> None:
        """See to it that no note that is known by *mark* is made again unasked."""
        self._buried.add((NOTE, mark))

    def is_buried(self, host: str, turn: str) -> bool:
        """Tell whether this turn, or the note of this mark (its host is `NOTE`), was erased."""
        return (host, turn) in self._buried

    def is_empty(self) -> bool:
        """Tell whether nothing was taken out, and nothing erased."""
        return not self._taken and not self._buried

    def take_over(self, other: TrashStore) -> None:
        """Take what was taken out of *other*, and what was erased there."""
        assert isinstance(other, MemoryTrash)
        self._taken |= other._taken
        self._buried |= other._buried
        other._taken.clear()
        other._buried.clear()


class TextDocuments:
    """`Documents` that are read whole: *states* tells the version of each, *items* what it says."""

    def __init__(
        self,
        kind: DocumentKind,
        *,
        states: Callable[[], Mapping[str, str]],
        items: Callable[[str], Sequence[LibraryItem]],
        text: Callable[[str], str],
    ) -> None:
        self.kind: DocumentKind = kind
        self.states = states
        self.items = items
        self.text = text

    def state(self, document: str) -> str:
        """Return the state of one *document*; empty when it is gone."""
        return self.states().get(document, "")

    def change(self, document: str, known: str) -> DocumentChange | None:  # noqa: ARG002
        """Return what stands in *document* now."""
        state = self.state(document)
        if not state:
            return None
        items = self.items(document)
        return DocumentChange(document=document, kind=self.kind, version=state, items=items)


def _documents_of_days(
    days: MemoryDays, items_on: Callable[[str], Sequence[LibraryItem]]
) -> TextDocuments:
    """Return the days of a journal."""

    def states() -> Mapping[str, str]:
        return {days.document(name): str(days.version(name)) for name in days.names()}

    return TextDocuments(
        "journal",
        states=states,
        items=lambda document: items_on(document.rpartition("/")[2]),
        text=lambda document: days.text(document.rpartition("/")[2]),
    )


def _documents_of_notes(notebook: "Notebook") -> TextDocuments:
    """Return the notes of a *notebook*, also those that cannot be read."""
    store = notebook.store

    def states() -> Mapping[str, str]:
        return {store.location(key): str(store.version(key)) for key in store.listed()}

    def items(document: str) -> Sequence[LibraryItem]:
        from recollect.store import note_index  # noqa: PLC0415 - takes pydantic and YAML

        held = notebook.at(document)
        return note_index.items_of(held) if held else ()

    def text(document: str) -> str:
        key = store.key_at(document)
        return store.read(key).text if key else ""

    return TextDocuments("note", states=states, items=items, text=text)


class ArchiveDocuments:
    """`Documents`: the archived turns of each session."""

    kind: DocumentKind = "archive"

    def __init__(self, archive: MemoryArchive) -> None:
        self._archive = archive

    def states(self) -> Mapping[str, str]:
        """Return how many lines each session has."""
        return {self._document(name): str(len(own)) for name, own in self._archive.lines.items()}

    def state(self, document: str) -> str:
        """Return the state of one *document*; empty when it is gone."""
        return self.states().get(document, "")

    def change(self, document: str, known: str) -> DocumentChange | None:
        """Return the turns that were added to *document* since."""
        state, start = self.state(document), int(known or 0)
        if not state:
            return None
        start = start if start <= int(state) else 0
        return DocumentChange(
            document=document,
            kind="archive",
            version=state,
            turns=self._archive.read(document.removeprefix(self._document("")), start),
            is_more=bool(start),
        )

    def items(self, document: str) -> Sequence[LibraryItem]:  # noqa: ARG002
        """Return nothing: turns are no items."""
        return ()

    def text(self, document: str) -> str:  # noqa: ARG002
        """Return an empty text."""
        return ""

    def _document(self, session: str) -> str:
        return f"{self._archive.project}/transcripts/{session}"
