"""What is kept besides Markdown, in dicts."""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from recollect.store import ledger
from recollect.store.contract.state import (
    EVENTS,
    OFTEN,
    USES,
    Dispute,
    LedgerRow,
    ModelCall,
    Project,
    QueuedTurn,
    Session,
    Shown,
    ShownTally,
    Spent,
    Total,
    Totals,
)


@dataclass(slots=True)
class Tables:
    """All that is kept, by key. Values never change, so a copy of the dicts is a copy of it all."""

    projects: dict[str, Project] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    drafts: dict[tuple[str, str], str] = field(default_factory=dict)
    recorded: dict[tuple[str, ...], None] = field(default_factory=dict)
    queue: dict[tuple[str, str], QueuedTurn] = field(default_factory=dict)
    ledger: dict[int, tuple[str, ModelCall, Spent]] = field(default_factory=dict)
    """Each with the user's own day when it was booked."""
    shown: dict[tuple[str, float, str, str], Shown] = field(default_factory=dict)
    disputes: dict[tuple[str, str], tuple[Dispute, bool]] = field(default_factory=dict)
    """Each with whether it waits for a person."""
    meta: dict[str, str] = field(default_factory=dict)


class MemoryState:
    """`StateStore` in dicts."""

    def __init__(self) -> None:
        self._tables = tables = Tables()
        self.projects = MemoryProjects(tables)
        self.sessions = MemorySessions(tables)
        self.queue = MemoryQueue(tables)
        self.ledger = MemoryLedger(tables)
        self.shown = MemoryShown(tables)
        self.disputes = MemoryDisputes(tables)

    def meta(self, key: str) -> str:
        """Return the remembered value of *key*, empty if there is none."""
        return self._tables.meta.get(key, "")

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* for *key*."""
        self._tables.meta[key] = value

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make all that is done inside one step: all of it happens, or nothing."""
        before = {one.name: dict(getattr(self._tables, one.name)) for one in fields(Tables)}
        try:
            yield
        except BaseException:
            for name, table in before.items():
                setattr(self._tables, name, table)
            raise

    def back_up(self, *, day: str) -> Path | None:  # noqa: ARG002 - nothing outlives the process
        """Return None: there is nothing to copy."""
        return None

    def close(self) -> None:
        """Do nothing: it can be opened again."""


