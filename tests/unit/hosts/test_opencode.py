"""OpenCode's plugin in single situations; `test_js_plugins.py` drives a whole session."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.hosts import opencode
from tests.narrowing import not_none
from tests.unit.hosts.node import KEEPING, Plugin

SESSION = """
import { Recollect } from "./plugin.mjs"
const client = { tui: { showToast: async () => {} } }
const hooks = await Recollect({ client, directory: "/shop" })
const happens = (type, properties) => hooks.event({ event: { type, properties } })
const prompt = async (id, sessionID = "s1", agent = "build") => {
  const parts = [{ id: "prt_1", type: "text", text: `Why ${id}?` }]
  await hooks["chat.message"]({ sessionID }, { message: { id, agent }, parts })
  return parts.at(-1).text
}
const says = (text, sessionID = "s1") =>
  hooks["experimental.text.complete"]({ sessionID, messageID: "a" }, { text })
const uses = (callID, sessionID = "s1") =>
  hooks["tool.execute.after"]({ tool: "bash", sessionID, callID, args: {} }, { output: "7" })
const idle = (sessionID = "s1") => happens("session.idle", { sessionID })
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
    launcher = tmp_path / ".recollect/plugin/claude-code/hooks/launch.sh"
    return Plugin(tmp_path, opencode.wanted(str(tmp_path / ".recollect")), launcher)


def command_of(pid: str) -> str:
    """What the process *pid* runs; nothing once it was ended, though nobody may have noticed."""
    try:
        return Path("/proc", pid, "cmdline").read_text()
    except OSError:
        return ""


def test_an_aborted_prompt_has_no_answer_not_the_one_before(plugin: Plugin) -> None:
    plugin.run(
        SESSION
        + """
        await prompt("m1"); await says("An N+1 query."); await idle()
        await prompt("m2"); await idle()
        await prompt("m3"); await says("Half an ans"); await prompt("m4"); await idle()
        """
    )

    answers = [event["last_assistant_message"] for event in plugin.events("Stop")]
    assert answers == ["An N+1 query.", "", ""]


def test_a_slow_launcher_costs_one_wait_and_no_event(plugin: Plugin) -> None:
    plugin.launcher("sleep 2;" + KEEPING)

    waits = plugin.run(
        SESSION
        + """
        await timed(() => prompt("m1")); await timed(() => uses("c1")); await timed(() => idle())
        await timed(() => prompt("m2")); await timed(() => uses("c2")); await timed(() => idle())
        console.log(JSON.stringify(waits))
        process.exit(0)
        """
    )

    assert sorted(event["hook_event_name"] for event in plugin.events(count=6)) == sorted(
        2 * ["UserPromptSubmit", "PostToolUse", "Stop"]
    )
    assert waits[0] >= 1400
    assert max(waits[1:]) < 1000  # a busy machine takes its time


def test_the_end_of_a_turn_is_kept_though_its_launcher_is_slow(plugin: Plugin) -> None:
    plugin.launcher('[ "$1" = Stop ] && sleep 2;' + KEEPING)

    plugin.run(
        SESSION + 'await prompt("m1"); await says("An N+1 query."); await idle(); process.exit(0)'
    )

    (stop,) = plugin.events("Stop", count=1)
    assert stop["last_assistant_message"] == "An N+1 query."


def test_a_launcher_that_hangs_for_ever_is_ended(plugin: Plugin) -> None:
    plugin.launcher('[ "$1" = Stop ] && { sleep 600 & echo $! >> hung; wait; };' + KEEPING)
    plugin.replace("HOPELESS_MS = 10_000", "HOPELESS_MS = 200")

    plugin.run(
        SESSION
        + """
        await prompt("m1"); await idle(); await prompt("m2"); await idle()
        await new Promise((resolve) => setTimeout(resolve, 1000))
        """
    )

    hung = (plugin.folder / "hung").read_text().split()
    assert len(hung) == 2
    assert all("sleep" not in command_of(pid) for pid in hung)


@pytest.mark.parametrize(
    ("part", "prompt"),
    [
        ({"type": "file", "filename": "shot.png"}, "[shot.png]"),
        ({"type": "agent", "name": "reviewer"}, "[reviewer]"),
    ],
)
def test_a_prompt_without_words_is_a_turn_of_its_own(
    plugin: Plugin, part: dict[str, str], prompt: str
) -> None:
    sent = json.dumps({"id": "prt_1", **part})
    plugin.run(
        SESSION
        + f"""
        await prompt("m1"); await says("One."); await idle()
        const message = {{ id: "m2", agent: "build" }}
        await hooks["chat.message"]({{ sessionID: "s1" }}, {{ message, parts: [{sent}] }})
        await says("Two."); await idle()
        """
    )

    assert [event["prompt"] for event in plugin.events("UserPromptSubmit")] == ["Why m1?", prompt]


def test_what_happened_first_is_told_to_have(plugin: Plugin) -> None:
    plugin.run(SESSION + 'await prompt("m1"); await uses("c1"); await says("7."); await idle()')

    used, stopped = plugin.events("PostToolUse", count=1) + plugin.events("Stop")
    assert used["timestamp"] <= stopped["timestamp"]


def test_the_end_of_a_subagent_tells_its_kind(plugin: Plugin) -> None:
    plugin.run(
        SESSION
        + """
        await happens("session.created", { info: { id: "s2", parentID: "s1" } })
        await prompt("m2", "s2", "general"); await says("Two.", "s2"); await idle("s2")
        """
    )

    (ended,) = plugin.events("SubagentStop")
    told = {"session_id": "s1", "agent_id": "s2", "agent_type": "general"}
    assert ended.items() >= (told | {"last_assistant_message": "Two."}).items()


def test_another_home_reaches_the_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    elsewhere = tmp_path / "it's elsewhere"
    content = opencode.wanted(str(elsewhere))
    plugin = Plugin(tmp_path, content, elsewhere / "plugin/claude-code/hooks/launch.sh")

    given = plugin.run(SESSION + 'console.log(JSON.stringify(await prompt("m1")))')

    assert given == str(elsewhere)


def test_setup_for_another_home_has_nothing_to_do_the_second_time(
    program: Callable[[str], None], tmp_path: Path
) -> None:
    program("opencode")
    elsewhere = str(tmp_path / "it's elsewhere")

    done = list(opencode.setup(elsewhere, not_none(opencode.HOST.find())).carry_out())

    assert done
    assert opencode.setup(elsewhere, not_none(opencode.HOST.find())).steps == ()
    assert opencode.setup(str(tmp_path / "home/.recollect"), not_none(opencode.HOST.find())).steps
