"""Let a model make more of what was recorded: one batch of turns after the other.

The extractive result stands in the journal before a model is asked, and stays where none answers.
A try is counted before it is made; what is not the turns' fault is handed back; three failures set
a turn aside, with its reason. What the model says is checked against the turns before it is kept.
"""

import logging
import random
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from recollect.config import Settings
from recollect.errors import BusyError, ConfigError, EngineError, LibraryError
from recollect.intake import batches
from recollect.intake.record import archive_of
from recollect.memories import markdown
from recollect.memories.library import Library, Outcome
from recollect.memories.model import Entry, Observation, Summary
from recollect.state import pause, queue, sessions, tally
from recollect.state.database import State
from recollect.state.pause import Pause
from recollect.state.queue import Queued
from recollect.state.sessions import Session
from recollect.synthesis import brief, gate, model, patience, verify
from recollect.synthesis.blocks import DraftedNote
from recollect.synthesis.brief import Before, Candidate
from recollect.synthesis.desk import Desk
from recollect.synthesis.engine import Answer, Asked
from recollect.synthesis.extractive import Extractive
from recollect.synthesis.model import Told
from recollect.synthesis.providers.choose import fingerprint
from recollect.synthesis.verify import Verdict
from recollect.transcripts import archive
from recollect.transcripts.turns import CleanTurn

# Not the turns' fault: they wait until the disk or the lock is back.
CIRCUMSTANCES = (BusyError, ConfigError, LibraryError, OSError, sqlite3.OperationalError)
SECONDS_FOR_CIRCUMSTANCES = 60.0

# A long turn is read at this size at most when it is put together with others.
A_FAIR_SHARE = 1_500

log = logging.getLogger(__name__)


