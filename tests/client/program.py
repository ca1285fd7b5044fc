"""A real client as a program: in a scratch home, with an environment made from nothing."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
API_KEY = "dummy-key"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run of a client ended."""

    returncode: int
    stdout: str
    stderr: str

    def report(self) -> dict[str, Any]:
        """What it printed, if that is one JSON object."""
        try:
            return cast("dict[str, Any]", json.loads(self.stdout))
        except ValueError:
            raise AssertionError(f"the client gave no report: {self}") from None

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it printed, if that is a JSON object a line."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]


class Program:
    """A client, living in the scratch *home*; *words* start it.

    Its environment is built from nothing, so neither the machine's configuration nor the
    developer's keys reach it; *env* adds to it. `close` ends every process that is still running
    in that home, however it was started.
    """

    def __init__(self, words: Sequence[str | Path], home: Path, env: Mapping[str, str]) -> None:
        self._words = words
        self.home = home
        self.project = home / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        usual = {"PATH": SEARCH_PATH, "HOME": str(home), "LANG": "C.UTF-8"}
        self.env = {**usual, "TERM": "xterm-256color", **env}
        self._started: list[subprocess.Popen[str]] = []

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session."""
        raise NotImplementedError

    def lines(self, session_id: str) -> list[dict[str, Any]]:
        """The lines of the session's transcript."""
        content = self.transcript(session_id).read_bytes()
        return [json.loads(line) for line in content.splitlines()]

    def spawn(
        self, args: Sequence[str], cwd: Path | None = None, *, stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[str]:
        """Start the client in *cwd*, by default the scratch project, in a group of its own."""
        process = subprocess.Popen(
            [*self._words, *args],
            cwd=cwd or self.project,
            env=self.env,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def close(self) -> None:
        """End everything that still runs in this home."""
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        end_processes_in(self.home)
        for process in self._started:
            process.communicate()


def one_of(found: Sequence[Path], what: str) -> Path:
    """The one file that was *found*."""
    assert len(found) == 1, f"{len(found)} {what}"
    return found[0]


def end_processes_in(home: Path) -> None:
    """Kill every process whose HOME is the scratch *home*.

    Hooks and tools that detach themselves leave the client's process group; their
    environment still tells whose they are. Only Linux lets us look.
    """
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            pid = int(environ.parent.name)
            if pid != os.getpid() and f"HOME={home}".encode() in environ.read_bytes().split(b"\0"):
                os.kill(pid, signal.SIGKILL)
