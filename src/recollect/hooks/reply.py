"""The reply to a hook: what it prints, and the lines it writes down after that. Hot path."""

import recollect
from recollect import paths
from recollect.hooks import decide, dialects, shown_log
from recollect.hooks.dialects import Dialect
from recollect.hooks.response import HookResponse


def packed(  # noqa: PLR0913 - one parameter a part
    home: str,
    response: HookResponse,
    event: dict[str, object],
    *,
    project: str,
    notices: list[str],
    now: float,
    dialect: Dialect = dialects.PLAIN,
) -> bytes:
    """Return the reply to *event*, with *notices* in front of what the user hears.

    `shown_log.unpacked` takes it apart again, in the hook.
    """
    name, session = response.event, str(event.get("session_id") or "")
    message = " · ".join([*notices, response.message] if response.message else notices)
    response.message = message
    if dialect.begins_with_a_prompt and name == "SessionStart":
        response = HookResponse(name, message=message)
    lines = ""
    if session:
        lines = shown_log.of_response(response, now=now, project=project, session=session)
    if session and project and decide.begins_anew(name, event):
        lines = shown_log.event_line(now, project, session, shown_log.FORGOTTEN) + lines
    if decide.begins_here(home, name, event, dialect):
        lines += shown_log.event_line(now, project, session, shown_log.BEGUN)
    printed = response.printed(called=dialect.names.get(name, ""))
    return shown_log.packed(printed, paths.shown(home, shown_log.whose(event)), lines)


def notices(name: str, version: str, trouble: str = "") -> list[str]:
    """Return what the user must be told besides: a plugin out of step, an event not kept."""
    found = []
    if trouble:
        found.append(f"Recollect could not keep this: {trouble}. See: recollect doctor")
    if name == "SessionStart" and version != recollect.__version__:
        found.append(
            f"Recollect: the plugin is {version}, the package {recollect.__version__}."
            " Run: recollect setup"
        )
    return found
