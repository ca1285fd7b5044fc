"""Did it help? What agents were shown, and what they used of it."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

from recollect import paths
from recollect.app.home import OpenHome
from recollect.app.projects import Projects
from recollect.app.spending import SpendingRoom, SpentSum
from recollect.pipeline.usage import Usage
from recollect.store import ledger
from recollect.store.contract.state import ShownTally, Total

LISTED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FaredMemory:
    """How one memory fared."""

    project: str
    id: str
    shown: int
    used: int
    tokens: int
    title: str | None
    """None if it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageTotal:
    """What agents were given, and what they used of it."""

    times: int
    memories: int
    different: int
    uses: Mapping[str, int]
    """By how: `opened`, `cited`, `files`, `words`."""
    used: int
    different_used: int
    tokens: int
    in_full: int
    """The tokens of the turns behind them."""
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """What agents were given, used, and what it cost."""

    days: int
    since: datetime
    project: str | None
    events: Mapping[str, UsageTotal]
    """By occasion: `start`, `prompt`, `file`, `subagent`."""
    together: UsageTotal
    models: SpentSum
    most_used: tuple[FaredMemory, ...]
    never_used: tuple[FaredMemory, ...]


class UsageRoom:
    """What was shown in one home, counted."""

    def __init__(
        self, home: OpenHome, usage: Usage, projects: Projects, spending: SpendingRoom
    ) -> None:
        self._home = home
        self._usage = usage
        self._projects = projects
        self._spending = spending

    def count(self, *, seen_since: float = 0.0) -> None:
        """Take in what sessions were shown, and count what their agents pass over."""
        self._usage.take_in_all()
        recent = [one for one in self._home.registry.all() if one.last_seen >= seen_since]
        self._usage.count(one.name for one in recent)

    def take_in(self) -> None:
        """Take in what sessions were shown."""
        self._usage.take_in_all()

    def report(
        self, *, days: int, project: str | None = None, now: float | None = None
    ) -> UsageReport:
        """Return what was shown and used in the last *days*, in all projects or in one.

        Raises `ProjectError`.
        """
        self.take_in()
        only = self._projects.find(project).name if project else None
        today = date.fromisoformat(ledger.day_of(time.time() if now is None else now))
        first = today - timedelta(days=days - 1)
        since = datetime.combine(first, datetime.min.time()).astimezone()
        at, shown = since.timestamp(), self._home.state.shown
        totals = shown.totals(since=at, project=only)
        return UsageReport(
            days=days,
            since=since,
            project=only,
            events={name: _total(one) for name, one in totals.events.items()},
            together=_total(totals.together),
            models=self._spending.since(first.isoformat(), project=only or ""),
            most_used=self._fared(shown.most_used(since=at, project=only, limit=LISTED)),
            never_used=self._fared(shown.never_used(since=at, project=only)),
        )

    def _fared(self, tallies: Iterable[ShownTally]) -> tuple[FaredMemory, ...]:
        return tuple(FaredMemory(**asdict(one), title=self._title(one)) for one in tallies)

    def _title(self, one: ShownTally) -> str | None:
        found = self._home.index.by_id(one.id)
        # Notes of two projects may share an id.
        is_meant = found and found.project in (one.project, paths.EVERYWHERE)
        return found.title if found and is_meant else None


def _total(one: Total) -> UsageTotal:
    return UsageTotal(**asdict(one), used=one.used)
