"""The index: opened, kept in step with the library, and read.

Every change follows from a file (`follow`). A broken index is thrown away; the next look makes
a new one.
"""

import heapq
import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect import ids, paths
from recollect.errors import BrokenIndexError, BusyError, DamagedError, StoreError
from recollect.store import indexed
from recollect.store.contract.library import Followed
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
from recollect.store.files import versions
from recollect.store.sqlite import access
from recollect.store.sqlite.index import lookup, replacing
from recollect.store.sqlite.index.follow import Follower
from recollect.store.sqlite.index.lexical import Lexical
from recollect.store.sqlite.index.stale import Staleness
from recollect.store.sqlite.index.vectors import Vectors

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector

# Changes whenever the tables or the rendered cards do; another version is rebuilt.
SCHEMA_VERSION = 14

SQL = access.load("recollect.store.sqlite.index", "sql/queries.sql")

HURRIED_MILLISECONDS = 50

TABLES_OF_WORDS = ("words", "neighbours", "passage_words", "done", "spelled")

IsUnchanged = Callable[[str, str], bool]


class SqliteIndex:
    """The open index. One per thread.

    *is_unchanged* tells whether a document of the library is still of a version.
    """

    def __init__(
        self, path: Path, render: Render, *, is_unchanged: IsUnchanged = versions.is_unchanged
    ) -> None:
        self._path = path
        self._is_unchanged = is_unchanged
        self._connection = _opened(path)
        self._inode = path.stat().st_ino
        self._follower = Follower(self._connection, render)
        self._staleness = Staleness(self._connection, render.stale)
        self.lexical = Lexical(self._connection)
        self.vectors = Vectors(self._connection, path.parent / "run" / "vectors")

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for `lookup`, which works with the bare one."""
        return self._connection

    def check_files(self, project: str, root: Path, *, newest: int = -1) -> int:
        """Look at the files that the memories of *project* tell of; return how many cards changed.

        Of all its entries, or of so many of the *newest*.
        """
        return self._staleness.check(project, root, newest=newest)

    def files_now(self, seen_files: Mapping[str, str], root: Path) -> str:
        """Return what is to be said now of an entry that tells of *seen_files*; writes nothing."""
        return self._staleness.of(seen_files, root)

    def is_unchanged(self, entry: IndexRow) -> bool:
        """Tell whether the document behind *entry* is still the one that was indexed."""
        return self._is_unchanged(entry.document, entry.version)

    def sync(
        self,
        library: Followed,
        *,
        seen: Callable[[str], None] = lambda _: None,
        anew: bool = False,
    ) -> int:
        """Bring the entries of a project in step with its library; see `Follower.follow`."""
        return self._follower.follow(library, seen=seen, anew=anew)

    def remove(self, project: str) -> None:
        """Take all of *project* out."""
        self._follower.forget(project)

    def recent(self, project: str, *, limit: int) -> list[IndexRow]:
        """Return the newest entries of *project*, newest first."""
        return self._entries("recent", project, limit)

    def notes(self, project: str) -> list[IndexRow]:
        """Return the notes of *project* that were not retired, the most prominent first."""
        return self._entries("notes", project)

    def summaries(self, project: str, *, limit: int) -> list[IndexRow]:
        """Return how the last sessions of *project* went, the latest first."""
        return self._entries("summaries", project, limit)

    def about_file(self, project: str, name: str, *, limit: int) -> list[IndexRow]:
        """Return the notes, then the newest entries, that tell of the file *name* in *project*."""
        return self._entries("about_file", name, project, limit)

    def keys_of(self, ids: Iterable[str]) -> set[Key]:
        """Return the keys of the entries called *ids*."""
        return {int(row[0]) for row in self._all("keys_of", json.dumps(list(ids)))}

    def length_of_turn(self, session: str, turn: str) -> int:
        """Return how long the texts of a turn are that the archive has, in characters."""
        return int(self._all("length_of_turn", session, turn)[0][0])

    def summary_of(self, session: str) -> IndexRow | None:
        """Return the summary of *session*, if it has one."""
        found = self._entries("summary_of", session)
        return found[0] if found else None

    def in_session(self, session: str) -> list[IndexRow]:
        """Return the entries of *session* in order."""
        return self._entries("in_session", session)

    def turns_in(self, session: str) -> int:
        """Return how many entries *session* has."""
        return int(self._connection.execute(SQL["turns_in"], {"session": session}).fetchone()[0])

    def around(self, project: str, at: float, *, before: int, after: int) -> list[IndexRow]:
        """Return the last entries of *project* before *at* and the first from then on, in order."""
        earlier = self._entries("before", project, at, before)
        return [*reversed(earlier), *self._entries("from", project, at, after)]

    def by_id(
        self,
        id: str,  # noqa: A002 - it is the word people use
        among: Collection[str] = (),
    ) -> IndexRow | None:
        """Return the entry called *id*, of one of the projects *among* if any are named."""
        return next((one for one in self.named(id) if not among or one.project in among), None)

    def named(self, id: str) -> list[IndexRow]:  # noqa: A002
        """Return what is called *id*: projects may have notes of the same name."""
        return self._entries("entry", id)

    def by_keys(self, keys: Sequence[Key]) -> dict[Key, IndexRow]:
        """Return the entries with these *keys*, as far as they are there."""
        return {entry.key: entry for entry in self._entries("by_keys", json.dumps(list(keys)))}

    def sketches(self, keys: Sequence[Key]) -> dict[Key, Sketch]:
        """Return the same of entries with these *keys*, but only in outline."""
        names = Sketch.__slots__
        rows = self._all("sketches", json.dumps(list(keys)))
        return {row[0]: Sketch(**dict(zip(names, row, strict=True))) for row in rows}

    def ids(self, prefix: str) -> list[str]:
        """Return the ids that begin with *prefix*, or that it is short for; empty begins none."""
        rows = self._connection.execute(SQL["ids"], {"prefix": prefix}).fetchall()
        if not rows and ids.is_short(prefix):
            rows = self._all("ids_by_turn", prefix)
        return [str(found) for (found,) in rows]

    def count(self, project: str) -> int:
        """Return how many memories *project* has."""
        return int(self._all("count_entries", project)[0][0])

    def days(self, project: str) -> dict[str, int]:
        """Return the local days on which something happened in *project*, with how many entries."""
        return dict(self._all("days", project))

    def nearest(
        self, question: "Vector", projects: Sequence[str] | None, *, limit: int
    ) -> ByMeaning:
        """Return what lies nearest to *question*, in the space that serves now."""
        serving = self.vectors.serving()
        if serving is None:
            return ByMeaning()
        wanted = self.projects() if projects is None else projects
        numbers = [int(found[0][0]) for name in wanted if (found := self._all("project_id", name))]
        return self.vectors.find(question, space=serving[0], projects=numbers, limit=limit)

    def likenesses(self, ones: Sequence[Key], others: Sequence[Key]) -> dict[Key, float]:
        """Return how near each passage of *others* is in meaning to the nearest of *ones*."""
        serving = self.vectors.serving()
        return self.vectors.likenesses(ones, others, space=serving[0]) if serving else {}

    def projects(self) -> list[str]:
        """Return the names of the projects that have entries."""
        return [str(name) for (name,) in self._all("all_projects")]

    def newest(self, scope: Scope) -> Iterator[IndexRow]:
        """Return the entries in *scope*, newest first, one after the other."""
        merged = heapq.merge(
            *(self._each("newest", first, last) for first, last in scope.where),
            key=lambda entry: -entry.at,
        )
        yield from merged

    def said_in(self, entry: IndexRow) -> str:
        """Return what was said in the turn behind *entry*, as far as it is archived."""
        if entry.edited or not entry.turn:
            return ""
        return "\n".join(text for (text,) in self._all("said_in", entry.session, entry.turn))

    def passages_of(self, entries: Sequence[Key]) -> dict[Key, list[tuple[Key, str]]]:
        """Return key and part of the passages of each of the *entries*, in order.

        Those of the turn behind an entry are among them, unless somebody edited the entry.
        """
        found: dict[Key, list[tuple[Key, str]]] = {}
        asked = {"entries": json.dumps(list(entries)), "NUMBERS": lookup.NUMBERS}
        for entry, key, part in self._connection.execute(SQL["passages_of_entries"], asked):
            found.setdefault(entry, []).append((key, part))
        return found

    def passages(self, keys: Sequence[Key]) -> dict[Key, IndexedPassage]:
        """Return the passages with these *keys*."""
        names = IndexedPassage.__slots__
        rows = self._all("passages", json.dumps(list(keys)))
        return {row[0]: IndexedPassage(**dict(zip(names, row, strict=True))) for row in rows}

    def replacements(self, passages: Sequence[Key]) -> dict[Key, list[Replacement]]:
        """Return what later turns say instead of these *passages*."""
        return replacing.of(self._connection, passages)

    def stated_in(self, project: str, *, most: int) -> list[tuple[Key, str]]:
        """Return what the user stated in the last turns of *project*, the latest first.

        Each with the key of its entry; of an entry that somebody edited, nothing.
        """
        asked = {"project": project, "most": most, "NUMBERS": lookup.NUMBERS}
        return self._connection.execute(SQL["stated_in"], asked).fetchall()

    def meta(self, key: str) -> str:
        """Return what is remembered for *key*."""
        found = self._all("read_meta", key)
        return str(found[0][0]) if found else ""

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read everything as it is at this moment, whatever is written meanwhile."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def hurry(self) -> None:
        """Give up soon, from now on, when somebody else writes."""
        self._connection.execute(f"PRAGMA busy_timeout = {HURRIED_MILLISECONDS}")

    def is_sound(self) -> bool:
        """Tell whether the database is whole, and every table of words fits its texts."""
        try:
            if self._connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return False
            for name in TABLES_OF_WORDS:
                self._connection.execute(SQL[f"check_{name}"])
        except StoreError as error:
            return not isinstance(error, DamagedError)
        return True

    def scrub(self) -> None:
        """Leave no trace of what was removed: neither in free pages nor in a log nor a mirror."""
        for name in TABLES_OF_WORDS:
            self._connection.execute(SQL[f"merge_{name}"])
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.vectors.forget_mirrors()

    def is_there(self) -> bool:
        """Tell whether the file on disk is still the one that is open."""
        try:
            return os.stat(self._path).st_ino == self._inode
        except OSError:
            return False

    def close(self) -> None:
        """Close the index."""
        self._connection.close()

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()

    def _each(self, statement: str, *values: object) -> Iterator[IndexRow]:
        rows = self._connection.execute(SQL[statement], values)
        names = [name for name, *_ in rows.description]
        for row in rows:
            fields = dict(zip(names, row, strict=True))
            yield IndexRow(**indexed.unpacked(fields.pop("carried")), **fields)

    def _entries(self, statement: str, *values: object) -> list[IndexRow]:
        return list(self._each(statement, *values))


def open_index(home: str, render: Render) -> SqliteIndex:
    """Open the index, made anew if it is missing, broken or of another version."""
    path = Path(paths.index(home))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return SqliteIndex(path, render)
    except BusyError as error:
        raise BrokenIndexError(
            f"{path}: {error.message}", hint="Another process writes; try again."
        ) from error
    except StoreError:
        discard(home)
        try:
            return SqliteIndex(path, render)
        except StoreError as again:
            raise BrokenIndexError(
                f"{path}: cannot be made: {again.message}", hint="Run: recollect doctor"
            ) from again


def discard(home: str) -> None:
    """Delete the index; nothing is lost."""
    access.remove(Path(paths.index(home)))


def _opened(path: Path) -> sqlite3.Connection:
    if not path.exists():
        access.remove(path)  # A log that outlived its database belongs to nothing.
    connection = access.connect(path)
    try:
        found = access.version(connection)
        if found not in (0, SCHEMA_VERSION):
            raise DamagedError("another version of the index")
        if not found:
            access.create(
                connection, "recollect.store.sqlite.index", "sql/schema.sql", schema=SCHEMA_VERSION
            )
        connection.execute("SELECT max(number) FROM entries").fetchone()
    except StoreError:
        connection.close()
        raise
    return connection
