"""Programs that we start, and that never outlive us unnoticed.

Each leads a process group of its own and carries a mark, on its command line and in its
environment. The mark is written down before the program starts, in a file that we hold locked
while it runs: if we are killed, the lock goes, and whoever comes next ends what is still there.
Nothing is ever killed by a number that was written down, since numbers are given to others.
"""

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from recollect import paths

# In the environment of whatever we start, and so of what that starts itself.
MARK = "CHILD_OF_RECOLLECT"

# Far more than any report of a client; a program in a loop would fill the disk.
LARGEST_OUTPUT = 8_000_000
POLL_SECONDS = 0.02
# A process that was killed is gone in milliseconds, unless it waits for a disk.
PATIENCE_SECONDS = 5.0

_A_MARK = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PROCESSES = Path("/proc")

End = Literal["exit", "timeout", "stopped", "flood"]
"""How a program ended: by itself, when its time was up, when we wanted, or for writing too much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended, and what it wrote."""

    end: End
    code: int
    output: str
    errors: str


class Children:
    """The programs that run for one purpose; another thread may end them all."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._running: dict[threading.Event, threading.Event] = {}
        self._changing = threading.Lock()

    def run(
        self,
        command: Sequence[str],
        *,
        mark: str,
        text: str,
        env: Mapping[str, str],
        folder: str,
        seconds: float,
    ) -> Ended:
        """Run *command* in *folder*, give it *text* to read, and return how it ended.

        *mark* is a UUID that stands in *command*. After *seconds* the program is killed, with all
        that it started, and so it is when it has written more than `LARGEST_OUTPUT` bytes.
        Raises `OSError` if it cannot be started.
        """
        stopped, gone = threading.Event(), threading.Event()
        with contextlib.ExitStack() as held:
            held.enter_context(_recorded(self._home, mark))
            # Files rather than pipes: nobody has to be read from while somebody is waited for.
            given, output, errors = (held.enter_context(_nameless(self._home)) for _ in range(3))
            given.write(text.encode("utf-8", "replace"))
            given.seek(0)
            with self._changing:
                self._running[stopped] = gone
            try:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env={**env, MARK: mark},
                    stdin=given,
                    stdout=output,
                    stderr=errors,
                    start_new_session=True,
                )
                end = _waited(process, stopped, seconds=seconds, written=(output, errors))
                return Ended(
                    end=end,
                    code=process.returncode,
                    output=_written(output),
                    errors=_written(errors),
                )
            finally:
                with self._changing:
                    del self._running[stopped]
                gone.set()

    def stop(self) -> None:
        """Kill whatever runs, and return when it is gone."""
        with self._changing:
            running = dict(self._running)
        for stopped in running:
            stopped.set()
        for gone in running.values():
            gone.wait(PATIENCE_SECONDS)


def reap(home: str) -> None:
    """End what was started for *home* by somebody who is no more. What has a living owner stays."""
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(paths.children(home)):
            if _A_MARK.fullmatch(name):
                _reap(f"{paths.children(home)}/{name}", name)


def groups(mark: str) -> set[int]:
    """Return the process groups of everything that carries *mark*, except our own."""
    found = _in_proc(mark) if _PROCESSES.joinpath("self/cmdline").exists() else _listed(mark)
    return found - {os.getpgrp()}


def _reap(record: str, mark: str) -> None:
    with contextlib.suppress(FileNotFoundError, BlockingIOError), open(record, "r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while left := groups(mark):
            for group in left:
                _kill(group)
            if time.monotonic() > deadline:
                return  # The record stays, for the next who comes.
            time.sleep(POLL_SECONDS)
        os.unlink(record)


@contextlib.contextmanager
def _recorded(home: str, mark: str) -> Iterator[None]:
    """Keep a record of *mark*, locked, while something runs under it."""
    paths.make(paths.children(home))
    record = f"{paths.children(home)}/{mark}"
    # The child does not inherit it: the lock is ours alone.
    descriptor = os.open(record, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(record)
        os.close(descriptor)


def _nameless(home: str) -> IO[bytes]:
    """A file that nobody else can open, and that is gone when we are."""
    return tempfile.TemporaryFile(dir=paths.run(home))


def _waited(
    process: "subprocess.Popen[bytes]",
    stopped: threading.Event,
    *,
    seconds: float,
    written: Sequence[IO[bytes]],
) -> End:
    """Wait for *process*, but not for ever; afterwards nobody is left in its group."""
    deadline = time.monotonic() + seconds
    end: End = "exit"
    try:
        while not _has_ended(process):
            if stopped.wait(POLL_SECONDS):
                end = "stopped"
                break
            if time.monotonic() > deadline:
                end = "timeout"
                break
            if any(os.fstat(one.fileno()).st_size > LARGEST_OUTPUT for one in written):
                end = "flood"
                break
    finally:
        # The number of a group is given to nobody else while anyone is in it, the dead included.
        _kill(process.pid)
        process.wait()
    return end


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Tell whether *process* has ended, and let its number stay its own where one can."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13.
        return process.poll() is not None
    try:
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # Somebody else has buried it.
        return True
    return found is not None


def _kill(group: int) -> None:
    # macOS does not permit to kill a group of which only the dead are left.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(LARGEST_OUTPUT).decode("utf-8", "replace")


def _in_proc(mark: str) -> set[int]:
    """The groups of those who have *mark* among their arguments, or in their environment."""
    found = set()
    for folder in _PROCESSES.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (folder / "cmdline").read_bytes().split(b"\0")
            carries = mark.encode() in arguments
            if not carries:
                environment = (folder / "environ").read_bytes().split(b"\0")
                carries = f"{MARK}={mark}".encode() in environment
            if carries:
                found.add(os.getpgid(int(folder.name)))
    return found


def _listed(mark: str) -> set[int]:
    """The groups of those whose command line holds *mark*, for systems without `/proc`."""
    done = subprocess.run(
        ["ps", "-axww", "-o", "pgid=,command="], capture_output=True, text=True, check=False
    )
    return {int(line.split()[0]) for line in done.stdout.splitlines() if mark in line}
