"""Answer agents in threads of their own: a search takes its time, and no hook waits for it.

Each thread has databases of its own. A call that has begun is finished, also if nobody waits for it
any more; one that was not heard to begin is asked again, so nothing is done twice.
"""

import contextlib
import logging
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from recollect import line, paths
from recollect.app.recollect import Recollect
from recollect.errors import StoreError

Answer = Callable[[bytes, "Lend"], bytes]
"""What makes an answer of a request."""

# One that waits for a model or a lock does not keep the next waiting.
THREADS = 2
SECONDS_TO_SEND = 10.0
SECONDS_TO_END = 2.0

log = logging.getLogger(__name__)


class OpenForSession(Protocol):
    """Opens the home as for a session with that environment, with the model for *meaning*."""

    def __call__(self, environment: Mapping[str, str], *, meaning: bool) -> Recollect:
        """Return it, open."""


class Lend(Protocol):
    """Lends the home, opened so, for the length of a `with`."""

    def __call__(
        self, environment: Mapping[str, str], *, meaning: bool
    ) -> contextlib.AbstractContextManager[Recollect]:
        """Return it for a `with`."""


class Agents:
    """The threads that `answer` calls, begun with the first one; *busy* hears of each."""

    def __init__(
        self, answer: Answer, open_app: OpenForSession, *, busy: Callable[[], None]
    ) -> None:
        self._answer = answer
        self._open_app = open_app
        self._busy = busy
        self._waiting: queue.SimpleQueue[tuple[socket.socket, bytes] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    def take(self, connection: socket.socket, request: bytes) -> None:
        """See to it that *request* is answered; *connection* is ours from now on."""
        self._waiting.put((connection, request))
        if len(self._threads) < THREADS:
            thread = threading.Thread(target=self._run, name="agents", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Let the calls that have begun end; the others are asked of the next worker."""
        for _ in self._threads:
            self._waiting.put(None)
        until = time.monotonic() + SECONDS_TO_END
        for thread in self._threads:
            thread.join(timeout=max(until - time.monotonic(), 0))

    def _run(self) -> None:
        with contextlib.closing(_Shelf(self._open_app)) as shelf:
            self._serve(shelf)

    def _serve(self, shelf: "_Shelf") -> None:
        while (taken := self._waiting.get()) is not None:
            connection, request = taken
            # Whoever asked may be gone: before it began, then nothing is done, or meanwhile.
            with connection, contextlib.suppress(OSError):
                connection.settimeout(SECONDS_TO_SEND)
                connection.sendall(line.BEGUN)
                self._busy()
                connection.sendall(line.frame("", self._answered(request, shelf)))
                self._busy()

    def _answered(self, request: bytes, shelf: "_Shelf") -> bytes:
        try:
            return self._answer(request, shelf.lend)
        except Exception:  # The edge of a request: the worker goes on.
            log.exception("call failed")
            raise ConnectionAbortedError from None


class _Shelf:
    """What a thread has open: a search warms the databases it reads, so they stay for the next."""

    def __init__(self, open_app: OpenForSession) -> None:
        self._open_app = open_app
        self._app: Recollect | None = None
        self._stamp: object = None

    @contextlib.contextmanager
    def lend(self, environment: Mapping[str, str], *, meaning: bool) -> Iterator[Recollect]:
        """Lend the home as for a session with that *environment*."""
        if environment or not meaning:
            with contextlib.closing(self._open_app(environment, meaning=meaning)) as app:
                yield app
            return
        if self._app is None or self._stamp != _stamp(self._app.home):
            self.close()
            self._app = self._open_app(environment, meaning=meaning)
            self._stamp = _stamp(self._app.home)
        self._app.upkeep.heal()
        try:
            yield self._app
        except (OSError, StoreError):
            self.close()  # Perhaps it is the file; the next call opens it again.
            raise

    def close(self) -> None:
        """Close what is open."""
        if self._app:
            self._app.close()
        self._app = None


def _stamp(home: str) -> object:
    """Return what tells whether the file of what is not Markdown is still the same."""
    try:
        return os.stat(paths.state(home)).st_ino
    except OSError:
        return None
