"""Look through a home page by page: notes, entries, sessions and projects, with filters and counts.

For whoever shows lists, such as a web page. Plain values come in; what goes out is frozen, ready to
be shown or made JSON.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from recollect.app import results
from recollect.app.home import OpenHome
from recollect.app.results import Hit
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect.curation.curator import Curator

PAGE = 50
MOST = 500
STATUSES = ("active", "archived", "retired")
# What a journal tells; summaries stand beside their sessions.
JOURNAL = ("entry", "hand")

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


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine(Hit):
    """An entry of the journal in a list."""

    day: str = ""
    """The user's own day, such as `2026-11-15`."""
    types: tuple[str, ...] = ()
    """What was observed: bugfix, decision and others."""
    session: str = ""


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


class Browse:
    """Lists of one home, as they may be seen."""

    def __init__(
        self,
        home: OpenHome,
        upkeep: Upkeep,
        visibility: Visibility,
        *,
        curator: "Callable[[], Curator]",
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._visibility = visibility
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
        return _page(
            [one for one in lines if set(tags) <= set(one.tags)],
            {
                "project": (lambda one: [one.project], ()),
                "category": (lambda one: [one.category], categories),
                "status": (lambda one: [one.status], statuses),
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
        lines = [
            EntryLine(
                **results.fields_of(one),
                day=_day(one.at),
                types=tuple(one.types.split()),
                session=one.session,
            )
            for one in self._visibility.unasked(rows)
        ]
        return _page(
            lines,
            {
                "project": (lambda one: [one.project], ()),
                "day": (lambda one: [one.day], days),
                "type": (lambda one: one.types, types),
            },
            page=page,
            size=size,
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
        lines = [
            SessionLine(
                id=one.id,
                project=one.project,
                host=one.host,
                started=results.moment(one.started),
                last_seen=results.moment(one.last_seen),
                turns=one.turns,
                status=one.status,
                branch=one.branch,
            )
            for one in found
        ]
        listed = _page(
            lines,
            {
                "project": (lambda one: [one.project], ()),
                "host": (lambda one: [one.host], hosts),
                "status": (lambda one: [one.status], statuses),
            },
            page=page,
            size=size,
        )
        return replace(listed, items=tuple(self._titled(one) for one in listed.items))

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
                notes=sum(1 for note in index.notes(one.name) if not note.hidden_reason),
                sessions=sessions.count(one.name),
            )
            for one in found
        ]
        return ListPage(items=tuple(lines), total=len(lines), size=max(len(lines), 1))

    def _notes(self, reach: Sequence[str], text: str) -> list[NoteLine]:
        from recollect.curation.curator import NoteFilter  # noqa: PLC0415 - takes pydantic and YAML
        from recollect.notes.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

        found = self._curator().listed(reach, NoteFilter(statuses=STATUSES, text=text))
        if not self._visibility.sees_all:
            self._refresh(reach)
            rows = (row for name in reach for row in self._home.index.notes(name))
            seen = {(row.project, row.id) for row in self._visibility.unasked(rows)}
            found = [one for one in found if (one.project, one.name) in seen]
        return [
            NoteLine(
                name=one.name,
                project=one.project,
                category=one.note.category,
                status="proposed" if is_proposed(one.note) else one.note.record_status,
                title=one.note.title,
                at=one.note.updated_at,
                tags=tuple(one.note.tags),
                pinned=one.note.pinned,
                superseded_by=one.note.superseded_by or "",
            )
            for one in found
        ]

    def _titled(self, one: SessionLine) -> SessionLine:
        """Return *one* with what it was about, as far as that may be seen."""
        summary = self._home.index.summary_of(one.id)
        shown = list(self._visibility.unasked([summary] if summary else []))
        fields = results.summary_fields(shown[0]) if shown else {}
        return replace(one, title=str(fields.get("request", "")))

    def _refresh(self, names: Iterable[str]) -> None:
        for name in names:
            self._upkeep.refresh(name)


def _page(
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


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().date().isoformat() if at else ""
