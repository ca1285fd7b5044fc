"""What agents were given unasked, in SQLite."""

import math
from collections.abc import Iterable
from dataclasses import asdict

from recollect.store.contract.state import EVENTS, OFTEN, USES, Shown, ShownTally, Total, Totals
from recollect.store.sqlite.state.statements import Row, Statements


class SqliteShown:
    """`ShownStore` over the table `shown`."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def add(self, lines: Iterable[Shown]) -> None:
        """Remember that *lines* were shown; what is known already stays as it is."""
        for line in lines:
            self._statements.run("add_shown", **asdict(line))

    def latest(self, session: str) -> float:
        """Return when *session* was last shown something that is remembered; 0 if never."""
        found = self._statements.row("latest_shown", session)
        return float(found[0] or 0.0) if found else 0.0

    def unused_in(self, session: str, *, until: float = math.inf) -> list[Shown]:
        """Return what *session* was shown *until* then and has not used since, in order.

        One that was shown several times is there once, as it was shown last: what an agent does
        once is one use, however often we had told it before.
        """
        names = Shown.__slots__
        rows = self._statements.rows("unused_shown", session=session, until=until)
        return [Shown(**dict(zip(names, row, strict=True))) for row in rows]

    def between(self, session: str, since: float, until: float) -> list[Shown]:
        """Return what *session* was shown for prompts between these times, the latest first."""
        names = Shown.__slots__
        rows = self._statements.rows("shown_between", session, since, until)
        return [Shown(**dict(zip(names, row, strict=True))) for row in rows]

    def mark_used(self, one: Shown, how: str) -> None:
        """Remember *how* the memory that *one* tells of was used."""
        self._statements.run(
            "use_shown", session=one.session, at=one.at, event=one.event, id=one.id, used=how
        )

    def never_used(
        self, *, since: float = 0.0, project: str | None = None, least: int = OFTEN
    ) -> list[ShownTally]:
        """Return what `ignored` means, the one shown most first, if it was shown after *since*.

        It is counted by the prompts for which it was shown since it was last changed, whenever.
        """
        rows = self._statements.rows("never_used", since=since, project=project, least=least)
        return [_tally(row) for row in rows]

    def most_used(
        self, *, since: float = 0.0, project: str | None = None, limit: int = 5
    ) -> list[ShownTally]:
        """Return the memories that were used most after *since*, the first one most."""
        rows = self._statements.rows("most_used", since=since, project=project, limit=limit)
        return [_tally(row) for row in rows]

    def totals(self, *, since: float = 0.0, project: str | None = None) -> Totals:
        """Return what was shown after *since*, in one *project* or in all."""
        return Totals(
            events={event: self._total(since, project, event) for event in EVENTS},
            together=self._total(since, project, None),
        )

    def prune(self, before: float) -> None:
        """Delete what was shown *before* then."""
        self._statements.run("prune_shown", before)

    def _total(self, since: float, project: str | None, event: str | None) -> Total:
        wanted = {"since": since, "project": project, "event": event}
        ((times, memories, different, different_used, tokens, in_full, sessions),) = (
            self._statements.rows("total_shown", **wanted)
        )
        uses = dict.fromkeys(USES, 0) | dict(self._statements.rows("uses_of_shown", **wanted))
        return Total(
            times=times,
            memories=memories,
            different=different,
            uses=uses,
            different_used=different_used,
            tokens=tokens,
            in_full=in_full,
            sessions=sessions,
        )

    def forget(self, id: str, *, project: str | None = None) -> None:  # noqa: A002
        """Erase every row about the memory *id*, also from backups.

        Of one *project* or of all: notes of two projects may share an id.
        """
        self._statements.erase("forget_shown", id=id, project=project)


def _tally(row: Row) -> ShownTally:
    return ShownTally(**dict(zip(ShownTally.__slots__, row, strict=True)))
