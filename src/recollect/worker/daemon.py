"""The worker: one thread works, one answers hooks, others agents; it leaves when nobody needs it.

Everything works without it, only plainer; so it may be killed at any point. SIGTERM lets it
finish the event at hand.
"""

import contextlib
import json
import logging
import os
import signal
import socket
import stat
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import recollect
from recollect import config, files, line, paths, worker_lock
from recollect.app import viewer
from recollect.app.recollect import Recollect
from recollect.errors import EmbedderError, RecollectError, StoreError, WorkerError, each
from recollect.hooks import dialects
from recollect.inbox import drain
from recollect.search.embedding import Embeddings
from recollect.worker import jobs
from recollect.worker.agents import Agents, Answer
from recollect.worker.enricher import Enricher

TICK_SECONDS = 5.0
SETTLE_SECONDS = 60.0
# A session may begin right after another ended: its answer waits this long for the inbox.
SECONDS_FOR_THE_INBOX = 0.05
AFTER_THE_INBOX = ("SessionStart", "Stop")
SECONDS_FOR_A_REQUEST = 0.5
BACK_OFF_SECONDS = 5.0
# Passages are embedded this long before anything else gets its turn.
EMBED_SECONDS = 2.0
# Libraries of projects seen this recently are watched; the others are looked at when asked.
WATCHED_SECONDS = 24 * 3600.0

log = logging.getLogger(__name__)


def run_here(home: str, *, answer: Answer) -> None:
    """Be the worker; *answer* answers agents. Raises `WorkerError` if there is one already."""
    held = worker_lock.take(home)
    if held is None:
        raise WorkerError(
            f"a worker runs already (process {worker_lock.holder(home)})",
            hint="Stop it first: recollect worker stop",
        )
    with held:
        Daemon(home, answer=answer).run()


