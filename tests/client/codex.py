"""The real Codex CLI, offline: found or fetched, run in a scratch home.

The client is the binary in a pinned release of the npm package `@openai/codex` for this
machine. `python -m tests.client.codex` fetches it and prints where it is.
"""

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.client import bundled, npm_package
from tests.client.claude import end_processes_in
from tests.client.responses_api import ResponsesApi

CLIENT_VERSION = "0.166.0"
API_KEY = "dummy-key"

MODEL = "gpt-5.5"
"""It calls tools one by one."""
SCRIPTING_MODEL = "gpt-6-sol"
"""It calls them from JavaScript, which it gives to the one tool `exec`: `Freeform("exec", …)`."""

TRUST_HOOKS = "--dangerously-bypass-hook-trust"
"""Without it the client runs only hooks that the user has reviewed in a terminal."""

_SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
_PROCESSORS = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def client() -> Path:
    """The client's binary; without one the test is skipped, or fails in CI."""
    try:
        return fetch()
    except bundled.MissingError as error:
        bundled.missing("Codex CLI", error)


def fetch() -> Path:
    """The path of the client's binary, downloaded unless it is in the cache already."""
    machine = f"{sys.platform}-{_PROCESSORS.get(platform.machine(), platform.machine())}"
    release = f"@openai/codex@{CLIENT_VERSION}-{machine}"
    package = npm_package.fetch(release, into=f"codex-{CLIENT_VERSION}")
    found = list(package.glob("vendor/*/bin/codex"))
    if len(found) != 1:
        raise bundled.MissingError(f"{release} has {len(found)} binaries")
    return found[0]


@dataclass(frozen=True, slots=True)
class Result:
    """How a run of the client ended."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def session_id(self) -> str:
        """The session that ran."""
        return cast("str", self._first("thread.started")["thread_id"])

    @property
    def text(self) -> str:
        """The final answer."""
        items = [event["item"] for event in self.events if event["type"] == "item.completed"]
        said = [item["text"] for item in items if item["type"] == "agent_message"]
        return cast("str", said[-1]) if said else ""

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the client told of the run while it lasted."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]

    def _first(self, kind: str) -> dict[str, Any]:
        found = [event for event in self.events if event["type"] == kind]
        assert found, f"the client did not tell of {kind}: {self}"
        return found[0]


class Codex:
    """The client at *binary*, living in the scratch *home* and talking to *api* only.

    Its environment is built from nothing, so neither the machine's configuration nor the
    developer's keys reach it; *env* adds to it or replaces parts of it. `close` ends every
    process that is still running in that home, however it was started.
    """

    def __init__(
        self, binary: Path, home: Path, api: ResponsesApi, env: Mapping[str, str] | None = None
    ) -> None:
        self.binary = binary
        self.home = home
        self.folder = home / ".codex"
        """Where the client keeps its settings, its hooks and its sessions."""
        self.project = home / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        self.env = _environment(home) | dict(env or {})
        self._started: list[subprocess.Popen[str]] = []
        self.folder.mkdir(exist_ok=True)
        (self.folder / "config.toml").write_text(_settings(api))

    def run(self, prompt: str, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Have *prompt* answered by `codex exec` in *cwd*, by default the scratch project.

        *args* go to the client as they are: `TRUST_HOOKS`, `"--model", SCRIPTING_MODEL`.
        """
        process = self._spawn(["exec", *_OPTIONS, *args, "--", prompt], cwd)
        return self._finish(process, timeout)

    def resume(self, session_id: str, prompt: str, *args: str, timeout: float = 60) -> Result:
        """Go on with a session where it stopped."""
        command = ["exec", "resume", *_OPTIONS, *args, session_id, prompt]
        return self._finish(self._spawn(command, None), timeout)

    def command(self, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Run another command of the client: `command("mcp", "list")`."""
        return self._finish(self._spawn([*args], cwd), timeout)

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session, or of a subagent with that id."""
        found = list(self.folder.glob(f"sessions/*/*/*/rollout-*-{session_id}.jsonl"))
        assert len(found) == 1, f"{len(found)} rollouts of session {session_id}"
        return found[0]

    def lines(self, session_id: str) -> list[dict[str, Any]]:
        """The lines of the session's transcript."""
        content = self.transcript(session_id).read_bytes()
        return [json.loads(line) for line in content.splitlines()]

    def close(self) -> None:
        """End everything that still runs in this home."""
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        end_processes_in(self.home)
        for process in self._started:
            process.communicate()

    def _spawn(self, args: list[str], cwd: Path | None) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [self.binary, *args],
            cwd=cwd or self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def _finish(self, process: subprocess.Popen[str], timeout: float) -> Result:
        stdout, stderr = process.communicate(timeout=timeout)
        return Result(process.returncode, stdout, stderr)


_OPTIONS = (
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
)


def _settings(api: ResponsesApi) -> str:
    """The user's settings: the stand-in is the only provider, and nothing else is asked for."""
    return f"""\
model = "{MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{api.url}"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
apps = false
plugins = false
# In a terminal it would move into a server that outlives it.
daemon_auto_start = false
"""


def _environment(home: Path) -> dict[str, str]:
    return {
        "PATH": _SEARCH_PATH,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "SCRIPTED_API_KEY": API_KEY,
    }


if __name__ == "__main__":
    print(fetch())
