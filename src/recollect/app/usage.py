"""Did it help? What agents were shown, and what they used of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect import paths
from recollect.app.home import OpenHome
from recollect.pipeline.usage import Usage
from recollect.store.contract.state import ShownTally, Totals


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedMemory:
    """How one memory fared, and what it is called."""

    tally: ShownTally
    title: str
    """Empty if the memory is gone."""


class UsageRoom:
    """What was shown in one home, counted."""

    def __init__(self, home: OpenHome, usage: Usage) -> None:
        self._home = home
        self._usage = usage

    def count(self, *, seen_since: float = 0.0) -> None:
        """Take in what sessions were shown, and count what their agents pass over."""
        self._usage.take_in_all()
        recent = [one for one in self._home.registry.all() if one.last_seen >= seen_since]
        self._usage.count(one.name for one in recent)

    def take_in(self) -> None:
        """Take in what sessions were shown."""
        self._usage.take_in_all()

    def totals(self, *, since: float, project: str | None) -> Totals:
        """Return how much was shown and used *since* then, in all projects or in one."""
        return self._home.state.shown.totals(since=since, project=project)

    def most_used(self, *, since: float, project: str | None, limit: int) -> Sequence[UsedMemory]:
        """Return the memories that helped most."""
        found = self._home.state.shown.most_used(since=since, project=project, limit=limit)
        return self._titled(found)

    def never_used(self, *, since: float, project: str | None) -> Sequence[UsedMemory]:
        """Return the memories that were shown often and never used."""
        return self._titled(self._home.state.shown.never_used(since=since, project=project))

    def _titled(self, tallies: Sequence[ShownTally]) -> tuple[UsedMemory, ...]:
        return tuple(UsedMemory(tally=one, title=self._title(one)) for one in tallies)

    def _title(self, one: ShownTally) -> str:
        found = self._home.index.by_id(one.id)
        # Notes of two projects may share an id.
        return found.title if found and found.project in (one.project, paths.EVERYWHERE) else ""
