"""Let a model make more of what was recorded: one batch of turns after the other.

The extractive result stands in the journal before a model is asked, and stays where none answers.
A try is counted before it is made; what is not the turns' fault is handed back; three failures set
a turn aside, with its reason.
"""

import logging
import random
import threading
from collections.abc import Callable, Sequence

from recollect.errors import ConfigError, EngineError, LibraryError, ProjectError, StoreError
from recollect.llm import batches, retry_policy
from recollect.llm.budgeted_client import BudgetedClient
from recollect.llm.providers.choose import model_of
from recollect.llm.rewrite import EntryRewriter, NotWrittenError, RewriteResult, TurnsChangedError
from recollect.store import pause, queue
from recollect.store.contract.state import MOST_TRIES, Pause, QueuedTurn, Session, StateStore

# Not the turns' fault: they wait until the disk or the lock is back.
CIRCUMSTANCES = (ConfigError, LibraryError, ProjectError, OSError, StoreError)

log = logging.getLogger(__name__)


class Enrichment:
    """The turns of one home that wait for a model."""

    def __init__(
        self,
        *,
        state: StateStore,
        client: BudgetedClient,
        rewriter: EntryRewriter,
        reindex: Callable[[str], None],
    ) -> None:
        self._state = state
        self._client = client
        self._rewriter = rewriter
        self._reindex = reindex
        self._stopped = threading.Event()
        self._hindered = 0
        self.under_way: Sequence[QueuedTurn] = ()
        """What a model is being asked about this moment."""

    def work(self, *, now: float) -> bool:
        """Ask about the next batch of turns, if it is time to; tell whether one was taken up."""
        self._give_up_on_the_deadly()
        batch = self._due(now)
        if not batch:
            return False
        begun = self.under_way = queue.begin(self._state, batch)
        try:
            self._take_up(begun, now=now)
        except EngineError as error:
            self._failed(begun, error, now=now)
        except TurnsChangedError:
            queue.hand_back(self._state, begun, due=now + retry_policy.FIRST_WAIT)
        except NotWrittenError as error:
            log.exception("an answer could not be written")
            self._count(begun, kind="unwritten", reason=str(error.__cause__), now=now)
        except CIRCUMSTANCES:
            log.exception("synthesis interrupted")
            self._hindered += 1
            due = now + retry_policy.wait(self._hindered, roll=_die())
            queue.hand_back(self._state, begun, due=due)
        except Exception as error:  # The edge of a job: one bad turn must not stop the next.
            log.exception("synthesis failed")
            self._count(begun, kind="broken", reason=type(error).__name__, now=now)
        finally:
            self.under_way = ()
        return True

    def stop(self) -> None:
        """From another thread: what fails from now on fails because we leave, and may wait."""
        self._stopped.set()
        self._client.stop()

    def _take_up(self, begun: Sequence[QueuedTurn], *, now: float) -> None:
        session = self._state.sessions.find(begun[0].session)
        result = RewriteResult()
        if session and session.kept:
            owed = frozenset(begun[0].owed.split("\n")) - {""}
            keys = {one.turn for one in begun}
            result = self._rewriter.rewrite(session, keys, now=now, owed=owed)
        self._settle(begun, result, now=now)
        self._hindered = 0
        if session and result.changed:
            self._reindex(session.project)
        if result.asked:
            queue.put_back(self._state, retry_policy.BROKE_DOWN, project=begun[0].project)

    def _settle(self, begun: Sequence[QueuedTurn], result: RewriteResult, *, now: float) -> None:
        """Take out of the queue what needs nobody any more; the rest waits."""
        project = begun[0].project
        owed = dict(result.resting)
        for name, error in result.failed.items():
            if self._stopped.is_set():
                owed[name] = now
            elif retry_policy.TREATMENTS[error.kind].rests:
                owed[name] = self._rest(error, name, project=project, now=now)
        for name, error in result.unchecked.items():
            if retry_policy.TREATMENTS[error.kind].rests:
                self._rest(error, name, project=project, now=now)
        another_time = [one for one in begun if one.turn in result.another_time]
        looked_at = [one for one in begun if one not in another_time]
        if owed:
            due = max(min(owed.values()), now + retry_policy.FIRST_WAIT)
            queue.owe(self._state, looked_at, owed, due=due)
        else:
            queue.done(self._state, looked_at)
        queue.hand_back(self._state, another_time)

    def _give_up_on_the_deadly(self) -> None:
        """Set aside what was begun three times and never ended: it may be what killed us."""
        for one in queue.waiting(self._state):
            if one.tries >= MOST_TRIES:
                reason = "the worker died three times at it"
                queue.failed(self._state, one, due=0.0, kind="broken", reason=reason)

    def _due(self, now: float) -> list[QueuedTurn]:
        waiting = queue.waiting(self._state)
        projects = {one.project for one in waiting}
        free = {project for project in projects if self._is_free(project, now)}
        waiting = [one for one in waiting if one.project in free]
        known = {session.id: session for one in waiting if (session := self._session(one))}
        when = {project: self._client.settings(project).synthesis_when for project in free}
        return batches.due(waiting, known, when=when, now=now)

    def _is_free(self, project: str, now: float) -> bool:
        """Tell whether *project* has an engine, and its model does not rest."""
        try:
            settings = self._client.settings(project)
        except ProjectError:  # It was joined with another while this one waited.
            return False
        if settings.synthesis_engine == "extractive":
            return False
        resting = pause.current(self._state, model_of(settings, ""))
        return resting is None or not resting.lasts(now)

    def _session(self, one: QueuedTurn) -> Session | None:
        return self._state.sessions.find(one.session)

    def _failed(self, begun: Sequence[QueuedTurn], error: EngineError, *, now: float) -> None:
        if self._stopped.is_set():
            queue.hand_back(self._state, begun)
            return
        log.warning("no answer", extra={"kind": error.kind, "turns": len(begun)})
        treatment = retry_policy.TREATMENTS[error.kind]
        if treatment.rests:
            # Where some models alone were asked, it is the first of them that failed.
            name = begun[0].owed.partition("\n")[0]
            self._rest(error, name, project=begun[0].project, now=now)
        if treatment.counts:
            self._count(begun, kind=error.kind, reason=error.message, now=now)
        else:
            queue.hand_back(self._state, begun, kind=error.kind)

    def _rest(self, error: EngineError, name: str, *, project: str, now: float) -> float:
        """Leave the model *name* of *project* alone for a while; return until when."""
        whose = model_of(self._client.settings(project), name)
        before = pause.current(self._state, whose)
        strikes = before.strikes + 1 if before else 1
        until = retry_policy.rest(error, strikes, now=now, roll=_die())
        begun_pause = Pause(
            until=until, kind=error.kind, message=error.message, hint=error.hint, strikes=strikes
        )
        pause.begin(self._state, whose, begun_pause)
        return until

    def _count(self, begun: Sequence[QueuedTurn], *, kind: str, reason: str, now: float) -> None:
        """Count a failure; those of one batch come back together, and so in order."""
        due = now + retry_policy.wait(max(one.tries for one in begun), roll=_die())
        for one in begun:
            after = queue.failed(self._state, one, due=due, kind=kind, reason=reason)
            if after.aside:
                log.error("turn set aside", extra={"kind": kind, "turn": one.turn})


def _die() -> float:
    return random.random()  # noqa: S311 - no secret
