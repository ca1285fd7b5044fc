"""Keep the index in step with a library: the journal, notes, and the archived turns.

A document of a known version is not read, one of unchanged content not indexed again. Of one that
did change, only the entries and passages that differ are written, so an edit in a long day costs
what was edited, and vectors of unchanged texts stay.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.journal.model import LibraryItem
from recollect.store import indexed
from recollect.store.contract.library import DocumentChange, Followed
from recollect.store.contract.search import Render
from recollect.store.indexed import PassageToIndex
from recollect.store.sqlite import access
from recollect.store.sqlite.index import replacing
from recollect.store.sqlite.index.lookup import NUMBERS
from recollect.transcripts.turns import Turn

SQL = access.load("recollect.store.sqlite.index", "sql/follow.sql")

NO_VECTOR = -1

# More entries than anybody has in the files that change.
MOST_DIGESTS = 8_192
# Days and notes that may change while a worker runs.
MOST_KNOWN = 256
# The rows of more entries are quicker read all at once.
MOST_LOOKED_UP = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _KnownDocument:
    """A document as it was when it was followed last.

    While the index knows it as this *version*, its rows say what stands in *items*.
    """

    version: str
    items: Sequence[LibraryItem]


class Follower:
    """Writes what a library says into the index."""

    def __init__(self, connection: sqlite3.Connection, render: Render) -> None:
        self._connection = connection
        self._render = render
        self._oldest_new: float | None = None
        """When the oldest of the passages was said that were added since links were made."""
        self._digests: dict[str, tuple[LibraryItem, str, str, bytes]] = {}
        self._known: dict[str, _KnownDocument] = {}

    def follow(self, library: Followed, *, seen: Callable[[str], None], anew: bool = False) -> int:
        """Bring the index in step with *library*; return how many documents with items changed.

        *seen* hears of each document that was read. With *anew*, everything is read and compared,
        whatever its version says.
        """
        project = library.project
        known = {name: (kind, version) for name, kind, version in self.documents_of(project)}
        gone = set(known) if anew else set()
        since = {} if anew else {name: version for name, (_, version) in known.items()}
        changed = 0
        for change in library.changes(since):
            gone.discard(change.document)
            if not change.version:
                gone.add(change.document)
                continue
            before = since.get(change.document, "")
            if change.kind == "archive":
                self._follow_archive(project, change, before)
            else:
                self._follow_items(project, change, before)
                changed += 1
            seen(change.document)
        for name in gone:
            self._forget(project, name)
            changed += known[name][0] != "archive"
        if anew:
            with access.transaction(self._connection):
                self._connection.execute(SQL["count_passages_again"], (project,))
        self._link(project)
        return changed

    def documents_of(self, project: str) -> list[tuple[str, str, str]]:
        """Return name, kind and version of each document of *project* that is followed."""
        return self._all("documents_of", project)

    def forget(self, project: str) -> None:
        """Take all of *project* out of the index."""
        for name, *_ in self.documents_of(project):
            self._forget(project, name)

    def _link(self, project: str) -> None:
        """Link what older passages state to what replaced it since."""
        oldest, self._oldest_new = self._oldest_new, None
        if oldest is not None:
            with access.transaction(self._connection):
                replacing.link_again(self._connection, project=project, oldest=oldest)
        for (number,) in self._all("project_id", project):
            is_left = bool(self._all("has_changes_to_link", project))
            while is_left:
                with access.transaction(self._connection):
                    is_left = replacing.link(self._connection, project=project, number=number)

    # The journal and the notes.

    def _follow_items(self, project: str, change: DocumentChange, before: str) -> None:
        if change.items is None:  # Only its version is new, which hooks check.
            with access.transaction(self._connection):
                self._save_document(project, change)
            return
        kept = change.items
        known = self._known.pop(change.document, None)
        rows_say = known.items if known and before and known.version == before else None
        with access.transaction(self._connection):
            document = self._save_document(project, change)
            if not before:  # Also when everything is to be made anew, whatever it looks like.
                self._connection.execute(SQL["remove_entries"], (document,))
            changed, more = self._write_entries(project, document, kept, rows_say=rows_say)
            if not before:
                own = [passage for one in kept for passage in indexed.own_passages(one)]
                self._write_passages(project, document, own, anew=True)
            elif changed:
                own = [it for one in kept if one.id in changed for it in indexed.own_passages(one)]
                self._write_passages(project, document, own, entries=changed)
            if not before:
                self._connection.execute(SQL["count_again"], (project,))
            else:
                self._connection.execute(SQL["count_changed"], (more, project))
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[change.document] = _KnownDocument(version=change.version, items=kept)

    def _write_entries(
        self,
        project: str,
        document: int,
        kept: Sequence[LibraryItem],
        *,
        rows_say: Sequence[LibraryItem] | None,
    ) -> tuple[set[str], int]:
        """Make the entries of a file those in *kept*; those that are as they were stay.

        What its *rows say* so far is None if that is not known. Return the ids of those that
        changed, came or went, and how many more there are to search.
        """
        old, places = _differing(rows_say or (), kept)
        if rows_say is None or len(old) > MOST_LOOKED_UP:
            places = [*range(len(kept))]
            rows = self._all("entries_in", document)
        else:
            rows = [row for one in old for row in self._all("entries_called", document, one.id)]
        there = {
            bytes(digest_): (number, id_, (first, last))
            for number, digest_, id_, first, last in rows
        }
        wanted = {
            self._digest(kept[place], indexed.around(kept, place), project): place
            for place in places
        }
        changed = set()
        more = 0
        for gone in there.keys() - wanted.keys():
            number, id_, _ = there[gone]
            more -= sum(was for (was,) in self._all("remove_entry", number))
            changed.add(id_)
        first = self._project_id(project) * NUMBERS
        for name, place in wanted.items():
            one = kept[place]
            lines = (one.first_line, one.last_line)
            if name in there:
                number, _, before = there[name]
                if before != lines:
                    self._connection.execute(SQL["move_entry"], (*lines, number))
                continue
            changed.add(one.id)
            row = self._fields(one, indexed.around(kept, place), project)
            number = first + _seconds(row["at"])
            if self._all("is_taken", number):
                (number,) = self._all("next_free", number)[0]
            values = {"number": number, "document": document, "digest": name, **row}
            values |= {"first_line": one.first_line, "last_line": one.last_line}
            self._connection.execute(SQL["add_entry"], values)
            touched = str(row["touched"]).splitlines() if row["searchable"] else []
            touches = [(file, number) for file in touched]
            self._connection.executemany(SQL["add_touch"], touches)
            more += bool(row["searchable"])
        return changed, more

    def _digest(self, one: LibraryItem, around: str, project: str) -> bytes:
        """Return the name of the row of *one*.

        What is read from a file that changed elsewhere is the same object as before, and of a
        long day nearly all is.
        """
        known = self._digests.get(one.id)
        if known and known[0] is one and known[1:3] == (around, project):
            return known[3]
        name = indexed.digest(repr(sorted(self._fields(one, around, project).items())))
        if len(self._digests) >= MOST_DIGESTS:
            self._digests.clear()
        self._digests[one.id] = (one, around, project, name)
        return name

    # The archive.

    def _fields(self, one: LibraryItem, around: str, project: str) -> dict[str, object]:
        return indexed.fields_of(one, project=project, around=around, render=self._render)

    # The archive.

    def _follow_archive(self, project: str, change: DocumentChange, before: str) -> None:
        """Write the turns of an archive: those that were added to it, or all."""
        turns = {turn.key: turn for turn in change.turns}
        with access.transaction(self._connection):
            document = self._save_document(project, change)
            found = [p for turn in turns.values() for p in indexed.turn_passages(turn)]
            if change.is_more:
                self._write_passages(project, document, found, turns=list(turns.values()))
            else:
                self._connection.execute(SQL["remove_changes"], (document,))
                self._write_passages(project, document, found, anew=not before)
            replacing.save(
                self._connection, project=project, document=document, turns=turns.values()
            )
            self._connection.execute(SQL["count_changed"], (0, project))

    # Both.

    def _write_passages(
        self,
        project: str,
        document: int,
        wanted: Sequence[PassageToIndex],
        *,
        turns: Sequence[Turn] | None = None,
        entries: Collection[str] = (),
        anew: bool = False,
    ) -> None:
        """Make the passages of a file, or of some *turns* or *entries* in it, the *wanted* ones.

        With *anew*, those that are there are rendered again.
        """
        if entries:
            rows = [row for id_ in entries for row in self._all("passages_of_entry", document, id_)]
        elif turns is None:
            rows = self._all("passages_in", document)
        else:
            rows = [
                row
                for turn in turns
                for row in self._all("passages_of", document, turn.session, turn.key)
            ]
        there: dict[tuple[object, ...], list[int]] = {}
        for number, *identity, lead, text in rows:
            if identity[-1] == indexed.passage_hash(lead, text):  # Otherwise somebody damaged it.
                there.setdefault(tuple(identity), []).append(number)
            else:
                there.setdefault((number,), []).append(number)
        new: list[PassageToIndex] = []
        for passage in wanted:
            same = there.get(
                (passage.part, passage.entry, passage.session, passage.turn, passage.hash)
            )
            if same:
                number = same.pop()
                if anew:
                    values = {**self._shown(passage), "number": number}
                    self._connection.execute(SQL["show_passage"], values)
            else:
                new.append(passage)
        self._remove([number for numbers in there.values() for number in numbers])
        self._add(project, document, new)

    def _add(self, project: str, document: int, new: Sequence[PassageToIndex]) -> None:
        if not new:
            return
        times = [passage.at for passage in new if passage.at]
        times += [] if self._oldest_new is None else [self._oldest_new]
        self._oldest_new = min(times, default=None)
        project_id = self._project_id(project)
        (last,) = self._all("take_numbers", len(new), project_id)[0]
        first = project_id * NUMBERS + last - len(new) + 1
        for number, passage in enumerate(new, start=first):
            values = {
                "number": number,
                "document": document,
                "part": passage.part,
                "entry": passage.entry,
                "session": passage.session,
                "turn": passage.turn,
                "lead": indexed.storable(passage.lead),
                "text": indexed.storable(passage.text),
                **self._shown(passage),
                "pairs": indexed.storable(passage.pairs),
                "names": indexed.storable("\n".join(passage.names)),
                "hash": passage.hash,
                "space": NO_VECTOR if passage.part == "done" else 0,
            }
            self._connection.execute(SQL["add_passage"], values)

    def _shown(self, passage: PassageToIndex) -> dict[str, str]:
        card, mark = indexed.shown(passage, self._render)
        return {"card": card, "mark": mark}

    def _remove(self, numbers: Iterable[int]) -> None:
        """Remove passages, and their vectors with them when no other has the same text."""
        for number in numbers:
            for (gone,) in self._all("remove_passage", number):
                self._connection.execute(SQL["remove_unused_vectors"], (gone, gone))

    def _forget(self, project: str, name: str) -> None:
        with access.transaction(self._connection):
            for (document,) in self._all("document_id", name):
                self._connection.execute(SQL["remove_entries"], (document,))
                self._remove(row[0] for row in self._all("passages_in", document))
                self._connection.execute(SQL["remove_changes"], (document,))
                self._connection.execute(SQL["remove_document"], (document,))
            self._connection.execute(SQL["count_again"], (project,))

    def _save_document(self, project: str, change: DocumentChange) -> int:
        values = (change.document, project, change.kind, change.version)
        (document,) = self._connection.execute(SQL["save_document"], values).fetchone()
        return int(document)

    def _project_id(self, project: str) -> int:
        self._connection.execute(SQL["add_project"], (project,))
        return int(self._all("project_id", project)[0][0])

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()


def _differing(
    old: Sequence[LibraryItem], new: Sequence[LibraryItem]
) -> tuple[list[LibraryItem], list[int]]:
    """Return those of *old* that are not as they were in *new*, and the places of such in *new*.

    An entry is also found by its neighbours, so it is as it was while they are.
    """
    shorter = min(len(old), len(new))
    # Of a long day nearly all is as it was; one that stays between the same two is left out here.
    first = next((n for n in range(shorter) if old[n] is not new[n]), shorter)
    last = next(
        (n for n in range(shorter - first) if old[-1 - n] is not new[-1 - n]), shorter - first
    )
    start, end = max(first - 1, 0), max(last - 1, 0)
    before, after = (one[start : len(one) - end] for one in (old, new))
    were, are = _with_neighbours(before), _with_neighbours(after)
    known, left = set(were), set(are)
    gone = [one for one, name in zip(before, were, strict=True) if name not in left]
    return gone, [place for place, name in enumerate(are, start) if name not in known]


def _with_neighbours(kept: Sequence[LibraryItem]) -> list[tuple[int, int, int]]:
    names = [0, *map(id, kept), 0]
    return list(zip(names, names[1:], names[2:], strict=False))


def _seconds(at: object) -> int:
    """Return when an entry happened, as a number within its project.

    The later one has the higher number, in whatever order the files were read: which of two
    equal answers comes first must not change when the index is made anew.
    """
    assert isinstance(at, float)
    return min(max(int(at), 0), NUMBERS - (1 << 20))
