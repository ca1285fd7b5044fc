"""What becomes of a turn, step by step: `TurnPipeline.run` is all of it, in order.

    events, transcript ─▶ turn ─▶ redacted ─▶ entry ─▶ journal ─▶ archive ─▶ notes ─▶ index ─▶ start

The journal's anchor decides whether a turn is recorded, and state is written after it: a step that
was cut off is done again, and what was done already is not done twice.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import reduce

from recollect.pipeline.after_turn import AfterTurn
from recollect.pipeline.collect import Collector
from recollect.pipeline.record import RecordedTurn, Recorder, Tally
from recollect.store.contract.state import Session, StateStore
from recollect.transcripts.turns import CleanTurn


class TurnPipeline:
    """The steps of one home.

    *follow* brings the index of a project in step and prepares what its next sessions begin with;
    in a block of *following_once* that is done when the block ends, however often it is asked for.
    """

    def __init__(
        self,
        *,
        state: StateStore,
        collector: Collector,
        recorder: Recorder,
        after_turn: AfterTurn,
        follow: Callable[[str], None],
        following_once: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._state = state
        self._collector = collector
        self._recorder = recorder
        self._after_turn = after_turn
        self._follow = follow
        self._following_once = following_once

    def run(self, session: Session, *, unfinished: bool = False) -> Tally:
        """Take what is due of *session* through all steps: finished turns, or *unfinished* too."""
        with self._following_once():
            collected = self._collector.collect(session)
            turns = [turn for turn in collected.turns if turn.finished or unfinished]
            tally = self._record(session, turns)
            self._collector.advance(session, collected)
            if tally.added or tally.replaced:
                self._follow(session.project)
        return tally

    def run_imported(self, session: Session, turns: Sequence[CleanTurn]) -> Tally:
        """Take *turns*, read from a transcript long after they happened, through all steps."""
        with self._following_once():
            tally = self._record(session, turns, imported=True)
            if tally.added or tally.replaced:
                self._follow(session.project)
        return tally

    def renew_summary(self, session: Session) -> bool:
        """Bring the summary in step with what the user left of *session*; tell if it changed."""
        summary, changed = self._recorder.renew_summary(session)
        if summary:
            self._after_turn.keep_summary(session, summary)
        return changed

    def _record(
        self, session: Session, turns: Sequence[CleanTurn], *, imported: bool = False
    ) -> Tally:
        """Take *turns*, in order, from their entries to their notes."""
        # A line that a host copied from elsewhere may carry another session's id.
        own = [
            CleanTurn(replace(turn, session=session.id)) for turn in turns if turn.prompt.strip()
        ]
        if not own:
            return Tally()
        observed = [(turn, self._recorder.observe(session, turn)) for turn in own]
        recorded, summary = self._recorder.write(session, observed)
        for one in recorded:
            self._finish(session, one, imported=imported)
        self._recorder.remember_summary(session, summary, last=own[-1])
        if summary:
            self._after_turn.keep_summary(session, summary)
        return reduce(Tally.plus, (one.outcome for one in recorded), Tally())

    def _finish(self, session: Session, one: RecordedTurn, *, imported: bool) -> None:
        """Archive a turn that stands in the journal, and do what follows once it is finished."""
        is_same = self._recorder.archive(session, one)
        with self._state.transaction():
            is_due = self._recorder.remember(session, one, is_same=is_same)
            if is_due and not imported:
                self._after_turn.queue_for_model(session, one.turn)
        if is_due:
            self._after_turn.take_notes(session, one.turn, one.entry)