class Daemon:
    """The worker of one home. `run` returns when it is asked to stop, or was idle for long.

    *answer* is who answers agents: they stand above the worker, so it gets them from outside.
    """

    def __init__(self, home: str, *, answer: Answer) -> None:
        self._home = home
        self._embeddings = Embeddings()
        self._enricher = Enricher(home, embeddings=self._embeddings, busy=self._touch)
        self._agents = Agents(answer, self._open_app, busy=self._touch)
        self._reported_trouble = ""
        self._wake = threading.Event()
        self._emptied = threading.Event()
        self._stop = threading.Event()
        self._stop_requested = False
        self._busy_at = time.monotonic()
        self._started = time.time()
        self._taken = 0
        self._trouble = ""
        self._resting = False
        self._code = _code_stamp()

    def run(self) -> None:
        """Work until asked to stop."""
        _log_to(self._home)
        os.chdir("/")  # We outlive the session that started us, and its folder may go.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._request_stop())
        app = Recollect(self._home, embeddings=self._embeddings)
        app.models.end_left_behind()
        listener = _listening(self._home)
        answers = threading.Thread(target=self._answer_all, args=(listener,), daemon=True)
        answers.start()
        Path(paths.worker_tries(self._home)).unlink(missing_ok=True)
        log.info("worker started", extra={"version": recollect.__version__, "pid": os.getpid()})
        try:
            self._work(app)
        finally:
            self._leave(app, listener, answers)

    def _work(self, app: Recollect) -> None:
        self._attempt(app, self._begin)
        settled_at = time.monotonic()
        while not self._stop.is_set():
            self._attempt(app, self._look)
            if time.monotonic() - settled_at > SETTLE_SECONDS:
                settled_at = time.monotonic()
                self._attempt(app, self._settle)
            if self._is_done(app):
                return
            self._resting = not drain.waiting(Path(paths.inbox(self._home)))
            self._wake.wait(BACK_OFF_SECONDS if self._trouble else TICK_SECONDS)
            self._resting = False
            self._wake.clear()

    def _attempt(self, app: Recollect, work: Callable[[Recollect], object]) -> None:
        """Do *work*; what stands in its way is reported and tried again, never fatal."""
        try:
            work(app)
            self._trouble = ""
        except (RecollectError, OSError) as error:
            if "malformed" in str(error):  # The next worker opens everything with care.
                self._request_stop()
            # Whoever hears of the trouble looks into the log.
            log.exception("work interrupted")
            self._trouble = jobs.describe(error)
            # A full disk would otherwise be asked again and again.
            if not self._stop_requested:
                self._wake.clear()

    def _begin(self, app: Recollect) -> None:
        """Do what fell due while no worker ran."""
        _all_of(
            app.settings.publish,
            app.upkeep.refresh_all,
            lambda: self._empty_inbox(app),
            app.intake.catch_up_all,
            lambda: self._settle(app),
        )

    def _look(self, app: Recollect) -> None:
        """Take in what came, then follow what changed, whatever stood in the way of the first."""
        _all_of(
            lambda: self._empty_inbox(app),
            lambda: app.settings.publish(even_if_unchanged=False),
            lambda: app.upkeep.refresh_all(seen_since=time.time() - WATCHED_SECONDS),
            lambda: self._embed(app),
            lambda: self._ask_models(app),
        )

    def _ask_models(self, app: Recollect) -> None:
        if app.models.waiting() and not self._stop.is_set():
            self._enricher.wake()

    def _touch(self) -> None:
        self._busy_at = time.monotonic()

    def _open_app(self, environment: Mapping[str, str], *, meaning: bool) -> Recollect:
        """Open our home as for a session with that *environment*, with our model for *meaning*."""
        flags = dict(config.set_in(environment))
        return Recollect(self._home, flags=flags, embeddings=self._embeddings if meaning else None)

    def _embed(self, app: Recollect) -> None:
        """Make vectors for a while, as long as nothing else is to be done."""
        until = time.monotonic() + EMBED_SECONDS
        try:
            app.meaning.warm()
            made = app.meaning.fill(
                lambda *_: None,
                enough=lambda: (
                    self._stop.is_set() or self._wake.is_set() or time.monotonic() > until
                ),
            )
        except EmbedderError as error:  # It rests now; words are searched meanwhile.
            log.warning("no vectors", extra={"kind": error.kind})
            return
        if made:
            self._busy_at = time.monotonic()
            if not self._stop.is_set() and app.meaning.pending():
                self._wake.set()

    def _empty_inbox(self, app: Recollect) -> None:
        try:
            taken = jobs.empty_inbox(app, enough=self._stop.is_set)
        finally:
            self._emptied.set()
        if taken:
            self._taken += taken
            self._busy_at = time.monotonic()

    def _settle(self, app: Recollect) -> None:
        _all_of(
            lambda: app.intake.settle(now=time.time()),
            lambda: jobs.keep_house(app),
            lambda: app.upkeep.check_files(seen_since=time.time() - WATCHED_SECONDS),
            lambda: app.usage.count(seen_since=time.time() - WATCHED_SECONDS),
        )

    def _is_done(self, app: Recollect) -> bool:
        """Tell whether nobody needs us, our home is gone, or newer code should take over."""
        idle = time.monotonic() - self._busy_at
        return (
            idle > app.settings.of().worker_idle_minutes * 60
            or not os.path.exists(paths.worker_lock(self._home))
            or not os.path.exists(paths.state(self._home))
            or _code_stamp() != self._code
        )

    def _leave(self, app: Recollect, listener: socket.socket, answers: threading.Thread) -> None:
        """Close the door, then take in what came until then: a later hook starts a new worker.

        Told to stop, we leave the rest in the inbox.
        """
        self._stop.set()
        self._enricher.stop()
        _close(self._home, listener)
        answers.join(timeout=2)
        self._agents.stop()
        if not self._stop_requested and os.path.exists(paths.worker_lock(self._home)):
            self._attempt(app, jobs.empty_inbox)
        app.close()
        log.info("worker left", extra={"events": self._taken})

    def _request_stop(self) -> None:
        self._stop_requested = True
        self._stop.set()
        self._wake.set()

    # The answering thread has databases of its own, so it never waits for the working one.

    def _answer_all(self, listener: socket.socket) -> None:
        try:
            app = Recollect(self._home, embeddings=self._embeddings, hurried=True)
            app.hooks.answering.warm()
        except (RecollectError, OSError):
            log.exception("no answers: the databases cannot be opened")
            self._request_stop()
            return
        listener.settimeout(0.5)
        while not self._stop.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                break
            with connection:
                self._answer_one(app, connection)
        app.close()

    def _answer_one(self, app: Recollect, connection: socket.socket) -> None:
        try:
            deadline = time.monotonic() + SECONDS_FOR_A_REQUEST
            head, payload = line.read_frame(connection, deadline)
        except (OSError, ValueError):
            return  # The one who asked is gone, or was none of ours.
        self._busy_at = time.monotonic()
        if head == line.AGENT:
            self._agents.take(connection.dup(), payload)  # Ours is closed when we are done here.
            return
        try:
            reply = self._reply(app, head.split(" "), payload)
        except Exception:  # The edge of a request: a hook gets its plain answer, we go on.
            log.exception("request failed")
            return
        was_sent = reply is not None and _send(connection, reply)
        if head.startswith("answer "):  # The event itself waits in the inbox.
            self._wake.set()
            if was_sent:
                with contextlib.suppress(StoreError):  # Then it is said once more.
                    app.hooks.was_heard()

    def _reply(self, app: Recollect, words: list[str], payload: bytes) -> bytes | None:
        match words:
            case ["answer", name, version, *host]:
                # A prompt is answered before anybody works on it: that would slow the answer.
                if name in AFTER_THE_INBOX:
                    self._emptied.clear()
                    self._wake.set()
                    self._emptied.wait(SECONDS_FOR_THE_INBOX)
                notices = self._news(app, is_start=name == "SessionStart")
                # A hook that began before an upgrade names no host: there was one alone.
                speaker = host[0] if host else dialects.CLAUDE_CODE
                return app.hooks.answer(
                    name, payload, version=version, host=speaker, notices=notices
                )
            case [("search" | "preview") as verb]:
                return _looked_up(app, verb, json.loads(payload))
            case ["wake"]:
                self._wake.set()
                return None
            case ["settled"]:
                busy = self._wake.is_set() or self._enricher.is_busy
                return b"yes" if self._resting and not busy else b"no"
            case ["status"]:
                return json.dumps({**self._status(), **app.meaning.status()}).encode()
            case _:
                return b""

    def _news(self, app: Recollect, *, is_start: bool) -> list[str]:
        """Return what the user should hear once: what does not work, and what they can do."""
        news: list[str] = []
        if is_start:
            with contextlib.suppress(RecollectError):
                news += app.models.news(now=time.time())
        trouble = app.meaning.trouble()
        if trouble and trouble != self._reported_trouble:
            news.append(f"Recollect searches by keywords only: {trouble}")
        self._reported_trouble = trouble
        return news

    def _status(self) -> dict[str, object]:
        return {
            "pid": os.getpid(),
            "version": recollect.__version__,
            "started": self._started,
            "events": self._taken,
            "idle_seconds": round(time.monotonic() - self._busy_at, 1),
            "trouble": self._trouble,
        }


