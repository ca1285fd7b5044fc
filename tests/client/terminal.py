"""The interactive client in a terminal of its own, driven by keys and read as a screen.

A thread keeps the screen up to date, so the client never blocks on its output and
`wait_for` wakes with the very change it waits for.
"""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import termios
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyte

from tests.client.claude import WITHOUT_MCP, Claude
from tests.client.program import API_KEY

COLUMNS, ROWS = 140, 60
BUSY = "esc to interrupt"
KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "ctrl-c": "\x03",
    "ctrl-d": "\x04",
}
# A longer burst of keys is taken for a paste, and shown as "[Pasted text]".
_BURST = 200
# The shell leads the new session, so the terminal it opens becomes the session's own:
# the client is hung up on, and told of its size, as in a real terminal. Doing this in
# Python would mean forking a process that has threads.
_IN_TERMINAL = 'exec "$@" <>"$0" >&0 2>&0'


class Terminal:
    """The client of *claude*, running in a terminal while its `with` block lasts.

    It starts in *cwd*, by default the scratch project, and is ready for a prompt when the
    block begins. *args* go to the client as they are.
    """

    def __init__(
        self, claude: Claude, *args: str, cwd: Path | None = None, plugin_dir: Path | None = None
    ) -> None:
        folder = cwd or claude.project
        seed_home(claude.home, folder)
        plugin = ["--plugin-dir", str(plugin_dir)] if plugin_dir else []
        options = ["--dangerously-skip-permissions", WITHOUT_MCP, *plugin, *args]
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (ROWS, COLUMNS))
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _IN_TERMINAL, os.ttyname(slave), claude.binary, *options],
            cwd=folder,
            env=claude.env,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._screen = _Screen(self._master)
        self._changed = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        try:
            self.wait_for("^❯")
        except TimeoutError:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    @property
    def pid(self) -> int:
        """The client's process id."""
        return self._process.pid

    def screen(self) -> str:
        """What the terminal shows now."""
        with self._changed:
            return self._screen.text()

    def type(self, text: str) -> None:
        """Type *text* into the input box and wait until it stands there."""
        for end in range(_BURST, len(text) + _BURST, _BURST):
            self._write(text[end - _BURST : end])
            self._wait(partial(_is_typed, text[:end]), f"typed {text[:end]!r}", 20)

    def enter(self) -> None:
        """Press the enter key."""
        self.press("enter")

    def press(self, key: str) -> None:
        """Press one of `KEYS`."""
        self._write(KEYS[key])

    def submit(self, text: str) -> None:
        """Type *text* and press enter."""
        self.type(text)
        self.enter()

    def wait_for(self, pattern: str, timeout: float = 20) -> str:
        """The screen, as soon as the regular expression *pattern* is found on it.

        `^` and `$` match at lines. Raises `TimeoutError`, with the screen, when the
        pattern has not come after *timeout* seconds or can no longer come.
        """
        found = re.compile(pattern, re.MULTILINE)
        return self._wait(lambda shown: bool(found.search(shown)), pattern, timeout)

    def wait_until_gone(self, pattern: str, timeout: float = 20) -> str:
        """The screen, as soon as *pattern* is no longer found on it."""
        found = re.compile(pattern, re.MULTILINE)
        return self._wait(lambda shown: not found.search(shown), f"end of {pattern}", timeout)

    def wait_until_idle(self, timeout: float = 20) -> str:
        """The screen, as soon as no turn is running; wait for a sign of the turn first."""
        return self.wait_until_gone(BUSY, timeout)

    def close(self, timeout: float = 20) -> int:
        """Leave with /exit and return the client's exit status."""
        self.submit("/exit")
        return self._process.wait(timeout)

    def kill(self) -> None:
        """End the client with SIGKILL: it gets no chance to say good-bye."""
        self._process.kill()
        self._process.wait()

    def _end(self) -> None:
        """Let go of the terminal, and end what still runs in it."""
        if self._process.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()
        self._reader.join()
        os.close(self._master)

    def _write(self, text: str) -> None:
        os.write(self._master, text.encode())

    def _wait(self, ready: Callable[[str], bool], what: str, timeout: float) -> str:
        with self._changed:
            self._changed.wait_for(lambda: ready(self._screen.text()) or self._ended, timeout)
            shown = self._screen.text()
        if not ready(shown):
            raise TimeoutError(f"no {what} on the screen:\n{shown}")
        return shown

    def _read(self) -> None:
        stream = pyte.ByteStream(self._screen)
        # Reading fails when the last process that has the terminal open is gone.
        with contextlib.suppress(OSError):
            while output := os.read(self._master, 65536):
                with self._changed:
                    stream.feed(output)
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class _Screen(pyte.Screen):
    """A screen that answers the questions a program asks its terminal."""

    def __init__(self, master: int) -> None:
        super().__init__(COLUMNS, ROWS)
        self._master = master

    def write_process_input(self, data: str) -> None:
        os.write(self._master, data.encode())

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.display).rstrip()


def _is_typed(text: str, screen: str) -> bool:
    return _ink(text) in _ink(_input_box(screen))


def _input_box(screen: str) -> str:
    """What stands between the two last rules on *screen*."""
    parts = re.split(r"^─.*$", screen, flags=re.MULTILINE)
    return parts[-2] if len(parts) > 2 else ""


def _ink(text: str) -> str:
    """*text* without the spaces and line breaks that wrapping changes."""
    return "".join(text.split())


def seed_home(home: Path, folder: Path) -> None:
    """Make *home* that of a user who has answered every first-run question about *folder*."""
    project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    state = _load(home / ".claude.json")
    state |= {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [API_KEY[-20:]], "rejected": []},
    }
    known = state.setdefault("projects", {})
    known[str(folder)] = known.get(str(folder), {}) | project
    (home / ".claude.json").write_text(json.dumps(state))
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps(_load(settings) | {"skipDangerousModePermissionPrompt": True}))


def _load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}
