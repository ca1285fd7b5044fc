"""Who looks: the user sees all of a home; an agent sees less, and changes less."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from recollect import paths
from recollect.app.projects import Projects
from recollect.app.settings import SettingsRoom
from recollect.errors import ProjectError, RecollectError
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import EVERYWHERE, Project

# What an agent is told that wants to look further than it may.
CONFINED = "Other projects are closed to agents; their user can set agents.all_projects."


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks into a home: its user, or an agent at work in a *folder*."""

    is_agent: bool = False
    folder: str = ""


USER = Viewer()


def agent(folder: str) -> Viewer:
    """Return an agent that works in *folder*."""
    return Viewer(is_agent=True, folder=folder)


class Visibility:
    """What each viewer may see of one home.

    An agent keeps to the project of its folder and to what holds everywhere, unless
    `agents.all_projects` is set there; and what the user excluded, a project or a file, it never
    sees.
    """

    def __init__(self, projects: Projects, settings: SettingsRoom) -> None:
        self._projects = projects
        self._settings = settings

    def is_confined(self, viewer: Viewer) -> bool:
        """Tell whether *viewer* keeps to its own project."""
        if not viewer.is_agent:
            return False
        own = self._projects.at(viewer.folder)
        return not self._settings.of(own.name if own else "").agents_all_projects

    def projects(self, viewer: Viewer) -> list[Project]:
        """Return the projects that *viewer* may look into, its own first, then the last seen."""
        if not viewer.is_agent:
            return self._projects.all()
        own = self._projects.at(viewer.folder)
        others = [] if self.is_confined(viewer) else self._projects.all()
        every = {one.name: one for one in (*([own] if own else ()), *others)}
        return [one for name, one in every.items() if not self._projects.is_excluded(name)]

    def reach(self, viewer: Viewer, projects: Sequence[str] | None = None) -> list[str]:
        """Return those of *projects* (None: all), by name, that *viewer* may look into.

        What holds in every project is always among all. Raises `ProjectError` for one that is
        closed to *viewer*, or that nobody knows.
        """
        if projects is None:
            return [*(one.name for one in self.projects(viewer)), EVERYWHERE.name]
        if not self.is_confined(viewer):
            return [self._named(text) for text in projects]
        own = self._projects.at(viewer.folder)
        return [self._own(text, own.name if own else "") for text in projects]

    def _own(self, text: str, own: str) -> str:
        """Return the project called *text*, if it is the *own* one; another may not even exist."""
        with suppress(RecollectError):
            if (meant := self._named(text)) in (own, EVERYWHERE.name):
                return meant
        raise ProjectError(f"{text}: is not the project of this session", hint=CONFINED)

    def entries(self, viewer: Viewer, entries: Iterable[IndexRow]) -> Iterable[IndexRow]:
        """Return those of *entries* that *viewer* may see."""
        if not viewer.is_agent:
            return entries
        return self._projects.for_agents(one for one in entries if not one.hidden_reason)

    def _named(self, text: str) -> str:
        return text if text == paths.EVERYWHERE else self._projects.find(text).name
