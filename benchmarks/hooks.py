"""What a hook costs, as CPU against a bare interpreter in the same run (medians).

10,000 entries in one project; prompts of 10, 40 and 500 words; with a worker (the hook's own
part), without one, and with one that accepts and never answers.
"""

import contextlib
import json
import socket
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from benchmarks import corpus, invented, processes
from benchmarks.options import Options
from benchmarks.processes import Command, Run
from benchmarks.report import Part, at_most
from recollect import paths
from recollect.hooks import wake
from recollect.hosts import claude_code as host

ENTRIES = 10_000

CAPTURE, WITH_WORKER, WITHOUT, WEDGED_MS = 1.6, 1.8, 4.5, 150.0


def run(part: Part, options: Options) -> None:
    """Measure every hook beside the bare interpreter."""
    with corpus.opened() as shelf:
        (project,) = invented.fill(shelf, projects=1, entries=ENTRIES)
        shelf.app.close()
        host.record_launch(shelf.home)
        Bench(part, shelf.home, project.root, options.runs).measure()


class Bench:
    """The hooks of one home, measured side by side."""

    def __init__(self, part: Part, home: str, folder: str, runs: int) -> None:
        self.part = part
        self.home = home
        self.folder = folder
        self.runs = runs

    def measure(self) -> None:
        """Measure everything; each figure is measured together with the bare interpreter."""
        self._figure("capture (PostToolUse)", self._hook("PostToolUse", tool_event()), CAPTURE)
        large = self._hook("PostToolUse", tool_event(200_000))
        self._figure("capture (PostToolUse, 200 kB)", large, CAPTURE)
        with processes.worker(self.home):
            self._answers("with a worker", WITH_WORKER)
        self._no_worker()
        self._answers("without a worker", WITHOUT)
        self._wedged()

    def _answers(self, how: str, promise: float) -> None:
        start = self._hook("SessionStart", {"source": "startup"})
        self._figure(f"session start {how}", start, promise)
        for words in (10, 40, 500):
            asks = self._hook("UserPromptSubmit", {"prompt": invented.prompt(words)})
            self._figure(f"prompt of {words} words {how}", asks, promise)

    def _figure(self, name: str, once: Callable[[], Run], promise: float) -> None:
        ratio, wall = processes.against_bare(once, runs=self.runs)
        self.part.figure(
            name, ratio, unit="×", promise=at_most(promise), beside=f"{wall:.1f} ms of wall time"
        )

    def _wedged(self) -> None:
        """A worker that accepts and never answers costs wall time, not CPU."""
        ask = self._hook("UserPromptSubmit", {"prompt": invented.prompt(40)})
        plain = median(ask().wall for _ in range(self.runs))
        with self._silent_listener():
            wedged = median(ask().wall for _ in range(self.runs))
        more = (wedged - plain) * 1000
        self.part.figure(
            "wedged worker: more wall time", more, unit="ms", promise=at_most(WEDGED_MS)
        )

    def _hook(self, event: str, payload: dict[str, object]) -> Callable[[], Run]:
        full = {
            "session_id": "bench",
            "cwd": self.folder,
            "hook_event_name": event,
            **payload,
        }
        command = Command(
            words=("/bin/sh", str(host.launcher()), event),
            environment=processes.environment(self.home),
            data=json.dumps(full).encode(),
        )
        return partial(processes.measured, command)

    def _no_worker(self) -> None:
        """Make the hooks believe that no worker can be started."""
        for _ in wake.PATIENCE:
            wake._record_try(self.home, wake.recorded_tries(self.home))

    @contextlib.contextmanager
    def _silent_listener(self) -> Iterator[None]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(paths.socket(self.home))
            listener.listen(1024)
            yield


def tool_event(size: int = 400) -> dict[str, object]:
    """Return a tool call with an output of *size* characters."""
    return {
        "tool_name": "Bash",
        "tool_use_id": "toolu_bench",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "x" * size, "stderr": "", "interrupted": False},
    }
