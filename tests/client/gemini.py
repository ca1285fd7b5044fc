"""The real Gemini CLI, offline: found or fetched, run in a scratch home.

The client is a pinned release of the npm package `@google/gemini-cli`, which holds all it
needs but Node. `python -m tests.client.gemini` fetches it and prints where it is.
"""

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.client import bundled, node, npm_package
from tests.client.claude import end_processes_in
from tests.client.gemini_api import GeminiApi

CLIENT_VERSION = "0.61.0"
API_KEY = "dummy-key"
# Named, it is asked directly; else the client first asks another model which one to ask.
MODEL = "gemini-2.5-pro"
_SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"


def client() -> Path:
    """The client's script; without one the test is skipped, or fails in CI."""
    try:
        return fetch()
    except bundled.MissingError as error:
        bundled.missing("Gemini CLI", error)


def fetch() -> Path:
    """The path of the client's script, downloaded unless it is in the cache already."""
    node.fetch()  # It runs the script.
    release = f"@google/gemini-cli@{CLIENT_VERSION}"
    return npm_package.fetch(release, into=f"gemini-{CLIENT_VERSION}") / "bundle/gemini.js"


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
        return cast("str", self._report()["response"])

    def _report(self) -> dict[str, Any]:
        try:
            return cast("dict[str, Any]", json.loads(self.stdout))
        except ValueError:
            raise AssertionError(f"the client gave no report: {self}") from None


class Gemini:
    """The client at *script*, living in the scratch *home* and talking to *api* only.

    Its environment is built from nothing, so neither the machine's configuration nor the
    developer's keys reach it; *env* adds to it or replaces parts of it. `close` ends every
    process that is still running in that home, however it was started.
    """

    def __init__(
        self, script: Path, home: Path, api: GeminiApi, env: Mapping[str, str] | None = None
    ) -> None:
        self.script = script
        self.home = home
        self.project = home / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        self.env = _environment(home, api) | dict(env or {})
        self._started: list[subprocess.Popen[str]] = []
        self.configure()

    def configure(self, **settings: object) -> None:
        """Write the user's settings: *settings*, and the way to log in."""
        content = {"security": {"auth": {"selectedType": "gemini-api-key"}}, **settings}
        folder = self.home / ".gemini"
        folder.mkdir(exist_ok=True)
        (folder / "settings.json").write_text(json.dumps(content))

    def run(self, prompt: str, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Have *prompt* answered by `gemini -p` in *cwd*, by default the scratch project.

        *args* go to the client as they are: `"--resume", session_id`.
        """
        options = ["--model", MODEL, "--approval-mode", "yolo", "--output-format", "json"]
        return self.command(*options, *args, "--prompt", prompt, cwd=cwd, timeout=timeout)

    def command(self, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Run another command of the client: `command("extensions", "list")`."""
        process = subprocess.Popen(
            [node.fetch(), self.script, *args],
            cwd=cwd or self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        stdout, stderr = process.communicate(timeout=timeout)
        return Result(process.returncode, stdout, stderr)

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session."""
        found = list(self.home.glob(f".gemini/tmp/*/chats/session-*-{session_id[:8]}.jsonl"))
        assert len(found) == 1, f"{len(found)} transcripts of session {session_id}"
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


def _environment(home: Path, api: GeminiApi) -> dict[str, str]:
    return {
        "PATH": _SEARCH_PATH,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "GEMINI_API_KEY": API_KEY,
        "GOOGLE_GEMINI_BASE_URL": api.url,
        # In a folder that is not trusted it runs no hooks, and nothing at all without a terminal.
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        # It would start itself once more, with more memory.
        "GEMINI_CLI_NO_RELAUNCH": "1",
    }


if __name__ == "__main__":
    print(fetch())
