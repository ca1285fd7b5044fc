"""Answer a hook without the worker, with what was prepared beforehand. Hot path.

There is no second ranking and no second renderer here: `context.render` prepared every text, and
this module only picks. What is decided, joined and written down is done by the modules beside it,
for the worker too, so both answer alike.
"""

import os
import time

from recollect import paths, projects
from recollect.hooks import claude_code, decide, dialects, reply, settings
from recollect.hooks.decide import Answerer
from recollect.hooks.dialects import Dialect
from recollect.hooks.payload import parse
from recollect.hooks.response import HookResponse

# Events wait for seconds; for longer only when nobody takes them in.
PATIENT_MINUTES = 10


def replied(home: str, called: tuple[str, str, str], payload: bytes, *, trouble: str = "") -> bytes:
    """Return the reply to an event, as `reply.packed` makes it, or nothing.

    The hook was *called* with the host, the event, and the version of the plugin; *trouble* is
    why the event could not be kept. The user is told when there is something to tell.
    """
    now = time.time()
    host, name, version = called
    dialect = dialects.of(host)
    event = dialects.heard(parse(payload.decode("utf-8", "surrogateescape")))
    project: str | None = ""
    response = HookResponse(name)
    try:
        project = _project_of(event, home, dialect)
        if project:
            response = answer(home, project, name, event, now=now, dialect=dialect)
        elif project is None and decide.is_first_session(name, event):
            response = decide.first_session(settings.values(home, ""))
    except Exception as error:  # A broken index or setting: the user is told all the same.
        from recollect.hooks import debug  # noqa: PLC0415 - only when something is wrong

        debug.report(error)
    notices = reply.notices(name, version, trouble)
    if name == "SessionStart" and (waiting := _waiting_minutes(home)) > PATIENT_MINUTES:
        notices.append(f"Recollect has taken in nothing for {waiting} min. See: recollect doctor")
    return reply.packed(
        home, response, event, project=project or "", notices=notices, now=now, dialect=dialect
    )


def answer(
    home: str,
    project: str,
    name: str,
    event: dict[str, object],
    *,
    now: float,
    dialect: Dialect = dialects.PLAIN,
) -> HookResponse:
    """Return what is known of *project* that belongs to the event called *name*."""
    known = _Prepared(home, project, now=now)
    return decide.answer(
        name, event, home=home, settings=known.settings, dialect=dialect, answerer=known
    )


def _project_of(event: dict[str, object], home: str, dialect: Dialect) -> str | None:
    """Return the project that a session began in, wherever a `cd` has led since.

    It is empty for one that is excluded, and where there is no folder; None where nobody has met it
    yet.
    """
    folder = (paths.variable(dialect.folder) if dialect.folder else "") or event.get("cwd")
    if not isinstance(folder, str) or not folder:
        return ""
    return projects.known(paths.places(home), projects.identity(folder))


class _Prepared(Answerer):
    """What was prepared of one project, and the settings that say what of it is shown."""

    def __init__(self, home: str, project: str, *, now: float) -> None:
        self._home = home
        self._project = project
        self._now = now
        self.settings = settings.values(home, project)

    def start(self, event: dict[str, object]) -> HookResponse:
        """Return what was prepared for the start of a session."""
        source, text = event.get("source"), ""
        if source not in claude_code.SPEAKING_SOURCES:
            return HookResponse("SessionStart")
        if source == "compact":
            text = _read(paths.compact_block(self._home, str(event.get("session_id") or "-")))
        text = text or _read(paths.start_block(self._home, self._project))
        return self._block("SessionStart", text, budget="start.budget_tokens")

    def subagent(self, event: dict[str, object]) -> HookResponse:
        """Return what was prepared for the start of a subagent."""
        if not event.get("agent_type"):
            return HookResponse("SubagentStart")
        text = _read(paths.subagent_block(self._home, self._project))
        return self._block("SubagentStart", text, budget="subagents.budget_tokens")

    def prompt(self, event: dict[str, object], opening: HookResponse | None) -> HookResponse:
        """Return what the words of a prompt find."""
        from recollect.hooks import keyword_recall  # noqa: PLC0415 - takes SQLite

        return keyword_recall.of_prompt(
            event,
            home=self._home,
            project=self._project,
            chosen=self.settings,
            opening=opening,
            now=self._now,
        )

    def file(self, event: dict[str, object]) -> HookResponse:
        """Return what tells of the file that is about to be read."""
        from recollect.hooks import keyword_recall  # noqa: PLC0415 - takes SQLite

        return keyword_recall.about_file(
            event, home=self._home, project=self._project, chosen=self.settings, now=self._now
        )

    def failure(self, event: dict[str, object], name: str) -> HookResponse:  # noqa: ARG002 - see the base
        """Return nothing: only the worker can tell whether an error was met before."""
        return HookResponse(name)

    def _block(self, event: str, text: str, *, budget: str) -> HookResponse:
        from recollect.hooks import prepared  # noqa: PLC0415 - most prompts need none

        return prepared.response(
            event,
            prepared.read(text),
            now=self._now,
            categories=settings.texts(self.settings, "context.categories"),
            limit_tokens=int(settings.number(self.settings, budget)),
        )


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _waiting_minutes(home: str) -> int:
    """Return for how long the oldest event has been lying in the inbox."""
    try:
        names = os.listdir(paths.inbox(home))
    except OSError:
        return 0
    oldest = min((name[:20] for name in names if name[:20].isdigit()), default="")
    return int(time.time() - int(oldest) / 1e9) // 60 if oldest else 0
