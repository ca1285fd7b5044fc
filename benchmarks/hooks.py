"""What a hook costs, as CPU against a bare interpreter in the same run (medians).

10,000 entries in one project; prompts of 10, 40 and 500 words that are answered with memories;
with a worker (the hook's own part), without one, and with one that accepts and never answers.
With a worker, the wall time counts as well: the user waits for it.
"""

import contextlib
import itertools
import json
import socket
import subprocess
import uuid
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks import corpus, invented, processes
from benchmarks.options import Options
from benchmarks.processes import Command, Run
from benchmarks.report import Part, at_most
from recollect import paths, worker_client
from recollect.hooks import wake
from recollect.hosts import home as own

ENTRIES, MANY_ENTRIES = 10_000, 100_000
WORDS = (10, 40, 500)
# So often each prompt is asked before it is measured.
WARMING = 10

OTHER_HOSTS = ("codex", "gemini-cli", "opencode", "openclaw")

CAPTURE, WITH_WORKER, WITHOUT, WEDGED_MS = 1.6, 1.8, 4.5, 150.0
# How much longer than for a bare interpreter a user waits for a prompt to be answered.
WAITING_MS = {ENTRIES: 60.0, MANY_ENTRIES: 100.0}


def run(part: Part, options: Options) -> None:
    """Measure every hook beside the bare interpreter; the prompts also in a larger home."""
    with _bench(part, options, ENTRIES) as bench:
        bench.measure()
    if options.large:
        with _bench(part, options, MANY_ENTRIES) as bench:
            bench.measure_prompts()


@contextlib.contextmanager
def _bench(part: Part, options: Options, entries: int) -> "Iterator[Bench]":
    """Open a home of its own: hooks write into it, and what they wrote would be found."""
    with corpus.opened() as shelf:
        (project,) = invented.fill(shelf, projects=1, entries=entries)
        # The words are drawn by lot, so to the encoder they mean nothing; what is measured is the
        # answer, whoever would want it.
        shelf.app.settings.set("recall.min_score", "0")
        shelf.app.settings.publish()
        shelf.app.close()
        own.record_launch(shelf.home)
        yield Bench(part, shelf.home, project.root, entries=entries, runs=options.runs)


