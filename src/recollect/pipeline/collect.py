"""Which turns of a session are due: what its transcript says, and what only events tell yet.

The source of a turn is the transcript. Events wake us, know what is not on disk yet, and stand
alone when there is no transcript; they are kept as drafts until their turn is recorded. Every turn
that leaves here is redacted.
"""

import itertools
import logging
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recollect import config
from recollect.errors import TranscriptError
from recollect.pipeline.clean import Exclusions, cleaned, cleaned_event
from recollect.store.contract.state import Session, StateStore
from recollect.store.library import Library
from recollect.store.registry import Registry
from recollect.transcripts import drafts, readers
from recollect.transcripts.drafts import TurnDraft
from recollect.transcripts.events import Event
from recollect.transcripts.turns import CleanTurn, Turn

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What is known of a session's turns that were not read to their end before."""

    turns: Sequence[CleanTurn]
    read_up_to: int
    """How far the transcript was read."""
    recorded_with: Sequence[TurnDraft]
    """The drafts that are no longer needed once *turns* are recorded."""


class Collector:
    """Collects the turns of one home."""

    def __init__(
        self,
        home: str,
        *,
        state: StateStore,
        registry: Registry,
        library: Callable[[str], Library],
    ) -> None:
        self._home = home
        self._state = state
        self._registry = registry
        self._library = library

    def keep_draft(self, session: Session, event: Event) -> None:
        """Fold *event*, redacted, into the session's newest draft, which may begin another one.

        A tool call stands in the transcript, if there is one: nothing to add.
        """
        if event.tools and _size(_log_of(session)):
            return
        event = cleaned_event(event, self._exclusions(session))
        before = self._drafts(session)
        draft = drafts.fold(before[-1] if before else None, event)
        if draft:
            self._state.sessions.save_draft(session.id, draft.key, draft.to_json())

    def collect(self, session: Session) -> Collected:
        """Return the turns of *session* from where its transcript was read to, redacted."""
        pending = self._drafts(session)
        turns, read_up_to = self._read(session)
        pairs = drafts.paired(turns, pending)
        others = _without(pending, pairs.values())
        parts = {t.key: [one for one in others if drafts.is_within(one, t)] for t in turns}
        completed = [_completed(t, [pairs.get(t.key), *parts[t.key]]) for t in turns]
        left = _without(others, itertools.chain(*parts.values()))
        to_be_read_again = pairs.get(turns[-1].key) if turns else None
        return Collected(
            turns=[*completed, *self._alone(session, left, read=pairs.keys())],
            read_up_to=read_up_to,
            # The last turn may still go on.
            recorded_with=[one for one in pending[:-1] if one is not to_be_read_again],
        )

    def advance(self, session: Session, collected: Collected) -> None:
        """Note that what was *collected* is recorded: it is not read again."""
        session = self._state.sessions.find(session.id) or session
        with self._state.transaction():
            self._state.sessions.save(replace(session, read_up_to=collected.read_up_to))
            for draft in collected.recorded_with:
                self._state.sessions.remove_draft(session.id, draft.key)

    def drop_drafts(self, session: Session) -> None:
        """Drop the drafts of *session*: it is over."""
        for key in self._state.sessions.drafts(session.id):
            self._state.sessions.remove_draft(session.id, key)

    def redacted(self, session: Session, turns: Iterable[Turn]) -> list[CleanTurn]:
        """Return *turns*, each in its folder, with what was known of it, and without secrets."""
        excluded = self._exclusions(session)
        folder = session.cwd or self._registry.named(session.project).root
        known = self._known_before(session)
        placed = (turn if turn.cwd else turn.placed(folder) for turn in turns)
        return [
            cleaned(drafts.filled(turn, known[turn.key]) if turn.key in known else turn, excluded)
            for turn in placed
        ]

    def _drafts(self, session: Session) -> list[TurnDraft]:
        return [
            TurnDraft.from_json(body) for body in self._state.sessions.drafts(session.id).values()
        ]

    def _known_before(self, session: Session) -> dict[str, CleanTurn]:
        """Return the turns that are archived, if the host's log may tell less of them."""
        if not readers.of_host(session.host).may_tell_less:
            return {}
        return {turn.key: turn for turn in self._library(session.project).archive.read(session.id)}

    def _read(self, session: Session) -> tuple[list[CleanTurn], int]:
        size = _size(_log_of(session))
        if not size:
            return [], 0
        # A file that became shorter is another file: begin again; the anchors know what is there.
        start = session.read_up_to if session.read_up_to <= size else 0
        try:
            reading = readers.of_host(session.host).read(Path(session.transcript), offset=start)
        except TranscriptError as error:
            log.warning("transcript not readable", extra={"reason": str(error)})
            return [], session.read_up_to
        return self.redacted(session, reading.turns), reading.resume_at

    def _alone(
        self, session: Session, left: list[TurnDraft], *, read: Collection[str]
    ) -> list[CleanTurn]:
        """Return the turns of *left*, drafts of what the transcript does not tell, so far.

        One that was *read* from it before is known in full, also when the transcript is gone.
        """
        has_transcript = _size(_log_of(session)) > 0
        if not has_transcript:
            # Nothing but the next one tells that a turn was interrupted.
            left = [*map(drafts.ended, left[:-1]), *left[-1:]]
        if not has_transcript or any(draft.is_nameless for draft in left):
            before = [turn for turn in self._read_before(session) if turn.key not in read]
            pairs = drafts.paired(before, left)
            left = _without(left, pairs.values())
        turns = [turn for draft in left if (turn := drafts.as_turn(draft))]
        return [
            CleanTurn(turn)
            for turn in turns
            if not (has_transcript and self._state.sessions.is_recorded(turn.host, turn.key))
        ]

    def _read_before(self, session: Session) -> list[CleanTurn]:
        """Return the turns that were read from a transcript, which may no longer be there."""
        if not _log_of(session):
            return []
        archived = self._library(session.project).archive.read(session.id)
        return [turn for turn in archived if turn.line]

    def _exclusions(self, session: Session) -> Exclusions:
        project = self._registry.named(session.project)
        settings = config.load_strictly(self._home, project=project.name, root=project.root)
        return Exclusions(
            tools=settings.capture_exclude_tools, paths=settings.capture_exclude_paths
        )


def _without(pending: Iterable[TurnDraft], used: Iterable[TurnDraft]) -> list[TurnDraft]:
    """Return those of *pending* that are not *used*; each is itself alone."""
    gone = {id(one) for one in used}
    return [one for one in pending if id(one) not in gone]


def _completed(turn: CleanTurn, drafted: Iterable[TurnDraft | None]) -> CleanTurn:
    """Return the transcript's *turn* with what only its events, *drafted*, tell yet.

    Drafts are clean, too.
    """
    whole: Turn = turn
    for draft in filter(None, drafted):
        whole = drafts.complete(whole, draft)
    return CleanTurn(whole)


def _log_of(session: Session) -> str:
    """Return where the turns of *session* stand; empty if only its events tell of them."""
    return session.transcript if readers.of_host(session.host).is_followed else ""


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
