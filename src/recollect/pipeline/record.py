"""A turn's way into what is kept: its entry, the journal, the archive, the state.

Whether a turn is known, is news or has grown is decided here.
"""

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from recollect import fingerprint, projects
from recollect.journal import recap
from recollect.journal.extractive import Extractive
from recollect.journal.model import JournalEntry, Summary
from recollect.store import archived
from recollect.store.contract.state import Session, StateStore
from recollect.store.library import Library, Outcome
from recollect.transcripts.turns import CleanTurn, Turn

# So many of the last turns may be seen to grow.
MOST_ANSWERS = 1_000
# A summary reads so many of the last turns; of those before, their entries tell enough.
TURNS_READ = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came of recording turns."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    left_alone: int = 0
    """Edited or deleted by the user, so not ours to write."""

    def plus(self, outcome: Outcome) -> "Tally":
        """Return the tally with one more *outcome*."""
        if outcome == "kept-model-version":
            outcome = "unchanged"
        name = outcome if outcome in ("added", "replaced", "unchanged") else "left_alone"
        return replace(self, **{name: getattr(self, name) + 1})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A turn that stands in the journal as *entry*, or was meant to."""

    turn: CleanTurn
    entry: JournalEntry
    outcome: Outcome
    is_first: bool
    """Nobody knew it before."""
    is_news: bool
    """Something in it is not archived yet."""


class Recorder:
    """Records the turns of one home."""

    def __init__(
        self,
        *,
        state: StateStore,
        extractive: Extractive,
        library: Callable[[str], Library],
    ) -> None:
        self._state = state
        self._extractive = extractive
        self._library = library
        self._answers: dict[str, int] = {}
        """How long the answers of turns were when they were archived."""
        self._summed_up: dict[str, tuple[str, bool, int]] = {}
        """The last turn that the summary of a session tells of, and how far it was."""

    def observe(self, session: Session, turn: CleanTurn) -> JournalEntry:
        """Return the entry that *turn* makes."""
        entry = self._extractive.observe(turn)
        if session.status != "active":  # What is checked out now says nothing of an old turn.
            return entry
        branch, commit = projects.head(projects.identity(session.cwd), session.cwd)
        return replace(
            entry,
            branch=entry.branch or branch,
            commit=entry.commit or commit[:12],
            seen_files=fingerprint.of_those(
                [name for one in entry.observations for name in one.files_modified],
                cwd=turn.cwd,
                root=projects.top(session.cwd),
            ),
        )

    def write(
        self, session: Session, observed: Sequence[tuple[CleanTurn, JournalEntry]]
    ) -> tuple[list[RecordedTurn], Summary | None]:
        """Write the entries of turns, and the summary that is due, in one change of the journal."""
        last, _ = observed[-1]
        with self._library(session.project).together():
            recorded: list[RecordedTurn] = []
            for turn, entry in observed:
                recorded.append(self._written(session, turn, entry, before=recorded))
            # Also when nothing was new: we may have died before the summary the last time.
            is_due = self._summed_up.get(session.id) != _extent_so_far(last)
            if not (is_due or any(one.outcome in ("added", "replaced") for one in recorded)):
                return recorded, None
            news = [one.turn for one in recorded if one.is_news]
            return recorded, self._summarised(session, last, news)[0]

    def archive(self, session: Session, one: RecordedTurn) -> bool:
        """Archive what is new in a turn; tell whether all of it was archived before.

        A turn that came by its events first and then by its transcript is no news to notes.
        """
        is_same = one.outcome == "replaced" and self._is_archived_so(session, one.turn)
        if one.is_news:
            self._library(session.project).archive.append(session.id, one.turn)
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.clear()
            self._answers[one.turn.key] = len(one.turn.answer)
        return is_same

    def remember(self, session: Session, one: RecordedTurn, *, is_same: bool) -> bool:
        """Write into the state that a turn is recorded; tell whether notes are to be made of it."""
        # A turn that a fork copied has another key there: only its line is the same.
        names = _names(one.turn) if one.is_news else _names(one.turn)[-1:]
        for name in names:
            self._state.sessions.set_recorded(*name)
        if one.is_first:
            current = self._state.sessions.find(session.id) or session
            self._state.sessions.save(replace(current, turns=current.turns + 1))
        return self._is_finished_news(one.turn, is_news=one.is_news and not is_same)

    def remember_summary(
        self, session: Session, summary: Summary | None, *, last: CleanTurn
    ) -> None:
        """Write into the state that *session* has a *summary*, and of how much it tells."""
        if summary:
            self._state.sessions.set_recorded("summary", session.id)
        if len(self._summed_up) >= MOST_ANSWERS:
            self._summed_up.clear()
        self._summed_up[session.id] = _extent_so_far(last)

    def renew_summary(self, session: Session) -> tuple[Summary | None, bool]:
        """Bring the summary in step with what the user left of the session.

        Return it, if there is one to keep, and whether the journal changed.
        """
        library = self._library(session.project)
        left = library.entries_of(session.id)
        if not left:
            return None, False
        turns = reversed(library.archive.read(session.id))
        last = next((turn for turn in turns if turn.key == left[-1].turn), None)
        summary, outcome = self._summarised(session, last or _as_entered(left[-1]))
        if summary:
            self._state.sessions.set_recorded("summary", session.id)
        return summary, outcome in ("added", "replaced")

    def _written(
        self,
        session: Session,
        turn: CleanTurn,
        entry: JournalEntry,
        *,
        before: Sequence[RecordedTurn],
    ) -> RecordedTurn:
        met = {name for one in before for name in _names(one.turn)}
        known = any(name in met or self._state.sessions.is_recorded(*name) for name in _names(turn))
        outcome = self._library(session.project).record(entry, known=known)
        # In the journal but not in the state: we died in between, so the rest is still to do.
        is_first = outcome == "added" or (outcome == "unchanged" and not known)
        return RecordedTurn(
            turn=turn,
            entry=entry,
            outcome=outcome,
            is_first=is_first,
            is_news=is_first or outcome == "replaced" or self._has_grown(session, turn, outcome),
        )

    def _is_finished_news(self, turn: CleanTurn, *, is_news: bool) -> bool:
        """Tell whether *turn* has finished since we looked last, or is finished and has news in it.

        A host that is gone before we read its events leaves a turn that is recorded first and
        known to be finished only afterwards.
        """
        begun, ended = (turn.host, "begun", turn.key), (turn.host, "ended", turn.key)
        if not turn.finished:
            if is_news:
                self._state.sessions.set_recorded(*begun)
            return False
        was_open = self._state.sessions.is_recorded(*begun)
        late = was_open and not self._state.sessions.is_recorded(*ended)
        self._state.sessions.set_recorded(*ended)
        return is_news or late

    def _turns_before(
        self,
        session: Session,
        last: CleanTurn,
        wanted: Collection[str],
        news: Sequence[CleanTurn],
    ) -> Iterator[CleanTurn]:
        """Yield the *wanted* turns before the *last*, the latest first.

        They are archived, or *news* and about to be. Those of a long session that were long ago
        stay out: their entries tell enough.
        """
        new = {one.key: one for one in news}
        before = self._library(session.project).archive.backwards(session.id)
        known = itertools.chain(
            map(archived.as_archived, reversed(new.values())),
            (one for one in before if one.key not in new),
        )
        earlier = (one for one in known if one.started < last.started and one.key in wanted)
        return itertools.islice(earlier, TURNS_READ)

    def _has_grown(self, session: Session, turn: CleanTurn, outcome: Outcome) -> bool:
        """Tell whether *turn* went on, though its entry stays as it is.

        Where the entry is a model's that takes a look into the archive; else what we archived
        ourselves has to do, because every turn is read again when the next one begins.
        """
        if outcome == "unchanged":
            return len(turn.answer) > self._answers.get(turn.key, len(turn.answer))
        return outcome == "kept-model-version" and not self._is_archived_so(session, turn)

    def _is_archived_so(self, session: Session, turn: CleanTurn) -> bool:
        """Tell whether *turn* is archived, and went as far then as it does now."""
        known = self._library(session.project).archive.backwards(session.id)
        before = next((one for one in known if one.key == turn.key), None)
        return before is not None and extent(before) == extent(turn)

    def _summarised(
        self, session: Session, last: CleanTurn, news: Sequence[CleanTurn] = ()
    ) -> tuple[Summary | None, Outcome]:
        """Write how *session* stands after its *last* turn; *news* are turns yet to be archived."""
        library = self._library(session.project)
        items = library.entry_items(session.id)
        if not items or library.is_summed_up(session.id, map(library.entry, items)):
            return None, "unchanged"
        known = self._state.sessions.is_recorded("summary", session.id)
        # Where the user changed an entry, those words hold, not the turn's.
        ours = {one.turn for one in items} - {one.turn for one in items if one.edited}
        summary = self._extractive.summarise(
            list(map(library.entry, recap.summed_up(items))),
            last=last,
            before=lambda: self._turns_before(session, last, ours, news),
        )
        started = library.entry(items[0]).at
        return summary, library.summarise(summary, started=started, known=known)


def extent(turn: Turn) -> tuple[object, ...]:
    """Return what tells a turn from the same turn a while later; the archive cuts the rest."""
    calls = tuple(call.id for call in turn.tools)
    return len(turn.prompt), len(turn.answer), len(turn.remarks), calls


def _extent_so_far(turn: CleanTurn) -> tuple[str, bool, int]:
    """Return how far a session went, by its last *turn*."""
    return turn.key, turn.finished, len(turn.answer)


def _as_entered(entry: JournalEntry) -> CleanTurn:
    """Return the turn of *entry* as far as the journal tells, where the archive has lost it."""
    return CleanTurn(
        Turn(
            host=entry.host,
            session=entry.session,
            key=entry.turn,
            prompt=entry.headline,
            started=entry.at,
            ended=entry.at,
        )
    )


def _names(turn: Turn) -> list[tuple[str, ...]]:
    """Return what a turn is known by: the host's prompt id, and the line it began with.

    Where a reader has learnt to tell the prompt id, the line was the key before.
    """
    names: list[tuple[str, ...]] = [(turn.host, turn.key)]
    return [*names, (turn.host, turn.line), (turn.host, "line", turn.line)] if turn.line else names
