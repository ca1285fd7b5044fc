"""One hook, from stdin to stdout: a pipe with a clock, not a program.

The payload is kept unparsed, and that is all for most tool calls. What begins or ends something,
or may have failed, goes on to `notify`, which wakes the worker and prints its answer. Whatever
happens, the exit code is 0 and stdout holds JSON or nothing: a lost memory is better than a broken
session.
"""

import _signal  # type: ignore[import-not-found]
import posix

from recollect import paths
from recollect.inbox import spool

OFF = ("false", "no", "off", "0")

# A tool call is only captured, unless it may have failed.
CAPTURED_ONLY = ("PostToolUse",)

# It tells of a failure by an event of its own. It also tells its process id, and no other host
# does: another may have been started from within it.
CLAUDE_CODE = "claude-code"

# These only ask: there is nothing in them to keep.
NOT_KEPT = ("SubagentStart", "PreToolUse")

# The host waits at most 5 s (1.5 s at a session's end); we are gone long before.
SECONDS_IN_ALL = 1.2


def main(arguments: list[str]) -> None:
    """Run the hook that *arguments* name: host, event, version of the plugin."""
    if paths.variable(paths.GUARD):
        return
    _signal.signal(_signal.SIGALRM, _out_of_time)
    _signal.setitimer(_signal.ITIMER_REAL, SECONDS_IN_ALL)
    try:
        host, event, version = arguments
        _hook(host, event, version)
    except Exception as error:  # The edge of the process: the host's session comes first.
        from recollect.hooks import debug  # noqa: PLC0415 - only when something is wrong

        debug.report(error)


def _hook(host: str, event: str, version: str) -> None:
    payload = _stdin()
    if not payload.strip() or not event.isalpha():
        return
    home = paths.home()
    trouble = ""
    # A setting in the environment is one session's, so it is obeyed here, not by the worker.
    is_kept = event not in NOT_KEPT
    if is_kept and paths.variable("RECOLLECT_CAPTURE_ENABLED").lower() not in OFF:
        trouble = _keep(home, host, event, payload)
    if event in CAPTURED_ONLY and not _may_have_failed(host, payload):
        return
    from recollect.hooks import notify  # noqa: PLC0415 - most tool calls need no line to the worker

    notify.worker(home, (host, event, version), payload, trouble=trouble)


def _may_have_failed(host: str, payload: bytes) -> bool:
    if host == CLAUDE_CODE:
        return False
    from recollect.hooks import dialects  # noqa: PLC0415 - Claude Code's tool calls need none

    return dialects.of(host).may_have_failed(payload)


def _keep(home: str, host: str, event: str, payload: bytes) -> str:
    """Put *payload* into the inbox; return what stood in the way."""
    client = paths.variable("CLAUDE_PID") if host == CLAUDE_CODE else ""
    try:
        spool.put(paths.inbox(home), f"{host}.{event}", payload, client=client)
    except OSError as error:
        return error.strerror or "unknown error"
    return ""


def _stdin() -> bytes:
    """Return what the host sent; of more than the largest event only the beginning.

    All of it is read, or the host would meet a broken pipe.
    """
    pieces = []
    size = 0
    while piece := posix.read(0, 1 << 16):
        if size <= spool.LARGEST_EVENT:
            pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _out_of_time(*_: object) -> None:
    posix._exit(0)
