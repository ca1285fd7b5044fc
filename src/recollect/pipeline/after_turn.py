"""What else becomes of a recorded turn: notes, and a place in the queue for a model.

A note that fails costs no memory of the journal.
"""

import itertools
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.config import Settings
from recollect.errors import RecollectError
from recollect.journal.model import JournalEntry, Summary
from recollect.store import saved
from recollect.store.contract.notes import ChangeResult, StoredNote
from recollect.store.contract.state import NoteChange, Session, StateStore
from recollect.store.library import Library
from recollect.transcripts.turns import CleanTurn

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.notes.stated import Embed

MACHINE_MADE = "a note as we wrote it"
# Of so many of the last turns of a session it is counted how much happened: after that, enough did.
TURNS_COUNTED = 60

log = logging.getLogger(__name__)


class AfterTurn:
    """Makes notes of what was recorded in one home, and lets it wait for a model."""

    def __init__(
        self,
        *,
        state: StateStore,
        library: Callable[[str], Library],
        settings: Callable[[str], Settings],
        curator: "Callable[[], Curator]",
        embed: "Embed",
        used: Callable[[Session, CleanTurn], None],
    ) -> None:
        self._state = state
        self._library = library
        self._settings = settings
        self._curator = curator
        self._embed = embed
        self._used = used

    def queue_for_model(self, session: Session, turn: CleanTurn) -> None:
        """Let *turn* wait for a model, if the user wants one.

        Not for what was imported: nobody wants to pay unasked for a year of transcripts, and
        `resynthesise` says beforehand what that costs.
        """
        if self._settings(session.project).synthesis_engine == "extractive":
            return
        self._state.queue.add(
            host=turn.host,
            turn=turn.key,
            session=session.id,
            project=session.project,
            now=time.time(),
        )

    def take_notes(self, session: Session, turn: CleanTurn, entry: JournalEntry) -> None:
        """Make the notes that *turn* is worth, and see what its agent made of what it was given."""
        from recollect.curation import propose  # noqa: PLC0415 - takes pydantic and YAML

        with reported("what was used"):
            self._used(session, turn)
        with reported("a note of a turn"):
            made = propose.from_turn(
                self._curator(),
                turn,
                entry,
                before=self._turn_before(session, turn),
                project=session.project,
                settings=self._settings(session.project),
                embed=self._embed,
            )
            self.keep_track(session.project, made)

    def keep_track(self, project: str, made: Sequence[ChangeResult]) -> None:
        """Remember which notes were *made* unasked, and let the user hear of them."""
        self._mark(project, made)
        self._tell_of(project, made)

    def is_machine_made(self, held: StoredNote) -> bool:
        """Tell whether *held* is as it was written unasked."""
        return self._is_marked(held.project, held.hash)

    def _mark(self, project: str, made: Sequence[ChangeResult]) -> None:
        """Remember what we wrote unasked: a note that says something else is a person's.

        What we wrote over a person's words is still theirs.
        """
        for one in made:
            if one.hash and (not one.before or self._is_marked(project, one.before)):
                self._state.sessions.set_recorded(MACHINE_MADE, project, one.hash)
            self._mark(project, one.also)

    def _tell_of(self, project: str, made: Sequence[ChangeResult]) -> None:
        """Let the user hear of the notes that were *made* or changed unasked."""
        also = [other for one in made for other in (one, *one.also)]
        saved.add(
            self._state,
            project,
            [self._change(project, one) for one in also if one.category],
        )

    def _change(self, project: str, one: ChangeResult) -> NoteChange:
        from recollect.notes.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

        if one.outcome != "created":
            return NoteChange(one.category or "", one.outcome)
        note = self._curator().find(f"{one.category}/{one.id}", [project]).note
        outcome = saved.PROPOSED if is_proposed(note) else one.outcome
        return NoteChange(note.category, outcome, note.title)

    def _is_marked(self, project: str, text_hash: str) -> bool:
        return self._state.sessions.is_recorded(MACHINE_MADE, project, text_hash)

    def _turn_before(self, session: Session, turn: CleanTurn) -> CleanTurn | None:
        known = self._library(session.project).archive.backwards(session.id)
        return next(
            (one for one in known if one.key != turn.key and one.ended <= turn.started), None
        )

    def keep_summary(self, session: Session, summary: Summary) -> None:
        """Keep how *session* stands as a note."""
        from recollect.curation import propose  # noqa: PLC0415 - takes pydantic and YAML

        session = self._state.sessions.find(session.id) or session
        archive = self._library(session.project).archive
        with reported("a note of a session"):
            propose.of_session(
                self._curator(),
                session,
                summary,
                list(itertools.islice(archive.backwards(session.id), TURNS_COUNTED)),
                settings=self._settings(session.project),
                now=datetime.fromtimestamp(session.last_seen, UTC),
            )


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Log that *what* failed instead of raising: the journal does not depend on it."""
    try:
        yield
    except (RecollectError, OSError, ValueError):
        log.exception("not kept", extra={"what": what})
