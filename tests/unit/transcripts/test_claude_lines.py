"""Cases that the recorded sessions do not show: older clients, damage, odd prompts."""

import json
import os
from pathlib import Path

import pytest

from recollect.errors import TranscriptError
from recollect.transcripts import claude_code
from recollect.transcripts.turns import TokenUsage, Turn
from tests.unit.transcripts.conftest import Script


def turns_of(script: Script) -> tuple[Turn, ...]:
    return claude_code.read(script.path).turns


class TestPrompts:
    def test_without_a_prompt_id_the_users_line_gives_the_key(self, script: Script) -> None:
        script.user("first")
        script.says("one")
        script.user("second")

        assert [turn.key for turn in turns_of(script)] == ["line-1", "line-3"]

    def test_the_prompt_id_is_the_key_where_there_is_one(self, script: Script) -> None:
        script.user("first", promptId="p1")

        assert [turn.key for turn in turns_of(script)] == ["p1"]

    def test_prompts_that_a_fork_copied_under_one_id_are_known_by_their_lines(
        self, script: Script
    ) -> None:
        for text in ("first", "second"):
            script.user(text, promptId="p1", promptSource="typed")
            script.says("ok")

        first, second = turns_of(script)
        assert (first.key, first.line, first.prompt) == ("line-1", "line-1", "first")
        assert (second.key, second.line, second.prompt) == ("p1", "line-3", "second")

    def test_blocks_of_text_and_images_make_one_prompt(self, script: Script) -> None:
        script.user([{"type": "text", "text": "look"}, {"type": "image", "source": {}}])

        assert [turn.prompt for turn in turns_of(script)] == ["look\n\n[image]"]

    def test_what_the_editor_adds_is_not_the_users_word(self, script: Script) -> None:
        opened = "<ide_opened_file>The user opened mise.toml.</ide_opened_file>"
        script.user([{"type": "text", "text": opened}, {"type": "text", "text": "add owners"}])

        assert [turn.prompt for turn in turns_of(script)] == ["add owners"]

    def test_words_put_in_while_a_tool_runs_join_the_prompt(self, script: Script) -> None:
        script.user("build it")
        script.calls("Bash", "t1")
        script.result("t1", "ok", {"type": "text", "text": "and make sure it is tested"})
        script.says("done")

        (turn,) = turns_of(script)
        assert turn.prompt == "build it\n\nand make sure it is tested"
        assert turn.answer == "done"

    def test_a_local_command_is_no_turn_and_takes_no_work_away(self, script: Script) -> None:
        script.user("build it")
        script.calls("Bash", "t1")
        script.user("<command-name>/model</command-name><command-args>haiku</command-args>")
        script.user("<local-command-stdout>Set model</local-command-stdout>")
        script.says("halfway")
        script.result("t1")
        script.says("done")

        (turn,) = turns_of(script)
        assert turn.answer == "halfway\n\ndone"

    def test_a_shell_command_without_a_reply_is_no_turn(self, script: Script) -> None:
        script.user("<bash-input>git status</bash-input>")
        script.user("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>")

        assert turns_of(script) == ()

    def test_our_own_commands_leave_no_turn_and_no_trace_in_the_one_before(
        self, script: Script
    ) -> None:
        script.user("build it", promptId="p1")
        script.says("done")
        script.user("<command-name>/recollect:search</command-name><command-args>x</command-args>")
        script.calls("Bash", "t1")
        script.result("t1")
        script.says("found nothing")

        (turn,) = turns_of(script)
        assert (turn.answer, turn.tools) == ("done", ())

    def test_a_notice_before_any_prompt_is_no_turn(self, script: Script) -> None:
        script.user("<task-notification>done</task-notification>", promptSource="system")
        script.says("noted")

        assert turns_of(script) == ()

    def test_a_prompt_that_a_hook_stopped_is_an_interrupted_turn(self, script: Script) -> None:
        script.user("fix tests")
        script.user("Operation stopped by hook: another session is active")

        (turn,) = turns_of(script)
        assert (turn.prompt, turn.interrupted, turn.finished) == ("fix tests", True, True)

    def test_expanded_commands_and_summaries_are_no_prompts(self, script: Script) -> None:
        script.user("<command-message>review</command-message><command-name>/review</command-name>")
        script.user("You are an expert reviewer …", isMeta=True)
        script.user("This session is being continued …", isCompactSummary=True)
        script.says("looks good")

        assert [turn.prompt for turn in turns_of(script)] == ["/review"]


