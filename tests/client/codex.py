"""The real Codex CLI, offline: found or fetched, run in a scratch home.

The client is the binary in a pinned release of the npm package `@openai/codex` for this
machine. `python -m tests.client.codex` fetches it and prints where it is.
"""

import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from tests.client import bundled, npm_package
from tests.client.program import API_KEY, Ended, Program, one_of
from tests.client.responses_api import ResponsesApi

CLIENT_VERSION = "0.166.0"

MODEL = "gpt-5.5"
"""It calls tools one by one."""
SCRIPTING_MODEL = "gpt-6-sol"
"""It calls them from JavaScript, which it gives to the one tool `exec`: `Freeform("exec", …)`."""

TRUST_HOOKS = "--dangerously-bypass-hook-trust"
"""Without it the client runs only hooks that the user has reviewed in a terminal."""

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


class Result(Ended):
    """How a run of the client ended."""

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

    def _first(self, kind: str) -> dict[str, Any]:
        found = [event for event in self.events if event["type"] == kind]
        assert found, f"the client did not tell of {kind}: {self}"
        return found[0]


class Codex(Program):
    """The client at *binary*, living in the scratch *home* and talking to *api* only."""

    def __init__(
        self, binary: Path, home: Path, api: ResponsesApi, env: Mapping[str, str] | None = None
    ) -> None:
        super().__init__([binary], home, {"SCRIPTED_API_KEY": API_KEY, **(env or {})})
        self.binary = binary
        self.folder = home / ".codex"
        """Where the client keeps its settings, its hooks and its sessions."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "config.toml").write_text(_settings(api))

    def run(self, prompt: str, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Have *prompt* answered by `codex exec` in *cwd*, by default the scratch project.

        *args* go to the client as they are: `TRUST_HOOKS`, `"--model", SCRIPTING_MODEL`.
        """
        process = self.spawn(["exec", *_OPTIONS, *args, "--", prompt], cwd)
        return self._finish(process, timeout)

    def resume(self, session_id: str, prompt: str, *args: str, timeout: float = 60) -> Result:
        """Go on with a session where it stopped."""
        command = ["exec", "resume", *_OPTIONS, *args, session_id, prompt]
        return self._finish(self.spawn(command), timeout)

    def command(self, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Run another command of the client: `command("mcp", "list")`."""
        return self._finish(self.spawn(args, cwd), timeout)

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session, or of a subagent with that id."""
        found = self.folder.glob(f"sessions/*/*/*/rollout-*-{session_id}.jsonl")
        return one_of([*found], f"rollouts of session {session_id}")

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


if __name__ == "__main__":
    print(fetch())
