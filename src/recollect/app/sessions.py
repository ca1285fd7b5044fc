"""Sessions: how they went, and the turns that are archived of them."""

import itertools
import time
from collections.abc import Sequence

from recollect.app import results
from recollect.app.home import OpenHome
from recollect.app.hook_answers import HookAnswers
from recollect.app.results import Thread
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError
from recollect.search import disclose
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import Project, Session
from recollect.transcripts.drafts import TurnDraft
from recollect.transcripts.turns import CleanTurn


class Sessions:
    """The sessions of one home."""

    def __init__(
        self, home: OpenHome, upkeep: Upkeep, hooks: HookAnswers, visibility: Visibility
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._hooks = hooks
        self._visibility = visibility

    def last(self, project: str) -> Session | None:
        """Return the last session of *project* in which something happened."""
        return next((s for s in self._home.state.sessions.of_project(project) if s.turns), None)

    def of_project(self, project: str) -> list[Session]:
        """Return the sessions of *project*, the latest first."""
        return self._home.state.sessions.of_project(project)

    def matching(self, prefix: str) -> list[Session]:
        """Return the sessions whose id begins with *prefix*."""
        return self._home.state.sessions.matching(prefix)

    def find(self, prefix: str) -> Session:
        """Return the session whose id begins with *prefix*. Raises `NotFoundError`."""
        found = self.matching(prefix)
        exact = [one for one in found if one.id == prefix]
        if len(exact or found) != 1:
            several = ", ".join(session.id for session in found)
            raise NotFoundError(
                f"{prefix} means several sessions: {several}" if found else f"no session {prefix}",
                hint="`recollect search` shows ids.",
            )
        return (exact or found)[0]

    def draft(self, session: str) -> TurnDraft | None:
        """Return the turn of *session* that is under way, as far as its events tell."""
        *_, last = [None, *self._home.state.sessions.drafts(session).values()]
        return TurnDraft.from_json(last) if last else None

    def summaries(
        self, among: Sequence[Project], *, limit: int
    ) -> list[tuple[Session, dict[str, object]]]:
        """Return how the last sessions went, the latest first, in the eight fields.

        Those that may tell of what is kept from the viewer are left out.
        """
        for project in among:
            self._upkeep.refresh(project.name)
        recent = [one for project in among for one in self.of_project(project.name)]
        recent.sort(key=lambda session: -session.last_seen)
        found = ((session, self.summary_of(session.id)) for session in recent)
        return list(itertools.islice(((one, told) for one, told in found if told), limit))

    def summary_of(self, session: str) -> dict[str, object]:
        """Return how *session* went, in the eight fields; nothing if that may not be seen."""
        entry = self._home.index.summary_of(session)
        if entry is None or not self._may_be_seen(entry):
            return {}
        return results.summary_fields(entry)

    def _may_be_seen(self, summary: IndexRow) -> bool:
        is_hidden = not self._visibility.sees_all and self._hooks.tells_of_hidden(summary)
        return bool(not is_hidden and list(self._visibility.entries([summary])))

    def left_open(self, project: str) -> list[Thread]:
        """Return what the last sessions of *project* meant to do and nothing later took up."""
        found = self._hooks.answering.left_open(project, now=time.time())
        return [Thread(text=one.text, id=one.source.id) for one in found]

    def turns(self, prefix: str) -> tuple[Session, list[CleanTurn]]:
        """Return a session and its archived turns, by session id or by the id of an entry."""
        if self.matching(prefix):
            session = self.find(prefix)
            return session, self._archived(session)
        self._upkeep.refresh_all()
        return self.turns_behind(disclose.find(self._home.index, prefix))

    def turns_behind(self, entry: IndexRow) -> tuple[Session, list[CleanTurn]]:
        """Return the session of *entry* and its turn, or all of them if none is its own."""
        if not entry.session:
            raise NotFoundError(
                f"{entry.id}: no transcript behind this memory",
                hint="Expanding it shows all there is.",
            )
        session = self.find(entry.session)
        turns = self._archived(session)
        return session, [turn for turn in turns if not entry.turn or turn.key == entry.turn]

    def visible_turns(self, session: Session) -> list[CleanTurn]:
        """Return the archived turns of *session* that may be seen."""
        entries = self._home.index.in_session(session.id)
        hidden = {one.turn for one in entries}
        hidden -= {one.turn for one in self._visibility.entries(entries)}
        return [turn for turn in self._archived(session) if turn.key not in hidden]

    def _archived(self, session: Session) -> list[CleanTurn]:
        library = self._home.library(session.project)
        left = {one.turn for one in library.entries_of(session.id)}
        # What the user deleted from the journal is not shown here either.
        return [turn for turn in library.archive.read(session.id) if turn.key in left]
