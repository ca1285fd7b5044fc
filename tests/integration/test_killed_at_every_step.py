"""The worker dies before its first effect, before its second, … : no turn lost, none twice.

Effects are what the disk sees: files opened for writing, renames, removals, commits.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.app.recollect import Recollect
from tests.home import Home, repository

# The same few steps repeat for each event, so samples will do in a hurry.
AT_A_TIME = 1 if os.environ.get("RECOLLECT_SOAK") else 7

FIXTURES = Path(__file__).parent.parent / "fixtures" / "claude-code"

# For each line, a home and a number, takes in the inbox of the home in a process of its own,
# which dies before the effect with that number. Imported once, forked each time.
MORTAL = """
import os, sqlite3, sys, traceback
from recollect.app.recollect import Recollect
from recollect.worker import jobs
# What a worker loads as it goes; each of those that die would load it again.
from recollect.curation import curator, propose, review
from recollect.store import note_index, notebook
from recollect.store.files import notes
import ruamel.yaml, pydantic.deprecated.class_validators

def live(home, fatal):
    seen = 0

    def effect():
        nonlocal seen
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

    really_connect, sqlite3.connect = sqlite3.connect, connect
    sys.addaudithook(watch)
    app = Recollect(home)
    jobs.empty_inbox(app)
    app.close()

for line in sys.stdin:
    home, fatal = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        try:
            live(home, int(fatal))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Mortals:
    """Workers that die when they are told to."""

    def __init__(self) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-c", MORTAL],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def live(self, home: Home, *, dies_before: int = 0) -> bool:
        """Let one take in the inbox of *home*; tell whether it died."""
        assert self._parent.stdin
        assert self._parent.stdout
        self._parent.stdin.write(f"{home}\t{dies_before}\n")
        self._parent.stdin.flush()
        code = self._parent.stdout.readline().strip()
        assert code in ("0", "9"), self.close()
        return code == "9"

    def close(self) -> str:
        return self._parent.communicate()[1]


@pytest.fixture
def mortals() -> Iterator[Mortals]:
    mortals = Mortals()
    yield mortals
    mortals.close()


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
    app = Recollect(str(home))
    try:
        told = [app.sessions.turns(session) for session in ("alone", "b73dcd98")]
    finally:
        app.close()
    return {(turn.key, str(session.turns)) for session, turns in told for turn in turns}


@pytest.mark.timeout(400)
def test_dying_before_any_effect_loses_nothing_and_doubles_nothing(
    home: Home, tmp_path: Path, mortals: Mortals
) -> None:
    shop = repository(tmp_path / "shop")
    home.no_worker()
    fill_inbox(home, shop)
    whole = Home(tmp_path / "whole")
    shutil.copytree(home.path / "inbox", whole.path / "inbox")
    assert not mortals.live(whole)
    expected = sorted(whole.titles())
    assert len(expected) == 5
    told, kept = summaries(whole), archived(whole)

    fatal = 1
    while True:
        scratch = Home(tmp_path / f"home-{fatal}")
        shutil.copytree(home.path / "inbox", scratch.path / "inbox")
        died = mortals.live(scratch, dies_before=fatal)
        mortals.live(scratch)

        entries = scratch.kept()
        titles = sorted(one.title for one in entries)
        assert titles == expected, f"after dying before effect {fatal}"
        assert len({one.turn for one in entries}) == len(expected)
        assert summaries(scratch) == told
        assert archived(scratch) == kept
        assert not list((scratch.path / "inbox").iterdir())
        if not died:
            break
        fatal += AT_A_TIME

    assert fatal > 60, json.dumps({"effects": fatal})
