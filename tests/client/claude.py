"""The real Claude Code client, offline: found or fetched, run in a scratch home.

The client is the binary that a pinned release of `claude-agent-sdk` bundles. It is kept
in a cache outside the tree, so it is fetched once per machine:
`python -m tests.client.claude` fetches it and prints where it is.
"""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.client import bundled
from tests.client.model_api import ModelApi

CLIENT_VERSION = "0.2.182"  # of claude-agent-sdk; it bundles Claude Code 2.1.325
API_KEY = "dummy-key"
WITHOUT_MCP = "--strict-mcp-config"
_SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"


def client() -> Path:
    """The client's binary; without one the test is skipped, or fails in CI."""
    try:
        return fetch()
    except bundled.MissingError as error:
        bundled.missing("Claude Code client", error)


def fetch() -> Path:
    """The path of the client's binary, downloaded unless it is in the cache already."""
    release = f"claude-agent-sdk=={CLIENT_VERSION}"
    return bundled.fetch(
        release, "claude_agent_sdk/_bundled/claude", into=f"claude-{CLIENT_VERSION}"
    )


@dataclass(frozen=True, slots=True)
class Result:
    """How a run of the client ended."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def session_id(self) -> str:
        """The session that ran."""
        return cast("str", self._report()["session_id"])

    @property
    def text(self) -> str:
        """The final answer."""
        return cast("str", self._report()["result"])

    def _report(self) -> dict[str, Any]:
        try:
            return cast("dict[str, Any]", json.loads(self.stdout))
        except ValueError:
            raise AssertionError(f"the client gave no report: {self}") from None


class Claude:
    """The client at *binary*, living in the scratch *home* and talking to *api* only.

    Its environment is built from nothing, so neither the machine's configuration nor the
    developer's keys reach it; *env* adds to it or replaces parts of it. `close` ends every
    process that is still running in that home, however it was started.
    """

    def __init__(
        self, binary: Path, home: Path, api: ModelApi, env: Mapping[str, str] | None = None
    ) -> None:
        self.binary = binary
        self.home = home
        self.project = home / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        self.env = _environment(home, api) | dict(env or {})
        self._started: list[subprocess.Popen[str]] = []

    def run(
        self,
        prompt: str,
        *args: str,
        cwd: Path | None = None,
        plugin_dir: Path | None = None,
        mcp: bool = False,
        timeout: float = 60,
    ) -> Result:
        """Have *prompt* answered by `claude -p` in *cwd*, by default the scratch project.

        *args* go to the client as they are: `"--resume", session_id`, `"--continue"`. With *mcp*
        it starts the plugin's server, too, which takes a second that most tests need not spend.
        """
        args = args if mcp else (*args, WITHOUT_MCP)
        process = self.start(prompt, *args, cwd=cwd, plugin_dir=plugin_dir)
        return self._finish(process, timeout)

    def start(
        self, prompt: str, *args: str, cwd: Path | None = None, plugin_dir: Path | None = None
    ) -> subprocess.Popen[str]:
        """Start what `run` runs and return at once; it leads a process group of its own."""
        plugin = ["--plugin-dir", str(plugin_dir)] if plugin_dir else []
        options = ["--output-format", "json", "--dangerously-skip-permissions"]
        return self._spawn(["-p", *options, *plugin, *args, "--", prompt], cwd)

    def command(self, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Run another command of the client: `command("plugin", "validate", folder)`."""
        return self._finish(self._spawn([*args], cwd), timeout)

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session."""
        projects = self.home / ".claude" / "projects"
        found = list(projects.glob(f"*/{session_id}.jsonl"))
        assert len(found) == 1, f"{len(found)} transcripts of session {session_id} in {projects}"
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


def _environment(home: Path, api: ModelApi) -> dict[str, str]:
    return {
        "PATH": _SEARCH_PATH,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": API_KEY,
        # Without it the client refuses to skip permissions for root, as in a container.
        "IS_SANDBOX": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


if __name__ == "__main__":
    print(fetch())
