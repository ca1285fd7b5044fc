"""The harness itself: the real client runs offline, does as scripted and can be read."""

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.claude import Claude, Result
from tests.client.model_api import (
    Fail,
    ModelApi,
    Say,
    Use,
    UseAll,
    context_of,
    injected,
    injected_now,
)
from tests.client.terminal import Terminal

Open = Callable[..., Terminal]


def test_a_printed_run_plays_the_script_to_its_end(claude: Claude, model_api: ModelApi) -> None:
    first = Use("Bash", {"command": "echo lazy loading"}, text="Let me look.")
    both = UseAll([Use("Bash", {"command": "echo a1"}), Use("Bash", {"command": "echo b2"})])
    model_api.reply(to="orders page", steps=[first, both, Fail(529, retry=True), Say("Fixed it.")])

    result = claude.run("Why is the orders page slow?")

    assert (result.returncode, result.text) == (0, "Fixed it.")
    assert [request.prompt for request in model_api.main_requests()] == [
        "Why is the orders page slow?"
    ] * 4
    seen = context_of(model_api.requests[-1])
    assert all(shown in seen for shown in ("lazy loading", "a1", "b2"))
    assert any(line["type"] == "assistant" for line in claude.lines(result.session_id))


def test_a_script_that_ends_in_failure_goes_on_failing(claude: Claude, model_api: ModelApi) -> None:
    model_api.reply(to="orders page", steps=[Fail(400)])

    result = claude.run("Why is the orders page slow?")

    assert (result.returncode, "API Error: 400" in result.text) == (1, True)


@pytest.mark.parametrize("model", ["opus", "claude-sonnet-4-5-20250929"])
def test_what_hooks_inject_is_told_apart_from_the_rest(
    claude: Claude, model_api: ModelApi, tmp_path: Path, model: str
) -> None:
    """Current models get it in system messages, older ones in reminders."""
    at_start = "Known here:\n\n# Memories\n- the orders page"
    at_prompt = "Earlier:\n\n- selectinload"
    plugin = a_plugin(tmp_path, SessionStart=at_start, UserPromptSubmit=at_prompt)

    first = claude.run("Hello.", "--model", model, plugin_dir=plugin)
    again = claude.run("Once more.", "--model", model, *resume(first), plugin_dir=plugin)

    early, late = model_api.main_requests()
    assert again.session_id == first.session_id
    assert injected(early) == injected_now(early) == [at_start, at_prompt]
    assert injected(early, "SessionStart") == [at_start]
    assert injected_now(late, "UserPromptSubmit") == [at_prompt]
    assert late.prompt == "Once more."


def test_a_script_does_not_answer_to_words_that_a_hook_injected(
    claude: Claude, model_api: ModelApi, tmp_path: Path
) -> None:
    plugin = a_plugin(tmp_path, UserPromptSubmit="You fixed the orders page.")
    model_api.reply(to="orders page", steps=[Say("Wrong.")])

    result = claude.run("What about the invoices?", plugin_dir=plugin)

    assert result.text == "ok"


def test_a_request_without_tools_is_answered_by_completions_only(
    claude: Claude, model_api: ModelApi
) -> None:
    model_api.complete(to="orders page", steps=[Say("In short.")])
    model_api.reply(to="orders page", steps=[Say("Fixed it.")])

    with_tools = claude.run("Why is the orders page slow?")
    without = claude.run("Sum up: why is the orders page slow?", "--tools", "")

    assert (with_tools.text, without.text) == ("Fixed it.", "In short.")


def test_a_subagent_has_a_script_of_its_own(claude: Claude, model_api: ModelApi) -> None:
    task = {"description": "count", "prompt": "Count the templates.", "run_in_background": False}
    model_api.reply(to="How many", steps=[Use("Agent", task), Say("Two, I hear.")])
    model_api.reply(to="Count the templates", steps=[Say("Two templates.")])

    result = claude.run("How many templates are there?")

    assert result.text == "Two, I hear."
    assert [request.prompt for request in model_api.requests if request.agent_id] == [
        "Count the templates."
    ]


def test_a_turn_survives_its_own_compaction(claude: Claude, model_api: ModelApi) -> None:
    full = Use("Bash", {"command": "echo"}, usage={"input_tokens": 990_000})
    model_api.summary = "The orders page loads lazily."
    model_api.reply(to="orders page", steps=[full, Say("Fixed it.")])

    result = claude.run("Why is the orders page slow?")

    assert result.text == "Fixed it."
    assert [request.is_compaction for request in model_api.requests] == [False, True, False]
    assert "loads lazily" in context_of(model_api.requests[-1])