class MemoryProjects:
    """`ProjectStore` in dicts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def all(self) -> list[Project]:
        """Return every project, the last seen first."""
        return sorted(self._tables.projects.values(), key=lambda one: (-one.last_seen, one.name))

    def named(self, name: str) -> Project | None:
        """Return the project whose folder is called exactly *name*."""
        return self._tables.projects.get(name)

    def of_identity(self, identity: str) -> str | None:
        """Return the name of the project that the path *identity* stands for."""
        return self._tables.identities.get(identity)

    def identities(self, project: str) -> list[str]:
        """Return every path that stands for *project*, in order."""
        return sorted(path for path, name in self._tables.identities.items() if name == project)

    def places(self) -> list[tuple[str, str, bool]]:
        """Return every path with the name of its project, and whether that is excluded."""
        known = self._tables.projects
        return [
            (path, name, known[name].excluded)
            for path, name in sorted(self._tables.identities.items())
            if name in known
        ]

    def add(self, project: Project, identity: str) -> None:
        """Keep a new *project*, for which *identity* stands."""
        self._tables.projects[project.name] = project
        self.set_identity(identity, project.name)

    def save(self, project: Project) -> None:
        """Keep *project*, which is known, as it is now."""
        if project.name in self._tables.projects:
            self._tables.projects[project.name] = project

    def set_identity(self, identity: str, project: str) -> None:
        """Let *identity* stand for *project*."""
        self._tables.identities[identity] = project

    def remove_identity(self, identity: str) -> None:
        """Let *identity* stand for nothing."""
        self._tables.identities.pop(identity, None)

    def remove(self, project: str) -> None:
        """Forget *project*, of which nothing was kept, and the paths that stand for it."""
        for path in self.identities(project):
            del self._tables.identities[path]
        self._tables.projects.pop(project, None)

    def join(self, project: str, *, into: str) -> None:
        """Give everything that belongs to *project* to *into*, and forget that there was one."""
        tables = self._tables
        for path in self.identities(project):
            tables.identities[path] = into
        tables.sessions |= _moved(tables.sessions, project, into)
        tables.queue |= _moved(tables.queue, project, into)
        tables.shown |= _moved(tables.shown, project, into)
        tables.ledger |= {
            number: (day, replace(call, project=into), spent)
            for number, (day, call, spent) in tables.ledger.items()
            if call.project == project
        }
        tables.projects.pop(project, None)


class MemorySessions:
    """`SessionStore` in dicts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def find(self, session: str) -> Session | None:
        """Return the session with exactly this id."""
        return self._tables.sessions.get(session)

    def matching(self, prefix: str) -> list[Session]:
        """Return the sessions whose id begins with *prefix*, latest first; none for ""."""
        return self._latest(lambda one: prefix and one.id.startswith(prefix))

    def of_project(self, project: str) -> list[Session]:
        """Return the sessions of *project*, latest first."""
        return self._latest(lambda one: one.project == project)

    def active(self) -> list[Session]:
        """Return the sessions of which no end is known, the quietest first."""
        return self._latest(lambda one: one.status == "active")[::-1]

    def count(self, project: str) -> int:
        """Return how many sessions of *project* had a turn."""
        return sum(1 for one in self.of_project(project) if one.turns)

    def hosts(self, project: str) -> list[str]:
        """Return the hosts that *project* was worked on with, in order."""
        return sorted({one.host for one in self.of_project(project)})

    def save(self, session: Session) -> None:
        """Keep *session* as it is now; its host and its project stay what they were."""
        known = self._tables.sessions.get(session.id, session)
        kept = replace(session, host=known.host, project=known.project)
        self._tables.sessions[session.id] = kept

    def drafts(self, session: str) -> dict[str, str]:
        """Return the turns under way in *session*, by key, in the order they began."""
        every = self._tables.drafts.items()
        return {turn: body for (own, turn), body in every if own == session}

    def save_draft(self, session: str, turn: str, body: str) -> None:
        """Keep a turn under way as it is now."""
        self._tables.drafts[session, turn] = body

    def remove_draft(self, session: str, turn: str) -> None:
        """Forget a turn that is no longer under way."""
        self._tables.drafts.pop((session, turn), None)

    def forget_drafts(self, session: str) -> None:
        """Erase the turns under way in *session*."""
        for turn in self.drafts(session):
            self.remove_draft(session, turn)

    def is_recorded(self, *key: str) -> bool:
        """Tell whether the journal ever got what *key* names."""
        return key in self._tables.recorded

    def set_recorded(self, *key: str) -> None:
        """Remember that the journal got what *key* names."""
        self._tables.recorded[key] = None

    def _latest(self, is_wanted: Callable[[Session], object]) -> list[Session]:
        found = [one for one in self._tables.sessions.values() if is_wanted(one)]
        return sorted(found, key=lambda one: -one.last_seen)


class MemoryQueue:
    """`TurnQueue` in dicts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, *, host: str, turn: str, session: str, project: str, now: float) -> None:
        """Let a turn wait for a model; one that is there already begins anew."""
        known = self._tables.queue.get((host, turn))
        session, project = (known.session, known.project) if known else (session, project)
        fresh = QueuedTurn(host=host, turn=turn, session=session, project=project, queued=now)
        self._tables.queue[host, turn] = fresh

    def everything(self) -> list[QueuedTurn]:
        """Return all that waits or was set aside, the oldest first."""
        every = self._tables.queue.values()
        return sorted(every, key=lambda one: (one.queued, one.session, one.turn))

    def save(self, batch: Iterable[QueuedTurn]) -> None:
        """Keep *batch* as it is now, as far as it is still in the queue as it was added."""
        for one in batch:
            if known := self._same(one):
                kept = replace(one, session=known.session, project=known.project)
                self._tables.queue[one.host, one.turn] = kept

    def remove(self, batch: Iterable[QueuedTurn]) -> None:
        """Take *batch* out of the queue, as far as it is still there as it was added."""
        for one in batch:
            if self._same(one):
                del self._tables.queue[one.host, one.turn]

    def _same(self, one: QueuedTurn) -> QueuedTurn | None:
        known = self._tables.queue.get((one.host, one.turn))
        return known if known and known.queued == one.queued else None


class MemoryLedger:
    """`Ledger` in dicts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def book(self, call: ModelCall, spent: Spent) -> int:
        """Write down what *call* costs; return what to `settle` it by."""
        number = max(self._tables.ledger, default=0) + 1
        self._tables.ledger[number] = (ledger.day_of(call.at), call, spent)
        return number

    def settle(self, number: int, spent: Spent, *, model: str) -> None:
        """Let what was booked say what the call really cost, and which *model* answered."""
        if number in self._tables.ledger:
            day, call, _ = self._tables.ledger[number]
            self._tables.ledger[number] = (day, replace(call, model=model), spent)

    def release(self, number: int) -> None:
        """Take back what was booked: the call was never answered, and cost nothing."""
        self._tables.ledger.pop(number, None)

    def spent_on(self, day: str) -> int:
        """Return how many tokens were spent on *day*, by all projects together."""
        every = self._tables.ledger.values()
        return sum(spent.tokens for booked, _, spent in every if booked == day)

    def rows(self, *, since: str = "") -> list[LedgerRow]:
        """Return what was spent from the day *since* on (all of it without one), by day."""

        def about(booked: tuple[str, ModelCall, Spent]) -> tuple[str, ...]:
            day, call, _ = booked
            return (day, call.project, call.engine, call.model, call.purpose)

        booked = sorted(self._tables.ledger.values(), key=about)
        return [
            _line(key, [spent for *_, spent in those])
            for key, those in groupby(booked, key=about)
            if key[0] >= since
        ]


