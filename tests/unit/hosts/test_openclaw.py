"""OpenClaw's plugin in single situations; `test_js_plugins.py` drives a whole session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.hosts import openclaw
from tests.narrowing import not_none
from tests.unit.hosts.node import KEEPING, Plugin

SESSION = """
import plugin from "./plugin.mjs"
const on = {}
plugin.register({ on: (name, handler) => (on[name] = handler) })
const always = { sessionId: "s1", workspaceDir: "/shop", trigger: "user" }
const prompt = (runId, more) =>
  on.before_prompt_build({ prompt: `Why ${runId}?`, messages: [{}] }, { ...always, runId, ...more })
const result = { content: "7" }
const uses = (runId, toolCallId) =>
  on.after_tool_call({ toolName: "exec", params: {}, toolCallId, result }, { ...always, runId })
const ends = (runId, messages, success = true) =>
  on.agent_end({ messages, success }, { ...always, runId })
const asked = { role: "user", content: "Why?" }
const said = (content) => ({ role: "assistant", content })
const waits = []
const timed = async (work) => {
  const began = Date.now()
  await work()
  waits.push(Date.now() - began)
}
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugin:
    monkeypatch.setenv("HOME", str(tmp_path))
    content = openclaw.wanted(str(tmp_path / ".recollect"))["index.js"]
    return Plugin(tmp_path, content, tmp_path / "launch.sh")


def test_the_answer_is_what_this_run_said(plugin: Plugin) -> None:
    plugin.run(
        SESSION
        + """
        const before = [asked, said("An N+1 query.")]
        await prompt("r1"); await ends("r1", before)
        await prompt("r2"); await ends("r2", [...before, asked])
        await prompt("r3"); await ends("r3", before, false)
        """
    )

    answers = [event["last_assistant_message"] for event in plugin.events("Stop")]
    assert answers == ["An N+1 query.", "", ""]


def test_a_slow_launcher_costs_one_wait_and_no_event(plugin: Plugin) -> None:
    plugin.launcher("sleep 2;" + KEEPING)

    waits = plugin.run(
        SESSION
        + """
        await timed(() => prompt("r1"))
        await timed(() => uses("r1", "c1")); await timed(() => ends("r1", []))
        console.log(JSON.stringify(waits))
        """
    )

    names = ["PostToolUse", "SessionStart", "Stop", "UserPromptSubmit"]
    assert sorted(event["hook_event_name"] for event in plugin.events(count=4)) == names
    assert 1400 <= waits[0] < 2900  # one wait for the two events of a first prompt
    assert max(waits[1:]) < 1000  # a busy machine takes its time


def test_no_tool_waits_for_a_launcher_and_the_turn_ends_after_its_tools(plugin: Plugin) -> None:
    plugin.launcher('[ "$1" = PostToolUse ] && sleep 0.3;' + KEEPING)

    waited = plugin.run(
        SESSION
        + """
        await prompt("r1")
        const began = Date.now()
        await uses("r1", "c1"); await uses("r1", "c2")
        const waited = Date.now() - began
        await ends("r1", [])
        console.log(waited)
        """
    )

    kept = [event.get("tool_use_id", event["hook_event_name"]) for event in plugin.events()]
    assert kept == ["SessionStart", "UserPromptSubmit", "c1", "c2", "Stop"]
    assert waited < 250


def test_two_agents_with_the_same_session_id_are_two_sessions(plugin: Plugin) -> None:
    plugin.run(
        SESSION
        + """
        await prompt("r1", { agentId: "main", workspaceDir: "/shop" })
        await prompt("r2", { agentId: "work", workspaceDir: "/bank" })
        await on.session_end({ sessionId: "s1", sessionKey: "agent:work:explicit:s1" }, {})
        """
    )

    assert [(event["session_id"], event["cwd"]) for event in plugin.events()] == [
        *2 * [("main:s1", "/shop")],
        *3 * [("work:s1", "/bank")],
    ]


def test_another_home_reaches_the_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    content = openclaw.wanted("/it's elsewhere")["index.js"]
    plugin = Plugin(tmp_path, content, tmp_path / "launch.sh")

    given = plugin.run(SESSION + 'console.log(JSON.stringify(await prompt("r1")))')

    assert given["prependContext"].splitlines()[-1] == "/it's elsewhere"


def test_setup_for_another_home_has_nothing_to_do_the_second_time(
    program: Callable[[str], None], tmp_path: Path
) -> None:
    program("openclaw")
    elsewhere = str(tmp_path / "it's elsewhere")

    done = list(openclaw.setup(elsewhere, not_none(openclaw.HOST.find())).carry_out())

    assert done
    assert openclaw.setup(elsewhere, not_none(openclaw.HOST.find())).steps == ()
    assert openclaw.setup(str(tmp_path / "home/.recollect"), not_none(openclaw.HOST.find())).steps
