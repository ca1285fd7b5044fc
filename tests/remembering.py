"""Memories without a worker: quick to make, and nothing runs on afterwards."""

import json
from pathlib import Path

from recollect import paths
from recollect.app import opened
from recollect.inbox import spool
from recollect.worker import jobs
from tests.home import Home

WORK = "The orders page is slow, find out why and fix it"
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."
QUESTION = "Why was the orders page slow?"


def remember(
    home: Home, folder: Path, prompt: str = WORK, answer: str = ANSWER, *, session: str = "s-1"
) -> None:
    """Let *home* take in one finished session in *folder*."""
    put(home, "UserPromptSubmit", session, folder, prompt=prompt, prompt_id=f"{session}-1")
    put(home, "Stop", session, folder, last_assistant_message=answer, prompt_id=f"{session}-1")
    put(home, "SessionEnd", session, folder, reason="other", prompt_id=f"{session}-1")
    take_in(home)


def put(home: Home, event: str, session: str, folder: Path, **fields: object) -> None:
    """Lay one event in the inbox, as a hook would."""
    payload = {"hook_event_name": event, "session_id": session, "cwd": str(folder), **fields}
    spool.put(paths.inbox(str(home)), f"claude-code.{event}", json.dumps(payload).encode())


def take_in(home: Home) -> None:
    """Do what a worker would do with the inbox, here and now."""
    with opened(str(home)) as app:
        jobs.empty_inbox(app)
        app.publish()
        app.refresh_all()