class TestWordsTypedMeanwhile:
    def test_they_join_the_turn_once_the_agent_has_them(self, script: Script) -> None:
        script.user("fix the tests")
        script.calls("Bash", "t1")
        script.queue("enqueue", "and run the linter")
        script.queue("enqueue", "but not on docs")
        script.queue("remove")
        script.queue("remove")
        script.result("t1")
        script.says("Both are clean.")

        (turn,) = turns_of(script)
        assert turn.prompt == "fix the tests\n\nand run the linter\n\nbut not on docs"
        assert turn.answer == "Both are clean."

    @pytest.mark.parametrize("operation", ["remove", "dequeue"])
    def test_a_client_that_tells_them_twice_adds_them_once(
        self, script: Script, operation: str
    ) -> None:
        script.user("fix the tests")
        script.queue("enqueue", "and run the linter")
        script.queue(operation, "and run the linter")
        script.given("and run the linter")
        script.says("Both are clean.")

        assert [turn.prompt for turn in turns_of(script)] == ["fix the tests\n\nand run the linter"]

    def test_they_may_come_with_a_picture(self, script: Script) -> None:
        script.user("fix the tests")
        script.given([{"type": "text", "text": "like this"}, {"type": "image", "source": {}}])

        assert [turn.prompt for turn in turns_of(script)] == [
            "fix the tests\n\nlike this\n\n[image]"
        ]

    def test_a_queued_prompt_that_gets_its_own_turn_is_not_in_the_one_before(
        self, script: Script
    ) -> None:
        script.user("fix the tests")
        script.queue("enqueue", "then run the linter")
        script.says("Fixed.")
        script.queue("dequeue")
        script.user("then run the linter")
        script.says("Clean.")

        assert [turn.prompt for turn in turns_of(script)] == [
            "fix the tests",
            "then run the linter",
        ]

    def test_a_prompt_that_left_the_queue_unsaid_is_not_given_again(self, script: Script) -> None:
        script.user("fix the tests")
        script.queue("enqueue", "then run the linter")
        script.says("Fixed.")
        script.user("then run the linter")
        script.queue("enqueue", "quietly")
        script.queue("remove")

        assert [turn.prompt for turn in turns_of(script)] == [
            "fix the tests",
            "then run the linter\n\nquietly",
        ]

    def test_what_the_user_took_back_was_not_said(self, script: Script) -> None:
        script.user("fix the tests")
        script.queue("enqueue", "and drop the database")
        script.queue("popAll", "and drop the database")
        script.queue("enqueue", "and run the linter")
        script.queue("remove")

        assert [turn.prompt for turn in turns_of(script)] == ["fix the tests\n\nand run the linter"]

    @pytest.mark.parametrize("text", ["<task-notification>\n<task-id>a7</task-id>", "/model"])
    def test_notices_and_commands_in_the_queue_are_no_words(
        self, script: Script, text: str
    ) -> None:
        script.user("fix the tests")
        script.queue("enqueue", text)
        script.queue("remove")
        script.given(text)

        assert [turn.prompt for turn in turns_of(script)] == ["fix the tests"]

    def test_what_a_subagent_was_given_is_not_the_users(self, script: Script) -> None:
        script.user("fix the tests")
        script.given("look at the parser", isSidechain=True)

        assert [turn.prompt for turn in turns_of(script)] == ["fix the tests"]


