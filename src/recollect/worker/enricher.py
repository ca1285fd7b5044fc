"""Ask models, in a thread of its own: an answer takes seconds, and nothing else waits for it.

The thread begins with the first turn that waits for a model, and has databases of its own.
"""

import logging
import threading
import time
from collections.abc import Callable

from recollect.app.home import open_state
from recollect.app.recollect import Recollect
from recollect.errors import RecollectError
from recollect.search.embedding import Embeddings
from recollect.store import queue

# So long a call may take to end once it is asked to.
SECONDS_TO_END = 5.0
# After trouble with our own files; trouble with a model has a retry policy of its own.
BACK_OFF_SECONDS = 5.0

log = logging.getLogger(__name__)


class Enricher:
    """Asks models about what waits in *home*; *busy* hears that it does."""

    def __init__(self, home: str, *, embeddings: Embeddings, busy: Callable[[], None]) -> None:
        self._home = home
        self._embeddings = embeddings
        self._busy = busy
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._app: Recollect | None = None

    @property
    def is_busy(self) -> bool:
        """True while there is something to ask about now."""
        return self._wake.is_set()

    def wake(self) -> None:
        """Look whether something is to be asked about."""
        self._wake.set()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="enricher", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the call under way, and the thread; what was asked about waits for another time."""
        self._stop.set()
        self._wake.set()
        app = self._app
        if app is None or self._thread is None:
            return
        app.models.enrichment.stop()
        self._thread.join(timeout=SECONDS_TO_END)
        if self._thread.is_alive() and (left := app.models.enrichment.under_way):
            state = open_state(self._home)
            queue.hand_back(state, left)
            state.close()

    def _run(self) -> None:
        try:
            app = Recollect(self._home, embeddings=self._embeddings)
            # Made here, before another thread may ask for it.
            app.models.enrichment  # noqa: B018
            self._app = app
        except (RecollectError, OSError):
            log.exception("no synthesis: the databases cannot be opened")
            self._wake.clear()  # The next one who wakes us tries again.
            return
        while not self._stop.is_set():
            if not self._work(self._app):
                self._wake.clear()
                # Told to stop just before the line above, we would wait for ever.
                if not self._stop.is_set():
                    self._wake.wait()
        self._app.close()

    def _work(self, app: Recollect) -> bool:
        """Ask about one batch; tell whether there may be another."""
        try:
            worked = app.models.enrichment.work(now=time.time())
        except Exception:  # The edge of the thread: nobody else would begin it again.
            log.exception("synthesis interrupted")
            self._stop.wait(BACK_OFF_SECONDS)
            return False
        if worked:
            self._busy()
        return worked
