"""Take in now what a session said so far, and report what became of it.

Turns are taken in as they end, so there may be nothing left to do. What is reported is what changed
in the library meanwhile, never what was meant to: a note that could not be written is not reported.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from recollect import line, paths, worker_lock
from recollect.app.recollect import Recollect
from recollect.errors import NotFoundError, RecollectError, WorkerError
from recollect.inbox import drain
from recollect.store.contract.state import Session
from recollect.worker import jobs

# A worker takes in an event in milliseconds; one that fails is tried three times.
SECONDS_FOR_THE_WORKER = 30.0
POLL_SECONDS = 0.05

States = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedNote:
    """What became of one note."""

    name: str
    category: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveReport:
    """What a save did for one session, and what is still to come."""

    session: Session
    turns: int
    """Turns that were not in the journal before."""
    changes: tuple[SavedNote, ...]
    under_way: bool
    """True while a turn goes on; it is kept when it ends."""
    for_a_model: int
    """Turns that a model has still to look at."""
    notes: tuple[str, ...]
    """The notes that were made of this session, now or before."""
    failed: int
    """Events, of whatever session, that could not be taken in and were set aside."""

    def as_json(self) -> dict[str, object]:
        """Return it for programs."""
        return {
            "session": self.session.id,
            "project": self.session.project,
            "turns": self.turns,
            "total_turns": self.session.turns,
            "changes": [
                {"name": one.name, "category": one.category, "outcome": one.outcome}
                for one in self.changes
            ],
            "notes": self.notes,
            "turn_running": self.under_way,
            "waiting_for_model": self.for_a_model,
            "failed": self.failed,
            # Their former names, until 0.2.
            "turns_in_all": self.session.turns,
            "under_way": self.under_way,
            "for_a_model": self.for_a_model,
        }


def save(app: Recollect, wanted: str | None) -> SaveReport:
    """Take in what the session *wanted* has said so far, or the latest one here; report it.

    *wanted* is the beginning of its id. Raises `NotFoundError`, `WorkerError`.
    """
    before = {one.id: one.turns for one in _known(app, wanted)}
    notes, failed_before = _notes(app), _failed(app.home)
    session = _taken_in(app, wanted)
    if not session.kept:
        raise RecollectError(
            f"session {session.id} is not kept: its project is excluded, or capture was off in it",
            hint="See: recollect projects · recollect config get capture.enabled",
        )
    its = [one for one in app.models.waiting() if one.session == session.id]
    return SaveReport(
        session=session,
        turns=session.turns - before.get(session.id, 0),
        changes=tuple(_changes(app, session.project, notes)),
        under_way=_is_under_way(app, session),
        for_a_model=len(its),
        notes=tuple(_made_of(app, session)),
        failed=_failed(app.home) - failed_before,
    )


def _known(app: Recollect, wanted: str | None) -> list[Session]:
    """Return the sessions that may be meant, as far as they are known yet."""
    if wanted:
        return app.sessions.matching(wanted)
    here = app.projects.at(os.getcwd())
    return app.sessions.of_project(here.name) if here else []


def _meant(app: Recollect, wanted: str | None) -> Session:
    if wanted:
        return app.sessions.find(wanted)
    here = app.projects.here(os.getcwd())
    latest = next(iter(app.sessions.of_project(here.name)), None)
    if latest is None:
        raise NotFoundError(
            f"{here.label} has had no session yet", hint="Work there with an agent first."
        )
    return latest


# Taking in.


def _taken_in(app: Recollect, wanted: str | None) -> Session:
    """Let everything that waits be taken in, by the worker if one runs; return the session."""
    begun = datetime.now(UTC)
    deadline = time.monotonic() + SECONDS_FOR_THE_WORKER
    while True:
        # Whoever holds this lock is the worker: nobody else takes the same events in meanwhile.
        held = worker_lock.take(app.home) if worker_lock.holder(app.home) is None else None
        if held:
            with held:
                while _left(app.home, begun):  # What fails is tried again, and then set aside.
                    jobs.empty_inbox(app)
                session = _meant(app, wanted)
                app.intake.catch_up(session.id)
                app.settings.publish()
                return _meant(app, session.id)
        if _is_left_to_the_worker(app.home, begun, deadline):
            return _meant(app, wanted)


def _is_left_to_the_worker(home: str, begun: datetime, deadline: float) -> bool:
    """Wait until the worker has taken in what was there when we *begun*; False if it leaves."""
    with contextlib.suppress(line.Absent):
        line.tell(paths.socket(home), "wake")
    while left := _left(home, begun):
        if worker_lock.holder(home) is None:
            return False
        if time.monotonic() > deadline:
            events = "1 event" if len(left) == 1 else f"{len(left)} events"
            raise WorkerError(
                f"not saved yet: {events} of the inbox not taken in"
                f" within {SECONDS_FOR_THE_WORKER:.0f} s",
                hint="Nothing is lost. See what keeps the worker: recollect status",
            )
        time.sleep(POLL_SECONDS)
    return True


def _left(home: str, begun: datetime) -> list[drain.InboxEvent]:
    """Return the events that were there when we *begun*, and still are."""
    return [one for one in drain.waiting(Path(paths.inbox(home))) if one.at <= begun]


def _failed(home: str) -> int:
    return len(list(Path(paths.set_aside(home)).glob("*.json")))


# What came of it.


def _notes(app: Recollect) -> States:
    """Return what all notes look like now, without reading them."""
    everyone = [one.name for one in app.projects.all()]
    found = (states for name in everyone for states in app.note_states(name).items())
    return dict(found)


def _changes(app: Recollect, project: str, before: States) -> Iterator[SavedNote]:
    """Yield the notes of *project* that are not as they were *before*."""
    from recollect.notes.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

    for document, state in app.note_states(project).items():
        if state == before.get(document):
            continue
        stored = app.notes.at(document, project)
        if stored is None:  # Not ours; `recollect status` tells of a file that cannot be read.
            continue
        note, is_new = stored.note, document not in before
        outcome = ("proposed" if is_proposed(note) else "created") if is_new else "updated"
        if not note.active:
            outcome = note.record_status
        yield SavedNote(name=stored.name, category=note.category, outcome=outcome)


def _made_of(app: Recollect, session: Session) -> Iterator[str]:
    from recollect.curation.curator import NoteFilter  # noqa: PLC0415 - takes pydantic and YAML

    for held in app.notes.listed([session.project], NoteFilter()):
        if held.note.source.session == session.id:
            yield held.name


def _is_under_way(app: Recollect, session: Session) -> bool:
    """Tell whether a turn goes on that is to be kept; one of our own commands is not."""
    draft = app.sessions.draft(session.id)
    return draft is not None and not draft.finished and not draft.muted