class Notes(Protocol):
    """What a model's word does to the notes."""

    def candidates(self, session: Session, turns: Sequence[CleanTurn]) -> Sequence[Candidate]:
        """Return the notes that *turns* may be about."""

    def propose(
        self, session: Session, turns: Sequence[CleanTurn], note: DraftedNote, verdict: Verdict
    ) -> bool:
        """Keep *note* as far as the *turns* support it; tell whether anything came of it."""

    def summary(self, session: Session, summary: Summary) -> None:
        """The journal says now how a session went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone:
    """What a turn's entry is, and what it would be."""

    before: Entry
    after: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a model makes of some turns that were recorded before."""

    session: Session
    turns: Sequence[CleanTurn]
    redone: Sequence[Redone]
    told: Told | None = None
    """None where no model was asked."""


class Enrichment:
    """The models' share in the memory of one home."""

    def __init__(
        self,
        home: str,
        *,
        state: State,
        library: Callable[[str], Library],
        desk: Desk,
        notes: Notes,
        reindex: Callable[[str], None],
    ) -> None:
        self._home = home
        self._state = state
        self._library = library
        self._desk = desk
        self._settings = desk.settings
        self._notes = notes
        self._reindex = reindex
        self._stopped = threading.Event()
        self.under_way: Sequence[Queued] = ()
        """What a model is being asked about this moment."""

    def work(self, *, now: float) -> bool:
        """Ask about the next batch of turns, if it is time to; tell whether one was asked about."""
        self._give_up_on_the_deadly()
        batch = self._due(now)
        if not batch:
            return False
        begun = self.under_way = queue.begin(self._state, batch)
        session = sessions.find(self._state, begun[0].session)
        try:
            done = self._enrich(session, begun) if session else begun
        except EngineError as error:
            self._failed(begun, error, now=now)
        except CIRCUMSTANCES:
            log.exception("synthesis interrupted")
            queue.hand_back(self._state, begun, due=now + SECONDS_FOR_CIRCUMSTANCES)
        except Exception as error:  # The edge of a job: one bad turn must not stop the next.
            log.exception("synthesis failed")
            self._count(begun, kind="broken", reason=type(error).__name__, now=now)
        else:
            queue.done(self._state, done)
            queue.hand_back(self._state, [one for one in begun if one not in done])
            pause.end(self._state)
            queue.put_back(self._state, patience.BROKE_DOWN)
        finally:
            self.under_way = ()
        return True

    def stop(self) -> None:
        """From another thread: what fails from now on fails because we leave, and may wait."""
        self._stopped.set()

    def _give_up_on_the_deadly(self) -> None:
        """Set aside what was begun three times and never ended: it may be what killed us."""
        for one in queue.waiting(self._state):
            if one.tries >= queue.MOST_TRIES:
                reason = "the worker died three times at it"
                queue.failed(self._state, one, due=0.0, kind="broken", reason=reason)

    def _due(self, now: float) -> list[Queued]:
        waiting = queue.waiting(self._state)
        projects = {one.project for one in waiting}
        free = {project for project in projects if self._is_free(project, now)}
        waiting = [one for one in waiting if one.project in free]
        known = {session.id: session for one in waiting if (session := self._session(one))}
        return batches.due(
            waiting, known, when=lambda project: self._settings(project).synthesis_when, now=now
        )

    def _is_free(self, project: str, now: float) -> bool:
        """Tell whether *project* has an engine, and that one does not rest."""
        settings = self._settings(project)
        if settings.synthesis_engine == "extractive":
            return False
        resting = pause.current(self._state)
        return not resting or now >= resting.until or resting.setup != fingerprint(settings)

    def _session(self, one: Queued) -> Session | None:
        return sessions.find(self._state, one.session)

    # What came of it.

    def _failed(self, begun: Sequence[Queued], error: EngineError, *, now: float) -> None:
        if self._stopped.is_set():
            queue.hand_back(self._state, begun)
            return
        log.warning("no answer", extra={"kind": error.kind, "turns": len(begun)})
        treatment = patience.TREATMENTS[error.kind]
        if treatment.rests:
            self._rest(error, project=begun[0].project, now=now)
        if treatment.counts:
            self._count(begun, kind=error.kind, reason=error.message, now=now)
        else:
            queue.hand_back(self._state, begun, kind=error.kind)

    def _rest(self, error: EngineError, *, project: str, now: float) -> None:
        before = pause.current(self._state)
        strikes = before.strikes + 1 if before else 1
        pause.begin(
            self._state,
            Pause(
                until=patience.rest(error, strikes, now=now, roll=random.random()),  # noqa: S311
                kind=error.kind,
                message=error.message,
                hint=error.hint,
                strikes=strikes,
                setup=fingerprint(self._settings(project)),
            ),
        )

    def _count(self, begun: Sequence[Queued], *, kind: str, reason: str, now: float) -> None:
        for one in begun:
            pauses = patience.wait(one.tries, roll=random.random())  # noqa: S311 - no secret
            after = queue.failed(self._state, one, due=now + pauses, kind=kind, reason=reason)
            if after.aside:
                log.error("turn set aside", extra={"kind": kind, "turn": one.turn})

    # Asking.

    def _enrich(self, session: Session, begun: Sequence[Queued]) -> Sequence[Queued]:
        """Make more of the turns *begun*; return those that need no model any more."""
        entries = self._library(session.project).entries_of(session.id)
        there = self._turns(session, {one.turn for one in begun}, entries)
        if not there:
            return begun  # Nothing is left of them to look at.
        settings = self._settings(session.project)
        most = model.wanted(settings, summary=True)[0]
        turns = _fitting(there, room=model.room(most, settings))
        asks = model.wanted(settings, summary=_is_last(turns, entries))
        told = self._draft(session, turns, entries, asks, settings)
        self._mark(turns)
        changed = self._write(session, turns, entries, told, settings)
        changed = self._propose(session, turns, told, settings) or changed
        if changed:
            self._reindex(session.project)
        another_time = {turn.key for turn in there[len(turns) :]}
        return [one for one in begun if one.turn not in another_time]

    def _turns(self, session: Session, keys: set[str], entries: Sequence[Entry]) -> list[CleanTurn]:
        """Return the turns *keys* that the archive has and the user left in the journal."""
        left = {entry.turn for entry in entries} & keys
        found = [turn for turn in archive.read(archive_of(self._home, session)) if turn.key in left]
        return sorted(found, key=lambda turn: turn.started)

    def _draft(
        self,
        session: Session,
        turns: Sequence[CleanTurn],
        entries: Sequence[Entry],
        asks: Sequence[model.Wanted],
        settings: Settings,
    ) -> Told:
        about = {turn.key for turn in turns}
        earlier = [entry for entry in entries if entry.turn not in about]
        before = Before(
            recorded=[one.title for entry in earlier for one in entry.observations],
            summary=self._library(session.project).summary_of(session.id) if earlier else "",
            candidates=self._notes.candidates(session, turns),
        )

        def consult(asked: Asked) -> Answer:
            return self._desk.ask(asked, project=session.project, purpose="observe")

        return model.draft(turns, before, asks, settings=settings, consult=consult)

    def _write(
        self,
        session: Session,
        turns: Sequence[CleanTurn],
        entries: Sequence[Entry],
        told: Told,
        settings: Settings,
    ) -> bool:
        """Write the entries and the summary that the model made; tell whether one changed."""
        redone = self._redone(turns, entries, told, settings)
        outcomes = [self._replace(session, one.after) for one in redone]
        summed_up = self._summarise(session, turns, told, settings)
        return summed_up or "replaced" in outcomes

    def _replace(self, session: Session, entry: Entry) -> Outcome:
        return self._library(session.project).record(entry, known=True, instead=True)

    def _redone(
        self,
        turns: Sequence[CleanTurn],
        entries: Sequence[Entry],
        told: Told,
        settings: Settings,
    ) -> list[Redone]:
        """Return the entries of *turns* as the model would have them, where it has something."""
        by_turn = {entry.turn: entry for entry in entries}
        about = {turn.key for turn in turns}
        said = {_said(one) for e in entries if e.turn not in about for one in e.observations}
        redone = []
        for number, turn in enumerate(turns, start=1):
            its = [
                one
                for one in told.drafted.observations
                if one.turn == str(number) or (not one.turn.isdigit() and number == len(turns))
            ]
            checked = gate.observations(its, turn, translated=bool(settings.synthesis_language))
            self._count_dropped(checked.dropped)
            kept = tuple(one for one in checked.observations if _said(one) not in said)
            if kept:
                said |= {_said(one) for one in kept}
                there = by_turn[turn.key]
                after = replace(there, line=turn.line, observations=kept, by=told.by)
                redone.append(Redone(before=there, after=after))
        return redone

    def _summarise(
        self, session: Session, turns: Sequence[CleanTurn], told: Told, settings: Settings
    ) -> bool:
        if told.drafted.summary is None:
            return False
        library = self._library(session.project)
        entries = library.entries_of(session.id)
        if not entries:
            return False
        known = "\n".join(markdown.said(entry) for entry in entries)
        checked = gate.summary(
            told.drafted.summary, turns, known, translated=bool(settings.synthesis_language)
        )
        if not checked:
            return False
        plain = Extractive().summarise(entries, last=turns[-1])
        texts = {
            name: str(checked.get(name, "")) or (plain.request if name == "request" else "")
            for name in ("request", "investigated", "learned", "completed", "next_steps", "notes")
        }
        summary = replace(plain, by=told.by, of=markdown.digest(entries), **texts)  # type: ignore[arg-type]
        outcome = library.summarise(summary, started=entries[0].at, known=True)
        if outcome in ("added", "replaced"):
            self._notes.summary(sessions.find(self._state, session.id) or session, summary)
        return outcome in ("added", "replaced")

    def _propose(
        self, session: Session, turns: Sequence[CleanTurn], told: Told, settings: Settings
    ) -> bool:
        changed = False
        for note in told.drafted.notes:
            verdict = Verdict(kind="unchecked")
            if settings.synthesis_verify and verify.is_due(note):
                verdict = self._verified(session, turns, note, settings)
            came = self._notes.propose(session, turns, note, verdict)
            self._count_dropped({} if came else {"note": 1})
            changed = changed or came
        return changed

    def _verified(
        self,
        session: Session,
        turns: Sequence[CleanTurn],
        note: DraftedNote,
        settings: Settings,
    ) -> Verdict:
        """Return what a second call says of *note*; what nobody could check is for the user."""

        def consult(asked: Asked) -> Answer:
            return self._desk.ask(asked, project=session.project, purpose="verify")

        try:
            return verify.check(note, turns, settings=settings, consult=consult)
        except EngineError as error:
            return Verdict(kind="block", reason=f"could not be checked: {error.message}")

    def _count_dropped(self, dropped: Mapping[str, int]) -> None:
        if dropped:
            tally.add(self._state, dropped)

    def is_up_to_date(self, entry: Entry, project: str) -> bool:
        """Tell whether *entry* is as it would be made now: by the present prompt, or by none.

        One of which a model had nothing to say is as it would be, too.
        """
        if self._settings(project).synthesis_engine == "extractive":
            return entry.by == Extractive.name
        maker, _, version = entry.by.rpartition("/")
        by_model = maker not in ("", "extractive") and version == str(model.version())
        return by_model or sessions.is_recorded(self._state, *_looked(entry.host, entry.turn))

    def _mark(self, turns: Sequence[CleanTurn]) -> None:
        for turn in turns:
            sessions.set_recorded(self._state, *_looked(turn.host, turn.key))

    # Once more, before the user's eyes.

    def preview(self, session: Session, turns: Sequence[CleanTurn]) -> Preview:
        """Return what a model makes of *turns* now; nothing is changed. Raises `EngineError`."""
        settings = self._settings(session.project)
        entries = self._library(session.project).entries_of(session.id)
        if settings.synthesis_engine == "extractive":
            return Preview(session=session, turns=turns, redone=_plain(turns, entries))
        asks = model.wanted(settings, summary=_is_last(turns, entries), notes_too=False)
        told = self._draft(session, turns, entries, asks, settings)
        self._mark(turns)
        redone = self._redone(turns, entries, told, settings)
        return Preview(session=session, turns=turns, told=told, redone=redone)

    def apply(self, preview: Preview, accepted: Sequence[Redone]) -> list[Outcome]:
        """Let what was *accepted* stand in the journal, and the summary follow from it."""
        session = preview.session
        outcomes = [self._replace(session, one.after) for one in accepted]
        if preview.told and "replaced" in outcomes:
            settings = self._settings(session.project)
            self._summarise(session, preview.turns, preview.told, settings)
        if "replaced" in outcomes:
            self._reindex(session.project)
        return outcomes


