"""Memories that somebody called wrong, in SQLite."""

from dataclasses import asdict

from recollect.store.contract.state import Dispute
from recollect.store.sqlite.state.statements import Statements

LONGEST_SAID = 300


class SqliteDisputes:
    """`DisputeStore` over the table `disputes`."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def add(self, one: Dispute) -> None:
        """Remember *one*; what was said of the same memory before is replaced."""
        self._statements.run("add_dispute", **{**asdict(one), "said": one.said[:LONGEST_SAID]})

    def waiting(self, project: str) -> list[Dispute]:
        """Return what waits for a person in *project*, the latest first."""
        names = Dispute.__slots__
        rows = (
            dict(zip(names, row, strict=True)) for row in self._statements.rows("disputes", project)
        )
        return [Dispute(**{**row, "hidden": bool(row["hidden"])}) for row in rows]

    def hidden(self, project: str) -> frozenset[str]:
        """Return the ids of what is not shown unasked in *project*."""
        return frozenset(str(id_) for (id_,) in self._statements.rows("hidden_disputes", project))

    def accept(self, one: Dispute) -> None:
        """Say that the memory is right after all: it is shown again."""
        self._statements.run("drop_dispute", id=one.id, project=one.project)

    def reject(self, one: Dispute) -> None:
        """Say that it is wrong indeed: it stays hidden, and waits no longer."""
        self._statements.run("settle_dispute", one.project, one.id)

    def forget(self, id: str, *, project: str | None = None) -> None:  # noqa: A002
        """Erase what was said of the memory *id*, also from backups."""
        self._statements.erase("drop_dispute", id=id, project=project)
