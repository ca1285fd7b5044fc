"""What else is made of what the journal gets: notes, and a place in the queue for a model.

A note that fails costs no memory of the journal.
"""

import itertools
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.config import Settings
from recollect.errors import RecollectError
from recollect.intake.record import archive_of
from recollect.memories.library import Library
from recollect.memories.model import JournalEntry, Summary
from recollect.state import queue, saved, sessions
from recollect.state.database import State
from recollect.state.saved import NoteChange
from recollect.state.sessions import Session
from recollect.transcripts import archive
from recollect.transcripts.turns import CleanTurn

if TYPE_CHECKING:
    from recollect.curation.curator import Curator, Held
    from recollect.curation.drafted import Shown
    from recollect.memories.notebook import ChangeResult
    from recollect.notes.stated import Embed
    from recollect.synthesis.blocks import DraftedNote
    from recollect.synthesis.brief import ChangeableNote
    from recollect.synthesis.gate import Speech
    from recollect.synthesis.verify import DraftVerdict

MACHINE_MADE = "a note as we wrote it"
# Of so many of the last turns of a session it is counted how much happened: after that, enough did.
TURNS_COUNTED = 60

log = logging.getLogger(__name__)


class Noticing:
    """Hears what was recorded in one home, and what models say of it."""

    def __init__(  # noqa: PLR0913 - one parameter a part
        self,
        home: str,
        *,
        state: State,
        settings: Callable[[str], Settings],
        library: Callable[[str], Library],
        curator: "Callable[[], Curator]",
        embed: "Embed",
        used: Callable[[Session, CleanTurn], None],
    ) -> None:
        self._home = home
        self._state = state
        self._settings = settings
        self._library = library
        self._curator = curator
        self._embed = embed
        self._used = used
        self._shown: Shown = {}
        self._heard: tuple[Sequence[CleanTurn], Speech] | None = None

    # What the recorder tells.

    def recorded(self, session: Session, turn: CleanTurn, *, of_old: bool) -> None:
        """Let *turn* wait for a model, if the user wants one.

        Nobody who imports a year of transcripts wants to pay for it unasked: `resynthesise`
        says beforehand what that costs.
        """
        if of_old or self._settings(session.project).synthesis_engine == "extractive":
            return
        queue.add(
            self._state,
            host=turn.host,
            turn=turn.key,
            session=session.id,
            project=session.project,
            now=time.time(),
        )

    def turn(self, session: Session, turn: CleanTurn, entry: JournalEntry) -> None:
        """Make the notes that *turn* is worth, and see what its agent made of what it was given."""
        from recollect.curation import propose  # noqa: PLC0415 - takes pydantic and YAML

        with _reported("what was used"):
            self._used(session, turn)
        with _reported("a note of a turn"):
            made = propose.from_turn(
                self._curator(),
                turn,
                entry,
                before=self._turn_before(session, turn),
                project=session.project,
                settings=self._settings(session.project),
                embed=self._embed,
            )
            self._mark(session.project, made)
            self._tell_of(session.project, made)

    def _mark(self, project: str, made: "Sequence[ChangeResult]") -> None:
        """Remember what we wrote unasked: a note that says something else is a person's.

        What we wrote over a person's words is still theirs.
        """
        for one in made:
            if one.hash and (not one.before or self._is_marked(project, one.before)):
                sessions.set_recorded(self._state, MACHINE_MADE, project, one.hash)
            self._mark(project, one.also)

    def _tell_of(self, project: str, made: "Sequence[ChangeResult]") -> None:
        """Let the user hear of the notes that were *made* or changed unasked."""
        also = [other for one in made for other in (one, *one.also)]
        saved.add(
            self._state,
            project,
            [self._change(project, one) for one in also if one.category],
        )

    def _change(self, project: str, one: "ChangeResult") -> NoteChange:
        from recollect.memories.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

        if one.outcome != "created":
            return NoteChange(one.category or "", one.outcome)
        note = self._curator().find(f"{one.category}/{one.id}", [project]).note
        outcome = saved.PROPOSED if is_proposed(note) else one.outcome
        return NoteChange(note.category, outcome, note.title)

    def _is_marked(self, project: str, text_hash: str) -> bool:
        return sessions.is_recorded(self._state, MACHINE_MADE, project, text_hash)

    def _is_machine_made(self, held: "Held") -> bool:
        return self._is_marked(held.project, held.stored.hash)

    def _turn_before(self, session: Session, turn: CleanTurn) -> CleanTurn | None:
        known = archive.backwards(archive_of(self._home, session))
        return next(
            (one for one in known if one.key != turn.key and one.ended <= turn.started), None
        )

    def summary(self, session: Session, summary: Summary) -> None:
        """Keep how *session* stands as a note."""
        from recollect.curation import propose  # noqa: PLC0415 - takes pydantic and YAML

        with _reported("a note of a session"):
            propose.of_session(
                self._curator(),
                session,
                summary,
                [
                    *itertools.islice(
                        archive.backwards(archive_of(self._home, session)), TURNS_COUNTED
                    )
                ],
                settings=self._settings(session.project),
                now=datetime.fromtimestamp(session.last_seen, UTC),
            )

    # What models are shown, and say.

    def candidates(
        self, session: Session, turns: Sequence[CleanTurn]
    ) -> "Sequence[ChangeableNote]":
        """Return the notes that *turns* may be about; a model may change no other."""
        from recollect.curation import drafted  # noqa: PLC0415 - takes pydantic and YAML

        self._shown = {}
        with _reported("notes for a model"):
            self._shown = drafted.shown(self._curator(), session.project, turns)
        return drafted.candidates(self._shown)

    def propose(
        self,
        session: Session,
        turns: Sequence[CleanTurn],
        note: "DraftedNote",
        verdict: "DraftVerdict",
    ) -> bool:
        """Keep *note* as far as the *turns* support it; tell whether anything came of it."""
        from recollect.curation import drafted  # noqa: PLC0415 - takes pydantic and YAML

        entries = self._library(session.project).entries_of(session.id)
        with _reported("a note of a model"):
            place = drafted.DraftContext(
                curator=self._curator(),
                project=session.project,
                settings=self._settings(session.project),
                shown=self._shown,
                entries={entry.turn: entry for entry in entries},
                heard=self._speech(turns, session.project),
                is_machine_made=self._is_machine_made,
            )
            done = drafted.take(place, note, turns, verdict=verdict)
            self._mark(session.project, [done])
            self._tell_of(session.project, [done])
            log.info("a model's note", extra={"outcome": done.outcome, "id": done.id})
            return done.outcome not in ("nothing", "failed")
        return False

    def _speech(self, turns: Sequence[CleanTurn], project: str) -> "Speech":
        """Return who said what in *turns*; it takes a while, and a batch has several notes."""
        from recollect.synthesis import gate  # noqa: PLC0415 - takes pydantic and YAML

        if self._heard is None or self._heard[0] is not turns:
            translated = bool(self._settings(project).synthesis_language)
            self._heard = (turns, gate.heard(turns, translated=translated))
        return self._heard[1]


@contextmanager
def _reported(what: str) -> Iterator[None]:
    try:
        yield
    except (RecollectError, OSError, ValueError, sqlite3.Error):
        log.exception("not kept", extra={"what": what})
