"""The real OpenCode client, offline: found or fetched, run in a scratch home.

The client is the binary of a pinned release of `opencode-ai`; npm keeps one package for each
platform. It speaks the Messages API to whom it is told, so `model_api` answers it as well.
`python -m tests.client.opencode` fetches it and prints where it is.
"""

import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from tests.client import bundled, npm_package
from tests.client.model_api import ModelApi, Request
from tests.client.program import API_KEY, Ended, Program

CLIENT_VERSION = "1.18.33"
MODEL = "scripted/model"
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}

Json = dict[str, Any]


def client() -> Path:
    """The client's binary; without one the test is skipped, or fails in CI."""
    try:
        return fetch()
    except bundled.MissingError as error:
        bundled.missing("OpenCode client", error)


def fetch() -> Path:
    """The path of the client's binary, downloaded unless it is in the cache already."""
    machine = _MACHINES.get(platform.machine().lower(), platform.machine())
    release = f"opencode-{sys.platform}-{machine}@{CLIENT_VERSION}"
    return npm_package.fetch(release, into=f"opencode-{CLIENT_VERSION}") / "bin/opencode"


class Result(Ended):
    """How a run of the client ended."""

    @property
    def session_id(self) -> str:
        """The session that ran."""
        assert self.events, f"the client reported nothing: {self}"
        return cast("str", self.events[0]["sessionID"])

    @property
    def text(self) -> str:
        """The final answer."""
        said = [event["part"]["text"] for event in self.events if event["type"] == "text"]
        return said[-1] if said else ""


class OpenCodeApi(ModelApi):
    """The stand-in for the model, told in OpenCode's words which session asks.

    A subagent is a session of its own.
    """

    def _take(self, headers: Mapping[str, str], body: Json) -> Request:
        session = {"x-claude-code-session-id": headers.get("x-session-id", "")}
        return super()._take({**headers, **session}, body)


class OpenCode(Program):
    """The client at *binary*, living in the scratch *home* and talking to *api* only."""

    def __init__(
        self, binary: Path, home: Path, api: ModelApi, env: Mapping[str, str] | None = None
    ) -> None:
        super().__init__([binary], home, _environment(home) | dict(env or {}))
        self.config = home / ".config/opencode"
        self._api = api
        self.configure()

    def configure(self, **settings: object) -> None:
        """Write the user's settings: *settings*, and the scripted model."""
        self.config.mkdir(parents=True, exist_ok=True)
        content = _settings(self._api) | settings
        (self.config / "opencode.json").write_text(json.dumps(content))
        Path(self.env["OPENCODE_MODELS_PATH"]).write_text("{}")
        self._pretend_types_are_installed()

    def _pretend_types_are_installed(self) -> None:
        """Let the client find the types for plugins, which it would fetch in the background.

        A run that ends while it tries leaves a lock behind, and the next one waits a minute for it.
        """
        (self.config / "node_modules").mkdir(exist_ok=True)
        locked = {"packages": {"": {"dependencies": {"@opencode-ai/plugin": CLIENT_VERSION}}}}
        (self.config / "package-lock.json").write_text(json.dumps(locked))

    def run(self, prompt: str, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Have *prompt* answered by `opencode run` in *cwd*, by default the scratch project.

        *args* go to the client as they are: `"--session", session_id`. A title is given,
        because the client would ask the model for one.
        """
        options = ["--model", MODEL, "--format", "json", "--title", "scripted", "--auto"]
        return self.command("run", *options, *args, given=prompt, cwd=cwd, timeout=timeout)

    def command(
        self, *args: str, given: str = "", cwd: Path | None = None, timeout: float = 60
    ) -> Result:
        """Run another command of the client: `command("export", session_id)`.

        It reads *given*: as an argument, words with spaces would come with quotes around them.
        """
        process = self.spawn(args, cwd, stdin=subprocess.PIPE)
        stdout, stderr = process.communicate(given, timeout=timeout)
        return Result(process.returncode, stdout, stderr)


def _settings(api: ModelApi) -> Json:
    provider, _, model = MODEL.partition("/")
    limit = {"context": 200_000, "output": 8_000}
    return {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "share": "disabled",
        "model": MODEL,
        "small_model": MODEL,
        "provider": {
            provider: {
                "npm": "@ai-sdk/anthropic",
                "options": {"baseURL": f"{api.url}/v1", "apiKey": API_KEY},
                "models": {model: {"name": "Scripted", "tool_call": True, "limit": limit}},
            }
        },
    }


def _environment(home: Path) -> dict[str, str]:
    return {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        # The list of all models in the world, which takes seconds to read.
        "OPENCODE_MODELS_PATH": str(home / "models.json"),
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_SHARE": "1",
        # Whatever it may want to fetch, it cannot.
        "npm_config_registry": "http://127.0.0.1:9/",
        "npm_config_offline": "true",
    }


if __name__ == "__main__":
    print(fetch())
