"""Did it help? What sessions were shown, by their logs, and what their agents made of it."""

import contextlib
import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from recollect import paths, tokens
from recollect.context import objection, usefulness
from recollect.context.usefulness import Given
from recollect.hooks import shown_log
from recollect.store import shown
from recollect.store.contract.search import IndexRow, SearchIndex
from recollect.store.contract.state import EVENTS, Dispute, Session, Shown, StateStore
from recollect.store.library import Library
from recollect.transcripts.turns import CleanTurn

# A log is of use as long as its session goes on; nobody resumes one that is older.
KEPT_DAYS = 30
# … and what is counted is of interest for a year.
COUNTED_DAYS = 400
DAY = 86_400
# A hook that was slow writes its lines behind those of a later one.
LATE_SECONDS = 60.0


class Usage:
    """Counts what was shown in one home."""

    def __init__(
        self,
        home: str,
        *,
        state: StateStore,
        index: Callable[[], SearchIndex],
        library: Callable[[str], Library],
    ) -> None:
        self._home = home
        self._state = state
        self._library = library
        self._index = index

    def take_in(self, session: str) -> None:
        """Remember what the log of *session* says, as far as it is news."""
        last = self._state.shown.latest(session)
        log_file = Path(paths.shown(self._home, session))
        # Agents that the session started have logs of their own, named after it.
        logs = sorted(log_file.parent.glob(f"{log_file.name}*"))
        lines = [fields for file in logs for fields in shown_log.lines(str(file))]
        # All of a block has the same time, and half of it may be known.
        fresh = [one for fields in lines if (one := _read(fields))]
        fresh = [one for one in fresh if one.session == session and one.at >= last - LATE_SECONDS]
        if not fresh:
            return
        with self._state.transaction():
            self._state.shown.add(map(self._with_cost_in_full, fresh))

    def take_in_all(self) -> None:
        """Remember what every log says, also of sessions in which no turn was finished."""
        for file in Path(self._home, "run", "shown").glob("[!.]*"):
            for session in dict.fromkeys(fields[2] for fields in shown_log.lines(str(file))):
                self.take_in(session)

    def turn(self, session: Session, turn: CleanTurn) -> None:
        """Look what of all that *session* was shown its agent used in *turn*."""
        self.take_in(session.id)
        self._note_objection(session, turn)
        given = [
            one
            for one in self._state.shown.unused_in(session.id, until=turn.ended.timestamp())
            if one.event != "subagent"  # The turn is not that agent's.
        ]
        if not given:
            return
        turns = self._library(session.project).archive.backwards(session.id)
        earlier = (one for one in turns if one.started < turn.started)
        known = usefulness.KnownToAgent([*itertools.islice(earlier, usefulness.MOST_TURNS)][::-1])
        for one in given:
            memory = self._memory(one)
            how = memory and usefulness.used(
                memory,
                turn,
                headline_only=not one.version,
                for_file=one.event == "file",
                known=known,
            )
            if how:
                self._state.shown.mark_used(one, how)

    def _note_objection(self, session: Session, turn: CleanTurn) -> None:
        """Remember when the user says that what the prompt before brought back is wrong."""
        if not objection.may_object(turn.prompt):
            return
        archived = self._library(session.project).archive.backwards(session.id)
        before = next((one for one in archived if one.started < turn.started), None)
        since = before.started.timestamp() - LATE_SECONDS / 10 if before else 0.0
        # What was shown for this prompt itself is written down as it begins.
        over = before.ended.timestamp() if before else 0.0
        until = max(over, turn.started.timestamp() - 1.0)
        given = {one.id: one for one in self._state.shown.between(session.id, since, until)}
        texts = {id_: self._text(one) for id_, one in given.items() if self._entry(one)}
        found = objection.read(turn.prompt, texts)
        for id_ in (*found.meant, *found.perhaps) if found else ():
            self._state.disputes.add(
                Dispute(
                    project=given[id_].project,
                    id=id_,
                    author="user",
                    session=session.id,
                    said=" ".join(turn.prompt.split()),
                    at=turn.started.timestamp(),
                    hidden=id_ in (found.meant if found else ()),
                ),
            )

    def count(self, projects: Iterable[str]) -> None:
        """Count anew what agents in *projects* pass over."""
        for project in projects:
            shown.count_ignored(self._state, project)

    def keep_house(self, *, now: float) -> None:
        """Remove the logs of sessions that are long over, and what was counted long ago."""
        self.take_in_all()
        for file in Path(self._home, "run", "shown").glob("[!.]*"):
            with contextlib.suppress(OSError):
                if file.lstat().st_mtime < now - KEPT_DAYS * DAY:
                    file.unlink()
        self._state.shown.prune(now - COUNTED_DAYS * DAY)

    def _memory(self, one: Shown) -> Given | None:
        entry = self._entry(one)
        if entry is None:
            return None
        files = tuple(entry.touched.splitlines())
        # Perhaps more of it was shown than the card.
        return Given(id=entry.id, title=entry.title, body=entry.card, files=files)

    def _text(self, one: Shown) -> str:
        """Return what a session that was shown *one* may have read."""
        entry = self._entry(one)
        if entry is None:
            return ""
        return f"{entry.title}\n{entry.body}\n{self._index().said_in(entry)}"

    def _entry(self, one: Shown) -> IndexRow | None:
        return self._index().by_id(one.id, (one.project, paths.EVERYWHERE)) if one.id else None

    def _with_cost_in_full(self, one: Shown) -> Shown:
        """Return *one* with what the turn behind it, or the whole note, would have cost."""
        entry = self._entry(one)
        if entry is None:
            return one
        whole = tokens.estimate(entry.body)
        if entry.turn:
            length = self._index().length_of_turn(entry.session, entry.turn)
            whole = max(whole, round(length / tokens.CHARACTERS_PER_TOKEN))
        return replace(one, in_full=whole)


def _read(fields: list[str]) -> Shown | None:
    at, project, session, event, id_, mark, score, cost = fields
    if event not in EVENTS:
        return None
    try:
        return Shown(
            at=float(at),
            project=project,
            session=session,
            event=event,
            id=id_,
            version=mark,
            score=float(score),
            tokens=int(cost),
        )
    except ValueError:  # Half a line.
        return None