class Bench:
    """The hooks of one home, measured side by side."""

    def __init__(self, part: Part, home: str, folder: str, *, entries: int, runs: int) -> None:
        self.part = part
        self.home = home
        self.folder = folder
        self.entries = entries
        self.runs = runs

    def measure(self) -> None:
        """Measure everything; each figure is measured together with the bare interpreter."""
        self._figure("capture (PostToolUse)", self._hook("PostToolUse", tool_event()), CAPTURE)
        large = self._hook("PostToolUse", tool_event(200_000))
        self._figure("capture (PostToolUse, 200 kB)", large, CAPTURE)
        for other in OTHER_HOSTS:
            captured = self._hook("PostToolUse", tool_event(), of=other)
            self._figure(f"capture (PostToolUse) in {other}", captured, CAPTURE)
        with processes.worker(self.home):
            failed = self._at_ease(self._hook("PostToolUseFailure", failure_event()))
            self._figure("failure (PostToolUseFailure) with a worker", failed, WITH_WORKER)
            self._answers("with a worker", WITH_WORKER)
            asked: dict[str, object] = {"prompt": prompt(WORDS[0], entries=self.entries)}
            for other in OTHER_HOSTS:
                asks = self._at_ease(self._hook("UserPromptSubmit", asked, of=other))
                name = f"prompt of {WORDS[0]} words with a worker in {other}"
                self._figure(name, asks, WITH_WORKER)
        self._no_worker()
        self._answers("without a worker", WITHOUT)
        self._wedged()

    def measure_prompts(self) -> None:
        """Measure prompts with a warm worker."""
        with processes.worker(self.home):
            self._prompts(f"with a worker, {self.entries:,} entries", WITH_WORKER)

    def _answers(self, how: str, promise: float) -> None:
        start = self._hook("SessionStart", {"source": "startup"})
        self._figure(f"session start {how}", start, promise)
        self._prompts(how, promise)

    def _prompts(self, how: str, promise: float) -> None:
        for words in WORDS:
            asked: dict[str, object] = {"prompt": prompt(words, entries=self.entries)}
            for _ in range(WARMING):
                self._check_answered(asked)
            asks = self._hook("UserPromptSubmit", asked)
            is_answered = how.startswith("with a worker")
            waiting = self._figure(
                f"prompt of {words} words {how}",
                self._at_ease(asks) if is_answered else asks,
                promise,
            )
            if is_answered:
                self.part.figure(
                    f"prompt of {words} words {how}: waiting",
                    waiting,
                    unit="ms",
                    promise=at_most(WAITING_MS[self.entries]),
                    beside="more wall time than a bare interpreter",
                )

    def _figure(self, name: str, once: Callable[[], Run], promise: float) -> float:
        """Show what *once* costs; return how many milliseconds longer than bare it takes.

        Each run is compared with the bare interpreter beside it: the machine's pace changes.
        """
        pairs = [(processes.measured(processes.BARE), once()) for _ in range(self.runs)]
        wall = median(run.wall for _, run in pairs) * 1000
        self.part.figure(
            name,
            median(run.cpu / bare.cpu for bare, run in pairs),
            unit="×",
            promise=at_most(promise),
            beside=f"{wall:.1f} ms of wall time",
        )
        return median(run.wall - bare.wall for bare, run in pairs) * 1000

    def _wedged(self) -> None:
        """A worker that accepts and never answers costs wall time, not CPU."""
        ask = self._hook("UserPromptSubmit", {"prompt": prompt(40, entries=self.entries)})
        plain = median(ask().wall for _ in range(self.runs))
        with self._silent_listener():
            wedged = median(ask().wall for _ in range(self.runs))
        more = (wedged - plain) * 1000
        self.part.figure(
            "wedged worker: more wall time", more, unit="ms", promise=at_most(WEDGED_MS)
        )

    def _hook(
        self, event: str, payload: dict[str, object], *, of: str = "claude-code"
    ) -> Callable[[], Run]:
        return lambda: processes.measured(self._command(event, payload, of=of))

    def _at_ease(self, once: Callable[[], Run]) -> Callable[[], Run]:
        """Wait before *once* until the worker is done with the last prompt: people type slower."""

        def run() -> Run:
            assert worker_client.wait_until_idle(self.home, seconds=30), (
                "the worker has no end of work"
            )
            return once()

        return run

    def _check_answered(self, asked: dict[str, object]) -> None:
        """Make sure that a prompt is answered with memories: silence would cost less."""
        command = self._command("UserPromptSubmit", asked)
        done = subprocess.run(
            command.words,
            input=command.data,
            env=command.environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        assert b"additionalContext" in done.stdout, "a prompt was answered with nothing"

    def _command(
        self, event: str, payload: dict[str, object], *, of: str = "claude-code"
    ) -> Command:
        """Return a hook of a session of its own: no session is shown a memory twice."""
        full = {
            "session_id": str(uuid.uuid4()),
            "cwd": self.folder,
            "hook_event_name": event,
            **payload,
        }
        return Command(
            words=("/bin/sh", str(own.hook_script()), event, of),
            environment=processes.environment(self.home),
            data=json.dumps(full).encode(),
        )

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


def prompt(words: int, *, entries: int) -> str:
    """Return a question of so many *words* about one of the invented *entries*."""
    about = next(invented.memories(entries, seed=0))
    asked = itertools.chain("what did we do about".split(), itertools.cycle(about.text.split()))
    return " ".join(itertools.islice(asked, words))


def tool_event(size: int = 400) -> dict[str, object]:
    """Return a tool call with an output of *size* characters."""
    return {
        "tool_name": "Bash",
        "tool_use_id": "toolu_bench",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "x" * size, "stderr": "", "interrupted": False},
    }


def failure_event() -> dict[str, object]:
    """Return a tool call that failed with an error that nobody has met."""
    call = {name: value for name, value in tool_event().items() if name != "tool_response"}
    return {**call, "error": "Exit code 1\nKeyError: 'quux' is no field of the manifest of tea"}
