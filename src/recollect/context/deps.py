"""What every answer needs: the home as it is open, and what of it may be shown."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths, projects
from recollect.config import Settings
from recollect.journal.model import LibraryItem
from recollect.privacy.exclusions import is_excluded
from recollect.search.search import Embed
from recollect.search.wants import Wants
from recollect.store.contract.search import IndexRow, SearchIndex
from recollect.store.contract.state import Project, StateStore
from recollect.store.library import Library
from recollect.store.registry import Registry

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector

# Files that changed since they were indexed are read again; so many of them are remembered.
MOST_READ = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDeps:
    """One home, opened, and what of it may be shown."""

    home: str
    state: StateStore
    registry: Registry
    settings: Callable[[str], Settings]
    index: Callable[[], SearchIndex]
    sync: Callable[[str], object]
    """Brings the index in step with the library of a project."""
    library: Callable[[str], Library]
    embed: Embed
    read_wants: "Callable[[Vector | None], Wants]"
    """Tells from the vector of a prompt what it wants."""
    _read_again: dict[tuple[str, str], dict[str, LibraryItem]] = field(default_factory=dict)

    def is_current(self, one: IndexRow) -> bool:
        """Tell whether *one* stands in its file as the index has it.

        The index follows a moment after the journal; what was written beside an entry meanwhile
        must not hide it, and what the user took out must not be shown.
        """
        if self.index().is_unchanged(one):
            return True
        library = self.library(one.project)
        state = library.state(one.document)
        if not state:
            return False
        key = (one.document, state)
        if key not in self._read_again:
            while len(self._read_again) >= MOST_READ:
                self._read_again.pop(next(iter(self._read_again)))
            found = library.items(one.document)
            self._read_again[key] = {kept.id: kept for kept in found}
        kept = self._read_again[key].get(one.id)
        return kept is not None and (kept.title, kept.body, kept.hidden_reason) == (
            one.title,
            one.body,
            one.hidden_reason,
        )

    def is_hidden(self, one: IndexRow, settings: Settings) -> bool:
        """Tell whether *one* is not shown unasked: it is excluded, or somebody called it wrong."""
        return not self.not_hidden([one], settings)

    def not_hidden(self, entries: Sequence[IndexRow], settings: Settings) -> list[IndexRow]:
        """Return those of *entries* that may be shown unasked; see `is_hidden`."""
        disputes = self.state.disputes
        disputed = {name: disputes.hidden(name) for name in {one.project for one in entries}}
        return [
            one
            for one in entries
            if one.id not in disputed[one.project] and not self.is_excluded(one, settings)
        ]

    def is_disputed(self, one: IndexRow) -> bool:
        """Tell whether somebody said that *one* is wrong."""
        return one.id in self.state.disputes.hidden(one.project)

    def is_excluded(self, one: IndexRow, settings: Settings) -> bool:
        """Tell whether *one* tells of a file that the user excluded since."""
        touched, patterns = one.touched.splitlines(), settings.capture_exclude_paths
        if not patterns or not touched:
            return False
        root = self.registry.named(one.project).root if one.project != paths.EVERYWHERE else ""
        return any(is_excluded(os.path.join(root, name), patterns) for name in touched)

    def as_shown(self, one: IndexRow, folder: str, settings: Settings) -> IndexRow | None:
        """Return *one* with what has become of its files by now; None if it is not to be shown."""
        if one.kind == "note" and one.category not in settings.context_categories:
            return None
        if self.is_hidden(one, settings):
            return None
        if not one.seen_files:
            return one
        top = projects.top(folder)
        stale = self.index().files_now(one.seen_files, Path(top))
        # Where a file went takes a long look, which the worker takes now and then, in the
        # project's own folder; another work tree may have other files.
        is_own = one.project == paths.EVERYWHERE or top == self.registry.named(one.project).root
        return one if stale and one.stale and is_own else replace(one, stale=stale)


def folder_of(event: dict[str, object], project: Project) -> str:
    """Return where the session of *event* is."""
    return str(event.get("cwd") or project.root)


def session_of(event: dict[str, object]) -> str:
    """Return the session that *event* is about; empty if nobody says."""
    return str(event.get("session_id") or "")
