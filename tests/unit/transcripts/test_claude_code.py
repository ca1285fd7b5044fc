"""What the real client wrote, as turns."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from recollect.errors import TranscriptError
from recollect.transcripts import claude_code
from recollect.transcripts.readings import Reading
from recollect.transcripts.turns import TokenUsage


def prompts(reading: Reading) -> list[str]:
    return [turn.prompt.partition(" <<<")[0] for turn in reading.turns]


def test_a_turn_has_prompt_remarks_tool_calls_and_answer(recorded: Callable[[str], Path]) -> None:
    reading = claude_code.read(recorded("plain-print"))

    (turn,) = reading.turns
    assert turn.key == "3cee2bf1-9caa-49dd-a768-0cbf75ba067a"
    assert turn.host == "claude-code"
    assert turn.session == reading.session == "9ee0ccc7-a18a-44b0-a365-ff3c72afc545"
    assert turn.prompt.startswith("First prompt <<<")
    assert turn.remarks == ("I will run it.",)
    assert turn.answer == "FINAL-ANSWER-1"
    assert [call.name for call in turn.tools][:4] == ["Bash", "Write", "Read", "Bash"]
    assert turn.cwd == "/home/dev/project"
    assert turn.branch == "main"
    assert timedelta(0) < turn.ended - turn.started < timedelta(minutes=1)


def test_a_tool_call_has_what_the_model_saw_of_it(recorded: Callable[[str], Path]) -> None:
    (turn,) = claude_code.read(recorded("plain-print")).turns

    printed, written, _, failed, searched = turn.tools
    assert printed.input["command"] == "echo hi-from-bash"
    assert printed.output == "hi-from-bash"
    assert written.output.startswith("File created successfully")
    assert (failed.output, failed.failed) == ("Exit code 3", True)
    assert searched.output == "PMEM-RESULT for {'q': 'zebra'}"


def test_thinking_is_never_kept(recorded: Callable[[str], Path]) -> None:
    (turn,) = claude_code.read(recorded("plain-print")).turns

    assert "pondering" not in repr(replace(turn, prompt=""))


def test_usage_is_counted_once_per_message(recorded: Callable[[str], Path]) -> None:
    first, *_ = claude_code.read(recorded("compact-interrupt-clear-1")).turns

    assert first.remarks == ("running",)  # Two lines of one message, each with its usage.
    assert first.usage == TokenUsage(input_tokens=41454, output_tokens=77)


def test_only_prompts_of_the_user_begin_a_turn(recorded: Callable[[str], Path]) -> None:
    reading = claude_code.read(recorded("compact-interrupt-clear-1"))

    assert prompts(reading) == [
        "interactive one",
        "slow one",
        "slow tool",
        "slow tool2",
        "after compact",
        "!echo bang-mode",
        "/probe:hello x1 x2",
    ]


def test_an_interrupted_turn_is_finished_and_keeps_what_was_said(
    recorded: Callable[[str], Path],
) -> None:
    turns = claude_code.read(recorded("compact-interrupt-clear-1")).turns

    _, while_talking, _, while_working, *_ = turns
    assert while_talking.interrupted
    assert while_talking.answer.startswith("aaaaaaaaaa")
    assert while_working.interrupted
    assert while_working.tools[0].failed


def test_all_turns_but_the_last_are_finished(recorded: Callable[[str], Path]) -> None:
    turns = claude_code.read(recorded("compact-interrupt-clear-1")).turns

    assert [turn.finished for turn in turns] == [True] * 6 + [False]


def test_a_compaction_in_the_middle_does_not_split_a_turn(recorded: Callable[[str], Path]) -> None:
    (turn,) = claude_code.read(recorded("auto-compact")).turns

    assert [call.output for call in turn.tools] == ["a1"]
    assert turn.answer == "stub: ok"


def test_a_cleared_session_begins_with_its_first_prompt(recorded: Callable[[str], Path]) -> None:
    assert prompts(claude_code.read(recorded("compact-interrupt-clear-2"))) == ["after clear"]


def test_a_resumed_session_goes_on_in_the_same_file(recorded: Callable[[str], Path]) -> None:
    assert prompts(claude_code.read(recorded("resumed-1"))) == ["d one", "d two", "d three"]


def test_a_command_that_only_a_subagent_saw_is_no_turn(recorded: Callable[[str], Path]) -> None:
    assert prompts(claude_code.read(recorded("resumed-3"))) == ["continued", "resumed"]


def test_the_tool_calls_of_a_subagent_join_the_turn_that_asked_for_it(
    recorded: Callable[[str], Path],
) -> None:
    (turn,) = claude_code.read(recorded("subagent")).turns

    inner = turn.tools[-1]
    assert [call.name for call in turn.tools] == ["Agent", "Skill", "Bash"]
    assert inner.agent == "ae095f5f2a56e5cee"
    assert inner.output == "in-subagent"
    assert turn.answer == "MAIN-FINAL"


def test_a_notice_of_background_work_belongs_to_the_turn_before(
    recorded: Callable[[str], Path],
) -> None:
    reading = claude_code.read(recorded("background-agent-permissions"))

    _, background = reading.turns
    assert prompts(reading) == ["perm", "bg"]
    assert background.answer == "MAIN-DONE\n\nstub: done"
    assert [call.agent for call in background.tools] == ["", "ac7119fa5bac5f54c"]


def test_an_older_client_is_read_alike(recorded: Callable[[str], Path]) -> None:
    (turn,) = claude_code.read(recorded("v2.1.197-1")).turns

    assert (turn.tools[0].output, turn.answer) == ("z", "FF")


def test_a_missing_transcript_says_so(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="no such transcript") as caught:
        claude_code.read(tmp_path / "gone.jsonl")

    assert caught.value.hint


def test_a_folder_is_no_transcript(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="directory"):
        claude_code.read(tmp_path)
