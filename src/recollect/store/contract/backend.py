"""Whatever keeps a home: a state, an index, a library and notes for each project, opened."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recollect.store.contract.search import Render, SearchIndex
from recollect.store.contract.state import StateStore
from recollect.store.library import Library

if TYPE_CHECKING:
    from recollect.store.notebook import Notebook


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFolders:
    """Where a host itself may remember a project: set up in *configs*, for what lies in *roots*."""

    configs: Sequence[Path] = ()
    roots: Sequence[str] = ()


class Backend(Protocol):
    """The stores of one home."""

    def open_state(self) -> StateStore:
        """Open what is kept besides Markdown. Belongs to one thread."""

    def open_index(self, render: Render) -> SearchIndex:
        """Open the index, made anew if it is missing or broken. Belongs to one thread."""

    def discard_index(self) -> None:
        """Delete the index; nothing is lost."""

    def projects(self) -> list[str]:
        """Return the projects of which anything is kept, by name."""

    def library(self, project: str, *, hosts: Callable[[], HostFolders]) -> Library:
        """Return the library of *project*, with what *hosts* themselves remember of it."""

    def notebook(self, project: str) -> "Notebook":
        """Return the notes of *project*."""

    def verdicts(self) -> dict[str, str]:
        """Return what is to be said of each database: `ok`, or what is wrong with it."""
