"""Forget what a turn left: out of the journal at once, and everywhere when it is erased.

Until then it can be restored. What lies beyond our reach (the host's own transcript, a git
history) is named, so that nobody believes it gone.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import files, paths, projects
from recollect.errors import LibraryError
from recollect.store.contract.library import NOTE, Forgotten
from recollect.store.contract.notes import BrokenNote, DeletedNote, StoredNote
from recollect.store.contract.search import IndexRow, SearchIndex
from recollect.store.contract.state import Session, StateStore
from recollect.store.library import Library

if TYPE_CHECKING:
    from recollect.notes.note_model import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What was forgotten, or would be, and what is not ours to delete."""

    id: str
    title: str
    erased: bool
    """For good; otherwise it can be restored."""
    places: tuple[str, ...]
    """From where it went."""
    beyond: tuple[str, ...]
    """Where it may still be found, and is not ours to delete."""
    also: tuple[str, ...] = ()
    """Where else of ours it stands, and what it means for other notes."""


class Forgetting:
    """Forgetting in one home.

    *renew* brings a session's summary in step with the entries it has left, *refresh* all that
    follows from a library.
    """

    def __init__(
        self,
        home: str,
        *,
        state: StateStore,
        index: Callable[[], SearchIndex],
        library: Callable[[str], Library],
        renew: Callable[[Session], bool],
        refresh: Callable[[str], None],
    ) -> None:
        self._home = home
        self._state = state
        self._index = index
        self._library = library
        self._renew = renew
        self._refresh = refresh

    def look(self, entry: IndexRow, *, really: bool) -> Gone:
        """Return what forgetting *entry* would do; nothing is changed."""
        places = [f"{entry.document}:{entry.first_line}", "the index"]
        if really and entry.turn:
            places += ["the archive", "backups of state.db", "events that were set aside"]
        beyond = self._beyond(entry.session, self._library(entry.project).location)
        return Gone(
            id=entry.id, title=entry.title, erased=really, places=tuple(places), beyond=beyond
        )

    def forget(self, entry: IndexRow, *, at: float) -> Gone:
        """Take *entry* out of the journal; `restore` brings it back."""
        library = self._library(entry.project)
        preview = self.look(entry, really=False)
        library.forget(entry.id, entry.document, at=at)
        if entry.turn and not library.entries_of(entry.session):
            library.forget_summary(entry.session, at=at)
        self._follow(entry.project, entry.session)
        return preview

    def look_at_removed(self, project: str, taken: Forgotten) -> Gone:
        """Return what erasing what was *taken* out before would do."""
        return Gone(
            id=taken.id,
            title=taken.title,
            erased=True,
            places=_places(taken.turn),
            beyond=self._beyond(taken.session, self._library(project).location),
        )

    def entries_of(self, session: str | None, turn: str | None) -> list[IndexRow]:
        """Return what journals tell of a *turn* of *session*."""
        rows = self._index().in_session(session) if session and turn else []
        return [row for row in rows if row.turn == turn and row.kind == "entry"]

    def restore(self, project: str, id: str) -> Forgotten:  # noqa: A002 - the word people use
        """Put back what was forgotten."""
        library = self._library(project)
        taken = library.restore(id)
        for summary in _summaries_in_trash(library, taken):
            library.restore(summary.id)
        self._follow(project, taken.session)
        return taken

    # Notes have a history of their own; here is only what forgetting adds to it.

    def look_at_note(
        self, held: StoredNote | BrokenNote | DeletedNote, note: "Note | None", *, really: bool
    ) -> Gone:
        """Return what forgetting *held* would do; *note* is what of it could last be read."""
        places = [] if isinstance(held, DeletedNote) else [held.location, "the index"]
        places += ["its history"] if really else []
        session = (note and note.source.session) or ""
        beyond = self._beyond(session, self._library(held.project).location)
        title = note.title if note else held.name
        return Gone(id=held.name, title=title, erased=really, places=tuple(places), beyond=beyond)

    def bury_note(self, project: str, marks: Iterable[str]) -> None:
        """See to it that a note that is erased is not made again.

        *marks* are what it is known by: its name, and what it was made of.
        """
        for mark in marks:
            self._library(project).trash.bury_note(mark)

    def scrub(self) -> None:
        """Leave no trace of what went from the index."""
        self._index().scrub()

    def is_buried(self, project: str, mark: str) -> bool:
        """Tell whether a note that is known by this *mark* was erased."""
        return self._library(project).trash.is_buried(NOTE, mark)

    def forgotten(self, project: str) -> list[Forgotten]:
        """Return what can still be restored, the latest first."""
        return self._library(project).trash.all()

    def erase(self, project: str, id: str) -> Gone:  # noqa: A002
        """Delete what was forgotten, wherever we have it.

        What can be restored goes last, so that what stops half-way can be done again.
        """
        library = self._library(project)
        taken = library.bury(id)
        preview = self.look_at_removed(project, taken)
        if taken.turn:
            with _explained(taken):
                self._erase_turn(library, taken)
        self.erase_mentions(project, id)
        library.erase(id)
        self._refresh(project)
        self.scrub()
        return preview

    def erase_mentions(self, project: str, id: str) -> None:  # noqa: A002
        """Delete that *id* was ever shown: the name of a note says what it was about."""
        where = None if project == paths.EVERYWHERE else project
        self._state.shown.forget(id, project=where)
        self._state.disputes.forget(id, project=where)
        for file in Path(self._home, "run", "shown").glob("[!.]*"):
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
            left = [line for line in lines if id not in line.split("\t")]
            if len(left) < len(lines):
                files.write(file, "".join(left))

    def _erase_turn(self, library: Library, taken: Forgotten) -> None:
        for summary in _summaries_in_trash(library, taken):
            library.erase(summary.id)
        library.archive.remove(taken.session, taken.turn)
        self._erase_events(taken.session)

    def _follow(self, project: str, session: str) -> None:
        if known := self._state.sessions.find(session):
            self._renew(known)
        self._refresh(project)

    def _erase_events(self, session: str) -> None:
        """Delete what is left of the events of *session*, in backups, too."""
        self._state.sessions.forget_drafts(session)
        for event in Path(paths.set_aside(self._home)).glob("*"):
            if event.is_file() and session.encode() in event.read_bytes():
                event.unlink()

    def _beyond(self, session: str, location: str) -> tuple[str, ...]:
        found = self._state.sessions.find(session) if session else None
        beyond = []
        if found and found.transcript and Path(found.transcript).exists():
            beyond.append(f"the transcript of {found.host}: {found.transcript}")
        if location and (Path(projects.top(location)) / ".git").exists():
            beyond.append("the history of the repository that the library stands in")
        return tuple(beyond)


@contextlib.contextmanager
def _explained(taken: Forgotten) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LibraryError(
            f"{taken.id}: is out of the journal, but not erased everywhere: {error}",
            hint="Mend that and erase it again: what is left goes then.",
        ) from error


def _places(turn: str) -> tuple[str, ...]:
    """Return from where something is erased, which is told of a *turn*, or of none."""
    everywhere = ("the archive", "backups of state.db", "events that were set aside")
    return ("the journal", "the index", *(everywhere if turn else ()))


def _summaries_in_trash(library: Library, taken: Forgotten) -> list[Forgotten]:
    """Return the summary of a session that went with the last of its entries."""
    return [
        one
        for one in library.trash.all()
        if taken.turn
        and not one.turn
        and one.session == taken.session
        and one.id != taken.id
        and one.at == taken.at
    ]
