"""What the real Codex CLI wrote, as turns."""

import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import TranscriptError
from recollect.journal import evidence
from recollect.transcripts import claude_code, codex
from recollect.transcripts.turns import TokenUsage

FIXTURES = Path(__file__).parents[2] / "fixtures" / "codex"
SESSIONS = sorted(str(path.relative_to(FIXTURES)) for path in FIXTURES.rglob("*.jsonl"))
PARENT, AGENT = sorted(path.name for path in FIXTURES.glob("scripted/*.jsonl"))
ANY_CASE = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100
)

PATCH = """*** Begin Patch
*** Add File: prod.env
+KEY=swordfish
+*** End Patch
*** Update File: tax.py
@@
-a
+b
*** End Patch"""


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[[str], Path]:
    """Copy what the real client wrote in one session, with its subagents."""

    def copy(name: str) -> Path:
        shutil.copytree(FIXTURES, tmp_path / "sessions")
        return tmp_path / "sessions" / name

    return copy


class Rollout:
    """Writes a rollout line by line; only what matters has to be named."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = 0
        self.line("session_meta", id="session-1", cwd="/home/dev/shop", git={"branch": "main"})

    def line(self, kind: str, **payload: object) -> None:
        self._lines += 1
        at = f"2026-01-15T10:{self._lines // 60:02}:{self._lines % 60:02}.000Z"
        record = {"timestamp": at, "ordinal": self._lines, "type": kind, "payload": payload}
        self.raw(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def raw(self, line: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(line)

    def event(self, kind: str, turn: str = "", **payload: object) -> None:
        self.line("event_msg", type=kind, turn_id=turn, **payload)

    def item(self, kind: str, turn: str, **item: object) -> None:
        self.event("item_completed", turn, item={"type": kind, **item})

    def prompt(self, turn: str, text: str) -> None:
        self.item("UserMessage", turn, id=f"u-{turn}", content=[{"type": "text", "text": text}])

    def says(self, turn: str, text: str) -> None:
        self.item("AgentMessage", turn, content=[{"type": "Text", "text": text}])

    def calls(self, name: str, arguments: object, output: object = "ok", *, turn: str = "") -> None:
        of_turn = {"internal_chat_message_metadata_passthrough": {"turn_id": turn}} if turn else {}
        call_id = f"call-{turn or 1}"
        self.line(
            "response_item",
            type="function_call",
            name=name,
            arguments=json.dumps(arguments),
            call_id=call_id,
            **of_turn,
        )
        self.line(
            "response_item", type="function_call_output", call_id=call_id, output=output, **of_turn
        )


@pytest.fixture
def rollout(tmp_path: Path) -> Rollout:
    return Rollout(tmp_path / "rollout-session-1.jsonl")


def test_a_turn_has_prompt_remarks_tool_calls_and_answer(recorded: Callable[[str], Path]) -> None:
    reading = codex.read(recorded("patched-and-resumed.jsonl"))

    turn, _ = reading.turns
    assert turn.host == "codex"
    assert turn.session == reading.session
    assert turn.prompt == "The total ignores prices. Mend it, please."
    assert turn.remarks == ("I look at the code first.", "Now I mend it.")
    assert turn.answer == "Totals add up prices now."
    assert (turn.cwd, turn.branch) == ("/home/dev/shop", "prices")
    assert timedelta(0) < turn.ended - turn.started < timedelta(minutes=1)
    assert reading.skipped == 0


def test_tools_have_the_names_that_all_hosts_share(recorded: Callable[[str], Path]) -> None:
    turn, _ = codex.read(recorded("patched-and-resumed.jsonl")).turns

    names = " ".join(call.name for call in turn.tools)
    assert names == "Read Write Edit Edit Bash mcp__notes__search"
    assert evidence.read(turn) == ("shop.py",)
    assert sorted(evidence.modified(evidence.steps(turn))) == ["notes.md", "shop.py"]


def test_a_patch_is_one_call_per_file_with_what_it_replaced(
    recorded: Callable[[str], Path],
) -> None:
    turn, _ = codex.read(recorded("patched-and-resumed.jsonl")).turns

    written, edited = sorted(turn.tools[1:3], key=lambda call: call.name, reverse=True)
    assert written.input == {
        "file_path": "/home/dev/shop/notes.md",
        "content": "Totals add up prices.\n",
    }
    assert str(edited.input["old_string"]).endswith("return sum(items)")
    assert str(edited.input["new_string"]).endswith("return sum(item.price for item in items)")
    assert written.id != edited.id


def test_a_tool_call_tells_what_came_of_it(recorded: Callable[[str], Path]) -> None:
    turn, _ = codex.read(recorded("patched-and-resumed.jsonl")).turns

    shown, _, _, refused, failed, searched = turn.tools
    assert shown.output == "def total(items):\n    return sum(items)\n"
    assert refused.failed
    assert refused.output.startswith("apply_patch verification failed")
    assert (failed.output, failed.failed) == ("", True)
    assert (searched.output, searched.failed) == ("Tax is 19 %.", False)


def test_nothing_that_the_client_or_a_hook_added_becomes_part_of_a_turn(
    recorded: Callable[[str], Path],
) -> None:
    path = recorded("patched-and-resumed.jsonl")

    told = repr(codex.read(path).turns)

    for added in ("recollect-memory", "House rules", "environment_context", "The total was mended"):
        assert added in path.read_text()
        assert added not in told


def test_a_resumed_session_goes_on_in_the_same_file(recorded: Callable[[str], Path]) -> None:
    first, second = codex.read(recorded("patched-and-resumed.jsonl")).turns

    assert second.prompt == "And the tax?"
    assert second.answer == "Tax is 19 %."
    assert first.session == second.session
    assert first.ended < second.started


def test_what_a_compaction_takes_is_counted_where_it_happened(
    recorded: Callable[[str], Path],
) -> None:
    first, second = codex.read(recorded("patched-and-resumed.jsonl")).turns

    assert first.usage == TokenUsage(input_tokens=250_500, output_tokens=30)
    assert second.usage == TokenUsage(input_tokens=300, output_tokens=15)


def test_a_fork_has_only_its_own_turns(recorded: Callable[[str], Path]) -> None:
    (turn,) = codex.read(recorded("forked.jsonl")).turns

    assert (turn.prompt, turn.answer) == ("Once more, in short.", "ok")


def test_a_script_is_told_by_the_calls_it_makes(recorded: Callable[[str], Path]) -> None:
    (turn,) = codex.read(recorded(f"scripted/{PARENT}")).turns

    names = [call.name for call in turn.tools if not call.agent]
    assert names == ["Bash", "Edit", "Edit", "exec", "Agent"]
    assert turn.tools[0].output == "checked\n"
    assert turn.tools[3].output == "42"


def test_the_tool_calls_of_a_subagent_join_the_turn_that_asked_for_it(
    recorded: Callable[[str], Path],
) -> None:
    (turn,) = codex.read(recorded(f"scripted/{PARENT}")).turns

    inner = turn.tools[-1]
    assert AGENT.endswith(f"{inner.agent}.jsonl")
    assert inner.input["file_path"] == "/home/dev/shop/notes.md"
    assert inner.output == "Totals add up prices, in cents.\n"
    assert turn.answer == "All is well."


def test_a_subagent_that_worked_on_another_day_is_found(
    recorded: Callable[[str], Path], tmp_path: Path
) -> None:
    day = recorded(f"scripted/{PARENT}").parent
    for name, folder in ((PARENT, "2026/11/30"), (AGENT, "2026/12/01")):
        (tmp_path / folder).mkdir(parents=True)
        shutil.copy(day / name, tmp_path / folder / name)

    (turn,) = codex.read(tmp_path / "2026/11/30" / PARENT).turns

    assert turn.tools[-1].agent


def test_the_rollout_of_a_subagent_has_no_turns_of_its_own(recorded: Callable[[str], Path]) -> None:
    path = recorded(f"scripted/{AGENT}")

    reading = codex.read(path)

    assert reading.turns == ()
    assert reading.session in PARENT


def test_an_interrupted_turn_is_finished_and_keeps_what_was_done(
    recorded: Callable[[str], Path],
) -> None:
    (turn,) = codex.read(recorded("interrupted.jsonl")).turns

    assert (turn.interrupted, turn.finished) == (True, True)
    assert (turn.remarks, turn.answer) == (("I wait.",), "")
    assert (turn.tools[0].output, turn.tools[0].failed) == ("begun\n", True)


def test_a_turn_that_the_client_has_not_ended_is_unfinished(rollout: Rollout) -> None:
    rollout.event("task_started", "t1")
    rollout.prompt("t1", "Mend it.")
    rollout.says("t1", "Done.")

    (turn,) = codex.read(rollout.path).turns

    assert (turn.answer, turn.finished) == ("Done.", False)


def test_what_the_user_adds_while_the_agent_works_joins_the_prompt(rollout: Rollout) -> None:
    rollout.event("task_started", "t1")
    rollout.prompt("t1", "Mend it.")
    rollout.prompt("t1", "And test it.")

    (turn,) = codex.read(rollout.path).turns

    assert turn.prompt == "Mend it.\n\nAnd test it."


def test_a_task_that_nobody_asked_for_belongs_to_the_turn_before(rollout: Rollout) -> None:
    rollout.event("task_started", "t1")
    rollout.prompt("t1", "Reach the goal.")
    rollout.event("task_complete", "t1")
    rollout.event("task_started", "t2")
    rollout.says("t2", "Reached.")
    rollout.event("task_complete", "t2")

    (turn,) = codex.read(rollout.path).turns

    assert (turn.key, turn.answer) == ("t1", "Reached.")


def test_a_compaction_does_not_stretch_the_turn_before(rollout: Rollout) -> None:
    rollout.event("task_started", "t1")
    rollout.prompt("t1", "Mend it.")
    rollout.event("task_complete", "t1")
    before = codex.read(rollout.path).turns

    rollout.event("task_started", "t2")
    rollout.line("turn_context", turn_id="t2", cwd="/home/dev/shop")
    rollout.item("ContextCompaction", "t2", id="c")
    rollout.event("task_complete", "t2")

    assert codex.read(rollout.path).turns == before


def test_an_editor_does_not_put_its_open_files_into_the_prompt(rollout: Rollout) -> None:
    opened = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n"
    rollout.prompt("t1", f"{opened}## My request for Codex:\nMend it.\n")

    (turn,) = codex.read(rollout.path).turns

    assert turn.prompt == "Mend it."


def test_an_image_is_named(rollout: Rollout) -> None:
    content = [{"type": "local_image", "path": "/a.png"}, {"type": "text", "text": "What is this?"}]
    rollout.item("UserMessage", "t1", content=content)

    (turn,) = codex.read(rollout.path).turns

    assert turn.prompt == "[image]\n\nWhat is this?"


def test_thinking_is_never_kept(rollout: Rollout) -> None:
    rollout.prompt("t1", "Mend it.")
    rollout.item("Reasoning", "t1", summary_text=["pondering"])
    rollout.line("response_item", type="reasoning", summary=[{"text": "pondering"}])

    assert "pondering" not in repr(codex.read(rollout.path))


@pytest.mark.parametrize(
    ("name", "arguments", "output"),
    [
        (
            "shell",
            {"command": ["bash", "-lc", "make"]},
            "Exit code: 2\nWall time: 1 s\nOutput:\nno",
        ),
        ("shell", {"command": ["make"]}, '{"output":"no","metadata":{"exit_code":2}}'),
        ("shell_command", {"command": "make"}, "Exit code: 2\nOutput:\nno"),
        ("exec_command", {"cmd": "make"}, "Process exited with code 2\nOutput:\nno"),
    ],
)
def test_older_clients_are_read_alike(
    rollout: Rollout, name: str, arguments: dict[str, object], output: str
) -> None:
    """They had no items, and no ids of turns."""
    rollout.line("turn_context", cwd="/home/dev/shop/api")
    rollout.event("user_message", message="<environment_context>\n</environment_context>")
    rollout.event("user_message", message="Build it.")
    rollout.event("agent_message", message="I build.")
    rollout.calls(name, arguments, output)
    rollout.event("agent_message", message="It does not.")

    (turn,) = codex.read(rollout.path).turns

    (call,) = turn.tools
    assert (turn.prompt, turn.remarks, turn.answer) == ("Build it.", ("I build.",), "It does not.")
    assert turn.cwd == "/home/dev/shop/api"
    assert (call.name, call.input) == ("Bash", {"command": "make"})
    assert (call.output, call.failed) == ("no", True)


def test_messages_without_a_turn_id_belong_to_the_task_that_runs(rollout: Rollout) -> None:
    """Codex 0.144 and 0.145 give tool calls the id of their turn, but not messages."""
    rollout.event("task_started", "t1")
    rollout.event("user_message", message="Build it.")
    rollout.event("agent_message", message="I build.")
    rollout.calls("exec_command", {"cmd": "make"}, turn="t1")
    rollout.event("agent_message", message="It builds.")
    rollout.event("task_complete", "t1")
    rollout.event("task_started", "t2")
    rollout.event("user_message", message="Test it.")
    rollout.calls("exec_command", {"cmd": "make test"}, turn="t2")
    rollout.event("agent_message", message="It passes.")

    first, last = codex.read(rollout.path).turns

    assert (first.key, first.prompt, first.finished) == ("t1", "Build it.", True)
    assert (first.remarks, first.answer) == (("I build.",), "It builds.")
    assert (last.key, last.prompt, last.answer) == ("t2", "Test it.", "It passes.")
    assert [call.input["command"] for call in last.tools] == ["make test"]


def test_a_turn_read_before_its_id_was_known_keeps_the_name_it_had(rollout: Rollout) -> None:
    rollout.event("task_started", "t1")
    place = rollout.path.stat().st_size
    rollout.event("user_message", message="Build it.")

    (turn,) = codex.read(rollout.path).turns

    assert (turn.key, turn.line) == ("t1", f"session-1:{place}")


def test_a_review_that_writes_its_prompt_twice_is_one_turn(rollout: Rollout) -> None:
    rollout.event("entered_review_mode", "t1", user_facing_hint="current changes")
    rollout.event("task_started", "t1-review")
    rollout.event("user_message", message="Review the current changes.")
    rollout.event("user_message", message="Review the current changes.")
    rollout.event("exited_review_mode", "t1")
    rollout.event("agent_message", message="No issues found.")
    rollout.event("task_complete", "t1")

    (turn,) = codex.read(rollout.path).turns

    assert (turn.prompt, turn.answer) == ("Review the current changes.", "No issues found.")
    assert turn.finished


def test_a_prompt_written_twice_by_a_client_without_turn_ids_is_one_turn(rollout: Rollout) -> None:
    rollout.event("user_message", message="/review")
    rollout.event("user_message", message="/review")
    rollout.event("agent_message", message="No issues found.")

    (turn,) = codex.read(rollout.path).turns

    assert (turn.prompt, turn.answer) == ("/review", "No issues found.")


def test_a_prompt_given_again_after_an_answer_is_another_turn(rollout: Rollout) -> None:
    for _ in range(2):
        rollout.event("user_message", message="Go on.")
        rollout.event("agent_message", message="Done.")

    assert [turn.prompt for turn in codex.read(rollout.path).turns] == ["Go on.", "Go on."]


def test_asking_how_a_command_is_going_is_no_call(rollout: Rollout) -> None:
    rollout.prompt("t1", "Build it.")
    rollout.calls("write_stdin", {"session_id": 7, "chars": ""})

    assert codex.read(rollout.path).turns[0].tools == ()


def test_a_moved_file_is_known_by_its_new_name(rollout: Rollout) -> None:
    change = {"type": "update", "unified_diff": "@@\n-a\n+b\n", "move_path": "/home/dev/new.py"}
    rollout.prompt("t1", "Move it.")
    rollout.item("FileChange", "t1", id="c", changes={"/home/dev/old.py": change})

    (call,) = codex.read(rollout.path).turns[0].tools

    assert call.input["file_path"] == "/home/dev/new.py"
    assert call.input["moved_from"] == "/home/dev/old.py"


def test_a_patch_that_names_no_file_stays_a_whole(rollout: Rollout) -> None:
    rollout.prompt("t1", "Mend it.")
    rollout.line("response_item", type="custom_tool_call", name="apply_patch", input="*** Begin")

    (call,) = codex.read(rollout.path).turns[0].tools

    assert (call.name, call.input) == ("apply_patch", {"patch": "*** Begin"})


def test_a_patch_that_was_only_asked_for_names_whole_paths(rollout: Rollout) -> None:
    patch = "*** Begin Patch\n*** Update File: old.py\n*** Move to: api/new.py\n@@\n-a\n+b\n"
    rollout.line("turn_context", turn_id="t1", cwd="/home/dev/shop")
    rollout.prompt("t1", "Move it.")
    rollout.line("response_item", type="custom_tool_call", name="apply_patch", input=patch)

    (call,) = codex.read(rollout.path).turns[0].tools

    assert call.input["file_path"] == "/home/dev/shop/api/new.py"
    assert call.input["moved_from"] == "/home/dev/shop/old.py"


@pytest.mark.parametrize(
    "script",
    [
        f"await tools.apply_patch(`{PATCH}`); done()",
        f"await tools.apply_patch({json.dumps(PATCH)}); done()",
    ],
)
def test_a_patch_in_a_script_that_failed_stands_with_its_files(
    rollout: Rollout, script: str
) -> None:
    rollout.prompt("t1", "Set the key.")
    rollout.line("response_item", type="custom_tool_call", name="exec", call_id="c", input=script)
    header = "Script failed\nWall time 0.0 seconds\nOutput:\n"
    error = "apply_patch verification failed: Failed to find expected lines in /shop/tax.py:"
    texts = [header, f"Script error:\n{error}\nswordfish"]
    output = [{"type": "input_text", "text": text} for text in texts]
    rollout.line("response_item", type="custom_tool_call_output", call_id="c", output=output)

    ran, written, edited = codex.read(rollout.path).turns[0].tools

    assert (ran.id, ran.name) == ("c", "exec")
    assert "done()" in str(ran.input["input"])
    assert "swordfish" not in repr(ran)
    assert (written.id, written.name, written.input) == (
        "c:1",
        "Write",
        {"file_path": "/home/dev/shop/prod.env", "content": "KEY=swordfish\n*** End Patch\n"},
    )
    assert (edited.id, edited.input["file_path"]) == ("c:2", "/home/dev/shop/tax.py")
    assert all(call.failed for call in (ran, written, edited))
    assert edited.output == f"Script error:\n{error}"


@pytest.mark.parametrize("told", ["asked", "done"])
def test_a_patch_in_a_command_stands_with_its_files(rollout: Rollout, told: str) -> None:
    command = f"apply_patch <<'EOF'\n{PATCH}\nEOF\nmake"
    rollout.prompt("t1", "Set the key.")
    if told == "asked":
        rollout.calls("exec_command", {"cmd": command, "workdir": "/home/dev/shop/api"})
    else:
        about = {"command": ["bash", "-lc", command], "cwd": "file:///home/dev/shop/api"}
        rollout.item("CommandExecution", "t1", id="c", **about, status="completed")

    ran, written, edited = codex.read(rollout.path).turns[0].tools

    assert (ran.name, ran.input) == ("Bash", {"command": "apply_patch <<'EOF'\n[patch]\nEOF\nmake"})
    assert written.input["file_path"] == "/home/dev/shop/api/prod.env"
    assert edited.input["file_path"] == "/home/dev/shop/api/tax.py"


@pytest.mark.parametrize(
    "patch",
    [
        '["*** Begin Patch", "*** Add File: prod.env", "+swordfish", "*** End Patch"]',
        '[\n  "*** Begin Patch",\n  "*** Add File: prod.env",\n  "+swordfish"\n]',
        "*** Begin Patch\n  *** Add File: prod.env\n  +swordfish\n*** End Patch",
        '"*** Add File: prod.env",\n  "+swordfish"',
    ],
)
@pytest.mark.parametrize("tool", ["exec", "apply_patch"])
def test_a_patch_whose_files_cannot_be_told_is_not_kept(
    rollout: Rollout, tool: str, patch: str
) -> None:
    rollout.prompt("t1", "Set the key.")
    rollout.line("response_item", type="custom_tool_call", name=tool, call_id="c", input=patch)

    assert "swordfish" not in repr(codex.read(rollout.path))


@pytest.mark.parametrize("name", SESSIONS)
def test_reading_in_two_steps_gives_the_same_turns_as_reading_once(
    recorded: Callable[[str], Path], name: str
) -> None:
    path = recorded(name)
    lines = path.read_bytes().splitlines(keepends=True)
    whole = codex.read(path)

    for count in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:count]) + lines[count][:20])
        before = codex.read(path)
        path.write_bytes(b"".join(lines))
        after = codex.read(path, offset=before.resume_at)

        turns = {turn.key: turn for turn in before.turns + after.turns}
        assert tuple(turns.values()) == whole.turns
        assert after.end == whole.end


def test_a_file_that_became_shorter_is_read_from_its_start(rollout: Rollout) -> None:
    rollout.prompt("t1", "Mend it.")

    assert len(codex.read(rollout.path, offset=10**9).turns) == 1


def test_a_torn_or_foreign_line_costs_nothing_but_itself(rollout: Rollout) -> None:
    rollout.prompt("t1", "Mend it.")
    rollout.raw(b'\x00\xff\xfe{"type":"event_msg","payload":\n')
    rollout.raw(b'{"type":"event_msg","payload":' + b'{"type":' * 20_000 + b"\n")
    rollout.raw(b'{"type":"unheard_of","payload":{"type":"UserMessage"}}\n')
    rollout.says("t1", "x" * 3_000_000)

    reading = codex.read(rollout.path)

    assert reading.skipped == 2
    assert len(reading.turns[0].answer) == 3_000_000


def test_a_rollout_without_its_first_line_is_named_after_its_file(
    tmp_path: Path, rollout: Rollout
) -> None:
    rollout.prompt("t1", "Mend it.")
    thread = "01a1e577-ba3c-7831-907e-cb77e16ef95e"
    path = tmp_path / f"rollout-2026-01-15T10-00-00-{thread}.jsonl"
    path.write_bytes(b"torn\n" + b"".join(rollout.path.read_bytes().splitlines(keepends=True)[1:]))

    reading = codex.read(path)

    assert reading.session == reading.turns[0].session == thread
    assert reading.skipped == 1


def test_a_transcript_of_another_host_is_refused(tmp_path: Path, rollout: Rollout) -> None:
    other = tmp_path / "session.jsonl"
    other.write_text('{"type":"user","message":{"content":"hi"},"uuid":"u"}\n')

    with pytest.raises(TranscriptError, match="not a Codex rollout") as caught:
        codex.read(other)
    with pytest.raises(TranscriptError, match="not a Claude Code transcript"):
        claude_code.read(rollout.path)

    assert caught.value.hint


def test_a_missing_transcript_says_so(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="no such transcript") as caught:
        codex.read(tmp_path / "gone.jsonl")

    assert caught.value.hint


def test_the_name_of_a_subagent_cannot_lead_anywhere(rollout: Rollout, tmp_path: Path) -> None:
    rollout.prompt("t1", "Look.")
    rollout.item("SubAgentActivity", "t1", agent_thread_id="../../*")

    assert len(codex.read(rollout.path).turns) == 1


REAL = [
    json.loads(line)
    for path in FIXTURES.rglob("*.jsonl")
    for line in path.read_bytes().splitlines()
]
ODD: list[object] = [
    None,
    7,
    "",
    "text",
    [],
    [None, 1, "x"],
    {},
    {"type": 1},
    {"a": {"b": []}},
    True,
]


def spoiled(record: object, way: list[int], value: object) -> object:
    """*record* with *value* in the place that *way* leads to."""
    if not way or not isinstance(record, dict | list) or not record:
        return value
    places = list(record) if isinstance(record, dict) else list(range(len(record)))
    place = places[way[0] % len(places)]
    copied: Any = record.copy()
    copied[place] = spoiled(copied[place], way[1:], value)
    return copied


WAYS = st.lists(st.integers(0, 99), min_size=1, max_size=6)
SPOILED = st.builds(spoiled, st.sampled_from(REAL), WAYS, st.sampled_from(ODD))
LINES = st.lists(st.binary(max_size=40) | SPOILED.map(lambda line: json.dumps(line).encode()))


@ANY_CASE
@given(lines=LINES, offset=st.integers(0, 300))
def test_no_content_crashes_the_reader(tmp_path: Path, lines: list[bytes], offset: int) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(b"\n".join(lines))

    try:
        reading = codex.read(path, offset=offset)
    except TranscriptError:
        return

    assert 0 <= reading.resume_at <= max(reading.end, offset)
