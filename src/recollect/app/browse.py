"""Look through a home page by page: notes, entries, sessions and projects, with filters and counts.

For whoever shows lists, such as a web page. Plain values come in; what goes out is frozen, ready to
be shown or made JSON.
"""

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from recollect.app import results
from recollect.app.home import OpenHome
from recollect.app.results import Hit
from recollect.app.sessions import Sessions
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import RecollectError
from recollect.store.contract.notes import StoredNote
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import EVERYWHERE, Session

if TYPE_CHECKING:
    from recollect.curation.curator import Curator

PAGE = 50
MOST = 500
# Of each of many projects, so many entries are looked at first.
AT_ONCE = 4
STATUSES = ("active", "archived", "retired")
# What a journal tells; summaries stand beside their sessions.
JOURNAL = ("entry", "hand")

Place = tuple[float, str]
"""When an entry happened, and its id: what it stands by in a timeline."""

Item = TypeVar("Item")

Filters = Mapping[str, tuple[Callable[[Item], Sequence[str]], Collection[str]]]
"""By name: which values an item has, and which are wanted; none for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage(Generic[Item]):
    """One page of a list."""

    items: tuple[Item, ...]
    total: int
    """How many there are on all pages."""
    page: int = 1
    size: int = PAGE
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """How many there are of each value of a filter, were that filter not set: by filter, value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    """A note in a list."""

    name: str
    """`category/id`."""
    project: str
    category: str
    status: str
    """`active`, `proposed`, `archived` or `retired`."""
    title: str
    at: datetime
    """When it was last changed."""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    superseded_by: str = ""
    review: str = ""
    """What it waits for the user with."""
    stale: str = ""
    """What has become of the files it is about, if they changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine(Hit):
    """An entry of the journal in a list."""

    day: str = ""
    """The user's own day, such as `2026-11-15`."""
    types: tuple[str, ...] = ()
    """What was observed: bugfix, decision and others."""
    session: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelinePage:
    """A part of what happened, the latest first."""

    items: tuple[EntryLine, ...]
    older: str = ""
    """What to go on from, to earlier entries; empty if these were the first."""
    newer: str = ""
    """What to go on from, to later ones, also such as do not exist yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine:
    """A session in a list."""

    id: str
    project: str
    host: str
    started: datetime | None
    last_seen: datetime | None
    turns: int
    status: str
    """`active`, `completed`, `interrupted` or `failed`."""
    branch: str = ""
    title: str = ""
    """What it was about, once that is summed up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLine:
    """A project in a list."""

    name: str
    label: str
    root: str
    last_seen: datetime | None
    excluded: bool
    memories: int
    notes: int
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """How much there is, of what and from when."""

    memories: int
    notes: int
    sessions: int
    days: Mapping[str, int]
    """How many entries the journals have of each day on which something happened."""
    projects: tuple[ProjectLine, ...]
    hosts: Mapping[str, int]
    """How many sessions there were with each agent."""


