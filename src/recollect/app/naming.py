"""What a person means by a name: a project, a note, an entry of the journal, or a path to it."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from recollect import ids, paths
from recollect.app.home import OpenHome
from recollect.app.projects import Projects
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError, ProjectError, RecollectError
from recollect.store.contract.notes import BrokenNote, StoredNote
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import Project, Session

if TYPE_CHECKING:
    from recollect.curation.curator import Curator, Memory

# So many that may be meant are named.
SHOWN = 5

RESTORE = "`restore` brings it back."


class Naming:
    """Reads names as they are meant in *folder*, or in the *project* that was asked for.

    *everywhere* means what holds in every project. Only what may be seen is told of.
    """

    def __init__(  # noqa: PLR0913 - the rooms it asks, and one parameter a circumstance
        self,
        home: OpenHome,
        upkeep: Upkeep,
        projects: Projects,
        visibility: Visibility,
        *,
        curator: "Callable[[], Curator]",
        folder: str,
        project: str | None = None,
        everywhere: bool = False,
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._projects = projects
        self._visibility = visibility
        self._curator = curator
        self.folder = folder
        self.asked_for = None if everywhere else project
        self._everywhere = everywhere

    @property
    def is_known(self) -> bool:
        """Whether there is a memory of the project at all."""
        return bool(self.asked_for) or self._projects.at(self.folder) is not None

    def known_project(self) -> Project:
        """Return the project that is meant. Raises `ProjectError` if there is none, or no longer.

        What holds in every project is not meant by a folder that no project is in.
        """
        if not self.asked_for:
            one = self._projects.here(self.folder)
        else:
            (one,) = self._projects.scope(project=self.asked_for, all_projects=False, folder="")
        if self._projects.is_excluded(one.name):
            raise ProjectError(f"{one.label} is excluded from memory, as its user wants it")
        return one

    @cached_property
    def project(self) -> str:
        """The name of the project that is meant. Raises `ProjectError` if there is none."""
        if self._everywhere:
            return paths.EVERYWHERE
        if not self.asked_for and self._projects.at(self.folder) is None:
            return paths.EVERYWHERE  # Nothing is known here but what holds everywhere.
        (one,) = self._projects.scope(
            project=self.asked_for, all_projects=False, folder=self.folder
        )
        return one.name

    def note(self, name: str) -> tuple[str, list[str]]:
        """Return the beginning of a note's name, and the projects that it may be in.

        *name* may be a path, too, as `status` says it: with a line behind it.
        """
        path = os.path.abspath(os.path.join(self.folder, re.sub(r":\d+$", "", name)))
        everyone = [paths.EVERYWHERE, *(one.name for one in self._projects.all())]
        meant = self.within_reach if self._visibility.is_confined else everyone
        for project in meant:
            if key := self._home.notebook(project).store.key_at(path):
                return key.name, [project]
        return name, self.within_reach

    def memory(self, prefix: str) -> "Memory":
        """Return the note, or what the journal has or had, whose name begins with *prefix*."""
        self._upkeep.sync(self.project)
        index = self._home.index
        names = dict.fromkeys(index.ids(prefix))
        here = [entry for name in names if (entry := index.by_id(name, among=[self.project]))]
        entries = [one for one in here if one.kind != "note"]
        try:
            return self._meant(prefix, entries or self._curator().removed(prefix, self.project))
        except NotFoundError as error:
            raise self.missed(prefix, error) from None

    def found_note(self, name: str) -> StoredNote:
        """Return the note that *name* means, to be read or changed.

        Raises `NotFoundError`, which says what became of it; `RecollectError` for what is no note.
        """
        if self.is_known:
            self.known_project()  # Raises where the user wants no memory.
        try:
            held = self._curator().find(*self.note(name))
        except NotFoundError as error:
            among = self.within_reach if self._visibility.is_confined else []
            rows = [self._home.index.by_id(one, among=among) for one in self._home.index.ids(name)]
            others = [one for one in rows if one]
            if any(one.kind == "hosted" for one in others):
                what = "is Claude Code's own memory, which we only read"
                raise RecollectError(f"{name}: {what}", hint="Remember what holds.") from None
            if others and "/" not in name:
                what = "is no note but part of the journal, which tells what happened"
                hint = "Remember what holds instead, or forget it."
                raise RecollectError(f"{name}: {what}", hint=hint) from None
            raise self._absent(name, error) from None
        if held.note.record_status == "retired":
            raise gone(name, held)
        return held

    def entry(self, prefix: str) -> IndexRow:
        """Return the one meant: of this project, or of all of them.

        A turn of another project has an id that no other has, so it can be meant as well, unless
        a project was asked for. Raises `NotFoundError`.
        """
        index = self._home.index
        among = self.within_reach
        names = dict.fromkeys(index.ids(prefix))
        here = [name for name in names if index.by_id(name, among=among)]
        if not here and not self.asked_for and not self._visibility.is_confined:
            here = [name for name in names if _is_of_a_turn(index.by_id(name))]
            among = []
        try:
            found = index.by_id(ids.resolve(prefix, here), among=among)
        except NotFoundError as error:
            raise self._absent(prefix, error) from None
        if found is None or not list(self._visibility.entries([found])):
            raise NotFoundError(f"{prefix}: no such id", hint=ids.WHERE_IDS_ARE)
        return found

    def sessions(self, prefix: str) -> list[Session]:
        """Return the sessions within reach whose id begins with *prefix*."""
        found = self._home.state.sessions.matching(prefix)
        reach = self.within_reach if self._visibility.is_confined else None
        return [one for one in found if reach is None or one.project in reach]

    def forgotten(self, prefix: str) -> "Memory":
        """Return the note, or what was taken out of the journal, to bring back."""
        return self._meant(prefix, self._curator().removed(prefix, self.project))

    def missed(self, prefix: str, error: NotFoundError) -> NotFoundError:
        """Return *error* with a word on where else *prefix* names something, if it does."""
        if self._visibility.is_confined or "no such" not in error.message or prefix.endswith("/"):
            return error
        index = self._home.index
        named_so = (one for name in dict.fromkeys(index.ids(prefix)) for one in index.named(name))
        others = (one.project for one in self._visibility.entries(named_so))
        homes = dict.fromkeys(home for home in others if home not in self.within_reach)
        return NotFoundError(error.message, hint=_elsewhere(homes)) if homes else error

    def _absent(self, name: str, error: NotFoundError) -> NotFoundError:
        """Return *error* about *name*, which nothing to be seen here has, with what became of it.

        It may have been taken out, or be in another project.
        """
        if "no such" not in error.message or self._projects.is_excluded(self.project):
            return error
        try:
            return gone(name, self.forgotten(name))
        except NotFoundError:
            return self.missed(name, error)

    @property
    def within_reach(self) -> list[str]:
        """The projects that a name may be of."""
        return [self.project] if self.asked_for else [self.project, paths.EVERYWHERE]

    def _meant(self, prefix: str, others: "Sequence[Memory]") -> "Memory":
        """Return the note that *prefix* names, or the one of *others*, which begin so."""
        found: list[Memory] = list(others)
        try:
            found.append(self._curator().look_back(*self.note(prefix)))
        except NotFoundError as error:
            if not others or "no such" not in error.message:
                raise
        exact = [one for one in found if prefix in (called(one), called(one).rpartition("/")[2])]
        chosen = exact or found
        if len(chosen) > 1:
            names = ", ".join(map(called, chosen[:SHOWN]))
            raise NotFoundError(f"{prefix}: may mean each of {names}", hint="Say more of it.")
        return chosen[0]


def called(one: "Memory") -> str:
    """Return the name that every command knows *one* by."""
    return one.id if isinstance(one, IndexRow) else one.name


def gone(name: str, one: "Memory") -> NotFoundError:
    """Return what to tell whoever asks for *one* by *name*: it is not among what is shown."""
    match one:
        case StoredNote() if one.note.record_status == "retired":
            why = f" ({one.note.retired_reason})" if one.note.retired_reason else ""
            return NotFoundError(f"{name}: was retired{why}", hint=RESTORE)
        case StoredNote():
            return NotFoundError(f"{name}: no such id", hint=f"There is {one.name}.")
        case BrokenNote():
            mend = f"Mend it: recollect edit {one.name}"
            return NotFoundError(f"{name}: {one.trouble.what}", hint=mend)
        case _:
            return NotFoundError(f"{name}: was taken out", hint=RESTORE)


def _is_of_a_turn(one: IndexRow | None) -> bool:
    return one is not None and one.kind in ("entry", "summary")


def _elsewhere(homes: Iterable[str]) -> str:
    """Say where else it is."""
    options = ("--global" if home == paths.EVERYWHERE else f"--project {home}" for home in homes)
    return f"It is elsewhere: say {' or '.join(options)}."
