"""Start, stop and ask the worker from another process."""

import contextlib
import json
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from recollect import line, paths, worker_lock
from recollect.errors import NotFoundError, ProjectError, RecollectError, WorkerError
from recollect.hooks import wake
from recollect.search.report import SearchRequest

START_SECONDS = 10.0
STOP_SECONDS = 15.0
ASK_SECONDS = 1.0
SEARCH_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What is known of the worker."""

    running: bool
    pid: int | None = None
    version: str = ""
    started: float = 0.0
    """In seconds since 1970."""
    events: int = 0
    """Taken in since it started."""
    idle_seconds: float = 0.0
    trouble: str = ""
    """What stands in the way of its work, or why none could be started."""
    embedder: str = ""
    embedder_trouble: str = ""
    pending: int = 0
    """Passages that have no vector yet."""
    waiting: int = 0
    """Events in the inbox."""
    set_aside: int = 0
    """Events that failed three times."""

    def in_words(self) -> str:
        """Return it for people, in one or two lines."""
        if not self.running:
            text = "The worker is not running"
            text += "." if self.trouble else "; the next session starts it."
        else:
            text = (
                f"The worker is running (process {self.pid}, version {self.version or 'unknown'})"
            )
            text += f", {self.events} events so far, idle for {int(self.idle_seconds)} s."
        if self.pending:
            passages = "1 passage" if self.pending == 1 else f"{self.pending} passages"
            text += f"\n{passages} can only be found by keywords so far."
        if self.embedder_trouble:
            text += f"\nKeyword search only: {self.embedder_trouble}"
        if self.waiting:
            text += f"\n{_events(self.waiting)} waiting in the inbox."
        if self.set_aside:
            text += f"\n{_events(self.set_aside)} set aside after failing; see `recollect doctor`."
        return f"{text}\nTrouble: {self.trouble}" if self.trouble else text


def _events(number: int) -> str:
    return "1 event" if number == 1 else f"{number} events"


def status(home: str) -> Health:
    """Return how the worker is."""
    pid = worker_lock.holder(home)
    waiting = len(list(Path(paths.inbox(home)).glob("*.json")))
    waiting += len(list(Path(paths.inbox(home)).glob("*.stub")))
    aside = len(list(Path(paths.set_aside(home)).glob("*.json")))
    if pid is None:
        return Health(running=False, trouble=_failed_starts(home), waiting=waiting, set_aside=aside)
    text = _asked(home)
    if text is None:
        trouble = "it does not answer; try `recollect worker restart`"
        return Health(running=True, pid=pid, trouble=trouble, waiting=waiting, set_aside=aside)
    return Health(running=True, **text, waiting=waiting, set_aside=aside)  # type: ignore[arg-type]


def start(home: str) -> int:
    """Start a worker unless one runs; return its process id. Raises `WorkerError`."""
    pid = worker_lock.holder(home)
    if pid is None or _asked(home) is None:
        # Asked for by a person, so what failed before does not count.
        wake.start_anew(home)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if (text := _asked(home)) is not None:
            return int(str(text["pid"]))
        time.sleep(0.05)
    raise WorkerError(
        f"the worker did not start within {START_SECONDS:.0f} s{_last_words(home)}",
        hint="Run it in the foreground to see why: recollect worker run",
    )


def stop(home: str) -> bool:
    """Let the worker leave; return whether there was one. Raises `WorkerError` if it stays."""
    pid = worker_lock.holder(home)
    if pid is None:
        return False
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return False
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        if worker_lock.holder(home) != pid:
            return True
        time.sleep(0.05)
    raise WorkerError(f"process {pid} did not leave within {STOP_SECONDS:.0f} s")


def wait_until_idle(home: str, *, seconds: float) -> bool:
    """Wait until the inbox is empty and the worker has nothing to do; tell whether it is so."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(line.Absent):
            if line.ask(paths.socket(home), "settled", seconds=ASK_SECONDS) == b"yes":
                return True
        time.sleep(0.05)
    return False


def search(home: str, asked: SearchRequest) -> dict[str, object] | None:
    """Return what the worker found; None when there is none, it is an earlier one, or cannot say.

    Raises `RecollectError` if what is *asked* cannot be answered.
    """
    if paths.sets_something(dict(os.environb)):  # It does not know what our environment sets.
        return None
    try:
        reply = line.ask(
            paths.socket(home), "search", json.dumps(asked).encode(), seconds=SEARCH_SECONDS
        )
    except line.Absent:
        return None
    found: dict[str, object] = json.loads(reply) if reply else {}
    match found.get("error"):
        case {"kind": str(kind), "message": str(message), "hint": str(hint)}:
            known = {one.__name__: one for one in (ProjectError, NotFoundError)}
            raise known.get(kind, RecollectError)(message, hint=hint)
    # A worker that was started before an update may still call things by other names.
    return found if "remarks" in found else None


def _asked(home: str) -> dict[str, object] | None:
    try:
        reply = line.ask(paths.socket(home), "status", seconds=ASK_SECONDS)
    except line.Absent:
        return None
    if not reply:
        return None
    answer: dict[str, object] = json.loads(reply)
    return answer


def _failed_starts(home: str) -> str:
    tries = wake.recorded_tries(home)
    if not tries:
        return ""
    given_up = "; one more is made each hour" if len(tries) >= len(wake.PATIENCE) else ""
    return f"a start was tried {len(tries)} times in vain{given_up}{_last_words(home)}"


def _last_words(home: str) -> str:
    words = wake.last_words(home)
    return f": {words}" if words else ""
