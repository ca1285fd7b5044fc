"""Memories without a worker: quick to make, and nothing runs on afterwards."""

import json
import shlex
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.app.recollect import opened
from recollect.inbox import spool
from recollect.worker import jobs
from tests.home import Home

WORK = "The orders page is slow, find out why and fix it"
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."
QUESTION = "Why was the orders page slow?"

ERROR = "KeyError: 'sku' is no column of the supplier list"
FIXED = "The cause was a byte order mark; I open the file as utf-8-sig now."
MET = "This error was met before"
FAILING = f"echo {shlex.quote(ERROR)} >&2; exit 1"
"""A command that ends in that error."""
CHANCES = 6
"""A worker that has much to do answers too late for a hook; so it is asked again."""


def remember(
    home: Home, folder: Path, prompt: str = WORK, answer: str = ANSWER, *, session: str = "s-1"
) -> None:
    """Let *home* take in one finished session in *folder*."""
    put(home, "UserPromptSubmit", session, folder, prompt=prompt, prompt_id=f"{session}-1")
    put(home, "Stop", session, folder, last_assistant_message=answer, prompt_id=f"{session}-1")
    put(home, "SessionEnd", session, folder, reason="other", prompt_id=f"{session}-1")
    take_in(home)


def meet_an_error(home: Home, folder: Path) -> None:
    """Let *home* take in a session in *folder* that met `ERROR`; a worker runs afterwards."""
    turn: dict[str, Any] = {"session": "s-e", "folder": folder, "prompt_id": "s-e-1"}
    call: dict[str, Any] = {"tool_name": "Bash", "tool_use_id": "t-e"}
    call["tool_input"] = {"command": "make"}
    put(home, "UserPromptSubmit", prompt="The import crashes, find out why", **turn)
    put(home, "PostToolUseFailure", error=f"Exit code 1\n{ERROR}", **call, **turn)
    put(home, "Stop", last_assistant_message=FIXED, **turn)
    put(home, "SessionEnd", reason="other", **turn)
    home.settle()


def put(home: Home, event: str, session: str, folder: Path, **fields: object) -> None:
    """Lay one event in the inbox, as a hook would."""
    payload = {"hook_event_name": event, "session_id": session, "cwd": str(folder), **fields}
    spool.put(paths.inbox(str(home)), f"claude-code.{event}", json.dumps(payload).encode())


def take_in(home: Home) -> None:
    """Do what a worker would do with the inbox, here and now."""
    with opened(str(home)) as app:
        jobs.empty_inbox(app)
        app.settings.publish()
        app.upkeep.refresh_all()
