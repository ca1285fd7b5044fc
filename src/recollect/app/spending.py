"""What models cost: by day, by project, model and purpose, and against the limit of today."""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from recollect import paths
from recollect.app.home import OpenHome
from recollect.app.projects import Projects
from recollect.store import ledger
from recollect.store.contract.state import LedgerRow

EVERYWHERE = "all projects"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentSum:
    """What models took."""

    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    tokens: int
    cost: float | None
    """In dollars; None if no price is known."""
    without_price: int
    """Calls whose price is unknown."""
    estimated: int
    """Calls whose tokens we estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentOnDay(SpentSum):
    """What models took on one day."""

    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentByModel(SpentSum):
    """What one model took for one project and purpose."""

    project: str
    label: str
    engine: str
    model: str
    purpose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensToday:
    """The tokens of today, all projects together, and the limit."""

    tokens: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What models took, by day and by model."""

    today: TokensToday
    days: tuple[SpentOnDay, ...]
    groups: tuple[SpentByModel, ...]
    total: SpentSum


class SpendingRoom:
    """What models cost in one home."""

    def __init__(self, home: OpenHome, projects: Projects) -> None:
        self._home = home
        self._projects = projects

    def of(self, *, days: int, project: str | None = None, now: float | None = None) -> Spending:
        """Return what was spent in the last *days*, today among them, in all projects or in one.

        Raises `ProjectError`.
        """
        now = time.time() if now is None else now
        today = date.fromisoformat(ledger.day_of(now))
        shown = [(today - timedelta(days=n)).isoformat() for n in reversed(range(days))]
        only = self._projects.find(project).name if project else ""
        rows = [one for one in self._rows(shown[0], only) if one.day in shown]
        labels = self._labels({one.project for one in rows})
        groups: defaultdict[tuple[str, ...], list[LedgerRow]] = defaultdict(list)
        for one in rows:
            groups[labels[one.project], one.project, one.engine, one.model, one.purpose].append(one)
        return Spending(
            today=TokensToday(
                tokens=ledger.spent_today(self._home.state, now=now),
                limit=self._home.settings().synthesis_daily_tokens,
            ),
            days=tuple(
                SpentOnDay(day=day, **_sums([one for one in rows if one.day == day]))
                for day in shown
            ),
            groups=tuple(
                SpentByModel(
                    label=label,
                    project=project,
                    engine=engine,
                    model=model,
                    purpose=purpose,
                    **_sums(groups[label, project, engine, model, purpose]),
                )
                for label, project, engine, model, purpose in sorted(groups)
            ),
            total=SpentSum(**_sums(rows)),
        )

    def since(self, day: str, *, project: str = "") -> SpentSum:
        """Return what was spent from *day* on, in all projects or in one."""
        return SpentSum(**_sums(self._rows(day, project)))

    def _rows(self, since: str, project: str) -> list[LedgerRow]:
        rows = self._home.state.ledger.rows(since=since)
        return [one for one in rows if not project or one.project == project]

    def _labels(self, names: Iterable[str]) -> dict[str, str]:
        """Return what each of *names* is called; two that are called the same keep their names."""
        called = {one.name: one.label for one in self._projects.all()}
        several = {label for label in called.values() if list(called.values()).count(label) > 1}
        labels = {name: label for name, label in called.items() if label not in several}
        everywhere = dict.fromkeys(("", paths.EVERYWHERE), EVERYWHERE)
        return {name: (everywhere | labels).get(name, name) for name in names}


def _sums(rows: Sequence[LedgerRow]) -> dict[str, Any]:
    sums = {name: sum(getattr(one, name) for one in rows) for name in _SUMMED}
    is_known = sums["calls"] > sums["without_price"]
    return {**sums, "cost": round(sum(one.cost for one in rows), 6) if is_known else None}


_SUMMED = (
    *("calls", "input_tokens", "output_tokens", "cached_tokens", "tokens"),
    *("without_price", "estimated"),
)
