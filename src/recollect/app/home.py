"""One home, opened: databases, libraries and settings, which the rooms of the application share."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import config, fingerprint, paths, projects
from recollect.config import Settings
from recollect.context import render
from recollect.errors import DamagedError, StoreError
from recollect.privacy import exclusions
from recollect.store.contract.search import SearchIndex
from recollect.store.contract.state import StateStore
from recollect.store.files.library import Library
from recollect.store.registry import Registry
from recollect.store.sqlite.index import database as index_database
from recollect.store.sqlite.state.database import open_state

if TYPE_CHECKING:
    from recollect.notes.note_model import Evidence
    from recollect.store.files.notebook import Notebook


class OpenHome:
    """What one home holds. Belongs to one thread; close it.

    *flags* are settings for this process alone. One that is *hurried* gives up on a lock at once.
    """

    def __init__(
        self, path: str, *, flags: Mapping[str, str] | None = None, hurried: bool = False
    ) -> None:
        self.path = path
        self._flags = flags
        self._hurried = hurried
        self.state: StateStore = open_state(path)
        self.index: SearchIndex = self._open_index()
        self.registry = Registry(self.state, path)
        self._libraries: dict[str, Library] = {}
        self._notebooks: dict[str, Notebook] = {}
        self._settings: dict[str, tuple[object, Settings]] = {}

    def close(self) -> None:
        """Close the databases."""
        self.state.close()
        self.index.close()

    def settings(self, project: str = "") -> Settings:
        """Return the settings that hold for *project*, or in general."""
        if project == paths.EVERYWHERE:
            project = ""
        root = self.registry.named(project).root if project else ""
        # They are asked for several times in each answer, and hardly ever change.
        made_from = config.made_from(self.path, project=project, root=root)
        known = self._settings.get(project)
        if known is None or known[0] != made_from:
            loaded = config.load(self.path, project=project, root=root, flags=self._flags)
            known = self._settings[project] = (made_from, loaded)
        return known[1]

    def library(self, project: str) -> Library:
        """Return the library of *project*."""
        if project not in self._libraries:
            self._libraries[project] = Library(Path(paths.project(self.path, project)))
        return self._libraries[project]

    def forget_library(self, project: str) -> None:
        """Read the library of *project* anew when it is asked for again: its files moved."""
        self._libraries.pop(project, None)

    def notebook(self, project: str) -> "Notebook":
        """Return the notes of *project*, or of `paths.EVERYWHERE`."""
        from recollect.store.files.notebook import Notebook  # noqa: PLC0415 - takes pydantic

        if project not in self._notebooks:
            self._notebooks[project] = Notebook(Path(paths.project(self.path, project)))
        return self._notebooks[project]

    def evidence(self, project: str, names: Sequence[str]) -> "Evidence":
        """Return what *project* looks like now, with those of *names* that are files in it."""
        from recollect.notes.note_model import Evidence  # noqa: PLC0415 - takes pydantic

        if project == paths.EVERYWHERE:
            return Evidence()
        root = self.registry.named(project).root
        branch, commit = projects.head(projects.identity(root), root)
        files_seen = fingerprint.of_those(names, cwd=root, root=root)
        return Evidence(branch=branch or None, commit=commit[:12] or None, files=files_seen)

    def is_excluded(self, project: str) -> bool:
        """Tell whether the user excluded *project*, by name or by where it is."""
        if project == paths.EVERYWHERE:
            return False
        known = self.registry.named(project)
        patterns = self.settings(project).capture_exclude_paths
        return known.excluded or exclusions.is_excluded(known.root, patterns)

    # The index is derived: it is opened again, or made anew, whenever it has to be.

    def heal(self) -> None:
        """Open the index again if its file was deleted or replaced meanwhile."""
        if not self.index.is_there():
            self._reopen_index()

    def make_anew(self, error: StoreError) -> None:
        """Open an empty index if *error* means that this one is broken; raise it otherwise."""
        if not isinstance(error, DamagedError):
            raise error
        if self.index.is_there():
            index_database.discard(self.path)
        self._reopen_index()

    def replace_if_broken(self) -> None:
        """Open an empty index if the one that is there is damaged."""
        self.heal()
        if not self.index.is_sound():
            index_database.discard(self.path)
            self._reopen_index()

    def _reopen_index(self) -> None:
        self.index.close()
        self.index = self._open_index()

    def _open_index(self) -> SearchIndex:
        index = index_database.open_index(self.path, render)
        if self._hurried:
            index.hurry()
        return index