class MemoryShown:
    """`ShownStore` in dicts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, lines: Iterable[Shown]) -> None:
        """Remember that *lines* were shown; what is known already stays as it is."""
        for one in lines:
            self._tables.shown.setdefault((one.session, one.at, one.event, one.id), one)

    def latest(self, session: str) -> float:
        """Return when *session* was last shown something that is remembered; 0 if never."""
        return max((one.at for one in self._lines(lambda one: one.session == session)), default=0.0)

    def unused_in(self, session: str, *, until: float = math.inf) -> list[Shown]:
        """Return what *session* was shown *until* then and has not used since, in order."""
        last: dict[str, Shown] = {}
        for one in self._lines(lambda one: one.session == session and one.at <= until):
            if one.id and (one.id not in last or one.at > last[one.id].at):
                last[one.id] = one
        left = [one for one in last.values() if not one.used]
        return sorted(left, key=lambda one: (one.at, one.event, one.id))

    def between(self, session: str, since: float, until: float) -> list[Shown]:
        """Return what *session* was shown for prompts between these times, the latest first."""
        found = self._lines(lambda one: one.session == session and one.event == "prompt")
        found = [one for one in found if one.id and since <= one.at <= until]
        return sorted(found, key=lambda one: -one.at)

    def mark_used(self, one: Shown, how: str) -> None:
        """Remember *how* the memory that *one* tells of was used."""
        key = (one.session, one.at, one.event, one.id)
        if key in self._tables.shown:
            self._tables.shown[key] = replace(self._tables.shown[key], used=how)

    def never_used(
        self, *, since: float = 0.0, project: str | None = None, least: int = OFTEN
    ) -> list[ShownTally]:
        """Return the memories that agents pass over, the one shown most first."""
        found = []
        for (where, id_), those in self._by_memory(project).items():
            versions = [one for one in those if one.version]
            if not versions or any(one.used for one in those):
                continue
            latest = max(versions, key=lambda one: one.at).version
            changed = max((one.at for one in versions if one.version != latest), default=-1.0)
            asked = [one for one in those if one.event == "prompt" and one.at > changed]
            if len(asked) >= least and max(one.at for one in asked) >= since:
                found.append(_tally(where, id_, asked))
        return sorted(found, key=lambda one: (-one.shown, -one.tokens, one.project, one.id))

    def most_used(
        self, *, since: float = 0.0, project: str | None = None, limit: int = 5
    ) -> list[ShownTally]:
        """Return the memories that were used most after *since*, the first one most."""
        every = self._by_memory(project, since)
        found = [_tally(where, id_, those) for (where, id_), those in every.items()]
        used = [one for one in found if one.used]
        return sorted(used, key=lambda one: (-one.used, one.shown, one.project, one.id))[:limit]

    def totals(self, *, since: float = 0.0, project: str | None = None) -> Totals:
        """Return what was shown after *since*, in one *project* or in all."""
        every = self._lines(lambda one: one.at >= since and project in (None, one.project))
        events = {name: [one for one in every if one.event == name] for name in EVENTS}
        return Totals(
            events={name: _total(those) for name, those in events.items()},
            together=_total(every),
        )

    def forget(self, id: str, *, project: str | None = None) -> None:  # noqa: A002
        """Erase every row about the memory *id*, of one *project* or of all."""
        self._keep(lambda one: one.id != id or project not in (None, one.project))

    def prune(self, before: float) -> None:
        """Delete what was shown *before* then."""
        self._keep(lambda one: one.at >= before)

    def _lines(self, is_wanted: Callable[[Shown], object]) -> list[Shown]:
        return [one for one in self._tables.shown.values() if is_wanted(one)]

    def _by_memory(
        self, project: str | None, since: float = -math.inf
    ) -> dict[tuple[str, str], list[Shown]]:
        found: dict[tuple[str, str], list[Shown]] = {}
        for one in self._lines(lambda one: one.id and one.at >= since):
            if project in (None, one.project):
                found.setdefault((one.project, one.id), []).append(one)
        return found

    def _keep(self, stays: Callable[[Shown], bool]) -> None:
        shown = self._tables.shown
        self._tables.shown = {key: one for key, one in shown.items() if stays(one)}


class MemoryDisputes:
    """`DisputeStore` in dicts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, one: Dispute) -> None:
        """Remember *one*; what was said of the same memory before is replaced."""
        known = self._tables.disputes.get((one.project, one.id))
        hidden = one.hidden or bool(known and known[0].hidden)
        self._tables.disputes[one.project, one.id] = (replace(one, hidden=hidden), True)

    def waiting(self, project: str) -> list[Dispute]:
        """Return what waits for a person in *project*, the latest first."""
        every = self._tables.disputes.values()
        found = [one for one, waits in every if waits and one.project == project]
        return sorted(found, key=lambda one: (-one.at, one.id))

    def hidden(self, project: str) -> frozenset[str]:
        """Return the ids of what is not shown unasked in *project*."""
        every = (one for one, _ in self._tables.disputes.values())
        return frozenset(one.id for one in every if one.hidden and one.project == project)

    def accept(self, one: Dispute) -> None:
        """Say that the memory is right after all: it is shown again."""
        self._tables.disputes.pop((one.project, one.id), None)

    def reject(self, one: Dispute) -> None:
        """Say that it is wrong indeed: it stays hidden, and waits no longer."""
        known = self._tables.disputes.get((one.project, one.id))
        if known:
            self._tables.disputes[one.project, one.id] = (replace(known[0], hidden=True), False)

    def forget(self, id: str, *, project: str | None = None) -> None:  # noqa: A002
        """Erase what was said of the memory *id*."""
        for where, name in list(self._tables.disputes):
            if name == id and project in (None, where):
                del self._tables.disputes[where, name]


