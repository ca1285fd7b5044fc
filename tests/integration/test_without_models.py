"""Everything but models works where nothing of `recollect.llm` can be loaded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recollect import paths
from recollect.inbox import spool

# Runs a command, or what a worker does, in a process that cannot load `recollect.llm`.
WITHOUT = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".llm")[0] == "recollect" and name.startswith("recollect.llm"):
            raise ImportError(name)
sys.meta_path.insert(0, Refused())
"""
COMMAND = "from recollect.__main__ import main; main()"
WORKER = """
import sys
from recollect.mcp_server import server
from recollect.worker import daemon, jobs
from recollect.app.recollect import Recollect
worker = daemon.Daemon(sys.argv[1], answer=server.answered)
with __import__("contextlib").closing(Recollect(sys.argv[1])) as app:
    worker._begin(app)
    worker._look(app)
    worker._settle(app)
    app.models.end_left_behind()
    news = worker._news(app, is_start=True)
    asked = sys.argv[2].encode()
    print(app.hooks.answer("UserPromptSubmit", asked, version="", notices=news).decode())
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project in which a turn waits to be taken in."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    about = {"session_id": "s-1", "cwd": str(folder), "prompt_id": "p-1"}
    answer = "The orders page was slow because get_orders ran one query for each row; it is cached."
    for event, fields in (
        ("UserPromptSubmit", {"prompt": "Why is the orders page slow? Always use pnpm here."}),
        ("Stop", {"last_assistant_message": answer}),
    ):
        payload = json.dumps({"hook_event_name": event, **about, **fields}).encode()
        spool.put(paths.inbox(str(tmp_path / "home")), f"claude-code.{event}", payload)
    return folder


def run(shop: Path, program: str, *arguments: str) -> str:
    home = str(shop.parent / "home")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + program, *arguments],
        cwd=shop,
        env={**os.environ, "RECOLLECT_HOME": home, "HOME": str(shop.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_default_path_loads_nothing_of_models(shop: Path) -> None:
    asked = {"session_id": "s-2", "cwd": str(shop), "prompt": "why was the orders page so slow?"}

    recalled = run(shop, WORKER, str(shop.parent / "home"), json.dumps(asked))

    assert "get_orders ran one query for each row" in recalled
    assert "pnpm" in run(shop, COMMAND, "list")
    assert "get_orders" in run(shop, COMMAND, "search", "orders page slow")
    assert "extractive" in run(shop, COMMAND, "status", "--json")
    run(shop, COMMAND, "remember", "Deploys need the VPN")
    assert "Deploys need the VPN" in run(shop, COMMAND, "search", "deploys")


def test_a_model_cannot_be_asked_there(shop: Path) -> None:
    """What the test above proves is worth nothing if the package can be loaded after all."""
    program = "import recollect.llm.model"

    with pytest.raises(AssertionError, match=r"ImportError: recollect\.llm"):
        run(shop, program)
