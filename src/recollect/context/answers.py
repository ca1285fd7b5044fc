"""What an agent is shown at an event: the one door of this package for whoever answers hooks."""

from recollect.context.deps import AnswerDeps, session_of
from recollect.context.lookups import Lookups
from recollect.context.session_start import NOTHING_KNOWN, SessionStart
from recollect.hooks import decide, dialects
from recollect.hooks.decide import Answerer
from recollect.hooks.dialects import Dialect
from recollect.hooks.response import HookResponse
from recollect.store.contract.state import Project

Event = dict[str, object]


class Answering:
    """Answers the hooks of one home."""

    def __init__(self, deps: AnswerDeps) -> None:
        self._deps = deps
        self._start = SessionStart(deps)
        self._lookups = Lookups(deps)
        self.is_hidden = deps.is_excluded
        self.prepare = self._start.prepare
        self.left_open = self._start.left_open
        self.tells_of_hidden = self._start.tells_of_hidden
        self.warm = self._lookups.warm

    def answer(
        self,
        name: str,
        event: Event,
        *,
        now: float,
        dialect: Dialect = dialects.PLAIN,
    ) -> tuple[HookResponse, str]:
        """Return the answer to the event called *name*, and the project it is about."""
        project = self._project_of(event)
        if project is None:
            return self._unknown(name, event), ""
        if project.excluded:
            return HookResponse(name, nothing="the project is excluded"), ""
        settings = self._deps.settings(project.name).flat()
        response = decide.answer(
            name,
            dict(event),
            home=self._deps.home,
            settings={**settings},
            dialect=dialect,
            answerer=_OfProject(project, self._start, self._lookups, now=now),
        )
        return response, project.name

    def _unknown(self, name: str, event: Event) -> HookResponse:
        """Return the answer where nothing is known: one line, as the first session begins."""
        response = HookResponse(name)
        if event.get("cwd") and decide.is_first_session(name, dict(event)):
            response = decide.first_session({**self._deps.settings("").flat()})
        response.nothing = NOTHING_KNOWN
        return response

    def _project_of(self, event: Event) -> Project | None:
        """Return the project a session began in, wherever a `cd` has led since."""
        registry = self._deps.registry
        session = self._deps.state.sessions.find(session_of(event))
        if session:
            return registry.named(session.project) if session.project else None
        folder = event.get("cwd")
        return registry.at(folder) if isinstance(folder, str) and folder else None


class _OfProject(Answerer):
    """Answers out of the index, for one *project*."""

    def __init__(
        self, project: Project, start: SessionStart, lookups: Lookups, *, now: float
    ) -> None:
        self._project = project
        self._start = start
        self._lookups = lookups
        self._now = now

    def start(self, event: Event) -> HookResponse:
        return self._start.session(self._project, event, now=self._now)

    def prompt(self, event: Event, opening: HookResponse | None) -> HookResponse:
        return self._lookups.prompt(self._project, event, now=self._now, opening=opening)

    def subagent(self, event: Event) -> HookResponse:
        return self._start.subagent(self._project, event, now=self._now)

    def file(self, event: Event) -> HookResponse:
        return self._lookups.file(self._project, event, now=self._now)

    def failure(self, event: Event, name: str) -> HookResponse:
        return self._lookups.failure(self._project, event, name=name, now=self._now)
