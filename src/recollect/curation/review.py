"""What waits for a person: notes that were proposed, that may contradict, or may be out of date.

Nothing here is decided by us. Accepting says that a note holds as it stands, rejecting retires
it, and of two that contradict each other the new one can replace the old one. A note that waits
because what superseded it holds no longer is archived: accepted it holds again, rejected it
stays where it is. What a project's note may contradict everywhere else is not replaced from
there: accepted, the project's goes first in the project, and the other stays as it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from recollect import fingerprint, paths
from recollect.curation.curator import Curator, NoteFilter
from recollect.errors import NoteError, NotFoundError
from recollect.notes import lifecycle
from recollect.notes.lifecycle import is_proposed
from recollect.notes.note_model import Note
from recollect.store.contract.notes import ChangeResult, StoredNote

CONTRADICTS = "may contradict "
BLOCKED = ", blocked: "

Kind = Literal["proposed", "contradiction", "doubted", "released", "stale"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One note to look at, and why."""

    kind: Kind
    held: StoredNote
    about: str
    """Why, in a few words."""
    other: StoredNote | None = None
    """The note it may contradict."""

    @property
    def can_replace(self) -> bool:
        """True when the note may take the place of the one it contradicts."""
        return self.other is not None and self.other.project == self.held.project


class Review:
    """The notes of one project that wait for a person.

    *stale* tells, by a note's name, what has become of the files it is about; *root* is where
    those files lie.
    """

    def __init__(
        self, curator: Curator, *, stale: Callable[[str], Mapping[str, str]], root: str
    ) -> None:
        self._curator = curator
        self._stale = stale
        self._root = root

    def items(self, projects: tuple[str, ...]) -> list[Item]:
        """Return what waits: proposals, contradictions, doubts, what was released or is stale."""
        found = [
            item
            for held in self._curator.listed(projects, NoteFilter())
            if (item := self._item(held, self._stale(held.project)))
        ]
        archived = self._curator.listed(projects, NoteFilter(statuses=("archived",)))
        found += [item for held in archived if (item := self._released(held))]
        return sorted(found, key=lambda item: get_args(Kind).index(item.kind))

    def _released(self, held: StoredNote) -> Item | None:
        """Return an archived note that nothing supersedes any more, unless it is settled."""
        note = held.note
        if note.review == lifecycle.ORPHANED:
            return Item(kind="released", held=held, about=note.review)
        if not note.superseded_by:
            return None
        gone = self._curator.listed([held.project], NoteFilter(statuses=("retired", "archived")))
        for new in (one.note for one in gone if note.id in one.note.supersedes):
            # What was superseded in its turn left a successor behind.
            if new.id == note.superseded_by and not new.superseded_by:
                return Item(kind="released", held=held, about=lifecycle.left_alone(new))
        return None

    def _item(self, held: StoredNote, stale: Mapping[str, str]) -> Item | None:
        asked = held.note.review or ""
        other = self._other(held, asked.partition(CONTRADICTS)[2])
        if is_proposed(held.note):
            blocked = asked.partition(BLOCKED)[2]
            about = f"from what the {_by(held.note)} said"
            about += f"; a check says: {blocked}" if blocked else ""
            return Item(kind="proposed", held=held, about=about, other=other)
        if other:
            return Item(kind="contradiction", held=held, about=asked, other=other)
        if asked.startswith(lifecycle.DOUBTED):
            return Item(kind="doubted", held=held, about=asked)
        if said := stale.get(held.name):
            return Item(kind="stale", held=held, about=said)
        return None

    def _other(self, held: StoredNote, name: str) -> StoredNote | None:
        """Return the note called *name* while it holds."""
        if not name:
            return None
        own = name.removeprefix(f"{paths.EVERYWHERE}/")
        try:
            found = self._curator.find(own, [held.project if own == name else paths.EVERYWHERE])
        except (NotFoundError, NoteError):
            return None
        return found if found.note.active else None

    def accept(self, item: Item, *, now: datetime) -> ChangeResult:
        """Say that the note holds as it stands, whatever became of its files."""
        if item.kind == "released":
            return self._curator.step(item.held, "unarchive", now=now)
        return self._curator.change(
            item.held, lambda note: note.changed(review=None, evidence=self._as_now(note)), now=now
        )

    def settle(self, item: Item, *, now: datetime) -> ChangeResult:
        """Say that the note, which was edited meanwhile, holds as it stands now."""
        fresh = self._curator.find(item.held.name, [item.held.project])
        return self.accept(replace(item, held=fresh), now=now)

    def reject(self, item: Item, *, now: datetime) -> ChangeResult:
        """Retire the note; one that is archived stays so."""
        if item.kind == "released":
            return self._curator.keep_archived(item.held, now=now)
        return self._curator.step(item.held, "retire", now=now, reason="rejected in review")

    def replace(self, item: Item, *, now: datetime) -> ChangeResult:
        """Let the note take the place of the one it contradicts."""
        if item.other is None:
            raise NotFoundError(f"{item.held.name}: contradicts nothing", hint="Accept or reject.")
        if not item.can_replace:
            raise NotFoundError(
                f"{item.other.name}: holds in other projects, too",
                hint="Accept: what is said of a project goes first there. Or retire it yourself:"
                f" recollect retire --global {item.other.name}",
            )
        done = self._curator.supersede(item.held, item.other, now=now)
        fresh = self._curator.find(item.held.name, among=[item.held.project])
        self._curator.change(fresh, lambda note: note.changed(review=None), now=now)
        return done

    def _as_now(self, note: Note) -> dict[str, object]:
        """Return the note's evidence with its files as they are now; those that are gone go."""
        files = {
            name: seen
            for name in note.evidence.files
            if self._root and (seen := fingerprint.of(Path(self._root) / name))
        }
        return {**note.evidence.model_dump(), "files": files}


def _by(note: Note) -> str:
    return {"extractive": "agent", "model": "model"}.get(note.source.by, note.source.by)
