"""Who looks: the user sees all of a home; an agent sees less, and changes less."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Literal

from recollect import paths
from recollect.app.home import OpenHome
from recollect.app.projects import Projects
from recollect.config import Settings
from recollect.errors import ProjectError, RecollectError
from recollect.journal.model import By
from recollect.search.report import SearchRequest
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import EVERYWHERE, Project

# What an agent is told that wants to look further than it may.
CONFINED = "Other projects are closed to agents; their user can set agents.all_projects."


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks into a home.

    The `user` sees everything. An `agent` at work in a *folder* keeps to the project there and to
    what holds everywhere, unless `agents.all_projects` is set. A `program` may look into every
    project. What the user excluded, a project or a file, neither agents nor programs see.
    """

    kind: Literal["user", "program", "agent"] = "user"
    folder: str = ""


USER = Viewer()


def agent(folder: str) -> Viewer:
    """Return an agent that works in *folder*."""
    return Viewer("agent", folder)


def program(folder: str) -> Viewer:
    """Return a program that was started in *folder*."""
    return Viewer("program", folder)


def who_asks(request: SearchRequest) -> Viewer:
    """Return who sent a *request* to the worker, as `Visibility.signed` tells it."""
    if not request.get("for_agent", False):
        return USER
    return Viewer("agent" if request.get("confined", False) else "program", request["folder"])


class Visibility:
    """What the *viewer* may see and change of one home."""

    def __init__(
        self,
        viewer: Viewer,
        home: OpenHome,
        projects: Projects,
        *,
        is_hidden: Callable[[IndexRow, Settings], bool],
    ) -> None:
        self._viewer = viewer
        self._home = home
        self._projects = projects
        self._is_hidden = is_hidden

    @property
    def sees_all(self) -> bool:
        """Whether nothing is kept from the viewer: it is the user."""
        return self._viewer.kind == "user"

    @property
    def is_confined(self) -> bool:
        """Whether the viewer keeps to its own project."""
        if self._viewer.kind != "agent":
            return False
        own = self._projects.at(self._viewer.folder)
        return not self._home.settings(own.name if own else "").agents_all_projects

    def signed(self, request: SearchRequest) -> SearchRequest:
        """Return *request* with what tells the worker who asks."""
        return {**request, "for_agent": not self.sees_all, "confined": self.is_confined}

    def projects(self) -> list[Project]:
        """Return the projects that may be looked into, the viewer's own first, then by age."""
        if self.sees_all:
            return self._projects.all()
        own = self._projects.at(self._viewer.folder)
        others = [] if self.is_confined else self._projects.all()
        every = {one.name: one for one in (*([own] if own else ()), *others)}
        return [one for name, one in every.items() if not self._projects.is_excluded(name)]

    def reach(self, projects: Sequence[str] | None = None) -> list[str]:
        """Return those of *projects* (None: all), by name, that may be looked into.

        What holds in every project is always among all. One that was excluded is left out. Raises
        `ProjectError` for one that is closed to the viewer, or that nobody knows.
        """
        if projects is None:
            return [*(one.name for one in self.projects()), EVERYWHERE.name]
        if self.is_confined:
            own = self._projects.at(self._viewer.folder)
            named = [self._own(text, own.name if own else "") for text in projects]
        else:
            named = [self._named(text) for text in projects]
        return [one for one in named if self.sees_all or not self._projects.is_excluded(one)]

    def entries(self, entries: Iterable[IndexRow]) -> Iterator[IndexRow]:
        """Return those of *entries* that may be seen.

        For an agent or a program: neither their project was excluded, nor a file that they tell
        of. Each project is asked about once, because a journal has thousands of entries.
        """
        is_excluded, settings = cache(self._projects.is_excluded), cache(self._home.settings)
        for one in entries:
            if self.sees_all or not (
                is_excluded(one.project) or self._is_hidden(one, settings(one.project))
            ):
                yield one

    def unasked(self, entries: Iterable[IndexRow]) -> Iterator[IndexRow]:
        """Return those of *entries* that may stand in a list: for the user all of them.

        Others are not shown what is archived, superseded or only proposed, unless they name it.
        """
        return self.entries(one for one in entries if self.sees_all or not one.hidden_reason)

    def check_change(self, name: str, project: str, *, author: By) -> None:
        """Raise `RecollectError` if *author* may not change the note *name* of *project*.

        What holds in every project is changed by its user alone.
        """
        if author == "agent" and project == paths.EVERYWHERE:
            raise RecollectError(
                f"{name} holds in every project, so only the user changes it",
                hint="Propose what holds now: remember it with everywhere.",
            )

    def _own(self, text: str, own: str) -> str:
        """Return the project called *text*, if it is the *own* one; another may not even exist."""
        with suppress(RecollectError):
            if (meant := self._named(text)) in (own, EVERYWHERE.name):
                return meant
        raise ProjectError(f"{text}: is not the project of this session", hint=CONFINED)

    def _named(self, text: str) -> str:
        return text if text == paths.EVERYWHERE else self._projects.find(text).name
