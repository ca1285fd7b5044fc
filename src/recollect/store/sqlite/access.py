"""SQLite as we use it: one way to open a file, to hold a transaction, to keep SQL in files.

Each statement stands in a `.sql` file under a line `-- name: what_it_does`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

# Writers are unfair to each other; with less, some fail (8 writers, 2,000 transactions each).
BUSY_SECONDS = 10


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
    """Open the database at *path*, made for its owner alone if it is not there."""
    if not path.exists():
        path.touch(mode=0o600)
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


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
