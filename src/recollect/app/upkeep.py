"""Keep what is derived in step with the library: the index, summaries, prepared starts."""

import itertools
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from recollect import paths
from recollect.app.home import OpenHome
from recollect.app.meaning import Meaning
from recollect.context.session_start import unless_busy
from recollect.errors import EmbedderError, StoreError, each
from recollect.store.contract.search import SearchIndex
from recollect.store.contract.state import Project, Session

# Of so many of the newest entries, the files are looked at as soon as they are written down.
JUST_RECORDED = 20


class Upkeep:
    """Follows the libraries of one home.

    *prepare_start* writes what the next sessions of a project are given while no worker runs,
    *renew_summary* brings a session's summary in step with its entries.
    """

    def __init__(
        self,
        home: OpenHome,
        meaning: Meaning,
        *,
        prepare_start: Callable[[str], None],
        renew_summary: Callable[[Session], bool],
    ) -> None:
        self._home = home
        self._meaning = meaning
        self._prepare_start = prepare_start
        self._renew_summary = renew_summary
        self._in_step: dict[str, tuple[SearchIndex, Mapping[str, str]]] = {}
        self._behind: set[str] | None = None
        """The projects whose last turns are still to be followed; None where that is at once."""

    def heal(self) -> None:
        """Open the index again if its file was deleted or replaced meanwhile."""
        self._home.heal()

    def sync(self, project: str) -> int:
        """Bring the index in step with the library of *project*; return how many files changed."""
        self._home.heal()
        # Nothing moved since we looked the last time, and what was there then is in this index.
        library = self._home.library(project)
        seen = (self._home.index, library.states())
        if self._in_step.get(project) == seen:
            return 0
        try:
            changed = self._home.index.sync(library)
        except StoreError as error:
            self._home.make_anew(error)
            changed = self._home.index.sync(library)
        self._in_step[project] = (self._home.index, seen[1])
        return changed

    def refresh(self, project: str) -> None:
        """Bring everything that follows from the library of *project* in step with it.

        And from the library of what holds everywhere, which every project shares.
        """
        if self.sync(paths.EVERYWHERE):
            self.follow_own_writing(paths.EVERYWHERE)
        if project == paths.EVERYWHERE:
            return  # No session begins there.
        changed_by_hand = self.sync(project)
        if changed_by_hand:
            self._renew_last_summary(project)
        if changed_by_hand or not os.path.exists(paths.start_block(self._home.path, project)):
            self._prepare_start(project)

    def refresh_all(self, *, seen_since: float = 0.0) -> None:
        """Bring everything that follows from any library in step."""
        recent = [one.name for one in self._home.registry.all() if one.last_seen >= seen_since]
        each(recent, self._refresh_with_history)

    def catch_up(self, *, seconds: float) -> None:
        """Index what is new and make vectors for it, for a few *seconds* at most."""
        deadline = time.monotonic() + seconds
        with unless_busy(), suppress(EmbedderError):
            self.refresh_all()
            self._meaning.fill(lambda *_: None, enough=lambda: time.monotonic() > deadline)

    def rebuild(self, progress: Callable[[int, int], None]) -> int:
        """Read every file again and make the index what they say; return how many memories.

        What is there answers meanwhile; only a broken index is thrown away first. *progress*
        hears how many files are done, of how many.
        """
        self._home.replace_if_broken()
        index = self._home.index
        everyone = [self._home.library(one.name) for one in self._home.registry.all()]
        total = sum(len(library.states()) for library in everyone)
        done = itertools.count(1)
        for library in everyone:
            index.sync(library, seen=lambda _: progress(next(done), total), anew=True)
            self._prepare_start(library.project)
        known = {library.project for library in everyone}
        for gone in set(index.projects()) - known:
            index.remove(gone)
        return sum(index.count(project) for project in known)

    def check_files(self, *, seen_since: float) -> None:
        """Say of every memory what has become of the files it tells of."""
        recent = [one for one in self._home.registry.all() if one.last_seen >= seen_since]
        each(recent, self.check_files_of)

    def check_files_of(self, project: Project, *, newest: int = -1) -> None:
        """Say of the memories of *project*, or of the *newest*, what has become of their files."""
        root = Path(project.root)
        if root.is_dir() and self._home.index.check_files(project.name, root, newest=newest):
            self._prepare_start(project.name)

    def follow_turns(self, project: str) -> None:
        """Follow the library after turns were recorded, and see how the files they left look.

        A hook that has no worker to ask can only tell whether they were written to since.
        """
        if self._behind is not None:
            self._behind.add(project)
            return
        self._index_turns(project)
        each(self._starts_of([project]), self._prepare_start)

    def _index_turns(self, project: str) -> None:
        self.sync(project)
        if project != paths.EVERYWHERE:
            root = Path(self._home.registry.named(project).root)
            if root.is_dir():
                self._home.index.check_files(project, root, newest=JUST_RECORDED)

    @contextmanager
    def following_at_the_end(self) -> Iterator[Callable[[], None]]:
        """Follow what is recorded in the block once, at its end, and whenever that is called.

        Each event of a backlog would otherwise index the day and prepare a start again. A block
        inside another leaves it to that one.
        """
        if self._behind is not None:
            yield lambda: None
            return
        self._behind = set()

        def follow() -> None:
            behind, self._behind = self._behind or set(), None
            try:
                each(sorted(behind), self._index_turns)
                each(self._starts_of(behind), self._prepare_start)
            finally:
                self._behind = set()

        try:
            yield follow
        finally:
            try:
                follow()
            finally:
                self._behind = None

    def follow_own_writing(self, project: str) -> None:
        """Index what we wrote ourselves, and prepare the starts that tell of it."""
        if self._behind is not None:
            self._behind.add(project)
            return
        self.sync(project)
        each(self._starts_of([project]), self._prepare_start)

    def _starts_of(self, changed: Collection[str]) -> list[str]:
        """Return the projects whose sessions begin with something of what *changed*."""
        if paths.EVERYWHERE in changed:
            return [one.name for one in self._home.registry.all()]
        return sorted(changed)

    def take_out(self, project: str) -> None:
        """Take all of *project* out of the index: another project has it now."""
        self._home.index.remove(project)

    def _refresh_with_history(self, project: str) -> None:
        """Follow the library of *project*; what was written by hand goes into the history."""
        before = self._in_step.get(project)
        self.refresh(project)
        if self._in_step.get(project) != before and self._home.library(project).has_notes():
            self._home.notebook(project).keep_hand_edits()

    def _renew_last_summary(self, project: str) -> None:
        """Bring the summary that is about to be shown in step with what the user left of it."""
        last = next((one for one in self._home.index.recent(project, limit=1) if one.session), None)
        session = self._home.state.sessions.find(last.session) if last else None
        if session and self._renew_summary(session):
            self.sync(project)
