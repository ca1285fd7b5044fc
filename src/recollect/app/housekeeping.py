"""What is due once a day: a backup, the archive's bound, what is past its time."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.app.home import OpenHome
from recollect.inbox import drain
from recollect.pipeline.usage import Usage
from recollect.store import saved
from recollect.store.contract.state import NoteChange

if TYPE_CHECKING:
    from recollect.curation.curator import Curator

# A broken state.db is put aside, in case it can still be read; the last ones stay.
BROKEN_KEPT = 2

log = logging.getLogger(__name__)


class Housekeeping:
    """Keeps one home in order."""

    def __init__(self, home: OpenHome, usage: Usage, *, curator: "Callable[[], Curator]") -> None:
        self._home = home
        self._usage = usage
        self._curator = curator

    def keep(self, *, newer_release: Callable[[], str]) -> None:
        """Do what is due once a day; *newer_release* looks one up, if the user wants that."""
        state = self._home.state
        today = date.today().isoformat()  # noqa: DTZ011 - the user's own day
        if state.meta("house_kept") == today:
            return
        state.back_up(day=today)
        drain.tidy(Path(paths.inbox(self._home.path)), Path(paths.set_aside(self._home.path)))
        for broken in sorted(Path(self._home.path).glob("state.db.broken-*"))[:-BROKEN_KEPT]:
            broken.unlink()
        everyone = [one.name for one in self._home.registry.all()]
        for project in everyone:
            self._bound_archive(project)
        for project in (*everyone, paths.EVERYWHERE):
            self._collect(project)
        self._usage.keep_house(now=time.time())
        if self._home.settings().updates_check:
            state.set_meta("newer_release", newer_release())
        state.set_meta("house_kept", today)

    def note_failure(self, what: str) -> None:
        """Remember *what* could not be taken in; `status` tells of the last one."""
        self._home.state.set_meta("last_failure", what)

    @property
    def last_failure(self) -> str:
        """What could not be taken in last; empty if nothing failed."""
        return self._home.state.meta("last_failure")

    @property
    def newer_release(self) -> str:
        """The version of a newer release, if one was looked up."""
        return self._home.state.meta("newer_release")

    def _bound_archive(self, project: str) -> None:
        limit = self._home.settings(project).archive_max_mb << 20
        if removed := self._home.library(project).archive.prune(max_bytes=limit):
            log.info("archive bounded", extra={"removed": removed})

    def _collect(self, project: str) -> None:
        collected = self._curator().collect(project, now=datetime.now(UTC))
        for done in collected:
            log.info("past its time", extra={"outcome": done.outcome, "id": done.id})
        changes = [NoteChange(one.category, one.outcome) for one in collected if one.category]
        saved.add(self._home.state, project, changes)
