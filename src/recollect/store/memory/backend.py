"""A home in memory: a state, an index, libraries and notes, gone with the process."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect import paths
from recollect.store.contract.backend import HostFolders
from recollect.store.contract.search import Render
from recollect.store.library import Library
from recollect.store.memory.index import MemoryIndex
from recollect.store.memory.library import new_library
from recollect.store.memory.notes import MemoryNotes
from recollect.store.memory.state import MemoryState

if TYPE_CHECKING:
    from recollect.store.notebook import Notebook


class MemoryBackend:
    """`Backend` in dicts: whoever opens it again finds what is there."""

    def __init__(self) -> None:
        self._state = MemoryState()
        self._index: MemoryIndex | None = None
        self._libraries: dict[str, Library] = {}
        self._notebooks: dict[str, Notebook] = {}

    def open_state(self) -> MemoryState:
        """Return the state."""
        return self._state

    def open_index(self, render: Render) -> MemoryIndex:
        """Return the index."""
        if self._index is None:
            self._index = MemoryIndex(render)
        return self._index

    def discard_index(self) -> None:
        """Begin a new index."""
        self._index = None

    def projects(self) -> list[str]:
        """Return the projects that were asked for."""
        return sorted({*self._libraries, *self._notebooks} - {paths.EVERYWHERE})

    def library(self, project: str, *, hosts: Callable[[], HostFolders]) -> Library:  # noqa: ARG002
        """Return the library of *project*; what hosts remember is not looked at."""
        return self._libraries.setdefault(
            project, new_library(project, notebook=self.notebook(project))
        )

    def notebook(self, project: str) -> "Notebook":
        """Return the notes of *project*."""
        from recollect.store.notebook import Notebook  # noqa: PLC0415 - takes pydantic

        return self._notebooks.setdefault(project, Notebook(MemoryNotes(project)))

    def verdicts(self) -> dict[str, str]:
        """Return nothing: there is no database."""
        return {}
