"""The real Claude Code client, offline: found or fetched, run in a scratch home.

The client is the binary that a pinned release of `claude-agent-sdk` bundles. It is kept
in a cache outside the tree, so it is fetched once per machine:
`python -m tests.client.claude` fetches it and prints where it is.
"""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from tests.client import bundled
from tests.client.model_api import ModelApi
from tests.client.program import API_KEY, Ended, Program, one_of

CLIENT_VERSION = "0.2.182"  # of claude-agent-sdk; it bundles Claude Code 2.1.325
WITHOUT_MCP = "--strict-mcp-config"


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


class Result(Ended):
    """How a run of the client ended."""

    @property
    def session_id(self) -> str:
        """The session that ran."""
        return cast("str", self.report()["session_id"])

    @property
    def text(self) -> str:
        """The final answer."""
        return cast("str", self.report()["result"])


class Claude(Program):
    """The client at *binary*, living in the scratch *home* and talking to *api* only."""

    def __init__(
        self, binary: Path, home: Path, api: ModelApi, env: Mapping[str, str] | None = None
    ) -> None:
        super().__init__([binary], home, _environment(api) | dict(env or {}))
        self.binary = binary

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
        return self.spawn(["-p", *options, *plugin, *args, "--", prompt], cwd)

    def command(self, *args: str, cwd: Path | None = None, timeout: float = 60) -> Result:
        """Run another command of the client: `command("plugin", "validate", folder)`."""
        return self._finish(self.spawn(args, cwd), timeout)

    def transcript(self, session_id: str) -> Path:
        """The file that the client keeps of the session."""
        projects = self.home / ".claude" / "projects"
        return one_of([*projects.glob(f"*/{session_id}.jsonl")], f"transcripts of {session_id}")

    def _finish(self, process: subprocess.Popen[str], timeout: float) -> Result:
        stdout, stderr = process.communicate(timeout=timeout)
        return Result(process.returncode, stdout, stderr)


def _environment(api: ModelApi) -> dict[str, str]:
    return {
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
