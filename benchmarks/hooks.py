"""What a hook costs, as CPU against a bare interpreter in the same run (medians).

10,000 entries in one project; prompts of 10, 40 and 500 words; with a worker (the hook's own
part), without one, and with one that accepts and never answers.
"""

import contextlib
import json
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect import paths
from recollect.app import App
from recollect.hooks import wake
from recollect.hosts import claude_code as host
from recollect.memories import day, markdown
from recollect.memories.model import Entry, Observation
from recollect.worker import control

ENTRIES = 10_000
ENTRIES_A_DAY = 100

CAPTURE, WITH_WORKER, WITHOUT, WEDGED_MS = 1.6, 1.8, 4.5, 150.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """CPU and wall seconds of one process."""

    cpu: float
    wall: float


def run(*, runs: int) -> bool:
    """Print the table and return whether every promise holds."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        home = Path(folder) / "home"
        project = Path(folder) / "shop"
        project.mkdir()
        print(f"building {ENTRIES} entries …", flush=True)
        fill(home, project)
        host.record_launch(str(home))
        bench = Bench(home, project, runs)
        return bench.print_table()


class Bench:
    """The hooks of one home, measured side by side."""

    def __init__(self, home: Path, project: Path, runs: int) -> None:
        self.home = home
        self.project = project
        self.runs = runs
        self.kept = True

    def print_table(self) -> bool:
        """Measure everything; each row is measured together with the bare interpreter."""
        print(f"{'hook':<44}{'CPU ratio':>10}{'promise':>9}{'wall ms':>9}")
        self._row("capture (PostToolUse)", self._hook("PostToolUse", tool_event()), CAPTURE)
        self._row(
            "capture (PostToolUse, 200 kB)", self._hook("PostToolUse", tool_event(200_000)), CAPTURE
        )
        with self._worker():
            self._answers("with a worker", WITH_WORKER)
        self._no_worker()
        self._answers("without a worker", WITHOUT)
        self._wedged()
        return self.kept

    def _answers(self, how: str, promise: float) -> None:
        self._row(
            f"session start {how}", self._hook("SessionStart", {"source": "startup"}), promise
        )
        for words in (10, 40, 500):
            event = {"prompt": question(words)}
            self._row(
                f"prompt of {words} words {how}", self._hook("UserPromptSubmit", event), promise
            )

    def _row(self, name: str, once: Callable[[], Run], promise: float) -> None:
        pairs = [(self._bare(), once()) for _ in range(self.runs)]
        # Each against the bare interpreter beside it: the machine's pace changes within a run.
        ratio = median(run.cpu / bare.cpu for bare, run in pairs)
        self.kept &= ratio <= promise
        mark = "" if ratio <= promise else "  ← broken"
        wall = median(run.wall for _, run in pairs) * 1000
        print(f"{name:<44}{ratio:>10.2f}{promise:>9.1f}{wall:>9.1f}{mark}")

    def _wedged(self) -> None:
        """A worker that accepts and never answers costs wall time, not CPU."""
        ask = self._hook("UserPromptSubmit", {"prompt": question(40)})
        plain = median(ask().wall for _ in range(self.runs))
        with self._silent_listener():
            wedged = median(ask().wall for _ in range(self.runs))
        more = (wedged - plain) * 1000
        self.kept &= more <= WEDGED_MS
        print(f"{'wedged worker: more wall time':<44}{'':>10}{WEDGED_MS:>6.0f} ms{more:>9.1f}")

    def _bare(self) -> Run:
        return measured([sys.executable, "-I", "-S", "-c", "pass"], b"", {})

    def _hook(self, event: str, payload: dict[str, object]) -> Callable[[], Run]:
        full = {
            "session_id": "bench",
            "cwd": str(self.project),
            "hook_event_name": event,
            **payload,
        }
        data = json.dumps(full).encode()
        command = ["/bin/sh", str(host.launcher()), event]
        env = {"RECOLLECT_HOME": str(self.home), "HOME": str(self.home), "PATH": os.environ["PATH"]}
        return lambda: measured(command, data, env)

    @contextlib.contextmanager
    def _worker(self) -> Iterator[None]:
        control.start(str(self.home))
        control.wait_until_idle(str(self.home), seconds=60)
        try:
            yield
        finally:
            control.stop(str(self.home))

    def _no_worker(self) -> None:
        """Make the hooks believe that no worker can be started."""
        for _ in wake.PATIENCE:
            wake._record_try(str(self.home), wake.recorded_tries(str(self.home)))

    @contextlib.contextmanager
    def _silent_listener(self) -> Iterator[None]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(paths.socket(str(self.home)))
            listener.listen(1024)
            yield


def measured(command: list[str], data: bytes, env: dict[str, str]) -> Run:
    """Run *command* with *data* on stdin and return what it cost, children included."""
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        quiet = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
        began = time.perf_counter()
        pid = os.posix_spawn(
            command[0], command, env, file_actions=[(os.POSIX_SPAWN_DUP2, given.fileno(), 0), quiet]
        )
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - began
    assert status == 0, f"{command} ended with {status}"
    return Run(cpu=usage.ru_utime + usage.ru_stime, wall=wall)


def median(values: "Iterator[float]") -> float:
    """Return the median of *values*."""
    return statistics.median(values)


def question(words: int) -> str:
    """Return a prompt of so many words, the same in each run."""
    chooser = random.Random(words)
    return " ".join(_word(chooser) for _ in range(words))


def tool_event(size: int = 400) -> dict[str, object]:
    """Return a tool call with an output of *size* characters."""
    return {
        "tool_name": "Bash",
        "tool_use_id": "toolu_bench",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "x" * size, "stderr": "", "interrupted": False},
    }


def fill(home: Path, project: Path) -> None:
    """Write a journal of `ENTRIES` entries and index it."""
    app = App(str(home))
    name = app.registry.meet(str(project), now=time.time()).name
    journal = app.library(name).journal
    journal.mkdir(parents=True)
    chooser = random.Random(7)
    newest = datetime(2026, 11, 15, 12, tzinfo=UTC)
    for back in range(ENTRIES // ENTRIES_A_DAY):
        began = newest - timedelta(days=back)
        write_day(journal / f"{began.date().isoformat()}.md", began, chooser)
    app.refresh(name)
    app.publish()
    app.close()


def write_day(path: Path, began: datetime, chooser: random.Random) -> None:
    """Write one day of entries."""
    text = ""
    for number in range(ENTRIES_A_DAY):
        at = began + timedelta(seconds=20 * number)
        text = day.place(
            text, markdown.render_entry(_entry(at, number, chooser), local=UTC), began=at
        )
    path.write_text(text, encoding="utf-8")


def _entry(at: datetime, number: int, chooser: random.Random) -> Entry:
    return Entry(
        id=f"{at:%Y%m%dT%H%M%S}-{number:08x}",
        turn=f"{at:%Y%m%d}-{number}",
        session=f"{at:%Y%m%d}-session",
        host="claude-code",
        at=at,
        headline=" ".join(_word(chooser) for _ in range(8)),
        observations=(
            Observation(
                type="change",
                title=" ".join(_word(chooser) for _ in range(8)),
                text=" ".join(_word(chooser) for _ in range(20)),
                files_modified=(f"src/{_word(chooser)}/{_word(chooser)}.py",),
            ),
        ),
    )


def _word(chooser: random.Random) -> str:
    """Return a made-up word; a few are common and most are rare, as in any text."""
    rank = min(int(chooser.paretovariate(0.6)), 20_000)
    syllables = "ba ce di fo gu ka le mi no pu ra se ti vo zu".split()
    word = ""
    while rank or not word:
        rank, rest = divmod(rank, len(syllables))
        word += syllables[rest]
    return word + "x"
