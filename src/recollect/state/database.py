"""Open `state.db`; bring it back from its backup when it is broken; back it up.

Losing it costs a re-read of transcripts, never a memory and never a double: whether a turn is
recorded is decided by its anchor in the journal.
"""

import sqlite3
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from recollect import files, paths, sqlite
from recollect.errors import RecollectError

# Each adds to those before it, so a database of any age grows to the present one.
SCHEMA = ("sql/schema.sql", "sql/schema_2.sql", "sql/schema_3.sql", "sql/schema_4.sql")
SCHEMA_VERSION = len(SCHEMA)
BACKUPS_KEPT = 7
LOCK_SECONDS = 10.0

Row = tuple[Any, ...]

SQL = sqlite.load("recollect.state", "sql/queries.sql")


class State:
    """The open database. One per thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, *values: object, **named: object) -> list[Row]:
        """Return every row of the named *statement*."""
        return self._connection.execute(SQL[statement], named or values).fetchall()

    def row(self, statement: str, *values: object) -> Row | None:
        """Return the first row of the named *statement*, if any."""
        found: Row | None = self._connection.execute(SQL[statement], values).fetchone()
        return found

    def run(self, statement: str, *values: object, **named: object) -> None:
        """Execute the named *statement* inside the transaction under way, or on its own."""
        self._connection.execute(SQL[statement], named or values)

    def transaction(self) -> AbstractContextManager[None]:
        """Make all that is done inside one step: all of it happens, or nothing."""
        return sqlite.transaction(self._connection)

    def meta(self, key: str) -> str:
        """Return the remembered value of *key*, empty if there is none."""
        found = self.row("read_meta", key)
        return str(found[0]) if found else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* for *key*."""
        self.run("write_meta", key, value)

    def back_up(self, home: str, *, day: str) -> Path:
        """Write a copy named after *day* and remove the oldest ones."""
        folder = Path(home) / "backups"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = folder / f"state-{day}.db"
        unfinished = target.with_suffix(".tmp")
        unfinished.unlink(missing_ok=True)
        self._connection.execute("VACUUM INTO ?", (str(unfinished),))
        unfinished.chmod(0o600)
        unfinished.rename(target)
        for old in sorted(folder.glob("state-*.db"))[:-BACKUPS_KEPT]:
            old.unlink()
        return target

    def forget(self, home: str, statement: str, **named: object) -> None:
        """Execute the named *statement*, which deletes, here and in every backup."""
        self.run(statement, **named)
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for backup in (Path(home) / "backups").glob("state-*.db"):
            _forget_in(backup, SQL[statement], named)
        for broken in Path(home).glob("state.db.broken-*"):
            broken.unlink()

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def _forget_in(backup: Path, statement: str, named: dict[str, object]) -> None:
    try:
        connection = sqlite3.connect(backup, isolation_level=None)
        try:
            connection.execute(statement, named)
            connection.execute("VACUUM")
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):  # Of an older version, which knew nothing of it.
            sqlite.remove(backup)
    except sqlite3.Error:  # It could not have brought anything back either.
        sqlite.remove(backup)


def open_state(home: str) -> State:
    """Open the database, restored from its newest backup or made anew if it is broken."""
    path = Path(paths.state(home))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # An empty file is one that another process is just making: two at once would lock each other
    # out while they decide how it is written.
    if not _has_content(path):
        with files.locked(path.with_name(".state.lock"), wait=LOCK_SECONDS):
            if not _has_content(path):  # Another process may have been faster.
                sqlite.remove(path)  # Logs that outlived their database belong to nothing.
                return _restored(home, path)
    try:
        return State(_opened(path))
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error):
            raise RecollectError(
                f"{path}: cannot be opened: {error}", hint="Run: recollect doctor"
            ) from error
        _put_aside(path)
        return _restored(home, path)


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _restored(home: str, path: Path) -> State:
    """Return the newest backup that is whole, in place; a new database if there is none."""
    for backup in sorted((Path(home) / "backups").glob("state-*.db"), reverse=True):
        path.touch(mode=0o600)
        path.write_bytes(backup.read_bytes())
        try:
            return State(_opened(path))
        except sqlite3.DatabaseError:
            sqlite.remove(path)
    return State(_opened(path))


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite.connect(path)
    try:
        (found_well,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found_well != "ok":
            raise sqlite3.DatabaseError(found_well)
        found = sqlite.version(connection)
        if found > SCHEMA_VERSION:
            raise RecollectError(
                f"state.db was written by a newer Recollect (schema {found})",
                hint="Upgrade it: fetch the new version in its clone, then `make install`.",
            )
        for version, added in enumerate(SCHEMA[found:], start=found + 1):
            sqlite.create(connection, "recollect.state", added, schema=version, over=version - 1)
    except (sqlite3.DatabaseError, RecollectError):
        connection.close()
        raise
    return connection


def _put_aside(path: Path) -> None:
    broken = path.with_name(f"{path.name}.broken-{int(time.time())}")
    path.rename(broken)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
