"""The work: empty the inbox, settle silent sessions, keep house once a day."""

import logging
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import recollect
from recollect import paths
from recollect.app.recollect import Recollect
from recollect.errors import (
    ConfigError,
    LibraryError,
    RecollectError,
    StoreError,
)
from recollect.inbox import drain
from recollect.inbox.drain import InboxEvent
from recollect.transcripts import events

UPDATE_SECONDS = 30
# What is taken in from a long backlog can be found after so long.
FOLLOW_SECONDS = 5.0

# Not the event's fault: it waits until the disk, the lock or the database is back.
CIRCUMSTANCES = (
    ConfigError,
    LibraryError,
    OSError,
    StoreError,
)

log = logging.getLogger(__name__)


def empty_inbox(app: Recollect, *, enough: Callable[[], bool] = lambda: False) -> int:
    """Take in every event that waits, or until it is *enough*; return how many.

    Raises when nothing can be taken in now.
    """
    inbox = Path(paths.inbox(app.home))
    taken = 0
    stuck: dict[str, Exception] = {}
    with app.upkeep.following_at_the_end() as follow:
        followed_at = time.monotonic()
        for waiting in drain.waiting(inbox):
            if enough():
                break
            if waiting.tries >= drain.MOST_TRIES:
                _give_up(app, waiting, reason="the reader died three times")
                continue
            taken += _try(app, waiting, stuck)
            if time.monotonic() - followed_at > FOLLOW_SECONDS:
                follow()
                followed_at = time.monotonic()
    for trouble in stuck.values():
        raise trouble
    return taken


def _try(app: Recollect, waiting: InboxEvent, stuck: dict[str, Exception]) -> bool:
    """Take in one event; tell whether it is done. *stuck* names sessions that have to wait.

    What is not the event's fault keeps its session waiting, so that the order stays; the
    other sessions go on.
    """
    queued = drain.begin(waiting)
    try:
        raw = queued.read()
    except OSError as error:  # Somebody else's file will not become ours by waiting.
        _give_up(app, queued, reason=f"cannot be read: {error.strerror}")
        return False
    session = ""
    try:
        reader = events.parse_stub if queued.is_stub else events.parse
        event = reader(raw, name=queued.event, at=queued.at, host=queued.host)
        session = event.session
        if session in stuck:
            drain.hand_back(queued)
            return False
        app.intake.arrive(event, client=queued.client)
    except CIRCUMSTANCES as error:
        stuck[session] = error
        drain.hand_back(queued)
        return False
    except Exception as error:  # The edge of a job: one bad event must not stop the next.
        log.exception("event failed", extra={"event": queued.event, "tries": queued.tries})
        if queued.tries >= drain.MOST_TRIES:
            _give_up(app, queued, reason=f"{type(error).__name__}: {error}")
        return False
    drain.done(queued)
    return True


def _give_up(app: Recollect, queued: InboxEvent, *, reason: str) -> None:
    drain.quarantine(queued, Path(paths.set_aside(app.home)), reason=reason)
    app.housekeeping.note_failure(f"{queued.at.isoformat()} {queued.event}: {reason}")
    log.error("event set aside", extra={"event": queued.event})


def keep_house(app: Recollect) -> None:
    """Do what is due once a day."""
    app.housekeeping.keep(newer_release=newer_release)


def newer_release() -> str:
    """Return the version of a newer release; empty if there is none or none can be looked up.

    pip asks the index that the user has set up, so no address needs to stand here.
    """
    asked = [sys.executable, "-m", "pip", "index", "versions", "recollect", "--no-color"]
    try:
        found = subprocess.run(
            asked, capture_output=True, text=True, timeout=UPDATE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    newest = found.stdout.partition("(")[2].partition(")")[0]
    return newest if _numbers(newest) > _numbers(recollect.__version__) else ""


def describe(error: BaseException) -> str:
    """Return what went wrong, and when, for `recollect status`."""
    what = error.message if isinstance(error, RecollectError) else str(error)
    return f"{time.strftime('%Y-%m-%d %H:%M')} {type(error).__name__}: {what}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
