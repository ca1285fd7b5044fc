"""Open `state.db`; bring it back from its backup when it is broken; back it up.

Losing it costs a re-read of transcripts, never a memory and never a double: whether a turn is
recorded is decided by its anchor in the journal.
"""

import sqlite3
import time
from contextlib import AbstractContextManager
from pathlib import Path

from recollect import files, paths
from recollect.errors import DamagedError, RecollectError, StoreError
from recollect.store.sqlite import access
from recollect.store.sqlite.state.disputes import SqliteDisputes
from recollect.store.sqlite.state.ledger import SqliteLedger
from recollect.store.sqlite.state.projects import SqliteProjects
from recollect.store.sqlite.state.queue import SqliteQueue
from recollect.store.sqlite.state.sessions import SqliteSessions
from recollect.store.sqlite.state.shown import SqliteShown
from recollect.store.sqlite.state.statements import Statements

# Each adds to those before it, so a database of any age grows to the present one.
SCHEMA = ("sql/schema.sql", "sql/schema_2.sql", "sql/schema_3.sql", "sql/schema_4.sql")
SCHEMA_VERSION = len(SCHEMA)
BACKUPS_KEPT = 7
LOCK_SECONDS = 10.0


class SqliteState:
    """`StateStore` in one file. One per thread."""

    def __init__(self, connection: sqlite3.Connection, home: str) -> None:
        self._connection = connection
        self._home = Path(home)
        self._statements = Statements(connection, self._home)
        self.projects = SqliteProjects(self._statements)
        self.sessions = SqliteSessions(self._statements)
        self.queue = SqliteQueue(self._statements)
        self.ledger = SqliteLedger(self._statements)
        self.shown = SqliteShown(self._statements)
        self.disputes = SqliteDisputes(self._statements)

    def meta(self, key: str) -> str:
        """Return the remembered value of *key*, empty if there is none."""
        found = self._statements.row("read_meta", key)
        return str(found[0]) if found else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* for *key*."""
        self._statements.run("write_meta", key, value)

    def transaction(self) -> AbstractContextManager[None]:
        """Make all that is done inside one step: all of it happens, or nothing."""
        return self._statements.transaction()

    def back_up(self, *, day: str) -> Path:
        """Write a copy named after *day* and remove the oldest ones."""
        folder = self._home / "backups"
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

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def open_state(home: str) -> SqliteState:
    """Open the database, restored from its newest backup or made anew if it is broken."""
    path = Path(paths.state(home))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # An empty file is one that another process is just making: two at once would lock each other
    # out while they decide how it is written.
    if not _has_content(path):
        with files.locked(path.with_name(".state.lock"), wait=LOCK_SECONDS):
            if not _has_content(path):  # Another process may have been faster.
                access.remove(path)  # Logs that outlived their database belong to nothing.
                return _restored(home, path)
    try:
        return SqliteState(_opened(path), home)
    except DamagedError:
        _put_aside(path)
        return _restored(home, path)
    except StoreError as error:
        raise StoreError(f"{path}: cannot be opened: {error.message}", hint=error.hint) from error


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _restored(home: str, path: Path) -> SqliteState:
    """Return the newest backup that is whole, in place; a new database if there is none."""
    for backup in sorted((Path(home) / "backups").glob("state-*.db"), reverse=True):
        path.touch(mode=0o600)
        path.write_bytes(backup.read_bytes())
        try:
            return SqliteState(_opened(path), home)
        except StoreError:
            access.remove(path)
    return SqliteState(_opened(path), home)


def _opened(path: Path) -> sqlite3.Connection:
    connection = access.connect(path)
    try:
        (found_well,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found_well != "ok":
            raise DamagedError(str(found_well))
        found = access.version(connection)
        if found > SCHEMA_VERSION:
            raise RecollectError(
                f"state.db was written by a newer Recollect (schema {found})",
                hint="Upgrade it: fetch the new version in its clone, then `make install`.",
            )
        for version, added in enumerate(SCHEMA[found:], start=found + 1):
            access.create(
                connection, "recollect.store.sqlite.state", added, schema=version, over=version - 1
            )
    except RecollectError:
        connection.close()
        raise
    return connection


def _put_aside(path: Path) -> None:
    broken = path.with_name(f"{path.name}.broken-{int(time.time())}")
    path.rename(broken)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
