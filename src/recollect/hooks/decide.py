"""Which answer an event gets: decided here for the worker and for a hook without one. Hot path."""

import os

from recollect import fence, paths, projects
from recollect.hooks import claude_code, shown_log
from recollect.hooks.dialects import Dialect
from recollect.hooks.response import HookResponse

QUIET = "quiet"

# Each event that may be answered, and the setting that switches its answer off.
SWITCHES = {
    "SessionStart": "start.enabled",
    "UserPromptSubmit": "recall.enabled",
    "SubagentStart": "subagents.enabled",
    "PreToolUse": "files.enabled",
    "PostToolUse": "failures.enabled",
    "PostToolUseFailure": "failures.enabled",
}


class Answerer:
    """Finds the answer to each kind of event, in one project."""

    def start(self, event: dict[str, object]) -> HookResponse:
        """Return what a session is given as it begins, or when it was compacted."""
        raise NotImplementedError

    def prompt(self, event: dict[str, object], opening: HookResponse | None) -> HookResponse:
        """Return what a prompt brings back, beside the *opening* that its session gets with it."""
        raise NotImplementedError

    def subagent(self, event: dict[str, object]) -> HookResponse:
        """Return what a subagent is given as it begins."""
        raise NotImplementedError

    def file(self, event: dict[str, object]) -> HookResponse:
        """Return what is known of a file that is about to be read."""
        raise NotImplementedError

    def failure(self, event: dict[str, object], name: str) -> HookResponse:
        """Return what is known of the error that a tool has met, in the event called *name*."""
        raise NotImplementedError


def answer(
    name: str,
    event: dict[str, object],
    *,
    home: str,
    settings: dict[str, object],
    dialect: Dialect,
    answerer: Answerer,
) -> HookResponse:
    """Return the answer of *answerer* to the event called *name*, as the *settings* allow it.

    A prompt that is the first its session hears of us brings the session's opening, too.
    """
    opening = None
    if begins_here(home, name, event, dialect):
        begun = {**event, "source": "startup"}
        opening = _answered("SessionStart", begun, settings, answerer, None)
    response = _answered(name, event, settings, answerer, opening)
    response.opening = opening
    if settings["display"] == QUIET:
        response.message = ""
    return response


def _answered(
    name: str,
    event: dict[str, object],
    settings: dict[str, object],
    answerer: Answerer,
    opening: HookResponse | None,
) -> HookResponse:
    if name not in SWITCHES:
        return HookResponse(name)
    for switch in ("context.enabled", SWITCHES[name]):
        if not settings[switch]:
            return HookResponse(name, nothing=f"{switch} is off")
    if name == "UserPromptSubmit":
        return answerer.prompt(event, opening)
    if name in claude_code.MAY_HAVE_FAILED:
        return answerer.failure(event, name)
    answers = {
        "SessionStart": answerer.start,
        "SubagentStart": answerer.subagent,
        "PreToolUse": answerer.file,
    }
    return answers[name](event)


def begins_anew(name: str, event: dict[str, object]) -> bool:
    """Tell whether a session has just lost what it was shown."""
    return name == "SessionStart" and event.get("source") in ("compact", "clear")


def begins_here(home: str, name: str, event: dict[str, object], dialect: Dialect) -> bool:
    """Tell whether a prompt is the first of a session that was given nothing as it began."""
    if name != "UserPromptSubmit" or not dialect.begins_with_a_prompt:
        return False
    whose = shown_log.whose(event)
    return bool(whose) and not shown_log.has_begun(paths.shown(home, whose))


def is_first_session(name: str, event: dict[str, object]) -> bool:
    """Tell whether a session begins that may be the first of its project."""
    return name == "SessionStart" and event.get("source") == "startup"


def first_session(settings: dict[str, object]) -> HookResponse:
    """Return the answer as the first session of a project begins.

    Whether the folder is among excluded paths takes patterns, so nothing is said where there are
    any.
    """
    is_on = settings["capture.enabled"] and settings["context.enabled"]
    is_on = is_on and settings["start.enabled"] and settings["display"] != QUIET
    if not is_on or settings["capture.exclude_paths"]:
        return HookResponse("SessionStart")
    return HookResponse("SessionStart", message=fence.FIRST_SESSION)


def file_read(event: dict[str, object]) -> str:
    """Return the file that a tool is about to read, from the top of its work tree; else empty."""
    given = event.get("tool_input")
    path = given.get("file_path") if isinstance(given, dict) else None
    if event.get("tool_name") != "Read" or not isinstance(path, str) or not path:
        return ""
    root = projects.top(str(event.get("cwd") or "/"))
    whole = os.path.realpath(os.path.join(str(event.get("cwd") or "/"), path))
    return os.path.relpath(whole, root) if whole.startswith(f"{root}/") else ""
