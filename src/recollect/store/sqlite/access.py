"""SQLite as we use it: one way to open a file, to hold a transaction, to keep SQL in files.

Each statement stands in a `.sql` file under a line `-- name: what_it_does`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from recollect.errors import BusyError, DamagedError, StoreError

# Writers are unfair to each other; with less, some fail (8 writers, 2,000 transactions each).
BUSY_SECONDS = 10

DOCTOR = "Run: recollect doctor"


def load(package: str, file: str) -> dict[str, str]:
    """Return the named statements of *file* in *package*."""
    statements: dict[str, list[str]] = {}
    name = ""
    for line in _text(package, file).splitlines():
        if line.startswith("-- name: "):
            name = line.removeprefix("-- name: ").strip()
            statements[name] = []
        elif name:
            statements[name].append(line)
    return {name: "\n".join(lines).strip() for name, lines in statements.items()}


def connect(path: Path) -> sqlite3.Connection:
    """Open the database at *path*, made for its owner alone if it is not there.

    Whatever it raises from then on is a `StoreError`.
    """
    if not path.exists():
        path.touch(mode=0o600)
    with translated():
        connection = sqlite3.connect(
            path,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except StoreError:
        connection.close()
        raise
    return connection


@contextmanager
def translated() -> Iterator[None]:
    """Raise what SQLite raises as a `StoreError`: nobody above knows that it is SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        raise store_error(error) from error


def store_error(error: sqlite3.Error) -> StoreError:
    """Return what *error* of SQLite means.

    >>> type(store_error(sqlite3.OperationalError("database is locked"))).__name__
    'BusyError'
    >>> type(store_error(sqlite3.DatabaseError("file is not a database"))).__name__
    'DamagedError'
    """
    message = str(error)
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in message:
        return StoreError("it was closed already", hint="Open it again.")
    if not isinstance(error, sqlite3.OperationalError):
        damaged = isinstance(error, sqlite3.DatabaseError)
        return DamagedError(message, hint=DOCTOR) if damaged else StoreError(message, hint=DOCTOR)
    if "locked" in message or "busy" in message:
        return BusyError(message, hint="Try again in a moment.")
    if "malformed" in message or "no such table" in message:
        return DamagedError(message, hint=DOCTOR)
    return StoreError(message, hint=DOCTOR)


class _Cursor(sqlite3.Cursor):
    """A cursor whose failures are those of a store."""

    def execute(self, *arguments: Any) -> Self:
        with translated():
            return super().execute(*arguments)

    def executemany(self, *arguments: Any) -> Self:
        with translated():
            return super().executemany(*arguments)

    def fetchone(self) -> Any:
        with translated():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with translated():
            return super().fetchall()

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # Any iterator will do.
        with translated():  # Around all rows: a wrapper for each of 100,000 would be felt.
            yield from iter(super().fetchone, None)

    def __next__(self) -> Any:
        with translated():
            return super().__next__()


class _Connection(sqlite3.Connection):
    """A connection whose failures are those of a store."""

    def cursor(self, factory: Any = _Cursor) -> Any:
        with translated():
            return super().cursor(factory)

    def execute(self, *arguments: Any) -> Any:
        return self.cursor().execute(*arguments)

    def executemany(self, *arguments: Any) -> Any:
        return self.cursor().executemany(*arguments)


def verdict(path: Path) -> str:
    """Return what SQLite says of the database at *path*: `ok`, or what is wrong with it."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            (found,) = connection.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return str(found)


def remove(path: Path) -> None:
    """Delete the database at *path* with its logs."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Make all that is done inside one step: all of it happens, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def version(connection: sqlite3.Connection) -> int:
    """Return the version of the schema; 0 for a database that has none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def create(
    connection: sqlite3.Connection, package: str, file: str, *, schema: int, over: int = 0
) -> None:
    """Give a database the tables of *file* in *package*: version *schema* of it.

    It is empty before, or of the version *over*.
    """
    with transaction(connection):
        if version(connection) != over:  # Another process was faster.
            return
        for statement in _statements(_text(package, file)):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {schema}")


def _text(package: str, file: str) -> str:
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")


def _statements(script: str) -> Iterator[str]:
    """Return the statements of *script* one by one, so that they can share a transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