class Browse:
    """Lists of one home, as they may be seen."""

    def __init__(
        self,
        home: OpenHome,
        upkeep: Upkeep,
        visibility: Visibility,
        sessions: Sessions,
        *,
        curator: "Callable[[], Curator]",
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._visibility = visibility
        self._sessions = sessions
        self._curator = curator

    def notes(  # noqa: PLR0913 - one parameter a filter
        self,
        *,
        projects: Sequence[str] | None = None,
        categories: Collection[str] = (),
        statuses: Collection[str] = (),
        tags: Collection[str] = (),
        text: str = "",
        page: int = 1,
        size: int = PAGE,
    ) -> ListPage[NoteLine]:
        """Return the notes that pass each filter, the latest first; an empty one lets all pass.

        An agent sees those that are in force. Raises `ProjectError`.
        """
        lines = self._notes(self._visibility.reach(projects), text)
        return page_of(
            [one for one in lines if set(tags) <= set(one.tags)],
            {
                "project": (lambda one: [one.project], ()),
                "category": (lambda one: [one.category], categories),
                "status": (lambda one: [one.status], statuses),
                "tag": (lambda one: one.tags, ()),
            },
            page=page,
            size=size,
        )

    def entries(
        self,
        *,
        projects: Sequence[str] | None = None,
        days: Collection[str] = (),
        types: Collection[str] = (),
        page: int = 1,
        size: int = PAGE,
    ) -> ListPage[EntryLine]:
        """Return what the journals tell, the latest first, of some *days* and of some *types*.

        Raises `ProjectError`.
        """
        reach = self._visibility.reach(projects)
        self._refresh(reach)
        index = self._home.index
        rows = [one for one in index.newest(index.lexical.scope(reach)) if one.kind in JOURNAL]
        lines = [entry_line(one) for one in self._visibility.unasked(rows)]
        return page_of(
            lines,
            {
                "project": (lambda one: [one.project], ()),
                "day": (lambda one: [one.day], days),
                "type": (lambda one: one.types, types),
            },
            page=page,
            size=size,
        )

    def timeline(
        self,
        *,
        projects: Sequence[str] | None = None,
        before: str = "",
        after: str = "",
        size: int = PAGE,
    ) -> TimelinePage:
        """Return what happened last; or *before*, or *after*, the end of another page.

        A page costs the same wherever it is. Raises `ProjectError`.
        """
        reach = self._visibility.reach(projects)
        self._refresh(reach)
        place = _place(before or after)
        is_later = bool(after) and not before
        each = (self._beyond(name, place, later=is_later) for name in reach)
        merged = heapq.merge(*each, key=_place_of, reverse=not is_later)
        found = list(itertools.islice(merged, size + 1))
        chosen = found[:size]
        ends = sorted(map(_place_of, chosen), reverse=True)
        return TimelinePage(
            items=tuple(
                entry_line(one)
                for one in self._visibility.unasked(sorted(chosen, key=_place_of, reverse=True))
            ),
            older=_named(ends[-1]) if len(found) > size or (ends and is_later) else "",
            newer=_named(ends[0]) if ends else before or after,
        )

    def overview(self, *, projects: Sequence[str] | None = None) -> Overview:
        """Return how much there is in *projects*. Raises `ProjectError`."""
        reach = self._visibility.reach(projects)
        lines = [one for one in self.projects().items if one.name in reach]
        days: Counter[str] = Counter()
        hosts: Counter[str] = Counter()
        for name in reach:
            days.update(self._home.index.days(name))
            every = self._home.state.sessions.of_project(name)
            hosts.update(one.host for one in every if one.turns)
        everywhere = [one for one in reach if one == EVERYWHERE.name]
        return Overview(
            memories=sum(self._home.index.count(name) for name in reach),
            notes=sum(one.notes for one in lines) + sum(map(self._count_notes, everywhere)),
            sessions=sum(one.sessions for one in lines),
            days=dict(sorted(days.items())),
            projects=tuple(lines),
            hosts=dict(hosts.most_common()),
        )

    def sessions(
        self,
        *,
        projects: Sequence[str] | None = None,
        hosts: Collection[str] = (),
        statuses: Collection[str] = (),
        page: int = 1,
        size: int = PAGE,
    ) -> ListPage[SessionLine]:
        """Return the sessions in which something happened, the latest first.

        Raises `ProjectError`.
        """
        reach = self._visibility.reach(projects)
        self._refresh(reach)
        found = [one for name in reach for one in self._home.state.sessions.of_project(name)]
        found = sorted((one for one in found if one.turns), key=lambda one: -one.last_seen)
        lines = [SessionLine(**session_fields(one)) for one in found]
        listed = page_of(
            lines,
            {
                "project": (lambda one: [one.project], ()),
                "host": (lambda one: [one.host], hosts),
                "status": (lambda one: [one.status], statuses),
            },
            page=page,
            size=size,
        )
        return replace(listed, items=tuple(map(self._titled, listed.items)))

    def projects(self) -> ListPage[ProjectLine]:
        """Return the projects that may be looked into, with what there is of each."""
        found = self._visibility.projects()
        self._refresh(one.name for one in found)
        index, sessions = self._home.index, self._home.state.sessions
        lines = [
            ProjectLine(
                name=one.name,
                label=one.label,
                root=one.root,
                last_seen=results.moment(one.last_seen),
                excluded=one.excluded,
                memories=index.count(one.name),
                notes=self._count_notes(one.name),
                sessions=sessions.count(one.name),
            )
            for one in found
        ]
        return ListPage(items=tuple(lines), total=len(lines), size=max(len(lines), 1))

    def _count_notes(self, project: str) -> int:
        return sum(1 for one in self._home.index.notes(project) if not one.hidden_reason)

    def _beyond(self, project: str, place: Place, *, later: bool) -> Iterator[IndexRow]:
        """Yield the entries of *project* on that side of *place*, the nearest first."""
        asked = AT_ONCE
        while True:
            at = place[0] if later else math.nextafter(place[0], math.inf)
            counts = {"after": asked} if later else {"before": asked}
            rows = self._home.index.around(project, at, **{"before": 0, "after": 0} | counts)
            # Of the last moment there may be more than were asked for.
            last = rows[-1 if later else 0].at if len(rows) >= asked else None
            beyond = (
                one
                for one in rows
                if one.at != last and (_place_of(one) > place if later else _place_of(one) < place)
            )
            found = sorted(beyond, key=_place_of, reverse=not later)
            yield from found
            if last is None:
                return
            place = _place_of(found[-1]) if found else place
            asked = min(2 * asked, MOST) if found else 4 * asked

    def _notes(self, reach: Sequence[str], text: str) -> list[NoteLine]:
        from recollect.curation.curator import NoteFilter  # noqa: PLC0415 - takes pydantic and YAML

        found = self._curator().listed(reach, NoteFilter(statuses=STATUSES, text=text))
        self._refresh(reach)
        rows = [row for name in reach for row in self._home.index.notes(name)]
        seen = {(row.project, row.id): row for row in self._visibility.unasked(rows)}
        if not self._visibility.sees_all:
            found = [one for one in found if (one.project, one.name) in seen]
        return [NoteLine(**note_fields(one, seen.get((one.project, one.name)))) for one in found]

    def _titled(self, one: SessionLine) -> SessionLine:
        """Return *one* with what it was about, as far as that may be seen."""
        return replace(one, title=str(self._sessions.summary_of(one.id).get("request", "")))

    def _refresh(self, names: Iterable[str]) -> None:
        for name in names:
            self._upkeep.refresh(name)


def note_fields(held: StoredNote, row: IndexRow | None) -> dict[str, Any]:
    """Return the fields of a `NoteLine` that *held* has, and its *row* of the index."""
    from recollect.notes.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

    note = held.note
    return {
        "name": held.name,
        "project": held.project,
        "category": note.category,
        "status": "proposed" if is_proposed(note) else note.record_status,
        "title": note.title,
        "at": note.updated_at,
        "tags": tuple(note.tags),
        "pinned": note.pinned,
        "superseded_by": note.superseded_by or "",
        "review": note.review or "",
        "stale": row.stale.strip() if row else "",
    }


def session_fields(one: Session) -> dict[str, Any]:
    """Return the fields of a `SessionLine` that *one* has."""
    return {
        "id": one.id,
        "project": one.project,
        "host": one.host,
        "started": results.moment(one.started),
        "last_seen": results.moment(one.last_seen),
        "turns": one.turns,
        "status": one.status,
        "branch": one.branch,
    }


def entry_line(row: IndexRow) -> EntryLine:
    """Return *row*, of the journal, in a line."""
    return EntryLine(**entry_fields(row))


def entry_fields(row: IndexRow) -> dict[str, Any]:
    """Return the fields of an `EntryLine` that *row* has."""
    return {
        **results.fields_of(row),
        "day": _day(row.at),
        "types": tuple(row.types.split()),
        "session": row.session,
    }


def page_of(
    listed: Sequence[Item], filters: Filters[Item], *, page: int, size: int
) -> ListPage[Item]:
    """Return a page of what passes all *filters*, and counts by each of what passes the others."""
    if page < 1 or not 1 <= size <= MOST:
        raise RecollectError(
            f"page {page} of {size}: there is no such page", hint=f"Pages hold 1 to {MOST}."
        )

    def passes(item: Item, but_for: str = "") -> bool:
        return all(
            name == but_for or not wanted or not set(wanted).isdisjoint(values(item))
            for name, (values, wanted) in filters.items()
        )

    counts = {
        name: dict(Counter(v for item in listed if passes(item, name) for v in values(item)))
        for name, (values, _) in filters.items()
    }
    passed = [item for item in listed if passes(item)]
    first = (page - 1) * size
    return ListPage(
        items=tuple(passed[first : first + size]),
        total=len(passed),
        page=page,
        size=size,
        counts=counts,
    )


def _place_of(row: IndexRow) -> Place:
    return row.at, row.id


def _named(place: Place) -> str:
    return f"{place[0]!r} {place[1]}"


def _place(name: str) -> Place:
    """Return the place called *name*; without one, what lies after everything."""
    at, _, row_id = name.partition(" ")
    try:
        return (float(at), row_id) if name else (math.inf, "")
    except ValueError:
        raise RecollectError(
            f"{name}: no place in a timeline", hint="Take it from the page before."
        ) from None


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().date().isoformat() if at else ""
