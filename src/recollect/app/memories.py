"""Memories one by one: the newest of them, one in full, the turn behind it; as they may be seen."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from recollect import ids, paths
from recollect.app import results
from recollect.app.home import OpenHome
from recollect.app.naming import Naming
from recollect.app.projects import Projects
from recollect.app.results import Entry, Hit, Transcript
from recollect.app.sessions import Sessions
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError
from recollect.search import disclose
from recollect.store.contract.search import IndexRow


class Memories:
    """The memories of one home."""

    def __init__(
        self,
        home: OpenHome,
        upkeep: Upkeep,
        projects: Projects,
        sessions: Sessions,
        visibility: Visibility,
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._projects = projects
        self._sessions = sessions
        self._visibility = visibility

    def newest(
        self,
        project: str,
        *,
        category: str = "",
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Entry]:
        """Return what *project* remembers, and what holds everywhere, newest first.

        All of it, or the notes of a *category*; without what is not shown unasked.
        """
        self._upkeep.refresh(project)
        index = self._home.index
        among = list(dict.fromkeys([project, paths.EVERYWHERE]))
        wanted = (
            one
            for one in index.newest(index.lexical.scope(among))
            if (not category or one.category == category)
            and (since is None or one.at >= since.timestamp())
        )
        # All of it now: whoever goes through it may change it meanwhile.
        return map(self._whole, list(itertools.islice(self._unasked(wanted), limit)))

    def notes(self, project: str) -> list[Hit]:
        """Return the notes of *project*, and those that hold everywhere, the latest first.

        What is not shown unasked is left out.
        """
        self._upkeep.refresh(project)
        among = dict.fromkeys([project, paths.EVERYWHERE])
        every = self._unasked(one for name in among for one in self._home.index.notes(name))
        return [results.hit(one) for one in sorted(every, key=lambda one: -one.at)]

    def expand(self, name: str, naming: Naming, *, before: int, after: int) -> Entry:
        """Return the memory that *name* means in full, with those around it.

        Raises `NotFoundError`.
        """
        self._upkeep.refresh_all()
        index, one = self._home.index, naming.entry(name)
        # Within a second they stand in order, too. A note does not stand among them.
        found = index.around(one.project, one.at, before=before, after=after + 1)
        around = list(self._visibility.entries(found))
        place = next((n for n, each in enumerate(around) if each.id == one.id), None)
        if place is None:
            place = sum(1 for each in around if each.at < one.at)
        others = [results.hit(each) for each in around if each.id != one.id]
        return replace(
            self._whole(one),
            passages=disclose.passages(index, one),
            before=tuple(others[max(place - before, 0) : place]),
            after=tuple(others[place : place + after]),
        )

    def transcript(self, name: str, naming: Naming) -> Transcript:
        """Return the turn behind the memory that *name* means, or all turns of a session.

        Raises `NotFoundError`.
        """
        if known := naming.sessions(name):
            session, turns = self._sessions.turns(known[0].id if len(known) == 1 else name)
        else:
            self._upkeep.refresh_all()
            session, turns = self._sessions.turns_behind(naming.entry(name))
        if not self._visibility.sees_all and self._projects.is_excluded(session.project):
            raise NotFoundError(f"{name}: no such id", hint=ids.WHERE_IDS_ARE)
        visible = {turn.key for turn in self._sessions.visible_turns(session)}
        return Transcript(
            session=session.id,
            project=session.project,
            host=session.host,
            turns=tuple(results.said(turn) for turn in turns if turn.key in visible),
        )

    def _unasked(self, entries: Iterable[IndexRow]) -> Iterator[IndexRow]:
        return self._visibility.entries(one for one in entries if not one.hidden_reason)

    def _whole(self, one: IndexRow) -> Entry:
        library = self._home.library(one.project)
        return results.whole(one, hash=library.hash_of(one.document) if one.kind == "note" else "")
