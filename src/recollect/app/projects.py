"""Projects: which one is meant, which there are, and joining, splitting and excluding them."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from recollect import paths, projects
from recollect.app.home import OpenHome
from recollect.app.upkeep import Upkeep
from recollect.errors import ProjectError
from recollect.store.contract.backend import HostFolders
from recollect.store.contract.state import EVERYWHERE, Project

NOT_A_PROJECT = "Say which project, or everywhere: --project or --global"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectOverview:
    """A project as `recollect projects` lists it."""

    project: Project
    paths: tuple[str, ...]
    hosts: tuple[str, ...]
    sessions: int
    memories: int


class Projects:
    """The projects of one home. *publish* writes what hooks read of them."""

    def __init__(
        self,
        home: OpenHome,
        upkeep: Upkeep,
        *,
        publish: Callable[[], None],
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._publish = publish

    def all(self) -> list[Project]:
        """Return every project, the one that was seen last first."""
        return self._home.registry.all()

    def at(self, folder: str | Path) -> Project | None:
        """Return the project that *folder* is in; None if it has no memory."""
        return self._home.registry.at(os.fspath(folder))

    def find(self, text: str) -> Project:
        """Return the project that is called *text*: name, label or path. Raises `ProjectError`."""
        return self._home.registry.find(text)

    def here(self, folder: str | Path) -> Project:
        """Return the project that *folder* is in. Raises `ProjectError` if it has no memory."""
        found = self.at(folder)
        if not found:
            raise ProjectError(
                f"{projects.root(projects.identity(os.fspath(folder)))} has no memory yet",
                hint="Work there with an agent first.",
            )
        return found

    def meet(self, folder: str | Path) -> Project:
        """Return the project of *folder*, known from now on.

        Raises `ProjectError` where no project can be: the home folder, the root of the disk.
        """
        if os.path.realpath(folder) in ("/", os.path.realpath(Path.home())):
            raise ProjectError(f"{os.fspath(folder)} is no project", hint=NOT_A_PROJECT)
        join_clones = self._home.settings().projects_join_clones
        return self._home.registry.meet(os.fspath(folder), now=time.time(), join_clones=join_clones)

    @contextmanager
    def meeting(self, folder: str | Path) -> Iterator[Project]:
        """Meet the project of *folder* for what is done in the block.

        One that was not known before is known from then on only if something of it was kept: what
        fails leaves nothing behind. Raises `ProjectError` as `meet` does.
        """
        known = {one.name for one in self.all()}
        project = self.meet(folder)
        try:
            yield project
        finally:
            library = self._home.library(project.name)
            if project.name not in known and not library.states():
                self._home.registry.forget(project)
                library.discard()

    def scope(self, *, project: str | None, all_projects: bool, folder: str) -> list[Project]:
        """Return the projects that are meant: a named one, all, or the one *folder* is in.

        What holds in every project is named as one. Raises `ProjectError`.
        """
        if all_projects:
            if project:
                raise ProjectError("--project and --all-projects exclude each other")
            return [one for one in self.all() if not one.excluded]
        if project == paths.EVERYWHERE:
            return [EVERYWHERE]
        if project:
            return [self.find(project)]
        try:
            return [self.here(folder)]
        except ProjectError as error:
            hint = "Work there with an agent, or use --project or --all-projects."
            raise ProjectError(error.message, hint=hint) from None

    def overview(self) -> list[ProjectOverview]:
        """Return every project with what there is of it."""
        home = self._home
        return [
            ProjectOverview(
                project=project,
                paths=tuple(home.registry.identities(project)),
                hosts=tuple(home.state.sessions.hosts(project.name)),
                sessions=home.state.sessions.count(project.name),
                memories=home.index.count(project.name),
            )
            for project in self.all()
        ]

    def count(self, name: str) -> int:
        """Return how many memories the project *name* has."""
        return self._home.index.count(name)

    def is_excluded(self, name: str) -> bool:
        """Tell whether the user excluded the project *name*, by name or by where it is."""
        return self._home.is_excluded(name)

    def rename(self, project: str, label: str) -> Project:
        """Call *project* by another *label*; its memory stays where it is."""
        return self._home.registry.rename(self.find(project), label)

    def exclude(self, project: str, *, excluded: bool = True) -> Project:
        """Keep nothing of *project* from now on, or keep it again; nothing is deleted."""
        return self._home.registry.exclude(self.find(project), excluded=excluded)

    def split(self, project: str, folder: str | Path) -> Project:
        """Give *folder*, which shares the memory of *project*, one of its own from now on."""
        identity = projects.identity(os.path.abspath(folder))
        fresh = self._home.registry.split(self.find(project), identity, now=time.time())
        self._publish()
        return fresh

    def left_behind(self) -> list[tuple[Project, Project]]:
        """Return projects that are no more and still have memories, with what they became.

        Joining once took the journal along, and left notes and what was forgotten where nobody
        reads them. To `join` such a pair again takes all of it.
        """
        return [
            (former, project)
            for project in self.all()
            for former in self._home.registry.former(project)
            if (library := self._home.backend.library(former.name, hosts=HostFolders)).states()
            or not library.trash.is_empty()
        ]

    def joinable(self, text: str) -> Project:
        """Return the project called *text*, also one that is no more and was left behind.

        Raises `ProjectError`.
        """
        gone = (former for former, _ in self.left_behind() if former.name == text)
        return next(gone, None) or self.find(text)

    def join(self, project: Project, *, into: Project) -> int:
        """Give the paths and the memory of *project* to *into*; return how many files moved.

        A day that both have is merged, entry by entry.
        """
        if project.name == into.name:
            raise ProjectError(f"{project.name} cannot be joined with itself")
        home = self._home
        home.registry.join(project, into=into)
        # Now nobody begins to write there; what was being written is taken along.
        moved = home.library(into.name).absorb(home.library(project.name))
        own = Path(paths.project_config(home.path, project.name))
        kept = Path(paths.project_config(home.path, into.name))
        if own.exists() and not kept.exists():
            own.rename(kept)
        home.forget_library(project.name)
        self._upkeep.take_out(project.name)
        self._upkeep.refresh(into.name)
        self._publish()
        return moved