def _moved(table: dict[Any, Any], project: str, into: str) -> dict[Any, Any]:
    return {key: replace(one, project=into) for key, one in table.items() if one.project == project}


def _line(key: tuple[str, ...], those: list[Spent]) -> LedgerRow:
    day, project, engine, model, purpose = key
    return LedgerRow(
        day=day,
        project=project,
        engine=engine,
        model=model,
        purpose=purpose,
        calls=len(those),
        input_tokens=sum(one.input_tokens for one in those),
        output_tokens=sum(one.output_tokens for one in those),
        cached_tokens=sum(one.cached_tokens for one in those),
        cost=sum(one.cost or 0.0 for one in those),
        without_price=sum(1 for one in those if one.cost is None),
        estimated=sum(1 for one in those if one.estimated),
    )


def _tally(project: str, id: str, those: list[Shown]) -> ShownTally:  # noqa: A002
    return ShownTally(
        project=project,
        id=id,
        shown=len(those),
        used=sum(1 for one in those if one.used),
        tokens=sum(one.tokens for one in those),
    )


def _total(those: list[Shown]) -> Total:
    memories = [one for one in those if one.id]
    whole: dict[tuple[str, str], int] = {}
    for one in memories:
        whole[one.session, one.id] = max(one.in_full, whole.get((one.session, one.id), 0))
    return Total(
        times=len({(one.session, one.at, one.event) for one in those}),
        memories=len(memories),
        different=len({(one.project, one.id) for one in memories}),
        uses={use: sum(1 for one in those if one.used == use) for use in USES},
        different_used=len({(one.project, one.id) for one in those if one.used}),
        tokens=sum(one.tokens for one in those),
        in_full=sum(whole.values()),
        sessions=len({one.session for one in those}),
    )
