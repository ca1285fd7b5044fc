"""Which turns are due: from hook events and transcripts to `record`.

The source of a turn is the transcript. Events wake us, know what is not on disk yet, and
stand alone when there is no transcript; they are kept as drafts until their turn is recorded.
Every step may be cut off anywhere and done again.
"""

import itertools
import logging
import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

from recollect import config, projects
from recollect.errors import TranscriptError, each
from recollect.pipeline.clean import Exclusions, cleaned, cleaned_event
from recollect.pipeline.record import Recorder, Tally
from recollect.privacy.exclusions import is_excluded
from recollect.store.contract.state import Project, Session, StateStore
from recollect.store.library import Library
from recollect.store.registry import Registry
from recollect.transcripts import drafts, readers
from recollect.transcripts.drafts import TurnDraft
from recollect.transcripts.events import Event
from recollect.transcripts.turns import CleanTurn, Turn

# A session that has been silent for so long is written down as far as it got.
QUIET_SECONDS = 600
# … and after this it is taken for interrupted.
LOST_SECONDS = 24 * 3600

log = logging.getLogger(__name__)


class Intake:
    """The pipeline of one home."""

    def __init__(
        self,
        home: str,
        *,
        state: StateStore,
        library: Callable[[str], Library],
        recorder: Recorder,
        reindex: Callable[[str], None],
    ) -> None:
        self._home = home
        self._state = state
        self._library = library
        self._recorder = recorder
        self._reindex = reindex
        self._registry = Registry(state, home)
        self._settled: dict[str, float] = {}

    def arrive(self, event: Event, *, client: int = 0) -> None:
        """Take in one hook event of the process *client*; afterwards the event may go."""
        if event.is_noise or not event.session:
            return
        session = self._session(event, client)
        if session is None or not self._is_kept(session):
            return
        if event.name == "SessionStart":
            self._settle_orphans()
        self._keep_draft(session, event)
        if event.name in ("UserPromptSubmit", "SubagentStop", "Stop", "PreCompact", "SessionEnd"):
            # Compaction and the end leave nothing to wait for; the unfinished is replaced later.
            self.catch_up(session.id, unfinished=event.name in ("PreCompact", "SessionEnd"))
        if event.name == "SessionEnd":
            self._end(session.id, event)

    def catch_up(self, session_id: str, *, unfinished: bool = False) -> Tally:
        """Record what is finished in a session, or all of it with *unfinished*."""
        session = self._state.sessions.find(session_id)
        if session is None or not session.kept or not session.project:
            return Tally()
        pending = self._drafts(session)
        turns, read_up_to = self._read(session)
        pairs = drafts.paired(turns, pending)
        others = _without(pending, pairs.values())
        parts = {t.key: [one for one in others if drafts.is_within(one, t)] for t in turns}
        told = [_completed(t, [pairs.get(t.key), *parts[t.key]]) for t in turns]
        left = _without(others, itertools.chain(*parts.values()))
        known = [*told, *self._alone(session, left, read=pairs.keys())]
        tally = self._recorder.record(session, [t for t in known if t.finished or unfinished])
        session = self._state.sessions.find(session_id) or session
        to_be_read_again = pairs.get(turns[-1].key) if turns else None
        with self._state.transaction():
            self._state.sessions.save(replace(session, read_up_to=read_up_to))
            for draft in pending[:-1]:  # The last turn may still go on.
                if draft is not to_be_read_again:
                    self._state.sessions.remove_draft(session.id, draft.key)
        if tally.added or tally.replaced:
            self._reindex(session.project)
        return tally

    def take_transcript(self, path: Path, *, project: str = "") -> tuple[Session | None, Tally]:
        """Record every turn of the transcript *path* that is not yet known.

        It goes to *project* if it does not say where it is from.
        """
        reading = readers.of_file(path)(path)
        if not reading.turns:
            return None, Tally()
        first, last = reading.turns[0], reading.turns[-1]
        known = self._state.sessions.find(reading.session)
        session = known or Session(
            id=reading.session,
            host=first.host,
            project=self._project(first.cwd, now=first.started.timestamp()) or project,
            cwd=first.cwd,
            transcript=str(path),
            started=first.started.timestamp(),
            last_seen=last.ended.timestamp(),
            ended=last.ended.timestamp(),
            branch=first.branch,
            status="completed",
        )
        if not session.project:
            raise TranscriptError(
                f"{path}: does not say which folder it is from",
                hint="Say which project it is of: recollect import … --project NAME",
            )
        if not known:
            self._state.sessions.save(session)
        if not self._is_kept(session):
            return session, Tally()
        turns = self._cleaned(session, reading.turns)
        if session.status != "active" and turns[-1].answer:
            # Nothing says that the last turn of a file is over, but nobody works on it any more.
            turns[-1] = CleanTurn(replace(turns[-1], finished=True))
        return session, self._recorder.record(session, turns, of_old=True)

    def settle(self, *, now: float) -> None:
        """Write down sessions that went silent, and give up on those that stay so."""
        self._settle_orphans()
        each(self._state.sessions.active(), lambda session: self._settle_if_quiet(session, now))

    def _settle_if_quiet(self, session: Session, now: float) -> None:
        quiet_for = now - max(session.last_seen, _mtime(session.transcript))
        if quiet_for < QUIET_SECONDS or self._settled.get(session.id) == session.last_seen:
            return
        self.catch_up(session.id, unfinished=True)
        self._settled[session.id] = session.last_seen
        if quiet_for > LOST_SECONDS:
            self._give_up(session)

    def catch_up_all(self) -> None:
        """Do what fell due while nobody was there."""
        each(self._state.sessions.active(), lambda session: self.catch_up(session.id))

    def _session(self, event: Event, client: int) -> Session | None:
        """Return the session of *event*, known or new, seen at the event's time.

        None if it is new and the event does not tell where it is: another one will.
        """
        known = self._state.sessions.find(event.session)
        if not known and not event.cwd:
            return None
        session = self._seen_again(known, event) if known else self._begun(event)
        session = replace(session, client=client or session.client)
        self._state.sessions.save(session)
        return session

    def _begun(self, event: Event) -> Session:
        at = event.at.timestamp()
        return Session(
            id=event.session,
            host=event.host,
            project=self._project(event.cwd, now=at),
            cwd=event.cwd,
            transcript=event.transcript,
            started=at,
            last_seen=at,
            branch=projects.head(projects.identity(event.cwd), event.cwd)[0],
        )

    def _seen_again(self, known: Session, event: Event) -> Session:
        has_moved = bool(event.transcript) and event.transcript != known.transcript
        seen = replace(
            known,
            last_seen=max(event.at.timestamp(), known.last_seen),
            transcript=event.transcript or known.transcript,
            read_up_to=0 if has_moved else known.read_up_to,
        )
        if event.name == "SessionStart" and event.source == "compact":
            seen = replace(seen, compacted=event.at.timestamp())
        if event.name in ("SessionStart", "UserPromptSubmit"):  # Perhaps after it had ended.
            return replace(seen, status="active", ended=None, end_reason="")
        return seen

    def _is_kept(self, session: Session) -> bool:
        """Tell whether *session* is to be kept. Once it was not, it never is again.

        Otherwise its transcript would later bring in what was said while it was not.
        """
        if not session.kept or not session.project:
            return False
        project = self._registry.named(session.project)
        settings = config.load_strictly(self._home, project=project.name, root=project.root)
        excluded = project.excluded or is_excluded(session.cwd, settings.capture_exclude_paths)
        if settings.capture_enabled and not excluded:
            return True
        self._state.sessions.save(replace(session, kept=False))
        return False

    def _project(self, folder: str, *, now: float) -> str:
        """Return the project that a session in *folder* belongs to; empty without a folder."""
        if not folder:
            return ""
        join_clones = config.load(self._home).projects_join_clones
        project = self._registry.meet(folder, now=now, join_clones=join_clones)
        self._take_label(project)
        return project.name

    def _take_label(self, project: Project) -> None:
        """Call *project* as its repository does, unless the user gave it a name."""
        label = config.repository(project.root)[0].label
        if label and project.label == (os.path.basename(project.root) or project.root):
            self._registry.rename(project, label)

    def _drafts(self, session: Session) -> list[TurnDraft]:
        return [
            TurnDraft.from_json(body) for body in self._state.sessions.drafts(session.id).values()
        ]

    def _keep_draft(self, session: Session, event: Event) -> None:
        """Fold *event* into the session's newest draft, which may begin another one.

        A tool call stands in the transcript, if there is one: nothing to add.
        """
        if event.tools and _size(_log_of(session)):
            return
        event = cleaned_event(event, self._exclusions(session))
        before = self._drafts(session)
        draft = drafts.fold(before[-1] if before else None, event)
        if draft:
            self._state.sessions.save_draft(session.id, draft.key, draft.to_json())

    def _settle_orphans(self) -> None:
        """Write down what sessions got to whose host was killed: no event will come of them."""
        each(self._state.sessions.active(), self._settle_if_orphaned)

    def _settle_if_orphaned(self, session: Session) -> None:
        if session.client and not _is_alive(session.client):
            self.catch_up(session.id, unfinished=True)
            self._give_up(session)

    def _give_up(self, session: Session) -> None:
        """Take *session* for interrupted; a resume brings it back."""
        current = self._state.sessions.find(session.id) or session
        interrupted = replace(current, status="interrupted", ended=current.last_seen)
        self._state.sessions.save(interrupted)

    def _cleaned(self, session: Session, turns: Iterable[Turn]) -> list[CleanTurn]:
        """Return *turns*, each in its folder, with what was known of it, and without secrets."""
        excluded = self._exclusions(session)
        folder = session.cwd or self._registry.named(session.project).root
        known = self._known_before(session)
        told = (turn if turn.cwd else turn.placed(folder) for turn in turns)
        return [
            cleaned(drafts.filled(turn, known[turn.key]) if turn.key in known else turn, excluded)
            for turn in told
        ]

    def _known_before(self, session: Session) -> dict[str, CleanTurn]:
        """Return the turns that are archived, if the host's log may tell less of them."""
        if session.host not in readers.MAY_TELL_LESS:
            return {}
        return {turn.key: turn for turn in self._archived(session)}

    def _read(self, session: Session) -> tuple[list[CleanTurn], int]:
        size = _size(_log_of(session))
        if not size:
            return [], 0
        # A file that became shorter is another file: begin again; the anchors know what is there.
        start = session.read_up_to if session.read_up_to <= size else 0
        try:
            reading = readers.READERS[session.host](Path(session.transcript), offset=start)
        except TranscriptError as error:
            log.warning("transcript not readable", extra={"reason": str(error)})
            return [], session.read_up_to
        return self._cleaned(session, reading.turns), reading.resume_at

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
        archived = self._archived(session) if _log_of(session) else []
        return [turn for turn in archived if turn.line]

    def _archived(self, session: Session) -> list[CleanTurn]:
        return self._library(session.project).archive.read(session.id)

    def _exclusions(self, session: Session) -> Exclusions:
        project = self._registry.named(session.project)
        settings = config.load_strictly(self._home, project=project.name, root=project.root)
        return Exclusions(
            tools=settings.capture_exclude_tools, paths=settings.capture_exclude_paths
        )

    def _end(self, session_id: str, event: Event) -> None:
        session = self._state.sessions.find(session_id)
        if session is None:
            return
        ended = replace(
            session, status="completed", ended=event.at.timestamp(), end_reason=event.reason
        )
        with self._state.transaction():
            self._state.sessions.save(ended)
            for key in self._state.sessions.drafts(session.id):
                self._state.sessions.remove_draft(session.id, key)


def _without(pending: Iterable[TurnDraft], used: Iterable[TurnDraft]) -> list[TurnDraft]:
    """Return those of *pending* that are not *used*; each is itself alone."""
    gone = {id(one) for one in used}
    return [one for one in pending if id(one) not in gone]


def _completed(turn: CleanTurn, told: Iterable[TurnDraft | None]) -> CleanTurn:
    """Return the transcript's *turn* with what only events *told* yet; drafts are clean, too."""
    whole: Turn = turn
    for draft in filter(None, told):
        whole = drafts.complete(whole, draft)
    return CleanTurn(whole)


def _log_of(session: Session) -> str:
    """Return where the turns of *session* stand; empty if only its events tell of them."""
    return session.transcript if session.host in readers.READERS else ""


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # Somebody else's, so it is there.
        return True
    return True


def _mtime(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
