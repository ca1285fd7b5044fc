"""Notify the worker of an event: print its answer, or a plain one, and start one if none runs."""

import posix

from recollect import line, paths
from recollect.hooks import claude_code
from recollect.inbox import spool

SECONDS_FOR_AN_ANSWER = 0.1


def worker(home: str, called: tuple[str, str, str], payload: bytes, *, trouble: str) -> None:
    """Tell the worker of an event and print the answer to it, the worker's or a plain one.

    The hook was *called* with the host, the event, and the version of the plugin.
    """
    host, event, version = called
    wanted = _is_answered(home, host, event) and len(payload) <= spool.LARGEST_EVENT
    socket = paths.socket(home)
    reply: bytes | None = None
    absent = False
    try:
        # The worker does not know what the environment of this session sets.
        if wanted and not trouble and not paths.sets_something(posix.environ):
            about = f"answer {event} {version} {host}"
            reply = line.ask(socket, about, payload, seconds=SECONDS_FOR_AN_ANSWER)
        else:
            line.tell(socket, "wake")
    except line.Absent:
        absent = True
    try:
        if wanted and reply is None and event not in claude_code.MAY_HAVE_FAILED:
            from recollect.hooks import fallback  # noqa: PLC0415 - costs more than all the rest

            reply = fallback.replied(home, called, payload, trouble=trouble)
        if reply:
            _print(reply)
    finally:
        if absent and event not in claude_code.TOOL_CALLS:
            from recollect.hooks import wake  # noqa: PLC0415 - only when there is no worker

            wake.start_worker(home)


def _is_answered(home: str, host: str, event: str) -> bool:
    if event in claude_code.MAY_HAVE_FAILED:
        from recollect.hooks import dialects  # noqa: PLC0415 - only when something failed

        return dialects.of(host).takes_failure_context
    if event in claude_code.ANSWERED:
        return True
    return event == claude_code.TURN_ENDED and _exists(paths.verbose(home))


def _print(reply: bytes) -> None:
    from recollect.hooks import shown_log  # noqa: PLC0415 - only when there is something to say

    printed, path, lines = shown_log.unpacked(reply)
    if printed:
        posix.write(1, printed)
    if lines:
        shown_log.append(path, lines)


def _exists(path: str) -> bool:
    try:
        posix.stat(path)
    except OSError:
        return False
    return True
