"""An agent whose tool fails is told at once what is known of the error, if it was met before."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect import line, paths, tokens, worker_client
from recollect.hooks import shown_log
from tests.home import LAUNCHER, Home, repository, wait_for
from tests.remembering import put, take_in

MET = "This error was met before"

SKU = "KeyError: 'sku' is no column of the supplier list"
SKU_FIXED = "The cause was a byte order mark; I open the file as utf-8-sig now."
LOCK = "sqlite3.OperationalError: database is locked by the nightly reindexer"
LOCK_FIXED = "It was locked because the reindexer never commits; it commits after each batch now."
UNKNOWN = "ImportError: cannot import name 'teapot' from partially initialised module 'kitchen'"

PAST = {
    "The import of the supplier list crashes, find out why": (SKU, SKU_FIXED),
    "Saving an order fails at night, see to it": (LOCK, LOCK_FIXED),
}


class Shop:
    """A project in which two errors were met and fixed, and agents whose tools fail."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.folder = folder
        self._sessions = itertools.count()

    def session(self) -> str:
        """A session that nobody has heard of."""
        return f"session-{next(self._sessions)}"

    def event(self, session: str, error: str, **fields: object) -> dict[str, Any]:
        """What a host says when a command failed."""
        return {
            "hook_event_name": "PostToolUseFailure",
            "session_id": session,
            "cwd": str(self.folder),
            "tool_name": "Bash",
            "tool_use_id": f"toolu_{session}",
            "tool_input": {"command": "python importer.py"},
            "error": f"Exit code 1\nTraceback (most recent call last):\n{error}",
            **fields,
        }

    def failed(self, session: str, error: str, **fields: object) -> dict[str, Any]:
        """What the hook prints when a command of *session* failed."""
        return self.home.hook(
            "PostToolUseFailure", **_unnamed(self.event(session, error, **fields))
        )

    def told(self, session: str, error: str) -> str:
        """What the agent is told of *error*; a worker that has much to do is asked again."""
        said: dict[str, Any] = {}

        def is_told() -> bool:
            said.update(self.failed(session, error))
            return bool(said)

        wait_for(is_told)
        assert set(said) <= {"systemMessage", "hookSpecificOutput"}
        assert set(said["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
        assert said["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"
        return str(said["hookSpecificOutput"]["additionalContext"])

    def answer(self, session: str, error: str, **fields: object) -> dict[str, Any]:
        """What the worker answers, who is given time and whose answer nobody is shown."""
        reply = line.ask(
            paths.socket(str(self.home)),
            f"answer PostToolUseFailure {recollect.__version__} claude-code",
            json.dumps(self.event(session, error, **fields)).encode(),
            seconds=20,
        )
        assert reply is not None, self.home.log()
        printed, _, _ = shown_log.unpacked(reply)
        return json.loads(printed) if printed else {}

    def hooked(self, host: str, name: str, event: dict[str, Any]) -> dict[str, Any]:
        """What the hook that *host* calls by *name* prints."""
        printed = subprocess.run(
            ["sh", str(LAUNCHER), name, host],
            input=json.dumps(event).encode(),
            env={"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(self.home)},
            capture_output=True,
            check=True,
        ).stdout
        return json.loads(printed) if printed else {}


def _unnamed(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "hook_event_name"}


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("seen-before")
    shop = Shop(Home(folder / "recollect"), repository(folder / "shop"))
    for number, (prompt, (error, fixed)) in enumerate(PAST.items()):
        turn: dict[str, Any] = {"session": f"old-{number}", "folder": shop.folder}
        turn["prompt_id"] = f"old-{number}-1"
        put(shop.home, "UserPromptSubmit", prompt=prompt, **turn)
        met = _unnamed(shop.event(turn["session"], error))
        put(shop.home, "PostToolUseFailure", **{**met, **turn})
        put(shop.home, "Stop", last_assistant_message=fixed, **turn)
        put(shop.home, "SessionEnd", reason="other", **turn)
    take_in(shop.home)
    yield shop
    shop.home.end()


@pytest.fixture
def shop(past: Shop) -> Shop:
    """The shop while a worker runs."""
    past.home.settle()
    wait_for(lambda: worker_client.status(str(past.home)).pending == 0)
    return past


@pytest.fixture
def settings(past: Shop) -> Iterator[Path]:
    """The file of the settings, as it was afterwards."""
    config = past.home.path / "config.toml"
    yield config
    config.unlink(missing_ok=True)


class TestAnErrorThatWasMet:
    @pytest.mark.parametrize(("error", "fixed"), PAST.values(), ids=["column", "lock"])
    def test_is_told_with_what_fixed_it(self, shop: Shop, error: str, fixed: str) -> None:
        told = shop.told(shop.session(), error)

        assert MET in told
        assert fixed in told

    def test_costs_at_most_a_hundred_and_twenty_tokens_fence_and_all(self, shop: Shop) -> None:
        told = shop.told(shop.session(), SKU)

        assert told.startswith("<recollect-memory>\n")
        assert told.endswith("\n</recollect-memory>")
        assert tokens.estimate(told) <= 120

    def test_says_where_to_find_it_whole(self, shop: Shop) -> None:
        (entry,) = (one for one in shop.home.kept() if one.title == SKU_FIXED)

        told = shop.told(shop.session(), SKU)

        assert f"[{entry.id.partition('-')[2]}]" in told

    def test_is_told_once_in_a_session(self, shop: Shop) -> None:
        session = shop.session()
        assert MET in shop.told(session, SKU)

        assert shop.failed(session, SKU) == {}
        assert shop.answer(session, SKU) == {}

    def test_is_told_in_every_session(self, shop: Shop) -> None:
        one, other = (shop.told(shop.session(), SKU) for _ in range(2))

        assert one == other

    def test_is_told_also_after_another_one(self, shop: Shop) -> None:
        session = shop.session()
        shop.told(session, SKU)

        assert LOCK_FIXED in shop.told(session, LOCK)

    def test_is_told_to_a_subagent_and_still_news_to_the_agent_itself(self, shop: Shop) -> None:
        session = shop.session()
        wait_for(lambda: shop.failed(session, SKU, agent_id="a-1", agent_type="Explore"))

        assert MET in shop.told(session, SKU)


class TestNothingIsSaid:
    @pytest.mark.parametrize("error", [UNKNOWN, "", "command failed", "Permission denied"])
    def test_of_an_error_that_nobody_met(self, shop: Shop, error: str) -> None:
        assert shop.answer(shop.session(), error) == {}
        assert shop.failed(shop.session(), error) == {}

    def test_when_the_user_interrupted(self, shop: Shop) -> None:
        assert shop.answer(shop.session(), SKU, is_interrupt=True) == {}

    @pytest.mark.parametrize("key", ["failures.enabled", "context.enabled"])
    def test_while_that_is_off(self, shop: Shop, settings: Path, key: str) -> None:
        assert shop.answer(shop.session(), SKU)

        settings.write_text(f"{key} = false\n")

        assert shop.answer(shop.session(), SKU) == {}
        assert shop.failed(shop.session(), SKU) == {}

    def test_to_a_session_that_met_it_itself(self, shop: Shop) -> None:
        assert shop.answer("old-0", SKU) == {}

    def test_to_a_host_that_would_not_hand_it_over(self, shop: Shop) -> None:
        """And a later prompt brings it, since nobody was shown it."""
        session = shop.session()

        said = shop.hooked("openclaw", "PostToolUseFailure", shop.event(session, SKU))

        assert said == {}
        assert not (shop.home.path / "run" / "shown" / session).exists()


# What each host says of a command that printed something and failed, or did not.
OF_HOSTS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "codex": ("PostToolUse", lambda output: {"tool_name": "Bash", "tool_response": output}),
    "gemini-cli": (
        "AfterTool",
        lambda output: {
            "tool_name": "run_shell_command",
            "tool_response": {
                "llmContent": f"Output: {output}\nExit Code: 1\nProcess Group PGID: 7",
                "returnDisplay": output,
            },
        },
    ),
}


@pytest.mark.parametrize("host", OF_HOSTS)
class TestAHostThatTellsOfAFailureAsOfAnyCall:
    def said(self, shop: Shop, host: str, output: str) -> dict[str, Any]:
        name, told = OF_HOSTS[host]
        event = shop.event(shop.session(), "", hook_event_name=name, **told(output))
        del event["error"]
        return shop.hooked(host, "PostToolUse", event)

    def test_its_agent_is_told_under_the_name_that_it_gives_the_event(
        self, shop: Shop, host: str
    ) -> None:
        said: dict[str, Any] = {}
        wait_for(lambda: said.update(self.said(shop, host, f"Reading …\n{SKU}\n")) or said)

        assert said["hookSpecificOutput"]["hookEventName"] == OF_HOSTS[host][0]
        assert SKU_FIXED in said["hookSpecificOutput"]["additionalContext"]

    def test_however_much_it_printed_before(self, shop: Shop, host: str) -> None:
        said: dict[str, Any] = {}
        long = "tests/test_suppliers.py passes\n" * 500
        wait_for(lambda: said.update(self.said(shop, host, f"{long}{SKU}\n")) or said)

        assert SKU_FIXED in said["hookSpecificOutput"]["additionalContext"]

    def test_nothing_is_said_of_an_error_that_nobody_met(self, shop: Shop, host: str) -> None:
        assert self.said(shop, host, UNKNOWN) == {}


class TestWithoutAWorker:
    def test_nothing_is_said_and_none_is_started(self, past: Shop) -> None:
        past.home.stop()
        wait_for(lambda: not past.home.processes())

        said = past.failed(past.session(), SKU)

        assert said == {}
        assert not past.home.processes()

    def test_the_event_is_kept(self, past: Shop) -> None:
        past.home.stop()
        session = past.session()

        past.failed(session, SKU)

        kept = [path.read_text() for path in past.home.path.glob("inbox/*PostToolUseFailure*")]
        assert any(f'"session_id": "{session}"' in one for one in kept)


def test_what_failed_becomes_part_of_its_turn_whether_it_was_told_or_not(shop: Shop) -> None:
    session = shop.session()
    common = {"session_id": session, "cwd": str(shop.folder), "prompt_id": f"{session}-1"}
    shop.home.hook("UserPromptSubmit", prompt="Import the suppliers of November", **common)
    shop.failed(session, SKU, prompt_id=f"{session}-1")
    shop.home.hook("Stop", last_assistant_message="The list has no skus.", **common)
    shop.home.hook("SessionEnd", reason="other", **common)
    shop.home.settle()

    done = subprocess.run(
        [sys.executable, "-m", "recollect", "transcript", "--json", session],
        env={"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(shop.home)},
        cwd=shop.folder,
        capture_output=True,
        check=True,
    )

    (turn,) = json.loads(done.stdout)["turns"]
    (call,) = turn["tools"]
    assert call["failed"] is True
    assert SKU in call["output"]
