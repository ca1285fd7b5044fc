"""Run the named statements of `state.db`; erase without a trace, here and in every backup."""

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from recollect.store.sqlite import access

Row = tuple[Any, ...]

SQL = access.load("recollect.store.sqlite.state", "sql/queries.sql")


class Statements:
    """The statements of one connection, by name."""

    def __init__(self, connection: sqlite3.Connection, home: Path) -> None:
        self._connection = connection
        self._home = home

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
        return access.transaction(self._connection)

    def erase(self, statement: str, **named: object) -> None:
        """Execute the named *statement*, which deletes, here and in every backup."""
        self.run(statement, **named)
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for backup in (self._home / "backups").glob("state-*.db"):
            _erase_in(backup, SQL[statement], named)
        for broken in self._home.glob("state.db.broken-*"):
            broken.unlink()


def _erase_in(backup: Path, statement: str, named: dict[str, object]) -> None:
    try:
        connection = sqlite3.connect(backup, isolation_level=None)
        try:
            connection.execute(statement, named)
            connection.execute("VACUUM")
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):  # Of an older version, which knew nothing of it.
            access.remove(backup)
    except sqlite3.Error:  # It could not have brought anything back either.
        access.remove(backup)