def test_nothing_outlives_the_client_that_is_closed(claude: Claude, model_api: ModelApi) -> None:
    marker = claude.project / "pid"
    endless = "echo $$ > pid.new && mv pid.new pid; while true; do sleep 1; done"
    model_api.reply(to="Wait", steps=[Use("Bash", {"command": endless})])
    process = claude.start("Wait for ever.")
    tool = int(until(marker.exists) and marker.read_text())

    os.kill(process.pid, signal.SIGKILL)
    left_alone = is_running(tool)
    claude.close()

    assert process.wait() == -signal.SIGKILL
    assert left_alone
    assert until(lambda: not is_running(tool))


def test_a_conversation_in_the_terminal(terminal: Open, model_api: ModelApi) -> None:
    model_api.reply(to="orders page", steps=[Use("Bash", {"command": "echo"}), Say("Fixed it.")])
    screen = terminal()

    screen.submit("Why is the orders page slow?")
    screen.wait_for("Fixed it")
    screen.wait_until_idle()

    assert screen.close() == 0
    assert [request.prompt for request in model_api.main_requests()] == [
        "Why is the orders page slow?"
    ] * 2


def test_escape_interrupts_the_answer(terminal: Open, model_api: ModelApi) -> None:
    model_api.reply(to="Tell me", steps=[Say("and so on " * 200, chunk_delay=0.05)])
    model_api.reply(to="Enough", steps=[Say("Stopped.")])
    screen = terminal()

    screen.submit("Tell me everything.")
    screen.wait_for("and so on")
    screen.press("escape")
    screen.wait_for("Interrupted")
    screen.submit("Enough of that.")
    screen.wait_for("Stopped")

    assert model_api.requests[-1].prompt == "Enough of that."
    assert "[Request interrupted by user]" in context_of(model_api.requests[-1])


def test_compact_replaces_the_conversation_by_its_summary(
    terminal: Open, model_api: ModelApi
) -> None:
    model_api.summary = "They talked about lazy loading."
    model_api.reply(to="orders page", steps=[Say("Fixed it.")])
    model_api.reply(to="And the invoices", steps=[Say("Also fixed.")])
    screen = terminal()

    screen.submit("Why is the orders page slow?")
    screen.wait_for("Fixed it")
    screen.wait_until_idle()
    screen.submit("/compact")
    screen.wait_for("Compacted")
    screen.submit("And the invoices?")
    screen.wait_for("Also fixed")

    before, after = model_api.main_requests()
    assert before.session_id == after.session_id
    assert after.prompt == "And the invoices?"
    assert "lazy loading" in context_of(after)
    assert "Why is the orders page slow?" not in context_of(after)


def test_clear_starts_another_session(terminal: Open, model_api: ModelApi) -> None:
    model_api.reply(to="orders page", steps=[Say("Fixed it.")])
    model_api.reply(to="And the invoices", steps=[Say("Also fixed.")])
    screen = terminal()

    screen.submit("Why is the orders page slow?")
    screen.wait_for("Fixed it")
    screen.wait_until_idle()
    screen.submit("/clear")
    screen.wait_until_gone("Fixed it")
    screen.submit("And the invoices?")
    screen.wait_for("Also fixed")

    before, after = model_api.main_requests()
    assert before.session_id != after.session_id
    assert after.prompt == "And the invoices?"


def a_plugin(folder: Path, **contexts: str) -> Path:
    """A plugin whose hooks, one per event in *contexts*, inject a fixed text."""
    plugin = folder / "plugin"
    (plugin / ".claude-plugin").mkdir(parents=True)
    (plugin / "hooks").mkdir()
    (plugin / ".claude-plugin/plugin.json").write_text('{"name": "fixed", "version": "1.0.0"}')
    hooks = {}
    for event, context in contexts.items():
        output = {"hookEventName": event, "additionalContext": context}
        (plugin / f"{event}.json").write_text(json.dumps({"hookSpecificOutput": output}))
        command = {"command": "/bin/cat", "args": [f"${{CLAUDE_PLUGIN_ROOT}}/{event}.json"]}
        hooks[event] = [{"hooks": [{"type": "command", **command}]}]
    (plugin / "hooks/hooks.json").write_text(json.dumps({"hooks": hooks}))
    return plugin


def resume(result: Result) -> tuple[str, str]:
    return ("--resume", result.session_id)


def until(ready: Callable[[], bool], timeout: float = 20) -> bool:
    """Wait until *ready*; files and processes can only be polled."""
    deadline = time.monotonic() + timeout
    while not (done := ready()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return done


def is_running(pid: int) -> bool:
    """Whether the process is there and not merely waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
