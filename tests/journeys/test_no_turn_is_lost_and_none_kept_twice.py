"""Interrupt, compaction, subagent, resume, fork, /clear, and kill -9 of everything."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.claude import Claude
from tests.client.model_api import ModelApi, Say, Use
from tests.client.terminal import Terminal
from tests.home import PLUGIN, Home, repository, wait_for


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


def test_a_plain_session_is_kept_turn_by_turn(claude: Claude, home: Home, shop: Path) -> None:
    claude.run("First look at the orders page", cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    assert home.titles() == ["First look at the orders page"]


def test_a_resumed_session_adds_only_the_new_turn(claude: Claude, home: Home, shop: Path) -> None:
    first = claude.run("First look at the orders page", cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    claude.run("Then fix its slow query", "--resume", first.session_id, cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    assert home.titles() == ["First look at the orders page", "Then fix its slow query"]
    assert len({one.session for one in home.kept()}) == 1


def test_a_fork_adds_only_its_own_turn(claude: Claude, home: Home, shop: Path) -> None:
    first = claude.run("First look at the orders page", cwd=shop, plugin_dir=PLUGIN)
    claude.run("Then fix its slow query", "--resume", first.session_id, cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    claude.run(
        "Try another way instead", "--resume", first.session_id, "--fork-session",
        cwd=shop, plugin_dir=PLUGIN,
    )  # fmt: skip
    home.settle()

    assert sorted(home.titles()) == [
        "First look at the orders page",
        "Then fix its slow query",
        "Try another way instead",
    ]


def test_a_fork_does_not_bring_back_what_the_user_deleted(
    claude: Claude, home: Home, shop: Path
) -> None:
    first = claude.run("First look at the orders page", cwd=shop, plugin_dir=PLUGIN)
    home.settle()
    day = home.day_file()
    kept = day.read_text().split("### ")
    day.write_text("### ".join(part for part in kept if "First look" not in part.split("\n")[0]))

    claude.run(
        "Try another way instead", "--resume", first.session_id, "--fork-session",
        cwd=shop, plugin_dir=PLUGIN,
    )  # fmt: skip
    home.settle()

    assert home.titles() == ["Try another way instead"]


def test_what_a_subagent_changed_belongs_to_the_turn(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(
        to="Let a helper write",
        steps=[
            Use(
                "Agent",
                {
                    "description": "write it",
                    "prompt": "Please write the greeting file",
                    "subagent_type": "general-purpose",
                    "run_in_background": False,
                },
            ),
            Say("The helper has written the greeting."),
        ],
    )
    model_api.reply(
        to="Please write the greeting file",
        steps=[
            Use("Write", {"file_path": str(shop / "greeting.txt"), "content": "hello\n"}),
            Say("Written."),
        ],
    )

    claude.run("Let a helper write the greeting", cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    (entry,) = home.kept()
    assert entry.title == "The helper has written the greeting."
    assert "asked: Let a helper write the greeting" in entry.body
    assert "`greeting.txt` (modified)" in entry.body


def test_an_interrupted_turn_is_kept_as_such(
    terminal: Callable[..., Terminal], model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(
        to="Explain the whole history",
        steps=[Say("It began long ago. " * 60, chunk_delay=0.3)],
    )
    screen = terminal(cwd=shop, plugin_dir=PLUGIN)
    screen.submit("Explain the whole history of this shop")
    screen.wait_for("It began long ago")

    screen.press("escape")
    screen.wait_for("Interrupted")
    screen.submit("Only the last year then")
    screen.wait_for("● ok")
    screen.wait_until_idle()
    screen.close()
    home.settle()

    assert home.titles() == [
        "It began long ago. (interrupted)",
        "Only the last year then",
    ]


def test_compaction_neither_loses_nor_repeats_a_turn(
    terminal: Callable[..., Terminal], model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(to="First look at", steps=[Say("The page is slow.")])
    model_api.reply(to="And now fix", steps=[Say("The page is fast.")])
    screen = terminal(cwd=shop, plugin_dir=PLUGIN)
    screen.submit("First look at the orders page")
    screen.wait_for("The page is slow")
    screen.wait_until_idle()
    screen.submit("/compact")
    screen.wait_for("[Cc]ompacted")
    screen.wait_until_idle()

    screen.submit("And now fix the orders page")
    screen.wait_for("The page is fast")
    screen.wait_until_idle()
    screen.close()
    home.settle()

    assert home.titles() == [
        "First look at the orders page: The page is slow.",
        "And now fix the orders page: The page is fast.",
    ]


def test_after_compaction_the_session_is_given_what_it_was_doing(
    terminal: Callable[..., Terminal], model_api: ModelApi, home: Home, shop: Path
) -> None:
    screen = terminal(cwd=shop, plugin_dir=PLUGIN)
    screen.submit("First look at the orders page")
    screen.wait_for("● ok")
    screen.wait_until_idle()
    home.settle()
    screen.submit("/compact")
    screen.wait_for("[Cc]ompacted")
    screen.wait_until_idle()

    screen.submit("Where were we with this?")
    model_api.wait_for(to="Where were we")
    screen.close()

    from tests.client.model_api import injected

    last = model_api.main_requests()[-1]
    assert any("First look at the orders page" in text for text in injected(last, "SessionStart"))


def test_clear_begins_a_session_of_its_own(
    terminal: Callable[..., Terminal], model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(to="First look at", steps=[Say("The page is slow.")])
    model_api.reply(to="Something else", steps=[Say("With pleasure.")])
    screen = terminal(cwd=shop, plugin_dir=PLUGIN)
    screen.submit("First look at the orders page")
    screen.wait_for("The page is slow")
    screen.wait_until_idle()

    screen.submit("/clear")
    screen.wait_until_gone("The page is slow")
    screen.submit("Something else now please")
    screen.wait_for("With pleasure")
    screen.wait_until_idle()
    screen.close()
    home.settle()

    assert sorted(home.titles()) == [
        "First look at the orders page: The page is slow.",
        "Something else now please",
    ]
    assert len({one.session for one in home.kept()}) == 2


def test_a_client_killed_in_a_tool_call_leaves_its_turn(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(
        to="Count for a while",
        steps=[
            Use("Write", {"file_path": str(shop / "count.txt"), "content": "1\n"}),
            Use("Bash", {"command": "python3 -c 'import time; time.sleep(60)'"}),
            Say("never"),
        ],
    )
    running = claude.start("Count for a while in count.txt", cwd=shop, plugin_dir=PLUGIN)
    model_api.wait_for(to="Count for a while", count=2)
    time.sleep(0.5)  # The tool itself must be under way; nothing tells when.
    os.kill(running.pid, signal.SIGKILL)
    running.wait()

    claude.run("Continue with the next task", cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    assert home.titles() == ["Count for a while in count.txt", "Continue with the next task"]
    assert "`count.txt` (modified)" in home.kept()[0].body


def test_a_client_killed_at_its_first_request_leaves_the_prompt(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(to="Think about the orders", steps=[Say("never", delay=60)])
    running = claude.start("Think about the orders page", cwd=shop, plugin_dir=PLUGIN)
    model_api.wait_for(to="Think about the orders", count=1)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()

    claude.run("Continue with the next task", cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    assert home.titles() == ["Think about the orders page", "Continue with the next task"]


def test_a_killed_client_that_is_resumed_keeps_both_turns_once(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(
        to="Count for a while",
        steps=[Use("Bash", {"command": "python3 -c 'import time; time.sleep(60)'"}), Say("never")],
    )
    running = claude.start(
        "Count for a while please", "--session-id", "11111111-2222-4333-8444-555555555555",
        cwd=shop, plugin_dir=PLUGIN,
    )  # fmt: skip
    model_api.wait_for(to="Count for a while", count=1)
    time.sleep(1.0)  # The tool itself must be under way; nothing tells when.
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    home.settle()

    claude.run(
        "Go on with something else", "--resume", "11111111-2222-4333-8444-555555555555",
        cwd=shop, plugin_dir=PLUGIN,
    )  # fmt: skip
    home.settle()

    assert home.titles() == ["Count for a while please", "Go on with something else"]


def test_a_session_without_a_transcript_is_kept_from_its_events(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path
) -> None:
    model_api.reply(
        to="Write the greeting",
        steps=[
            Use("Write", {"file_path": str(shop / "greeting.txt"), "content": "hello\n"}),
            Say("I have written the greeting because it was missing."),
        ],
    )

    claude.run("Write the greeting", "--no-session-persistence", cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    (entry,) = home.kept()
    assert entry.title == "I have written the greeting because it was missing."
    assert "asked: Write the greeting" in entry.body
    assert "`greeting.txt` (modified)" in entry.body
    assert "because it was missing" in entry.body


def test_a_worker_killed_again_and_again_loses_nothing(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path
) -> None:
    prompts = [f"Step number {number} of the long work" for number in range(6)]
    for number, prompt in enumerate(prompts):
        claude.run(prompt, cwd=shop, plugin_dir=PLUGIN)
        time.sleep(number * 0.04)  # Each time it is killed at another point of its work.
        home.kill_worker()
    home.settle()

    assert sorted(home.titles()) == prompts


def test_losing_state_costs_a_reread_and_never_a_double(
    claude: Claude, home: Home, shop: Path
) -> None:
    first = claude.run("First look at the orders page", cwd=shop, plugin_dir=PLUGIN)
    home.settle()
    home.stop()
    for name in ("state.db", "state.db-wal", "state.db-shm"):
        (home.path / name).unlink(missing_ok=True)

    claude.run("Then fix its slow query", "--resume", first.session_id, cwd=shop, plugin_dir=PLUGIN)
    home.settle()

    assert home.titles() == ["First look at the orders page", "Then fix its slow query"]


def test_the_events_wait_when_no_worker_can_be_started(
    claude: Claude, home: Home, shop: Path
) -> None:
    home.no_worker()
    claude.run("First look at the orders page", cwd=shop, plugin_dir=PLUGIN)
    assert home.worker() is None
    assert list((home.path / "inbox").glob("*.Stop.json"))

    home.settle()

    assert home.titles() == ["First look at the orders page"]
    wait_for(lambda: not list((home.path / "inbox").iterdir()))
