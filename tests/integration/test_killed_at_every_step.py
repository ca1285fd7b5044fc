"""The worker dies before its first effect, before its second, … : no turn lost, none twice.

Effects are what the disk sees: files opened for writing, renames, removals, commits.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.app import App
from tests.home import Home, repository

FIXTURES = Path(__file__).parent.parent / "fixtures" / "claude-code"

# Takes in the inbox of the home, and dies before the effect with the given number.
MORTAL = """
import os, sqlite3, sys
home, fatal = sys.argv[1], int(sys.argv[2])
seen = 0

def effect():
    global seen
    seen += 1
    if seen == fatal:
        os._exit(9)

def watch(event, arguments):
    if event in ("os.rename", "os.remove"):
        effect()
    elif event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        effect()

def connect(*arguments, **options):
    connection = really_connect(*arguments, **options)
    connection.set_trace_callback(lambda sql: sql == "COMMIT" and effect())
    return connection

from recollect.app import App
from recollect.worker import jobs

really_connect, sqlite3.connect = sqlite3.connect, connect
sys.addaudithook(watch)
app = App(home)
jobs.empty_inbox(app)
app.close()
"""


def mortal(home: Home, fatal: int) -> int:
    done = subprocess.run(
        [sys.executable, "-c", MORTAL, str(home), str(fatal)], capture_output=True, check=False
    )
    assert done.returncode in (0, 9), done.stderr.decode()
    return done.returncode


def fill_inbox(home: Home, folder: Path) -> None:
    """A session told by events alone, and one that has a transcript."""
    alone = {"session_id": "alone", "cwd": str(folder)}
    log = {
        "session_id": "b73dcd98",
        "cwd": str(folder),
        "transcript_path": str(folder / "log.jsonl"),
    }
    (folder / "log.jsonl").write_bytes((FIXTURES / "resumed-1.jsonl").read_bytes())
    home.hook("SessionStart", source="startup", **alone)
    home.hook("UserPromptSubmit", prompt="Fix the orders page", prompt_id="a1", **alone)
    call = {"tool_name": "Write", "tool_use_id": "t1", "tool_response": {"filePath": "db.py"}}
    given = {"file_path": str(folder / "db.py")}
    home.hook("PostToolUse", prompt_id="a1", tool_input=given, **call, **alone)
    home.hook("Stop", prompt_id="a1", last_assistant_message="It is fixed.", **alone)
    home.hook("UserPromptSubmit", prompt="Now write a test for it", prompt_id="a2", **alone)
    home.hook("Stop", prompt_id="a2", last_assistant_message="Written.", **alone)
    home.hook("SessionEnd", reason="other", prompt_id="a3", **alone)
    home.hook("SessionEnd", reason="other", prompt_id="b9", **log)


def summaries(home: Home) -> set[str]:
    return {one.body for one in home.kept("summary")}


def archived(home: Home) -> set[tuple[str, str]]:
    """The turns in the archive, and how many turns the state counts for their session."""
    app = App(str(home))
    try:
        told = [app.turns(session) for session in ("alone", "b73dcd98")]
    finally:
        app.close()
    return {(turn.key, str(session.turns)) for session, turns in told for turn in turns}


@pytest.mark.timeout(400)
def test_dying_before_any_effect_loses_nothing_and_doubles_nothing(
    home: Home, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop")
    home.no_worker()
    fill_inbox(home, shop)
    whole = Home(tmp_path / "whole")
    shutil.copytree(home.path / "inbox", whole.path / "inbox")
    assert mortal(whole, 0) == 0
    expected = sorted(whole.titles())
    assert len(expected) == 5

    fatal = 1
    while True:
        scratch = Home(tmp_path / f"home-{fatal}")
        shutil.copytree(home.path / "inbox", scratch.path / "inbox")
        died = mortal(scratch, fatal) == 9
        mortal(scratch, 0)

        assert sorted(scratch.titles()) == expected, f"after dying before effect {fatal}"
        assert len({one.turn for one in scratch.kept()}) == len(expected)
        assert summaries(scratch) == summaries(whole)
        assert archived(scratch) == archived(whole)
        assert not list((scratch.path / "inbox").iterdir())
        if not died:
            break
        # Every effect at first, then samples: the same few steps repeat for each event.
        fatal += 1 if fatal < 50 else 5

    assert fatal > 60, json.dumps({"effects": fatal})
