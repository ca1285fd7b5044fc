"""A home in memory: a state, an index and libraries, gone with the process. It has no notes."""

from collections.abc import Callable
from typing import NoReturn

from recollect.errors import LibraryError
from recollect.store.contract.backend import HostFolders
from recollect.store.contract.search import Render
from recollect.store.library import Library
from recollect.store.memory.index import MemoryIndex
from recollect.store.memory.library import new_library
from recollect.store.memory.state import MemoryState


class MemoryBackend:
    """`Backend` in dicts: whoever opens it again finds what is there."""

    def __init__(self) -> None:
        self._state = MemoryState()
        self._index: MemoryIndex | None = None
        self._libraries: dict[str, Library] = {}

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

    def library(self, project: str, *, hosts: Callable[[], HostFolders]) -> Library:  # noqa: ARG002
        """Return the library of *project*; what hosts remember is not looked at."""
        return self._libraries.setdefault(project, new_library(project))

    def notebook(self, project: str) -> NoReturn:
        """Raise `LibraryError`: notes are kept in files."""
        raise LibraryError(f"{project}: no notes are kept in memory")

    def verdicts(self) -> dict[str, str]:
        """Return nothing: there is no database."""
        return {}
