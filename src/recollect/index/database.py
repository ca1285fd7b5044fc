"""Keep the index in step with the library, and read it.

Every change follows from a file: a file whose size or time differs is read again, one that is
gone takes its entries along. A broken index is thrown away; the next look makes a new one.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect import paths, sqlite
from recollect.errors import BrokenIndexError
from recollect.index import lookup
from recollect.memories.model import Kept

# Changes whenever the tables or the rendered cards do; another version is rebuilt.
SCHEMA_VERSION = 3

SQL = sqlite.load("recollect.index", "sql/queries.sql")

Render = Callable[[Kept], tuple[str, str]]
"""Makes the card and the line of an entry, both escaped for JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """One entry as the index has it."""

    number: int
    id: str
    project: str
    kind: str
    at: float
    session: str
    turn: str
    branch: str
    title: str
    body: str
    path: str
    size: int
    mtime_ns: int
    first_line: int
    last_line: int
    card: str
    line: str


class Index:
    """The open index. One per thread."""

    def __init__(self, path: Path, render: Render) -> None:
        self._path = path
        self._connection = _opened(path)
        self._inode = path.stat().st_ino
        self._render = render

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for `lookup`, which works with the bare one."""
        return self._connection

    def sync(
        self,
        project: str,
        files: Iterable[Path],
        read: Callable[[Path], Sequence[Kept]],
        *,
        seen: Callable[[Path], None] = lambda _: None,
    ) -> int:
        """Bring the entries of *project* in step with *files*; return how many files changed.

        *seen* hears of each file that was looked at.
        """
        indexed = {path: (size, time) for path, size, time in self._all("files_of", project)}
        changed = 0
        for file in files:
            found = _stamp(file)
            seen(file)
            if found is None:
                continue
            if indexed.pop(str(file), None) != found:
                self._replace(project, file, stamp=found, kept=read(file))
                changed += 1
        for gone in indexed:
            self._forget(project, gone)
        return changed + len(indexed)

    def recent(self, project: str, *, limit: int) -> list[Indexed]:
        """Return the newest entries of *project*, newest first."""
        return self._entries("recent", project, limit)

    def summary_of(self, session: str) -> Indexed | None:
        """Return the summary of *session*, if it has one."""
        found = self._entries("summary_of", session)
        return found[0] if found else None

    def in_session(self, session: str) -> list[Indexed]:
        """Return the entries of *session* in order."""
        return self._entries("in_session", session)

    def by_id(self, id: str) -> Indexed | None:  # noqa: A002 - it is the word people use
        """Return the entry called *id*."""
        found = self._entries("entry", id)
        return found[0] if found else None

    def by_number(self, number: int) -> Indexed:
        """Return the entry with the index's own *number*."""
        return self._entries("by_number", number)[0]

    def ids(self, prefix: str) -> list[str]:
        """Return the ids that begin with *prefix*."""
        rows = self._connection.execute(SQL["ids"], {"prefix": prefix}).fetchall()
        return [str(found) for (found,) in rows]

    def count(self, project: str) -> int:
        """Return how many memories *project* has."""
        return int(self._all("count_entries", project)[0][0])

    def best_by_words(
        self, words: list[str], where: tuple[int, int, int], *, limit: int
    ) -> dict[int, float]:
        """Return the entries in *where* that fit *words* best, and how well (larger is better)."""
        return self._best("best_by_words", words, where, limit)

    def best_by_neighbours(
        self, words: list[str], where: tuple[int, int, int], *, limit: int
    ) -> dict[int, float]:
        """Return the entries in *where* that fit best together with those around them."""
        return self._best("best_by_neighbours", words, where, limit)

    def meta(self, key: str) -> str:
        """Return what is remembered for *key*."""
        found = self._all("read_meta", key)
        return str(found[0][0]) if found else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* for *key*."""
        if self.meta(key) != value:
            self._connection.execute(SQL["write_meta"], (key, value))

    def is_there(self) -> bool:
        """Tell whether the file on disk is still the one that is open."""
        try:
            return os.stat(self._path).st_ino == self._inode
        except OSError:
            return False

    def close(self) -> None:
        """Close the index."""
        self._connection.close()

    def _best(
        self, statement: str, words: list[str], where: tuple[int, int, int], limit: int
    ) -> dict[int, float]:
        rows = self._all(statement, lookup.any_of(words), where[0], where[1], limit)
        return {number: -rank for number, rank in rows}

    def _replace(
        self, project: str, file: Path, *, stamp: tuple[int, int], kept: Sequence[Kept]
    ) -> None:
        with sqlite.transaction(self._connection):
            size, mtime_ns = stamp
            values = {"path": str(file), "project": project, "size": size, "mtime_ns": mtime_ns}
            (file_id,) = self._connection.execute(SQL["save_file"], values).fetchone()
            self._connection.execute(SQL["remove_entries"], (file_id,))
            first = self._first_number(project)
            after: dict[int, int] = {}
            for place, one in enumerate(kept):
                wanted = first + _seconds(one)
                number = after.get(wanted, wanted)
                while self._all("is_taken", number):
                    number += 1
                after[wanted] = number + 1
                row = self._row(one, _around(kept, place), file=file_id, project=project)
                self._connection.execute(SQL["add_entry"], {"number": number, **row})
            self._connection.execute(SQL["count_again"], (project,))

    def _first_number(self, project: str) -> int:
        self._connection.execute(SQL["add_project"], (project,))
        (project_id,) = self._all("project_id", project)[0]
        return int(project_id) * lookup.NUMBERS

    def _row(self, one: Kept, around: str, *, file: int, project: str) -> dict[str, object]:
        card, line = self._render(one)
        row = {
            "file": file,
            "id": one.id,
            "project": project,
            "kind": one.kind,
            "at": one.at.timestamp() if one.at else 0.0,
            "session": one.session,
            "turn": one.turn,
            "branch": one.branch,
            "title": one.title,
            "body": one.body,
            "around": around,
            # A summary says again what its entries say, unless the user wrote into it.
            "searchable": one.kind != "summary" or one.edited,
            "first_line": one.first_line,
            "last_line": one.last_line,
            "card": card,
            "line": line,
        }
        return {name: _storable(value) for name, value in row.items()}

    def _forget(self, project: str, path: str) -> None:
        with sqlite.transaction(self._connection):
            for (number,) in self._all("file_id", path):
                self._connection.execute(SQL["remove_entries"], (number,))
                self._connection.execute(SQL["remove_file"], (number,))
            self._connection.execute(SQL["count_again"], (project,))

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()

    def _entries(self, statement: str, *values: object) -> list[Indexed]:
        names = Indexed.__slots__
        return [
            Indexed(**dict(zip(names, row, strict=True))) for row in self._all(statement, *values)
        ]


def open_index(home: str, render: Render) -> Index:
    """Open the index, made anew if it is missing, broken or of another version."""
    path = Path(paths.index(home))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return Index(path, render)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise BrokenIndexError(
                f"{path}: {error}", hint="Another process writes; try again."
            ) from error
        discard(home)
        try:
            return Index(path, render)
        except sqlite3.DatabaseError as again:
            raise BrokenIndexError(
                f"{path}: cannot be made: {again}", hint="Run: recollect doctor"
            ) from again


def is_broken(error: sqlite3.Error) -> bool:
    """Tell whether *error* is no passing trouble, as a lock is: the index must be made anew."""
    operational = isinstance(error, sqlite3.OperationalError)
    return isinstance(error, sqlite3.DatabaseError) and (
        not operational or "no such table" in str(error)
    )


def discard(home: str) -> None:
    """Delete the index; nothing is lost."""
    sqlite.remove(Path(paths.index(home)))


def _opened(path: Path) -> sqlite3.Connection:
    if not path.exists():
        sqlite.remove(path)  # A log that outlived its database belongs to nothing.
    connection = sqlite.connect(path)
    try:
        found = sqlite.version(connection)
        if found not in (0, SCHEMA_VERSION):
            raise sqlite3.DatabaseError("another version of the index")
        if not found:
            sqlite.create(connection, "recollect.index", "sql/schema.sql", schema=SCHEMA_VERSION)
        connection.execute("SELECT max(number) FROM entries").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _seconds(one: Kept) -> int:
    """Return when *one* happened, as a number within its project.

    The later one has the higher number, in whatever order the files were read: which of two
    equal answers comes first must not change when the index is made anew.
    """
    at = int(one.at.timestamp()) if one.at else 0
    return min(max(at, 0), lookup.NUMBERS - (1 << 20))


def _around(kept: Sequence[Kept], place: int) -> str:
    """Return an entry's text between those of its neighbours in the same session."""
    own = kept[place]
    near = kept[max(0, place - 1) : place + 2]
    return "\n".join(
        f"{one.title}\n{one.body}"
        for one in near
        if one is own or (one.session == own.session and one.kind != "summary")
    )


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _storable(value: object) -> object:
    """Return *value* as the database takes it: a byte that is no UTF-8 becomes a question mark."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def is_unchanged(entry: Indexed) -> bool:
    """Tell whether the file behind *entry* is still the one that was indexed."""
    return lookup.is_unchanged(entry.path, entry.size, entry.mtime_ns)
