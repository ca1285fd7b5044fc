"""Start a process and say what it cost; run a worker for as long as it is needed."""

import os
import pty
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from recollect import worker_client

# Long enough for a worker to look at everything in a home of a million entries.
SETTLING_SECONDS = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The seconds that one process took, children included."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program with its arguments, and the whole environment it gets."""

    words: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    data: bytes = b""
    """What stands on its standard input."""


BARE = Command(words=(sys.executable, "-I", "-S", "-c", "pass"))
"""An interpreter that does nothing, the measure of all others."""


def recollect(home: str, *arguments: str) -> Command:
    """Return `recollect` with these *arguments*, for *home*."""
    program = str(Path(sys.executable).with_name("recollect"))
    return Command(words=(program, *arguments), environment=environment(home))


def environment(home: str) -> dict[str, str]:
    """Return an environment in which *home* is the one in use."""
    return {"RECOLLECT_HOME": home, "HOME": home, "PATH": os.environ["PATH"]}


def measured(command: Command) -> Run:
    """Run *command* and return what it cost; what it prints goes nowhere."""
    with tempfile.TemporaryFile() as given:
        given.write(command.data)
        given.seek(0)
        began = time.perf_counter()
        pid = os.posix_spawn(
            command.words[0],
            command.words,
            command.environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, given.fileno(), 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            ],
        )
        return _ended(pid, command, began)


def measured_on_a_terminal(command: Command) -> Run:
    """Run *command* as if a person looked at what it prints."""
    ours, theirs = pty.openpty()
    try:
        began = time.perf_counter()
        pid = os.posix_spawn(
            command.words[0],
            command.words,
            {**command.environment, "TERM": "xterm-256color"},
            file_actions=[(os.POSIX_SPAWN_DUP2, theirs, stream) for stream in (0, 1, 2)],
        )
        os.close(theirs)
        with suppress(OSError):  # What Linux says when the last one who wrote is gone.
            while os.read(ours, 1 << 16):
                pass
        return _ended(pid, command, began)
    finally:
        os.close(ours)


def peak_mb(command: Command) -> float:
    """Run *command* and return the most memory that it held.

    What `wait4` says of a small process is the peak of whoever started it.
    """
    with open(os.devnull, "wb") as nowhere:
        started = subprocess.Popen(command.words, env=command.environment, stdout=nowhere)
    peak = 0
    while started.poll() is None:
        peak = max(peak, _high_water_kb(started.pid))
        time.sleep(0.001)
    return peak / 1024


def against_bare(once: Callable[[], Run], *, runs: int) -> tuple[float, float]:
    """Return the CPU of *once* as a ratio to a bare interpreter's, and its wall milliseconds.

    Medians. Each is compared with the bare interpreter beside it: the machine's pace changes
    within a run.
    """
    pairs = [(measured(BARE), once()) for _ in range(runs)]
    ratio = statistics.median(run.cpu / beside.cpu for beside, run in pairs)
    return ratio, statistics.median(run.wall for _, run in pairs) * 1000


@contextmanager
def worker(home: str) -> Iterator[int]:
    """Run a worker of *home* that has done what fell due; yield its process id."""
    pid = worker_client.start(home)
    try:
        assert worker_client.wait_until_idle(home, seconds=SETTLING_SECONDS), (
            "the worker is never done"
        )
        yield pid
    finally:
        worker_client.stop(home)


def cpu_seconds(pid: int) -> float:
    """Return the CPU that the threads of the process *pid* have used so far."""
    used = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # It ended just now.
            used += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
    return used / 1e9


def memory_mb(pid: int) -> dict[str, float]:
    """Return the resident memory of *pid*: all of it, its own share, and what no file backs."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup:
        lines = [line.split() for line in rollup if line.endswith("kB\n")]
    kilobytes = {name.rstrip(":"): int(size) for name, size, _ in lines}
    return {name: kilobytes[name] / 1024 for name in ("Rss", "Pss", "Anonymous")}


def _ended(pid: int, command: Command, began: float) -> Run:
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    assert status == 0, f"{command.words} ended with {status}"
    return Run(cpu=usage.ru_utime + usage.ru_stime, wall=wall)


def _high_water_kb(pid: int) -> int:
    """Return the most memory that *pid* held so far; 0 when it is gone."""
    with suppress(OSError), open(f"/proc/{pid}/status", encoding="utf-8") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0
