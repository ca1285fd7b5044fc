"""Take in hook events and transcripts: whose session it is, and when its turns are due.

What becomes of a turn that is due stands in `turn_pipeline`. Every step may be cut off anywhere and
done again.
"""

import os
from dataclasses import replace
from pathlib import Path

from recollect import config, projects
from recollect.errors import TranscriptError, each
from recollect.pipeline.collect import Collector
from recollect.pipeline.record import Tally
from recollect.pipeline.turn_pipeline import TurnPipeline
from recollect.privacy.exclusions import is_excluded
from recollect.store.contract.state import Project, Session, StateStore
from recollect.store.registry import Registry
from recollect.transcripts import readers
from recollect.transcripts.events import Event
from recollect.transcripts.turns import CleanTurn

# A session that has been silent for so long is written down as far as it got.
QUIET_SECONDS = 600
# … and after this it is taken for interrupted.
LOST_SECONDS = 24 * 3600


class Intake:
    """Takes in what arrives in one home."""

    def __init__(
        self,
        home: str,
        *,
        state: StateStore,
        registry: Registry,
        collector: Collector,
        pipeline: TurnPipeline,
    ) -> None:
        self._home = home
        self._state = state
        self._registry = registry
        self._collector = collector
        self._pipeline = pipeline
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
        self._collector.keep_draft(session, event)
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
        return self._pipeline.run(session, unfinished=unfinished)

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
        turns = self._collector.redacted(session, reading.turns)
        if session.status != "active" and turns[-1].answer:
            # Nothing says that the last turn of a file is over, but nobody works on it any more.
            turns[-1] = CleanTurn(replace(turns[-1], finished=True))
        return session, self._pipeline.run_imported(session, turns)

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

    def _end(self, session_id: str, event: Event) -> None:
        session = self._state.sessions.find(session_id)
        if session is None:
            return
        ended = replace(
            session, status="completed", ended=event.at.timestamp(), end_reason=event.reason
        )
        with self._state.transaction():
            self._state.sessions.save(ended)
            self._collector.drop_drafts(session)


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
