"""Turns that a model has still to look at, in SQLite."""

from collections.abc import Iterable
from dataclasses import asdict

from recollect.store.contract.state import QueuedTurn
from recollect.store.sqlite.state.statements import Row, Statements

_COLUMNS = "host turn session project queued due tries aside put_back owed kind reason".split()


class SqliteQueue:
    """`TurnQueue` over the table `queue`."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def add(self, *, host: str, turn: str, session: str, project: str, now: float) -> None:
        """Let a turn wait for a model; one that is there already begins anew.

        Whoever has begun with it before has no say over it any more.
        """
        self._statements.run(
            "enqueue", host=host, turn=turn, session=session, project=project, queued=now
        )

    def everything(self) -> list[QueuedTurn]:
        """Return all that waits or was set aside, the oldest first."""
        return [_queued(row) for row in self._statements.rows("queue")]

    def save(self, batch: Iterable[QueuedTurn]) -> None:
        """Keep *batch* as it is now, as far as it is still in the queue as it was added."""
        with self._statements.transaction():
            for one in batch:
                kept = asdict(one)
                for name in ("session", "project"):
                    del kept[name]
                self._statements.run("save_queued", **kept)

    def remove(self, batch: Iterable[QueuedTurn]) -> None:
        """Take *batch* out of the queue, as far as it is still there as it was added."""
        for one in batch:
            self._statements.run("remove_queued", one.host, one.turn, one.queued)


def _queued(row: Row) -> QueuedTurn:
    values = dict(zip(_COLUMNS, row, strict=True))
    return QueuedTurn(
        **{**values, "aside": bool(values["aside"]), "put_back": bool(values["put_back"])}
    )
