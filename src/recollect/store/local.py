"""A home on this disk: Markdown in folders, and two SQLite files beside them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.journal.model import LibraryItem
from recollect.store.contract.backend import HostFolders
from recollect.store.contract.search import Render, SearchIndex
from recollect.store.contract.state import StateStore
from recollect.store.files import hosted
from recollect.store.files.library import open_library
from recollect.store.files.notes import FileNotes
from recollect.store.library import Library
from recollect.store.sqlite import access
from recollect.store.sqlite.index import database as index_database
from recollect.store.sqlite.state.database import open_state

if TYPE_CHECKING:
    from recollect.store.notebook import Notebook


class LocalBackend:
    """`Backend` in the folder *home*."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._notebooks: dict[str, Notebook] = {}

    def open_state(self) -> StateStore:
        """Open `state.db`."""
        return open_state(self._home)

    def open_index(self, render: Render) -> SearchIndex:
        """Open `index.db`."""
        return index_database.open_index(self._home, render)

    def discard_index(self) -> None:
        """Delete `index.db`."""
        index_database.discard(self._home)

    def projects(self) -> list[str]:
        """Return the projects that have a folder."""
        return sorted(folder.name for folder in Path(self._home, "projects").glob("*/"))

    def library(self, project: str, *, hosts: Callable[[], HostFolders]) -> Library:
        """Return the library in the folder of *project*."""

        def hosted_places() -> Sequence[Path]:
            found = hosts()
            return hosted.places(found.configs, found.roots)

        def read_note(file: Path) -> Sequence[LibraryItem]:
            from recollect.store import note_index  # noqa: PLC0415 - takes pydantic and YAML

            found = self.notebook(project).at(str(file))
            return note_index.items_of(found) if found else ()

        folder = Path(paths.project(self._home, project))
        return open_library(folder, read_note=read_note, hosted_places=hosted_places)

    def notebook(self, project: str) -> "Notebook":
        """Return the notes in the folder of *project*."""
        from recollect.store.notebook import Notebook  # noqa: PLC0415 - takes pydantic

        if project not in self._notebooks:
            folder = Path(paths.project(self._home, project))
            self._notebooks[project] = Notebook(FileNotes(folder))
        return self._notebooks[project]

    def verdicts(self) -> dict[str, str]:
        """Return what SQLite says of each of the two files."""
        names = {"state.db": paths.state(self._home), "index.db": paths.index(self._home)}
        return {name: access.verdict(Path(path)) for name, path in names.items()}