def _looked_up(app: Recollect, verb: str, asked: Any) -> bytes:
    """Return what a command wants to know, as JSON."""
    try:
        found: dict[str, object] = (
            app.seen_by(viewer.who_asks(asked)).search.report(asked)
            if verb == "search"
            else app.hooks.preview(asked["name"], asked["event"], now=asked["now"])
        )
    except RecollectError as error:
        kind = type(error).__name__
        found = {"error": {"kind": kind, "message": error.message, "hint": error.hint}}
    return json.dumps(found, ensure_ascii=False).encode(errors="replace")


def _all_of(*steps: Callable[[], object]) -> None:
    """Do every one of *steps*, also after one that failed. Raises the first failure."""
    each(steps, lambda step: step())


def _listening(home: str) -> socket.socket:
    """Return the worker's socket, in a short folder of its own if the home's path is too long."""
    inside = Path(paths.run(home)) / "worker.sock"
    if len(os.fsencode(inside)) > paths.LONGEST_SOCKET_NAME:
        _make_short_folder(home)
    path = paths.socket(home)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # Left by a worker that was killed; we hold the lock.
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(64)
    return listener


def _make_short_folder(home: str) -> None:
    """Name a folder for the socket in `run/`; a killed worker's folder is used again."""
    record = Path(paths.run(home)) / "socket-folder"
    with contextlib.suppress(OSError):
        there = Path(record.read_text(encoding="utf-8").strip()).lstat()
        if stat.S_ISDIR(there.st_mode) and there.st_uid == os.getuid() and not there.st_mode & 0o77:
            return
    # The user's own temporary folder may be a long way down, too.
    near = os.environ.get("XDG_RUNTIME_DIR", "")
    short = near if near and len(near) < 60 and os.access(near, os.W_OK) else "/tmp"  # noqa: S108
    files.write(record, tempfile.mkdtemp(prefix="recollect-", dir=short))


def _send(connection: socket.socket, reply: bytes) -> bool:
    """Send *reply*; tell whether somebody was still waiting for it."""
    connection.settimeout(0)
    try:
        has_hung_up = connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        has_hung_up = False
    except OSError:
        return False
    if has_hung_up:
        return False
    connection.settimeout(SECONDS_FOR_A_REQUEST)
    try:
        connection.sendall(line.frame("", reply))
    except OSError:
        return False
    return True


def _close(home: str, listener: socket.socket) -> None:
    """Take the socket away, and the folder made for it, before somebody else makes one there."""
    path = Path(listener.getsockname())
    listener.close()
    with contextlib.suppress(OSError):
        path.unlink()
        if path.parent != Path(paths.run(home)):
            Path(paths.run(home), "socket-folder").unlink()
            path.parent.rmdir()


def _log_to(home: str) -> None:
    folder = Path(paths.logs(home))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = RotatingFileHandler(folder / "worker.log", maxBytes=1 << 20, backupCount=3)
    os.chmod(folder / "worker.log", 0o600)
    handler.setFormatter(_Fields())
    root = logging.getLogger("recollect")
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if os.environ.get("RECOLLECT_DEBUG") else logging.INFO)


class _Fields(logging.Formatter):
    """One line an event: when, how grave, what, and its fields."""

    KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatException(self, error: Any) -> str:  # noqa: N802 - as logging calls it
        """Return where it happened; the words of an error may quote a memory."""
        if os.environ.get("RECOLLECT_DEBUG"):
            return super().formatException(error)
        kind, _, trace = error
        frames = traceback.extract_tb(trace)[-3:]
        where = " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))
        return f"  {kind.__name__} at {where}"

    def format(self, record: logging.LogRecord) -> str:
        fields = {k: v for k, v in vars(record).items() if k not in self.KNOWN}
        message = super().format(record)
        return f"{message} {json.dumps(fields, default=str)}" if fields else message


def _code_stamp() -> tuple[int, int]:
    try:
        found = os.stat(recollect.__file__)
    except OSError:
        return 0, 0
    return found.st_ino, found.st_mtime_ns
