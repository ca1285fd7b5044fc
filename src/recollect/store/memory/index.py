"""An index in dicts: every question looks at everything, so it is for small libraries."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import ids as names_of_memories
from recollect.journal import replaced
from recollect.journal.model import LibraryItem, carried
from recollect.journal.replaced import ReplacedValue
from recollect.store import indexed
from recollect.store.contract.library import DocumentChange, Followed
from recollect.store.contract.search import (
    ByMeaning,
    IndexedPassage,
    IndexRow,
    Key,
    Render,
    Replacement,
    Scope,
    Sketch,
)
from recollect.store.indexed import PassageToIndex
from recollect.store.memory import words
from recollect.store.memory.content import Content, MemoryEntry, MemoryPassage
from recollect.store.memory.legs import MemoryLexical, MemoryVectors
from recollect.transcripts.turns import Turn

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """What a turn replaced."""

    project: str
    document: str
    session: str
    turn: str
    at: float
    value: ReplacedValue


class MemoryIndex:
    """`SearchIndex` in dicts; *is_unchanged* tells whether a document is still of a version."""

    def __init__(
        self, render: Render, *, is_unchanged: Callable[[str, str], bool] = lambda *_: True
    ) -> None:
        self._render = render
        self._is_unchanged = is_unchanged
        self._keys = count(1)
        self._documents: dict[str, tuple[str, str, str]] = {}
        """The project, the kind and the version of each."""
        self.content = Content()
        self._changes: list[_Change] = []
        self.lexical = MemoryLexical(self.content)
        self.vectors = MemoryVectors(self.content)

    # Following a library.

    def sync(
        self,
        library: Followed,
        *,
        seen: Callable[[str], None] = lambda _: None,
        anew: bool = False,
    ) -> int:
        """Bring the entries of a project in step with its *library*."""
        project = library.project
        known = {n: (k, v) for n, (p, k, v) in self._documents.items() if p == project}
        gone = set(known) if anew else set()
        changed = 0
        for change in library.changes({} if anew else {n: v for n, (_, v) in known.items()}):
            gone.discard(change.document)
            if not change.version:
                gone.add(change.document)
                continue
            self._documents[change.document] = (project, change.kind, change.version)
            changed += change.kind != "archive"
            self._take(project, change)
            seen(change.document)
        for name in gone:
            changed += known[name][0] != "archive"
            self._forget(name)
        return changed

    def remove(self, project: str) -> None:
        """Take all of *project* out."""
        for name in [name for name, (own, *_) in self._documents.items() if own == project]:
            self._forget(name)

    def _take(self, project: str, change: DocumentChange) -> None:
        if change.kind == "archive":
            turns = {turn.key: turn for turn in change.turns}
            self._drop_passages(change.document, set(turns) if change.is_more else None)
            for turn in turns.values():
                self._take_turn(project, change.document, turn)
        elif change.items is None:  # Only its version is new.
            for key, one in self.content.entries.items():
                if one.row.document == change.document:
                    row = replace(one.row, version=change.version)
                    self.content.entries[key] = replace(one, row=row)
        else:
            self._drop(change.document)
            for place, item in enumerate(change.items):
                self._take_item(project, change, item, indexed.around(change.items, place))

    def _take_item(
        self, project: str, change: DocumentChange, one: LibraryItem, around: str
    ) -> None:
        fields = indexed.fields_of(one, project=project, around=around, render=self._render)
        day, pairs = str(fields.pop("day")), str(fields.pop("pairs"))
        around, is_searchable = str(fields.pop("around")), bool(fields.pop("searchable"))
        for name in ("branch", "seen_files", "carried"):
            del fields[name]
        key = next(self._keys)
        row = IndexRow(
            key=key,
            document=change.document,
            version=change.version,
            first_line=one.first_line,
            last_line=one.last_line,
            stale="",
            **carried(one),
            **fields,  # type: ignore[arg-type]  # These are the others, of the same names.
        )
        own = words.weighted((row.title, 3.0), (row.body, 1.0), (day, 1.0), (pairs, 1.5))
        self.content.entries[key] = MemoryEntry(
            row=row, is_searchable=is_searchable, own=own, around=words.words(around)
        )
        for passage in indexed.own_passages(one):
            self._add(project, change.document, passage)

    def _take_turn(self, project: str, document: str, turn: Turn) -> None:
        for passage in indexed.turn_passages(turn):
            self._add(project, document, passage)
        self._changes += [
            _Change(
                project=project,
                document=document,
                session=turn.session,
                turn=turn.key,
                at=turn.started.timestamp(),
                value=value,
            )
            for value in replaced.changes(turn)
        ]

    def _add(self, project: str, document: str, passage: PassageToIndex) -> None:
        key = next(self._keys)
        card, mark = indexed.shown(passage, self._render)
        self.content.pieces[key] = MemoryPassage(
            key=key,
            project=project,
            document=document,
            passage=passage,
            card=card,
            mark=mark,
            words=words.weighted((passage.text, 1.0), (passage.lead, 0.5), (passage.pairs, 1.0)),
        )

    def _drop(self, document: str) -> None:
        self.content.entries = {
            k: one for k, one in self.content.entries.items() if one.row.document != document
        }
        self._drop_passages(document, None)

    def _drop_passages(self, document: str, turns: Collection[str] | None) -> None:
        """Drop the passages of a document, or of some *turns* in it."""

        def stays(name: str, turn: str) -> bool:
            return name != document or (turns is not None and turn not in turns)

        self.content.pieces = {
            key: one
            for key, one in self.content.pieces.items()
            if stays(one.document, one.passage.turn)
        }
        self._changes = [one for one in self._changes if stays(one.document, one.turn)]

    def _forget(self, name: str) -> None:
        self._drop(name)
        del self._documents[name]

    # Reading entries.

    def _rows(self, is_wanted: Callable[[IndexRow], object]) -> list[IndexRow]:
        """Return the rows that are wanted, newest first."""
        found = [one.row for one in self.content.entries.values() if is_wanted(one.row)]
        return sorted(found, key=lambda row: (-row.at, -row.key))

    def recent(self, project: str, *, limit: int) -> list[IndexRow]:
        """Return the newest entries of *project*, newest first."""
        rows = self._rows(lambda row: row.project == project and row.kind in ("entry", "hand"))
        return rows[:limit] if limit >= 0 else rows

    def notes(self, project: str) -> list[IndexRow]:
        """Return the notes of *project* that were not retired, the most prominent first."""
        rows = self._rows(lambda row: row.project == project and row.kind == "note")
        return sorted(rows, key=lambda row: -row.prominence)

    def summaries(self, project: str, *, limit: int) -> list[IndexRow]:
        """Return how the last sessions of *project* went, the latest first."""
        rows = self._rows(lambda row: row.project == project and row.kind == "summary")
        return rows[:limit] if limit >= 0 else rows

    def about_file(self, project: str, name: str, *, limit: int) -> list[IndexRow]:
        """Return the notes, then the newest entries, that tell of the file *name* in *project*."""
        rows = self._rows(lambda row: row.project == project and not row.hidden_reason)
        rows = [
            row
            for row in rows
            if name in row.touched.splitlines() and self.content.entries[row.key].is_searchable
        ]
        return sorted(rows, key=lambda row: (row.kind != "note", -row.prominence))[:limit]

    def keys_of(self, ids: Iterable[str]) -> set[Key]:
        """Return the keys of the entries called *ids*."""
        wanted = set(ids)
        return {key for key, one in self.content.entries.items() if one.row.id in wanted}

    def length_of_turn(self, session: str, turn: str) -> int:
        """Return how long the texts of a turn are that the archive has, in characters."""
        return sum(len(one.passage.text) for one in self.content.of_turn(session, turn))

    def summary_of(self, session: str) -> IndexRow | None:
        """Return the summary of *session*, if it has one."""
        found = self._rows(lambda row: row.kind == "summary" and row.session == session)
        return next((row for row in found if not row.turn), None)

    def in_session(self, session: str) -> list[IndexRow]:
        """Return the entries of *session* in order."""
        rows = self._rows(lambda row: row.session == session and row.kind in ("entry", "hand"))
        return rows[::-1]

    def turns_in(self, session: str) -> int:
        """Return how many entries *session* has."""
        rows = self._rows(lambda row: row.session == session)
        return sum(1 for row in rows if row.turn or row.kind in ("entry", "hand"))

    def around(self, project: str, at: float, *, before: int, after: int) -> list[IndexRow]:
        """Return the last entries of *project* before *at* and the first from then on, in order."""
        rows = self.recent(project, limit=-1)[::-1]
        earlier = [row for row in rows if row.at < at]
        later = [row for row in rows if row.at >= at]
        return [*earlier[max(len(earlier) - before, 0) :], *later[:after]]

    def by_id(self, id: str, among: Collection[str] = ()) -> IndexRow | None:  # noqa: A002
        """Return the entry called *id*, of one of the projects *among* if any are named."""
        return next((one for one in self.named(id) if not among or one.project in among), None)

    def named(self, id: str) -> list[IndexRow]:  # noqa: A002
        """Return what is called *id*: projects may have notes of the same name."""
        return self._rows(lambda row: row.id == id)

    def by_keys(self, keys: Sequence[Key]) -> dict[Key, IndexRow]:
        """Return the entries with these *keys*, as far as they are there."""
        return {key: self.content.entries[key].row for key in keys if key in self.content.entries}

    def sketches(self, keys: Sequence[Key]) -> dict[Key, Sketch]:
        """Return the same of entries with these *keys*, but only in outline."""
        found = {key: self.content.entries[key] for key in keys if key in self.content.entries}
        return {
            key: Sketch(**{name: getattr(one.row, name) for name in Sketch.__slots__})
            for key, one in found.items()
            if one.is_searchable
        }

    def ids(self, prefix: str) -> list[str]:
        """Return the ids that begin with *prefix*, or that it is short for; empty begins none."""
        rows = [one.row for one in self.content.entries.values()]
        names = [row.id for row in rows if row.kind != "summary" or row.id == prefix]
        found = [id for id in names if prefix and id.startswith(prefix)]  # noqa: A001
        if not found and names_of_memories.is_short(prefix):
            found = [row.id for row in rows if row.kind != "summary"]
            found = [id for id in found if id.endswith(f"-{prefix}")]  # noqa: A001
        return found

    def count(self, project: str) -> int:
        """Return how many memories *project* has."""
        rows = self._rows(lambda row: row.project == project and not row.hidden_reason)
        return sum(1 for row in rows if row.kind != "summary" and row.category != "session_summary")

    def days(self, project: str) -> dict[str, int]:
        """Return the local days on which something happened in *project*, with how many entries."""
        rows = self._rows(lambda row: row.project == project and row.kind in ("entry", "hand"))
        days = (datetime.fromtimestamp(row.at).astimezone().date() for row in rows if row.at)
        return dict(Counter(map(str, sorted(days))))

    def projects(self) -> list[str]:
        """Return the names of the projects that have entries."""
        found = (one.row.project for one in self.content.entries.values() if one.is_searchable)
        return list(dict.fromkeys(found))

    def newest(self, scope: Scope) -> Iterator[IndexRow]:
        """Return the entries in *scope*, newest first, one after the other."""
        yield from self._rows(lambda row: row.project in scope.where and row.kind != "summary")

    # Reading passages.

    def said_in(self, entry: IndexRow) -> str:
        """Return what was said in the turn behind *entry*, as far as it is archived."""
        if entry.edited or not entry.turn:
            return ""
        spoken = [one.passage for one in self.content.of_turn(entry.session, entry.turn)]
        return "\n".join(one.text for one in spoken if one.part in ("asked", "said", "remarked"))

    def passages_of(self, entries: Sequence[Key]) -> dict[Key, list[tuple[Key, str]]]:
        """Return key and part of the passages of each of the *entries*, in order."""
        found: dict[Key, list[tuple[Key, str]]] = {}
        for key, owner in self.content.owners().items():
            part = self.content.pieces[key].passage.part
            if owner in entries and part != "done":
                found.setdefault(owner, []).append((key, part))
        return found

    def passages(self, keys: Sequence[Key]) -> dict[Key, IndexedPassage]:
        """Return the passages with these *keys*."""
        return {
            key: IndexedPassage(
                key=key,
                place=key,
                part=one.passage.part,
                lead=one.passage.lead,
                text=one.passage.text,
                card=one.card,
                mark=one.mark,
            )
            for key in sorted(keys)
            if (one := self.content.pieces.get(key))
        }

    def stated_in(self, project: str, *, most: int) -> list[tuple[Key, str]]:
        """Return what the user stated in the last turns of *project*, the latest first."""
        stated = [
            (row.key, piece.passage.text)
            for row in self.recent(project, limit=-1)
            if row.kind == "entry" and row.turn and not row.edited
            for piece in self.content.of_turn(row.session, row.turn)
            if piece.passage.part == "asked"
        ]
        return stated[:most]

    def replacements(self, passages: Sequence[Key]) -> dict[Key, list[Replacement]]:
        """Return what later turns say instead of these *passages*, the latest first."""
        owners = self.content.owners()
        found: dict[Key, list[Replacement]] = {}
        for key in passages:
            if key in owners and self.content.pieces[key].passage.part not in indexed.UNSEEN:
                owner = self.content.entries[owners[key]].row
                later = [it for one in self._changes for it in self._replaced(key, owner, one)]
                found |= {key: sorted(later, key=lambda one: -one.at)} if later else {}
        return found

    def _replaced(self, key: Key, owner: IndexRow, change: _Change) -> Iterator[Replacement]:
        """Return what *change*, if it came later, says instead of pieces of a passage."""
        turn = (change.session, change.turn)
        if owner.project != change.project or owner.at >= change.at:
            return
        later = self._rows(lambda row: (row.session, row.turn, row.kind) == (*turn, "entry"))
        if not later or later[0].edited or later[0].hidden_reason or later[0] is owner:
            return
        behind = self.content.of_turn(owner.session, owner.turn)
        request = [one.passage.text for one in behind if one.passage.part == "request"][:1]
        value = change.value
        telling = [
            one for one in self.content.of_turn(*turn) if replaced.tells(value, one.passage.text)
        ]
        for piece in replaced.outdated(
            value,
            self.content.pieces[key].passage.text,
            is_same_file=bool(value.file) and value.file in owner.touched.splitlines(),
            around=" ".join([owner.title, *request]),
        ):
            yield Replacement(
                passage=key,
                piece=piece,
                old=value.old,
                new=value.new,
                is_name=value.is_name,
                at=change.at,
                by=telling[0].key if telling else 0,
                entry=later[0].key,
                id=later[0].id,
                title=later[0].title,
            )

    def nearest(
        self, question: "Vector", projects: Sequence[str] | None, *, limit: int
    ) -> ByMeaning:
        """Return what lies nearest to *question*, in the space that serves now."""
        wanted = self.projects() if projects is None else projects
        return self.vectors.find(question, wanted, limit=limit)

    def likenesses(self, ones: Sequence[Key], others: Sequence[Key]) -> dict[Key, float]:
        """Return how near each passage of *others* is in meaning to the nearest of *ones*."""
        serving = self.vectors.serving()
        return self.vectors.likenesses(ones, others, space=serving[0]) if serving else {}

    # What only a file can be asked.

    def meta(self, key: str) -> str:  # noqa: ARG002
        """Return nothing: nothing is remembered."""
        return ""

    def reading(self) -> AbstractContextManager[None]:
        """Do nothing: nobody else writes."""
        return nullcontext()

    def hurry(self) -> None:
        """Do nothing: nobody is waited for."""

    def is_sound(self) -> bool:
        """Return that nothing is broken."""
        return True

    def scrub(self) -> None:
        """Do nothing: what was removed is gone."""

    def is_there(self) -> bool:
        """Return that it is there."""
        return True

    def close(self) -> None:
        """Do nothing: it can be opened again."""

    def check_files(self, project: str, root: Path, *, newest: int = -1) -> int:  # noqa: ARG002
        """Return that no card changed: files are not looked at."""
        return 0

    def files_now(self, seen_files: Mapping[str, str], root: Path) -> str:  # noqa: ARG002
        """Return nothing: files are not looked at."""
        return ""

    def is_unchanged(self, entry: IndexRow) -> bool:
        """Tell whether *entry* still stands in the library as it was indexed."""
        return self._is_unchanged(entry.document, entry.version)
