"""The real Gemini CLI, offline: found or fetched, run in a scratch home.

The client is a pinned release of the npm package `@google/gemini-cli`, which holds all it
needs but Node. `python -m tests.client.gemini` fetches it and prints where it is.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from tests.client import bundled, node, npm_package
from tests.client.gemini_api import GeminiApi
from tests.client.program import API_KEY, Ended, Program, one_of

CLIENT_VERSION = "0.61.0"
# Named, it is asked directly; else the client first asks another model which one to ask.
MODEL = "gemini-2.5-pro"


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


class Result(Ended):
    """How a run of the client ended."""

    @property
    def session_id(self) -> str:
        """The session that ran."""
        return cast("str", self.report()["session_id"])

    @property
    def text(self) -> str:
        """The final answer."""
        return cast("str", self.report()["response"])


class Gemini(Program):
    """The client at *script*, living in the scratch *home* and talking to *api* only."""

    def __init__(
        self, script: Path, home: Path, api: GeminiApi, env: Mapping[str, str] | None = None
    ) -> None:
        super().__init__([node.fetch(), script], home, _environment(api) | dict(env or {}))
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
        process = self.spawn(args, cwd)
        stdout, stderr = process.communicate(timeout=timeout)
        return Result(process.returncode, stdout, stderr)

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session."""
        found = self.home.glob(f".gemini/tmp/*/chats/session-*-{session_id[:8]}.jsonl")
        return one_of([*found], f"transcripts of session {session_id}")


def _environment(api: GeminiApi) -> dict[str, str]:
    return {
        "GEMINI_API_KEY": API_KEY,
        "GOOGLE_GEMINI_BASE_URL": api.url,
        # In a folder that is not trusted it runs no hooks, and nothing at all without a terminal.
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        # It would start itself once more, with more memory.
        "GEMINI_CLI_NO_RELAUNCH": "1",
    }


if __name__ == "__main__":
    print(fetch())