class TestProgress:
    def test_what_a_subagent_did_joins_the_turn_that_set_it_to_work(self, script: Script) -> None:
        call = {"type": "tool_use", "id": "t2", "name": "Grep", "input": {"pattern": "tax"}}
        result = {"type": "tool_result", "tool_use_id": "t2", "content": "tax.py:3"}
        script.user("where is the tax?")
        script.calls("Task", "t1")
        script.user("meanwhile, say hello")
        script.says("Hello.")
        script.agent_reports("user", [{"type": "text", "text": "Find the tax."}], parent="t1")
        script.agent_reports("assistant", [call], parent="t1")
        script.agent_reports("user", [result], parent="t1")

        asked, greeted = turns_of(script)
        found = asked.tools[1]
        assert (found.name, found.agent, found.output) == ("Grep", "a7", "tax.py:3")
        assert (greeted.prompt, greeted.answer) == ("meanwhile, say hello", "Hello.")
        assert greeted.tools == ()

    @pytest.mark.parametrize("kind", ["bash_progress", "hook_progress", "mcp_progress"])
    def test_other_reports_are_no_part_of_a_turn(self, script: Script, kind: str) -> None:
        script.user("run it")
        script.calls("Bash", "t1")
        nested = {"type": "user", "message": {"role": "user", "content": "not the user"}}
        script.line("progress", None, data={"type": kind, "message": nested})
        script.result("t1", "done")
        script.says("It ran.")

        (turn,) = turns_of(script)
        assert (turn.prompt, turn.answer, len(turn.tools)) == ("run it", "It ran.", 1)


class TestAnswers:
    def test_error_messages_of_the_client_are_no_answers(self, script: Script) -> None:
        script.user("hello")
        script.says("API Error: 529 overloaded", isApiErrorMessage=True)
        content = [{"type": "text", "text": "No response requested."}]
        script.line("assistant", {"model": "<synthetic>", "content": content})

        assert [turn.answer for turn in turns_of(script)] == [""]

    def test_several_blocks_on_one_line_are_read_as_well(self, script: Script) -> None:
        script.user("hello")
        script.line(
            "assistant",
            {
                "id": "m1",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "let me see"},
                    {"type": "tool_use", "id": "t1", "name": "Read", "input": {}},
                ],
            },
        )

        (turn,) = turns_of(script)
        assert (turn.remarks, turn.answer, turn.tools[0].name) == (("let me see",), "", "Read")

    def test_a_message_on_several_lines_is_counted_once_with_its_last_count(
        self, script: Script
    ) -> None:
        script.user("hello")
        for count in (3, 40):
            usage = {"input_tokens": 7, "cache_creation_input_tokens": 5, "output_tokens": count}
            script.line("assistant", {"id": "m1", "content": [], "usage": usage})

        assert [turn.usage for turn in turns_of(script)] == [
            TokenUsage(input_tokens=12, output_tokens=40)
        ]

    def test_a_long_output_is_cut_in_the_middle_and_says_so(self, script: Script) -> None:
        script.user("hello")
        script.calls("Bash", "t1")
        script.result("t1", "a" * 30_000 + "the end")

        output = turns_of(script)[0].tools[0].output
        assert len(output) <= 20_000
        assert "characters cut …]" in output
        assert output.endswith("the end")

    def test_a_private_block_does_not_escape_by_the_cut(self, script: Script) -> None:
        script.user("hello")
        script.calls("Bash", "t1")
        script.result("t1", "x" * 15_000 + "<private>" + "s3cret " * 5_000 + "</private>")

        assert "s3cret" not in turns_of(script)[0].tools[0].output


