"""Which answer belongs to which event, and who does not want one."""

from collections.abc import Mapping

from recollect.config import Settings
from recollect.context.ground import Ground, session_of
from recollect.context.opening import NOTHING_KNOWN, Opening
from recollect.context.recalling import Recalling
from recollect.hooks import answer as plain
from recollect.hooks import claude_code, dialects
from recollect.hooks.dialects import Dialect
from recollect.hooks.said import HookResponse
from recollect.store.contract.state import Project

# Each kind of answer, and the setting that switches it off.
SWITCHES = {
    "SessionStart": "start.enabled",
    "UserPromptSubmit": "recall.enabled",
    "SubagentStart": "subagents.enabled",
    "PreToolUse": "files.enabled",
    "PostToolUse": "failures.enabled",
    "PostToolUseFailure": "failures.enabled",
}


class Answering:
    """Answers the hooks of one home."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._opening = Opening(ground)
        self._recalling = Recalling(ground)
        self.is_hidden = ground.is_excluded
        self.prepare = self._opening.prepare
        self.left_open = self._opening.left_open
        self.tells_of_hidden = self._opening.tells_of_hidden
        self.warm = self._recalling.warm

    def answer(
        self,
        name: str,
        event: Mapping[str, object],
        *,
        now: float,
        dialect: Dialect = dialects.PLAIN,
    ) -> tuple[HookResponse, str]:
        """Return what is said to the *event* called *name*, and the project it is about."""
        project = self._project_of(event)
        if project is None:
            return self._unknown(name, event), ""
        if project.excluded:
            return HookResponse(name, nothing="the project is excluded"), ""
        settings = self._ground.settings(project.name)
        opening = None
        if plain.begins_here(self._ground.home, name, dict(event), dialect):
            begun = {**event, "source": "startup"}
            opening = self._said(project, "SessionStart", begun, now=now)
        said = self._said(project, name, event, now=now, opening=opening)
        said.opening = opening
        return plain.silenced(said) if settings.display == plain.QUIET else said, project.name

    def _unknown(self, name: str, event: Mapping[str, object]) -> HookResponse:
        """Return what is said where nothing is known: one line, as the first session begins."""
        is_first = bool(event.get("cwd")) and plain.is_first_session(name, dict(event))
        said = (
            plain.first_session({**self._ground.settings("").flat()})
            if is_first
            else HookResponse(name)
        )
        said.nothing = NOTHING_KNOWN
        return said

    def _said(
        self,
        project: Project,
        name: str,
        event: Mapping[str, object],
        *,
        now: float,
        opening: HookResponse | None = None,
    ) -> HookResponse:
        if off := _switched_off(name, self._ground.settings(project.name)):
            return HookResponse(name, nothing=f"{off} is off")
        if name == "UserPromptSubmit":
            return self._recalling.prompt(project, event, now=now, opening=opening)
        if name in claude_code.MAY_HAVE_FAILED:
            return self._recalling.failure(project, event, name=name, now=now)
        answers = {
            "SessionStart": self._opening.session,
            "SubagentStart": self._opening.subagent,
            "PreToolUse": self._recalling.file,
        }
        return answers[name](project, event, now=now) if name in answers else HookResponse(name)

    def _project_of(self, event: Mapping[str, object]) -> Project | None:
        """Return the project a session began in, wherever a `cd` has led since."""
        registry = self._ground.registry
        session = self._ground.state.sessions.find(session_of(event))
        if session:
            return registry.named(session.project) if session.project else None
        folder = event.get("cwd")
        return registry.at(folder) if isinstance(folder, str) and folder else None


def _switched_off(name: str, settings: Settings) -> str:
    """Return the setting that keeps us silent; empty if none does."""
    flat = settings.flat()
    wanted = ("context.enabled", *filter(None, [SWITCHES.get(name)]))
    return next((key for key in wanted if not flat[key]), "")
