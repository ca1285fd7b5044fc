"""The plugins for OpenCode and OpenClaw, driven in Node; the journeys use the real OpenCode."""

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from recollect.hosts import home as own
from tests.client import node

PLUGINS = {"opencode": "recollect.js", "openclaw": "index.js"}

ANSWERING = """
said=$(cat)
printf '%s\\n' "$said" >> "$KEPT"
printf '{"systemMessage":"hello","hookSpecificOutput":{"additionalContext":"known at %s"}}' "$1"
"""

CALL = {"tool_name": "Write", "tool_input": {"file_path": "/shop/db.py"}, "tool_use_id": "c1"}


class Plugin:
    """A plugin in *folder*, with the *launcher* that stands in for ours."""

    def __init__(self, folder: Path, name: str, launcher: str) -> None:
        self.folder = folder
        self.kept = folder / "kept.jsonl"
        self._home = folder / "recollect"
        shutil.copy(own.shipped() / name / PLUGINS[name], folder / "plugin.mjs")
        shutil.copy(Path(__file__).with_name(f"drive_{name}.mjs"), folder / "drive.mjs")
        for path in (self._home / "plugin/claude-code/hooks/launch.sh", folder / "launch.sh"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(launcher)

    def drive(self) -> dict[str, Any]:
        """What came of a session; nothing may have gone wrong."""
        done = subprocess.run(
            [node.program(), "drive.mjs"],
            cwd=self.folder,
            env={
                "PATH": "/usr/local/bin:/usr/bin:/bin",
                "RECOLLECT_HOME": str(self._home),
                "KEPT": str(self.kept),
            },
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        outcome: dict[str, Any] = json.loads(done.stdout)
        return outcome

    def events(self) -> list[dict[str, Any]]:
        """What the launcher was handed, by time."""
        lines = self.kept.read_text().splitlines() if self.kept.exists() else []
        return [json.loads(line) for line in lines if line]


def test_opencode_hands_over_a_session_in_our_words(tmp_path: Path) -> None:
    plugin = Plugin(tmp_path, "opencode", ANSWERING)

    told = plugin.drive()

    names = [event["hook_event_name"] for event in plugin.events()]
    assert sorted(names) == sorted(
        [
            *("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"),
            *("PostToolUse", "SubagentStart", "Stop", "SessionEnd"),
        ]
    )
    assert names[:2] == ["SessionStart", "UserPromptSubmit"]
    assert names[-2:] == ["Stop", "SessionEnd"]
    by_name = {event["hook_event_name"]: event for event in plugin.events()}
    assert {event["session_id"] for event in plugin.events()} == {"s1"}
    assert by_name["UserPromptSubmit"].items() >= {"prompt_id": "m1", "cwd": "/shop"}.items()
    wrote, read = (one for one in plugin.events() if one["hook_event_name"] == "PostToolUse")
    assert wrote.items() >= CALL.items()
    assert read["error"] == "File not found"
    assert by_name["PostToolUseFailure"]["error"] == "Exit code 1\nKeyError: 'sku'"
    assert told["ran"]["output"] == "KeyError: 'sku'\n\nknown at PostToolUseFailure"
    assert by_name["SubagentStart"].items() >= {"agent_id": "s2", "agent_type": "general"}.items()
    assert by_name["Stop"]["last_assistant_message"] == "An N+1 query."
    assert told["parts"][1]["text"] == "known at SessionStart\n\nknown at UserPromptSubmit"
    assert told["parts"][1]["synthetic"] is True
    assert told["toasts"][0] == "hello\nhello"


def test_openclaw_hands_over_a_session_in_our_words(tmp_path: Path) -> None:
    plugin = Plugin(tmp_path, "openclaw", ANSWERING)

    told = plugin.drive()

    names = [event["hook_event_name"] for event in plugin.events()]
    assert names == [
        *("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"),
        *("Stop", "SessionEnd"),
    ]
    assert {(event["session_id"], event["cwd"]) for event in plugin.events()} == {("s1", "/shop")}
    by_name = {event["hook_event_name"]: event for event in plugin.events()}
    assert by_name["PostToolUse"]["tool_name"] == "Bash"
    assert by_name["PostToolUse"]["tool_response"] == {"output": "7", "exit": 0}
    assert by_name["PostToolUseFailure"]["tool_input"] == {"file_path": "/gone"}
    assert by_name["Stop"]["last_assistant_message"] == "An N+1 query."
    assert told["parts"] == {"prependContext": "known at SessionStart\n\nknown at UserPromptSubmit"}


@pytest.mark.parametrize("name", PLUGINS)
@pytest.mark.parametrize("launcher", ["exit 3", "echo nonsense", "kill -9 $$", None])
def test_a_launcher_that_fails_or_is_gone_is_silence(
    tmp_path: Path, name: str, launcher: str | None
) -> None:
    plugin = Plugin(tmp_path, name, launcher or "")
    if launcher is None:
        for path in tmp_path.rglob("launch.sh"):
            path.unlink()

    told = plugin.drive()

    assert "known" not in json.dumps(told)


def test_opencode_waits_a_second_for_a_launcher_that_hangs_and_not_again(tmp_path: Path) -> None:
    plugin = Plugin(tmp_path, "opencode", "exec sleep 60.25")

    began = time.monotonic()
    plugin.drive()

    # Seven times a second, if it waited each time; a busy machine takes its time, too.
    assert 1 <= time.monotonic() - began < 6
