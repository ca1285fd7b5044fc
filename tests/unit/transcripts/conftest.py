import json
import os
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude-code"

# Subagents are read if they were touched since their turn began; a checkout may be older.
LATER = datetime.fromisoformat("2027-01-01T00:00:00Z").timestamp()


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[[str], Path]:
    """Copy what the real client wrote in one session, with its subagents."""

    def copy(name: str) -> Path:
        shutil.copytree(FIXTURES, tmp_path / "project")
        for path in (tmp_path / "project").rglob("agent-*.jsonl"):
            os.utime(path, (LATER, LATER))
        return tmp_path / "project" / f"{name}.jsonl"

    return copy


class Script:
    """Writes a transcript line by line; only what matters has to be named."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.path.touch()
        self._lines = 0

    def line(self, kind: str, message: object, **fields: object) -> None:
        self._lines += 1
        record = {
            "type": kind,
            "message": message,
            "uuid": f"line-{self._lines}",
            "sessionId": "session-1",
            "timestamp": f"2026-01-15T10:{self._lines // 60:02}:{self._lines % 60:02}.000Z",
            "cwd": "/home/dev/project",
            "gitBranch": "main",
        }
        self.raw(json.dumps(record | fields).encode() + b"\n")

    def raw(self, line: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(line)

    def user(self, content: object, **fields: object) -> None:
        self.line("user", {"role": "user", "content": content}, **fields)

    def says(self, text: str, **fields: object) -> None:
        content = [{"type": "text", "text": text}]
        self.line("assistant", {"id": f"msg-{self._lines}", "content": content}, **fields)

    def calls(self, tool: str, tool_use_id: str, **fields: object) -> None:
        block = {"type": "tool_use", "id": tool_use_id, "name": tool, "input": {"command": "ls"}}
        self.line("assistant", {"id": f"msg-{self._lines}", "content": [block]}, **fields)

    def queue(self, operation: str, text: str | None = None) -> None:
        """Change the queue of prompts that the user typed while the agent works."""
        told = {} if text is None else {"content": text}
        self.line("queue-operation", None, operation=operation, **told)

    def given(self, prompt: object, **fields: object) -> None:
        """Give the agent a queued prompt while it works."""
        attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt"}
        self.line("attachment", None, attachment=attachment, **fields)

    def agent_reports(self, kind: str, content: list[object], *, parent: str) -> None:
        """Report a message of a subagent that works for the call *parent*."""
        message = {"type": kind, "message": {"role": kind, "content": content}}
        report = {"type": "agent_progress", "message": message, "agentId": "a7"}
        self.line("progress", None, data=report, parentToolUseID=parent)

    def result(
        self, tool_use_id: str, output: object = "ok", *more: object, **fields: object
    ) -> None:
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": output}
        self.user([block, *more], **fields)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    return Script(tmp_path / "session-1.jsonl")
