"""Builders for turns, as the transcripts tell them."""

from datetime import UTC, datetime
from typing import Any

from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

CWD = "/home/dev/project"


def a_turn(prompt: str = "Fix the query", **changes: Any) -> CleanTurn:
    at = datetime(2026, 11, 15, 13, 32, 7, tzinfo=UTC)
    given: dict[str, Any] = {
        "host": "claude-code",
        "session": "9ee0ccc7-1b2f",
        "key": "696034a3",
        "started": at,
        "ended": at,
        "cwd": CWD,
        "branch": "main",
    }
    return CleanTurn(Turn(prompt=prompt, **(given | changes)))


def an_edit(name: str = "src/db.py", *, tool: str = "Edit", failed: bool = False) -> ToolCall:
    return ToolCall(id="e", name=tool, input={"file_path": f"{CWD}/{name}"}, failed=failed)


def a_read(name: str) -> ToolCall:
    return ToolCall(id="r", name="Read", input={"file_path": f"{CWD}/{name}"})


def a_command(command: str, output: str = "", *, failed: bool = False) -> ToolCall:
    return ToolCall(id="c", name="Bash", input={"command": command}, output=output, failed=failed)
