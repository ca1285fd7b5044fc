"""The notes that a model drafts: which it may be shown, and what becomes of what it says."""

import logging
from collections.abc import Callable, Sequence

from recollect.config import Settings
from recollect.curation.curator import Curator
from recollect.journal.model import Summary
from recollect.llm import drafted
from recollect.llm.answers import DraftedNote
from recollect.llm.brief import ChangeableNote
from recollect.llm.drafted import Shown
from recollect.llm.gate import Speech
from recollect.llm.verify import DraftVerdict
from recollect.pipeline.after_turn import AfterTurn, reported
from recollect.store.contract.state import Session
from recollect.store.library import Library
from recollect.transcripts.turns import CleanTurn

log = logging.getLogger(__name__)


class ModelNotes:
    """Keeps what models say of the notes of one home, as far as the turns support it."""

    def __init__(
        self,
        *,
        settings: Callable[[str], Settings],
        library: Callable[[str], Library],
        curator: Callable[[], Curator],
        after_turn: AfterTurn,
    ) -> None:
        self._settings = settings
        self._library = library
        self._curator = curator
        self._after_turn = after_turn
        self._shown: Shown = {}
        self._heard: tuple[Sequence[CleanTurn], Speech] | None = None

    def candidates(self, session: Session, turns: Sequence[CleanTurn]) -> Sequence[ChangeableNote]:
        """Return the notes that *turns* may be about; a model may change no other."""
        self._shown = {}
        with reported("notes for a model"):
            self._shown = drafted.shown(self._curator(), session.project, turns)
        return drafted.candidates(self._shown)

    def propose(
        self, session: Session, turns: Sequence[CleanTurn], note: DraftedNote, verdict: DraftVerdict
    ) -> bool:
        """Keep *note* as far as the *turns* support it; tell whether anything came of it."""
        entries = self._library(session.project).entries_of(session.id)
        with reported("a note of a model"):
            place = drafted.DraftContext(
                curator=self._curator(),
                project=session.project,
                settings=self._settings(session.project),
                shown=self._shown,
                entries={entry.turn: entry for entry in entries},
                heard=self._speech(turns, session.project),
                is_machine_made=self._after_turn.is_machine_made,
            )
            done = drafted.take(place, note, turns, verdict=verdict)
            self._after_turn.keep_track(session.project, [done])
            log.info("a model's note", extra={"outcome": done.outcome, "id": done.id})
            return done.outcome not in ("nothing", "failed")
        return False

    def summary(self, session: Session, summary: Summary) -> None:
        """Keep how *session* stands, now that a model has told it, as a note."""
        self._after_turn.keep_summary(session, summary)

    def _speech(self, turns: Sequence[CleanTurn], project: str) -> Speech:
        """Return who said what in *turns*; it takes a while, and a batch has several notes."""
        if self._heard is None or self._heard[0] is not turns:
            translated = bool(self._settings(project).synthesis_language)
            self._heard = (turns, Speech(tuple(turns), translated))
        return self._heard[1]
