"""Look things up: search, expand, timeline."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from recollect import paths
from recollect.app.browse import MOST, PAGE, EntryLine, ListPage, entry_fields, page_of
from recollect.app.home import OpenHome
from recollect.app.meaning import Meaning
from recollect.app.projects import Projects
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import CONFINED, Visibility
from recollect.context.session_start import unless_busy
from recollect.errors import RecollectError, StoreError
from recollect.search import disclose, moments, report
from recollect.search.disclose import Whole
from recollect.search.query import Query
from recollect.search.report import SearchRequest
from recollect.search.search import Request, SearchResult, search
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import EVERYWHERE, Project
from recollect.text import question as questions


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLine(EntryLine):
    """What a search found, in a list."""

    similar: int = 0
    """How many were left out because they say the same."""


class Searches:
    """Search in one home, as its Markdown is now."""

    def __init__(
        self,
        home: OpenHome,
        upkeep: Upkeep,
        meaning: Meaning,
        projects: Projects,
        visibility: Visibility,
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._meaning = meaning
        self._projects = projects
        self._visibility = visibility

    def report(self, asked: SearchRequest) -> dict[str, object]:
        """Return what answers a search, as data: see `search.report`."""
        query = self._query(asked["question"])
        reaches_out = asked["all_projects"] or bool(query.projects and not asked["project"])
        is_confined = self._visibility.is_confined
        among = self._projects.scope(
            project=asked["project"],
            all_projects=reaches_out and not is_confined,
            folder=asked["folder"],
        )
        sure = self._min_score(among) if asked["min_score"] is None else asked["min_score"]
        notes = [f"{piece} was read as plain words." for piece in query.unread]
        notes += [f"Only here was searched. {CONFINED}"] if reaches_out and is_confined else []
        found = self._reported(query, asked, among)
        if not found and query.loosened.text and query.loosened != query:
            found = self._reported(query.loosened, asked, among)
            sure = report.NOTHING_IS_SURE
            notes += ["Nothing has that phrase, or is of that type."] if found else []
        found = report.with_closest(found, min_score=sure)
        remarks = [*notes, *self._meaning.remarks()]
        return {
            "results": report.of(found, explain=asked["explain"], min_score=sure),
            "several_projects": len(among) > 1,
            "remarks": remarks,
            "notes": remarks,  # Its former name, until 0.2.
        }

    def page(  # noqa: PLR0913 - one parameter a filter
        self,
        question: str,
        *,
        projects: Sequence[str] | None = None,
        kinds: Collection[str] = (),
        types: Collection[str] = (),
        hosts: Collection[str] = (),
        days: Collection[str] = (),
        page: int = 1,
        size: int = PAGE,
    ) -> ListPage[FoundLine]:
        """Return what answers *question* and passes each filter, best first, page by page.

        The kind of a note is its category. Where little is a good match, the closest are there,
        too, marked as weak. Raises `ProjectError`.
        """
        named = self._visibility.reach(projects)
        among = [
            EVERYWHERE if one == EVERYWHERE.name else self._projects.find(one) for one in named
        ]
        query = self._query(question)
        sure = self._min_score(among)
        found = self._found(query, among=among, limit=MOST, min_score=report.NEAR)
        seen = {one.key for one in self._visibility.entries(one.entry for one in found)}
        found = [one for one in found if one.entry.key in seen]
        return page_of(
            [_found_line(one, sure) for one in report.with_closest(found, min_score=sure)],
            {
                "project": (lambda one: [one.project], ()),
                "kind": (lambda one: [one.category or one.kind], kinds),
                "type": (lambda one: one.types, types),
                "host": (lambda one: [one.host] if one.host else [], hosts),
                "day": (lambda one: [one.day], days),
            },
            page=page,
            size=size,
        )

    def search(
        self, question: str, *, among: list[Project], limit: int, min_score: float | None = None
    ) -> list[SearchResult]:
        """Return what answers *question* in the projects *among*, as their Markdown is now."""
        return self._found(self._query(question), among=among, limit=limit, min_score=min_score)

    def expand(self, prefix: str) -> Whole:
        """Return the whole entry whose id begins with *prefix*, with its neighbours."""
        self._upkeep.refresh_all()
        return disclose.expand(self._home.index, prefix)

    def found(self, id: str, *, project: str, kind: str) -> IndexRow | None:  # noqa: A002
        """Return what a search found whole; two projects may have notes of one id."""
        index = self._home.index
        found = index.notes(project) if kind == "note" else [index.by_id(id)]
        return next((one for one in found if one and (one.project, one.id) == (project, id)), None)

    def notes(self, project: str) -> list[IndexRow]:
        """Return every note of *project* as the index has it, also what is not shown unasked."""
        return list(self._home.index.notes(project))

    def timeline(
        self, around: str, *, among: list[Project], folder: str, before: int, after: int
    ) -> list[IndexRow]:
        """Return what happened *around* an entry (any beginning of its id) or a date, in order.

        Around an entry it is told of the entry's own project, else of those *among*, or of
        the one that *folder* is in.
        """
        self._upkeep.refresh_all()
        index = self._home.index
        moment = moments.read(around, now=datetime.now().astimezone()) if around else time.time()
        if moment is not None:
            among = among or [self._projects.here(folder)]
            names = [project.name for project in among]
        else:
            entry = disclose.find(index, around)
            names, moment = [entry.project], entry.at
            after += 1  # The entry itself is shown besides.
        found = [
            entry
            for name in names
            for entry in index.around(name, moment, before=before, after=after)
        ]
        found.sort(key=lambda entry: entry.at)
        earlier = sum(1 for entry in found if entry.at < moment)
        return found[max(0, earlier - before) : earlier + after]

    def _reported(
        self, query: Query, asked: SearchRequest, among: list[Project]
    ) -> list[SearchResult]:
        """Return what answers *query* and may be seen, the closest included."""
        found = self._found(
            query,
            among=among,
            limit=asked["limit"],
            min_score=report.NEAR if asked["min_score"] is None else asked["min_score"],
            include_hidden=asked.get("include_archived", False),
        )
        shown = {one.key for one in self._visibility.entries(one.entry for one in found)}
        return [one for one in found if one.entry.key in shown]

    def _query(self, question: str) -> Query:
        """Return what *question* asks for; projects may be called by their labels.

        What is long was not typed into a search: in there quotes are quotes.
        """
        if not questions.is_short(question):
            asked = questions.read(question)
            return replace(Query.plain(asked.searched), meaning=asked.text)
        query = Query.read(question, now=datetime.now().astimezone())
        named = query.projects
        return replace(
            query,
            projects=replace(
                named,
                any_of=tuple(map(self._project_name, named.any_of)),
                none_of=tuple(map(self._project_name, named.none_of)),
            ),
        )

    def _project_name(self, text: str) -> str:
        try:
            return self._projects.find(text).name
        except RecollectError:  # Perhaps a pattern.
            return text

    def _found(
        self,
        query: Query,
        *,
        among: list[Project],
        limit: int,
        min_score: float | None,
        include_hidden: bool = False,
    ) -> list[SearchResult]:
        if min_score is None:
            min_score = self._min_score(among)
        names = list(dict.fromkeys([*(project.name for project in among), paths.EVERYWHERE]))
        everywhere = set(names) >= set(self._home.index.projects())
        request = Request(
            query=query,
            limit=limit,
            min_score=min_score,
            projects=None if everywhere else names,
            include_hidden=include_hidden,
            rarer_than=1.0,  # A person who asks for a common word wants to see it.
            meaning=query.meaning,
        )
        try:
            return self._search_now(request, among)
        except StoreError as error:
            self._home.make_anew(error)
            return self._search_now(request, among)

    def _min_score(self, among: list[Project]) -> float:
        return self._home.settings(among[0].name if len(among) == 1 else "").search_min_score

    def _search_now(self, request: Request, among: list[Project]) -> list[SearchResult]:
        with unless_busy():
            for project in among:
                self._upkeep.refresh(project.name)
        embed = partial(self._meaning.question, patient=True)
        return search(self._home.index, request, embed=embed)


def _found_line(one: SearchResult, sure: float) -> FoundLine:
    fields = entry_fields(one.entry)
    fields |= {"score": round(one.score, 3), "weak": one.score < sure}
    texts = (found.passage.text.strip() for found in report.shown_passages(one))
    return FoundLine(**fields, passages=tuple(texts), similar=one.similar)
