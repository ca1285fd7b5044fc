"""What a person means by a name: a project, a note, an entry of the journal, or a path to it."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.app.recollect import Recollect
from recollect.errors import NotFoundError
from recollect.store.contract.search import IndexRow

if TYPE_CHECKING:
    from recollect.curation.curator import Memory

# So many that may be meant are named.
SHOWN = 5


class Naming:
    """Reads names as they are meant in *folder*, or in the *project* that was asked for.

    *everywhere* means what holds in every project. Only what *shown* lets through is told of. Who
    is *confined* hears of no other project.
    """

    def __init__(
        self,
        app: Recollect,
        *,
        folder: str,
        project: str | None = None,
        everywhere: bool = False,
        confined: bool = False,
        shown: Callable[[Iterable[IndexRow]], Iterable[IndexRow]] = iter,
    ) -> None:
        self._app = app
        self._folder = folder
        self._asked_for = project
        self._everywhere = everywhere
        self._confined = confined
        self._shown = shown

    @cached_property
    def project(self) -> str:
        """The name of the project that is meant. Raises `ProjectError` if there is none."""
        if self._everywhere:
            return paths.EVERYWHERE
        if not self._asked_for and self._app.projects.at(self._folder) is None:
            return paths.EVERYWHERE  # Nothing is known here but what holds everywhere.
        (one,) = self._app.projects.scope(
            project=self._asked_for, all_projects=False, folder=self._folder
        )
        return one.name

    def note(self, name: str) -> tuple[str, list[str]]:
        """Return the beginning of a note's name, and the projects that it may be in.

        *name* may be a path, too, as `status` says it: with a line behind it.
        """
        path = Path(os.path.abspath(os.path.join(self._folder, re.sub(r":\d+$", "", name))))
        everyone = [paths.EVERYWHERE, *(one.name for one in self._app.projects.all())]
        meant = self.within_reach if self._confined else everyone
        homes = {self._app.inside.library(one).location: one for one in meant}
        if path.suffix == ".md" and (home := homes.get(str(path.parent.parent))):
            return f"{path.parent.name}/{path.stem}", [home]
        return name, self.within_reach

    def memory(self, prefix: str) -> "Memory":
        """Return the note, or what the journal has or had, whose name begins with *prefix*."""
        self._app.upkeep.sync(self.project)
        index = self._app.inside.index
        names = dict.fromkeys(index.ids(prefix))
        here = [entry for name in names if (entry := index.by_id(name, among=[self.project]))]
        entries = [one for one in here if one.kind != "note"]
        try:
            return self._meant(prefix, entries or self._app.notes.removed(prefix, self.project))
        except NotFoundError as error:
            raise self.missed(prefix, error) from None

    def forgotten(self, prefix: str) -> "Memory":
        """Return the note, or what was taken out of the journal, to bring back."""
        return self._meant(prefix, self._app.notes.removed(prefix, self.project))

    def missed(self, prefix: str, error: NotFoundError) -> NotFoundError:
        """Return *error* with a word on where else *prefix* names something, if it does."""
        if self._confined or "no such" not in error.message or prefix.endswith("/"):
            return error
        index = self._app.inside.index
        named_so = (one for name in dict.fromkeys(index.ids(prefix)) for one in index.named(name))
        others = (one.project for one in self._shown(named_so))
        homes = dict.fromkeys(home for home in others if home not in self.within_reach)
        return NotFoundError(error.message, hint=_elsewhere(homes)) if homes else error

    @property
    def within_reach(self) -> list[str]:
        """The projects that a name may be of."""
        return [self.project] if self._asked_for else [self.project, paths.EVERYWHERE]

    def _meant(self, prefix: str, others: "Sequence[Memory]") -> "Memory":
        """Return the note that *prefix* names, or the one of *others*, which begin so."""
        found: list[Memory] = list(others)
        try:
            found.append(self._app.notes.look_back(*self.note(prefix)))
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


def _elsewhere(homes: Iterable[str]) -> str:
    """Say where else it is."""
    options = ("--global" if home == paths.EVERYWHERE else f"--project {home}" for home in homes)
    return f"It is elsewhere: say {' or '.join(options)}."