class TestSubagents:
    def test_a_sidechain_in_the_main_file_adds_its_tool_calls_and_nothing_else(
        self, script: Script
    ) -> None:
        script.user("research")
        script.calls("Task", "t1")
        script.user("You are a researcher", isSidechain=True, parentUuid=None)
        script.calls("Grep", "t2", isSidechain=True)
        script.result("t2", "found", isSidechain=True)
        script.says("inner answer", isSidechain=True)
        script.result("t1", "inner answer")
        script.says("done")

        (turn,) = turns_of(script)
        assert [(call.name, call.agent, call.output) for call in turn.tools] == [
            ("Task", "", "inner answer"),
            ("Grep", "sidechain", "found"),
        ]
        assert (turn.remarks, turn.answer) == ((), "done")

    def test_an_agent_in_the_background_works_for_the_turn_that_started_it(
        self, script: Script
    ) -> None:
        script.user("start", promptId="p1")
        script.says("started")
        script.user("meanwhile", promptId="p2")
        script.user("do it", isSidechain=True, agentId="a1", promptId="p1")
        script.calls("Edit", "t1", isSidechain=True, agentId="a1")

        first, second = turns_of(script)
        assert [call.agent for call in first.tools] == ["a1"]
        assert second.tools == ()

    def test_without_a_prompt_id_an_agents_file_is_placed_by_time(
        self, script: Script, tmp_path: Path
    ) -> None:
        script.user("start")
        script.says("started")
        script.user("next")
        agents = tmp_path / "session-1" / "subagents"
        agents.mkdir(parents=True)
        inner = type(script)(agents / "agent-a1.jsonl")
        inner.calls("Edit", "t1", isSidechain=True, agentId="a1", timestamp="2026-01-15T10:00:02Z")

        first, second = turns_of(script)
        assert [call.id for call in first.tools] == ["t1"]
        assert second.tools == ()

    def test_an_agents_file_older_than_the_turn_is_not_opened(
        self, script: Script, tmp_path: Path
    ) -> None:
        script.user("start", promptId="p1")
        agents = tmp_path / "session-1" / "subagents"
        agents.mkdir(parents=True)
        inner = type(script)(agents / "agent-a1.jsonl")
        inner.user("do it", isSidechain=True, agentId="a1", promptId="p1")
        inner.calls("Edit", "t1", isSidechain=True, agentId="a1")
        os.utime(inner.path, (0, 0))

        assert [turn.tools for turn in turns_of(script)] == [()]


class TestDamage:
    def test_a_broken_line_is_skipped_and_counted(self, script: Script) -> None:
        script.user("hello")
        script.raw(b'{"type":"assistant","message":{"content":[{"type":"te\n')
        script.says("hi")

        reading = claude_code.read(script.path)
        assert (reading.turns[0].answer, reading.skipped) == ("hi", 1)

    def test_two_records_on_one_line_are_both_read(self, script: Script) -> None:
        script.user("hello")
        script.path.write_bytes(script.path.read_bytes().rstrip(b"\n"))
        script.says("hi")

        reading = claude_code.read(script.path)
        assert (reading.turns[0].answer, reading.skipped) == ("hi", 0)

    def test_a_line_that_is_still_being_written_is_left_for_later(self, script: Script) -> None:
        script.user("hello")
        complete = script.path.stat().st_size
        script.raw(b'{"type":"user","message":{"content":"next"}}')

        reading = claude_code.read(script.path)
        assert len(reading.turns) == 1
        assert reading.end == complete

    def test_half_an_emoji_and_a_nul_become_text_that_can_be_written(self, script: Script) -> None:
        script.user("cut \ud83d here \0 there")

        assert [turn.prompt for turn in turns_of(script)] == ["cut \ufffd here  there"]

    def test_summary_lines_of_older_clients_are_passed_over(self, script: Script) -> None:
        script.raw(b'{"type":"summary","summary":"Old talk","leafUuid":"x"}\n')
        script.user("hello")

        assert [turn.prompt for turn in turns_of(script)] == ["hello"]

    def test_an_empty_file_has_no_turns_yet(self, script: Script) -> None:
        reading = claude_code.read(script.path)

        assert (reading.turns, reading.resume_at, reading.end) == ((), 0, 0)
        assert reading.session == "session-1"

    def test_a_first_line_without_its_newline_is_not_taken_for_another_format(
        self, script: Script
    ) -> None:
        script.raw(b'{"type":"mode","mode":"default","sessionId":"s"}')

        assert turns_of(script) == ()

    @pytest.mark.parametrize(
        "content",
        [
            json.dumps(
                {"sessionId": "s", "messages": [{"type": "user", "content": "hi"}]}, indent=2
            ),
            json.dumps({"sessionId": "s", "messages": [{"type": "user", "content": "hi"}]}),
            '{"timestamp":"t","type":"session_meta","payload":{}}\n',
            "just text\n",
        ],
        ids=["gemini", "gemini on one line", "codex", "text"],
    )
    def test_the_log_of_another_program_is_refused(self, script: Script, content: str) -> None:
        script.raw(content.encode())

        with pytest.raises(TranscriptError, match="not a Claude Code transcript"):
            claude_code.read(script.path)
