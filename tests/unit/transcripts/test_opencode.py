"""What the real OpenCode exported, as turns."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import TranscriptError
from recollect.transcripts import opencode, readers
from recollect.transcripts.turns import TokenUsage

FIXTURES = Path(__file__).parents[2] / "fixtures" / "opencode"
SESSION = FIXTURES / "session.json"


def exported(path: Path, *messages: object, **info: object) -> Path:
    """An export with these *messages*; only what matters has to be named."""
    about = {"id": "ses_1", "directory": "/home/dev/shop", "time": {"created": 1_794_888_000_000}}
    path.write_text(json.dumps({"info": about | info, "messages": messages}))
    return path


def message(role: str, *parts: object, **info: object) -> dict[str, object]:
    told = {"role": role, "id": f"msg_{role}", "time": {"created": 1_794_888_007_000}}
    return {"info": told | info, "parts": parts}


def text(words: str, **fields: object) -> dict[str, object]:
    return {"type": "text", "text": words, **fields}


def test_a_turn_has_prompt_remarks_tool_calls_and_answer() -> None:
    reading = opencode.read(SESSION)

    turn, other = reading.turns
    assert (turn.host, turn.session, turn.cwd) == ("opencode", reading.session, "/home/dev/project")
    assert turn.prompt == "The orders page is slow, fix it."
    assert turn.remarks == ("Now the change.",)
    assert turn.answer == "The cause was an N+1 query."
    assert turn.usage == TokenUsage(input_tokens=47658, output_tokens=221)
    assert (turn.finished, turn.interrupted) == (True, False)
    assert turn.started < turn.ended < other.started


def test_tools_have_the_names_and_fields_that_all_hosts_share() -> None:
    turn, _ = opencode.read(SESSION).turns

    assert [(call.name, call.failed) for call in turn.tools] == [
        ("Write", False),
        ("Read", True),
        ("Edit", False),
        ("Bash", True),
        ("Task", False),
    ]
    edited = turn.tools[2].input
    assert (edited["file_path"], edited["old_string"]) == ("/home/dev/project/a.py", "x = 1")
    assert turn.tools[3].output == "7 passed\n"


def test_turns_and_calls_have_the_ids_that_events_gave_them() -> None:
    turn, _ = opencode.read(SESSION).turns

    assert turn.key.startswith("msg_")
    assert all(call.id.startswith("toolu_") for call in turn.tools)


def test_the_session_of_a_subagent_has_no_turns_of_its_own() -> None:
    assert opencode.read(FIXTURES / "subagent.json").turns == ()


def test_an_export_is_known_by_how_it_begins(tmp_path: Path) -> None:
    notes = tmp_path / "notes.json"
    notes.write_text('[{"schema_version": 1}]')

    assert readers.of_file(SESSION) is opencode.read
    assert readers.is_log(SESSION)
    assert not readers.is_document(notes)


def test_what_the_client_says_in_the_users_place_is_no_prompt(tmp_path: Path) -> None:
    path = exported(
        tmp_path / "a.json",
        message("user", text("Build it"), text("Called the Read tool", synthetic=True)),
        message("user", text("Continue if you have next steps", synthetic=True)),
        message("assistant", text("All so far."), summary=True),
        message("assistant", text("Built.")),
    )

    (turn,) = opencode.read(path).turns

    assert (turn.prompt, turn.answer) == ("Build it", "Built.")


def test_a_turn_that_ended_in_an_error_was_interrupted(tmp_path: Path) -> None:
    path = exported(
        tmp_path / "a.json",
        message("user", text("Build it")),
        message("assistant", error={"name": "MessageAbortedError"}),
    )

    (turn,) = opencode.read(path).turns

    assert turn.interrupted


def test_a_patch_is_one_call_per_file(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: a.md\n+tea\n*** Delete File: b.md\n*** End Patch"
    state = {"status": "completed", "input": {"patchText": patch}, "output": "Success."}
    tool = {"type": "tool", "tool": "apply_patch", "callID": "c", "state": state}
    path = exported(tmp_path / "a.json", message("user", text("Write")), message("assistant", tool))

    (turn,) = opencode.read(path).turns

    assert [call.input["file_path"] for call in turn.tools] == [
        "/home/dev/shop/a.md",
        "/home/dev/shop/b.md",
    ]


@pytest.mark.parametrize("content", ["{}", "[]", '{"info": {"id": "ses_1"}, "mess'])
def test_a_file_of_something_else_or_half_of_one_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)

    with pytest.raises(TranscriptError):
        opencode.read(path)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)
@given(data=st.data(), junk=st.none() | st.integers() | st.text() | st.lists(st.integers()))
def test_whatever_stands_in_a_field_is_no_crash(
    tmp_path: Path, data: st.DataObject, junk: object
) -> None:
    document = json.loads(SESSION.read_text())
    said = data.draw(st.sampled_from(document["messages"]))
    place = data.draw(st.sampled_from([said, said["info"], said["parts"][0], document]))
    place[data.draw(st.sampled_from(sorted(place)))] = junk
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))

    try:
        assert opencode.read(path).session == document["info"]["id"]
    except TranscriptError:
        assert document["info"] == junk
