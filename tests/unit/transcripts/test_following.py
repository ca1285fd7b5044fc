"""Reading on where the last reading stopped."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import TranscriptError
from recollect.transcripts import claude_code
from tests.unit.transcripts.conftest import Script

FIXTURES = Path(__file__).parents[2] / "fixtures" / "claude-code"
SESSIONS = sorted(path.stem for path in FIXTURES.glob("*.jsonl"))
ANY_CASE = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200
)
LINES = st.lists(
    st.binary(max_size=40)
    | st.sampled_from(
        [
            b'{"type":"user","message":{"content":"hi"},"uuid":"u1"}',
            b'{"type":"user","message":{"content":[{"type":"tool_result"}]}}',
            b'{"type":"user","message":{"content":[null,1,"x",{"type":1}]},"promptId":7}',
            b'{"type":"assistant","message":{"content":{"type":"text"},"usage":[]}}',
            b'{"type":"assistant","message":{"content":[{"type":"tool_use","input":3}]}}',
            b'{"type":"user","message":null}',
            b'{"type":["user"],"message":{}}',
            b"[" * 5_000,
            b'{"type":"user","a":' * 3_000,
            b'{"n":' + b"9" * 5_000 + b"}",
        ]
    )
)


@pytest.mark.parametrize("name", SESSIONS)
def test_reading_in_two_steps_gives_the_same_turns_as_reading_once(
    recorded: Callable[[str], Path], name: str
) -> None:
    path = recorded(name)
    lines = path.read_bytes().splitlines(keepends=True)
    whole = claude_code.read(path)

    for count in range(len(lines)):
        path.write_bytes(b"".join(lines[:count]))
        before = claude_code.read(path)
        path.write_bytes(b"".join(lines))
        after = claude_code.read(path, offset=before.resume_at)

        turns = {turn.key: turn for turn in before.turns + after.turns}
        assert tuple(turns.values()) == whole.turns
        assert after.end == whole.end


@pytest.mark.parametrize("name", SESSIONS)
def test_the_last_turn_comes_back_complete(recorded: Callable[[str], Path], name: str) -> None:
    path = recorded(name)
    whole = claude_code.read(path)

    again = claude_code.read(path, offset=whole.resume_at)

    assert again.turns == whole.turns[-1:]
    assert again.resume_at == whole.resume_at


def test_a_command_that_waits_for_its_reply_is_not_passed_over(script: Script) -> None:
    script.user("hello", promptId="p1")
    script.says("hi")
    script.user("<command-name>/review</command-name>", promptId="p2")
    before = claude_code.read(script.path)

    script.says("looks good")

    after = claude_code.read(script.path, offset=before.resume_at)
    assert [turn.prompt for turn in before.turns] == ["hello"]
    assert [turn.prompt for turn in after.turns] == ["hello", "/review"]


def test_a_file_that_became_shorter_is_read_from_its_start(script: Script) -> None:
    script.user("hello")

    reading = claude_code.read(script.path, offset=1_000_000)

    assert [turn.prompt for turn in reading.turns] == ["hello"]


def test_a_copied_turn_keeps_its_key(recorded: Callable[[str], Path], tmp_path: Path) -> None:
    path = recorded("resumed-1")
    fork = tmp_path / "fork.jsonl"
    fork.write_bytes(path.read_bytes().replace(b"b73dcd93-90d0", b"ffffffff-90d0"))

    original, copied = claude_code.read(path), claude_code.read(fork)

    assert [turn.key for turn in copied.turns] == [turn.key for turn in original.turns]
    assert copied.session.startswith("ffffffff")


@ANY_CASE
@given(LINES, st.integers(min_value=0, max_value=500))
def test_no_content_crashes_the_reader(tmp_path: Path, lines: list[bytes], offset: int) -> None:
    path = tmp_path / "any.jsonl"
    path.write_bytes(b"\n".join(lines))

    try:
        reading = claude_code.read(path, offset=offset)
    except TranscriptError:
        return
    assert reading.resume_at <= max(reading.end, offset)
    assert all(turn.key for turn in reading.turns)