def _looked(host: str, turn: str) -> tuple[str, ...]:
    return host, f"looked at with prompt {model.version()}", turn


def _plain(turns: Sequence[CleanTurn], entries: Sequence[Entry]) -> list[Redone]:
    """Return the entries of *turns* as they are made without a model, where they differ."""
    by_turn = {entry.turn: entry for entry in entries}
    redone = []
    for turn in turns:
        before, made = by_turn[turn.key], Extractive().observe(turn)
        after = replace(before, line=turn.line, observations=made.observations, by=made.by)
        if markdown.said(after) != markdown.said(before):
            redone.append(Redone(before=before, after=after))
    return redone


def _is_last(turns: Sequence[CleanTurn], entries: Sequence[Entry]) -> bool:
    """Tell whether the session's last turn is among *turns*: then its summary is due."""
    return bool(turns and entries) and turns[-1].key == entries[-1].turn


def _fitting(turns: Sequence[CleanTurn], *, room: int) -> list[CleanTurn]:
    """Return the first *turns* that one call has room for; at least one."""
    left = room
    for count, turn in enumerate(turns):
        left -= min(brief.size(turn), A_FAIR_SHARE)
        if left < 0 and count:
            return list(turns[:count])
    return list(turns)


def _said(one: Observation) -> tuple[str, str]:
    return one.title.casefold(), one.text.casefold()
