"""One home, opened: databases, libraries and settings, which the rooms of the application share."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import config, fingerprint, paths, projects
from recollect.config import Settings
from recollect.context import render
from recollect.errors import DamagedError, StoreError
from recollect.hosts import client
from recollect.privacy import exclusions
from recollect.store.contract.backend import Backend, HostFolders
from recollect.store.contract.search import SearchIndex
from recollect.store.contract.state import StateStore
from recollect.store.library import Library
from recollect.store.local import LocalBackend
from recollect.store.registry import Registry

if TYPE_CHECKING:
    from recollect.notes.note_model import Evidence
    from recollect.store.notebook import Notebook


def backend_of(home: str) -> Backend:
    """Return what keeps *home*. This is the one place that knows which stores there are."""
    return LocalBackend(home)


def open_state(home: str) -> StateStore:
    """Open what is kept of *home* besides Markdown, for another thread."""
    return backend_of(home).open_state()


class OpenHome:
    """What one home holds. Belongs to one thread; close it.

    *flags* are settings for this process alone. One that is *hurried* gives up on a lock at once.
    Without a *backend* it is kept where `backend_of` says.
    """

    def __init__(
        self,
        path: str,
        *,
        flags: Mapping[str, str] | None = None,
        hurried: bool = False,
        backend: Backend | None = None,
    ) -> None:
        self.path = path
        self.backend: Backend = backend or backend_of(path)
        self._flags = flags
        self._hurried = hurried
        self.state: StateStore = self.backend.open_state()
        self.index: SearchIndex = self._open_index()
        self.registry = Registry(self.state, path)
        self._libraries: dict[str, Library] = {}
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
            self._libraries[project] = self.backend.library(
                project, hosts=partial(self._remembered_by_hosts, project)
            )
        return self._libraries[project]

    def forget_library(self, project: str) -> None:
        """Read the library of *project* anew when it is asked for again: its files moved."""
        self._libraries.pop(project, None)

    def notebook(self, project: str) -> "Notebook":
        """Return the notes of *project*, or of `paths.EVERYWHERE`."""
        return self.backend.notebook(project)

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

    # What a host itself remembers is followed as well.

    def _remembered_by_hosts(self, project: str) -> HostFolders:
        """Return where Claude Code itself may remember *project*.

        Nowhere, where the user does not want that followed.
        """
        if project == paths.EVERYWHERE or not self.settings(project).sources_claude_memory:
            return HostFolders()
        if self.is_excluded(project):
            return HostFolders()
        known = self.registry.named(project)
        roots = [projects.root(one) for one in (known.root, *self.registry.identities(known))]
        return HostFolders(configs=self._claude_folders(), roots=roots)

    def _claude_folders(self) -> list[Path]:
        """Return every folder in which Claude Code was seen to keep its settings.

        Whoever asks may have another one set than who asked before; both are true.
        """
        known = json.loads(self.state.meta("claude_folders") or "[]")
        here = str(client.config_folder())
        if here not in known:
            known.append(here)
            self.state.set_meta("claude_folders", json.dumps(known))
        return list(map(Path, known))

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
            self.backend.discard_index()
        self._reopen_index()

    def replace_if_broken(self) -> None:
        """Open an empty index if the one that is there is damaged."""
        self.heal()
        if not self.index.is_sound():
            self.backend.discard_index()
            self._reopen_index()

    def _reopen_index(self) -> None:
        self.index.close()
        self.index = self._open_index()

    def _open_index(self) -> SearchIndex:
        index = self.backend.open_index(render)
        if self._hurried:
            index.hurry()
        return index
