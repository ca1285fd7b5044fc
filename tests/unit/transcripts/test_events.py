import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import TranscriptError
from recollect.transcripts import events
from recollect.transcripts.turns import ToolCall

AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
BASE = {
    "session_id": "s1",
    "transcript_path": "/home/dev/.claude/projects/-home-dev-project/s1.jsonl",
    "cwd": "/home/dev/project",
}


def parse(name: str, **fields: Any) -> events.Event:
    raw = json.dumps(BASE | {"hook_event_name": name} | fields).encode()
    return events.parse(raw, name=name, at=AT)


def tool(response: object, **fields: Any) -> ToolCall:
    return parse(
        "PostToolUse", tool_name="T", tool_use_id="t1", tool_response=response, **fields
    ).tools[0]


def test_every_event_knows_its_session_and_place() -> None:
    event = parse("SessionStart", source="startup")

    assert (event.name, event.host, event.session) == ("SessionStart", "claude-code", "s1")
    assert (event.cwd, event.source, event.at) == ("/home/dev/project", "startup", AT)
    assert event.transcript.endswith("s1.jsonl")
    assert event.tools == ()


def test_a_prompt_arrives_as_typed() -> None:
    event = parse("UserPromptSubmit", prompt_id="p1", prompt="/probe:hello aa")

    assert (event.prompt_id, event.prompt) == ("p1", "/probe:hello aa")


def test_a_stop_brings_the_last_words() -> None:
    event = parse("Stop", prompt_id="p1", stop_hook_active=True, last_assistant_message="Done.")

    assert (event.answer, event.stop_hook_active) == ("Done.", True)


def test_an_end_says_why() -> None:
    assert parse("SessionEnd", reason="clear").reason == "clear"
    assert parse("PreCompact", trigger="auto").trigger == "auto"


def test_a_tool_call_inside_a_subagent_names_it() -> None:
    call = tool("ok", tool_input={"command": "ls"}, agent_id="a1", agent_type="helper")

    assert (call.id, call.name, call.input, call.agent) == ("t1", "T", {"command": "ls"}, "a1")


@pytest.mark.parametrize(
    ("response", "output"),
    [
        ("plain", "plain"),
        ({"stdout": "out", "stderr": "err", "interrupted": False}, "out\nerr"),
        ({"stdout": "", "stderr": "", "isImage": False}, ""),
        ({"stdout": "iVBORw0KGgo=", "stderr": "", "isImage": True}, "[image]"),
        ({"type": "text", "file": {"filePath": "/a", "content": "hello"}}, "hello"),
        ({"type": "create", "filePath": "/a", "content": "x", "structuredPatch": []}, "create /a"),
        (
            {"filePath": "/a", "structuredPatch": [{"oldStart": 1, "lines": ["-old", "+new"]}]},
            "update /a\n-old\n+new",
        ),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ({"status": "completed", "content": [{"type": "text", "text": "sub"}]}, "sub"),
        ({"success": True, "commandName": "x"}, '{"success":true,"commandName":"x"}'),
        (None, ""),
    ],
)
def test_the_answer_of_a_tool_becomes_text(response: object, output: str) -> None:
    assert tool(response).output == output


def test_a_long_answer_is_cut_visibly() -> None:
    output = tool({"stdout": "x" * 50_000, "stderr": ""}).output

    assert len(output) <= 20_000
    assert "characters cut" in output


def test_a_failed_tool_call_has_the_error_as_its_output() -> None:
    event = parse("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error="Exit code 7")

    assert (event.tools[0].output, event.tools[0].failed) == ("Exit code 7", True)


def test_the_end_of_the_hosts_own_summary_is_noise() -> None:
    assert parse("SubagentStop", agent_id="a1", agent_type="").is_noise
    assert not parse("SubagentStop", agent_id="a1", agent_type="helper").is_noise


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"no", b'{"cwd":"/x"}'])
def test_a_broken_event_says_what_is_wrong(raw: bytes) -> None:
    with pytest.raises(TranscriptError, match="Stop event: "):
        events.parse(raw, name="Stop", at=AT)


def test_a_stub_gives_what_stood_before_the_cut() -> None:
    payload = BASE | {
        "prompt_id": "p1",
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_use_id": "t1",
        "tool_input": {"session_id": "not this one", "content": "ä" * 90_000},
    }
    head = json.dumps(payload, ensure_ascii=False).encode()[: 1 << 16]

    event = events.parse_stub(head, name="PostToolUse", at=AT)

    assert (event.session, event.prompt_id, event.cwd) == ("s1", "p1", "/home/dev/project")
    assert (event.tools[0].id, event.tools[0].name, event.tools[0].output) == ("t1", "Write", "")


def test_a_stub_without_the_id_of_its_call_has_no_call() -> None:
    head = json.dumps(BASE | {"tool_name": "Write", "tool_input": {"content": "x"}}).encode()[:-3]

    assert events.parse_stub(head, name="PostToolUse", at=AT).tools == ()


def test_a_stub_nested_beyond_measure_is_an_error() -> None:
    head = b'{"session_id":"\\ud83d","x":' + b'{"a":' * 900 + b"1" + b"}" * 900 + b', "y'

    with pytest.raises(TranscriptError, match="nested"):
        events.parse_stub(head, name="Stop", at=AT)


@given(st.binary())
def test_any_bytes_are_an_event_or_an_error(raw: bytes) -> None:
    for read in (events.parse, events.parse_stub):
        with pytest.raises(TranscriptError):
            read(raw, name="Stop", at=AT)
