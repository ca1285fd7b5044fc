"""What other hosts than Claude Code were seen to send, read into the same events."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from recollect.transcripts import events
from recollect.transcripts.events import Event
from recollect.transcripts.turns import ToolCall

AT = datetime(2026, 11, 16, 17, 32, 10, 683_000, tzinfo=UTC)
CODEX = {
    "session_id": "01a1e568",
    "turn_id": "01a1e568-a68a",
    "transcript_path": "/home/u/.codex/sessions/2026/11/16/rollout-x.jsonl",
    "cwd": "/home/u/shop",
    "model": "gpt-5.5",
    "permission_mode": "default",
}
GEMINI = {
    "session_id": "b343700f",
    "transcript_path": "/home/u/.gemini/tmp/project/chats/session-b343700f.jsonl",
    "cwd": "/home/u/shop",
    "timestamp": "2026-11-16T17:32:10.683Z",
}
OPENCODE = {"session_id": "ses_e1a8", "cwd": "/home/u/shop"}
PATCH = """*** Begin Patch
*** Update File: src/orders.py
@@
-lazy
+selectinload
*** Add File: notes.md
+Prices are in cents.
*** End Patch"""


def parse(host: str, base: Mapping[str, object], name: str, **fields: object) -> Event:
    return events.parse(json.dumps({**base, **fields}).encode(), name=name, at=AT, host=host)


def codex(name: str, **fields: object) -> Event:
    return parse("codex", CODEX, name, **fields)


def gemini(name: str, **fields: object) -> Event:
    return parse("gemini-cli", GEMINI, name, **fields)


def ran(tool: str, given: object, response: object, **fields: object) -> ToolCall:
    """The one call of an AfterTool event of Gemini CLI."""
    told = {"tool_name": tool, "tool_input": given, "tool_response": response}
    (call,) = gemini("PostToolUse", **told, **fields).tools
    return call


class TestCodex:
    def test_a_turn_goes_by_the_clients_id(self) -> None:
        event = codex("UserPromptSubmit", prompt="Why is it slow?")

        assert (event.host, event.prompt_id, event.prompt) == (
            "codex",
            "01a1e568-a68a",
            "Why is it slow?",
        )
        assert event.transcript.endswith("rollout-x.jsonl")

    def test_a_command_and_what_it_printed(self) -> None:
        (call,) = codex(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": "echo hi"},
            tool_response="hi\n",
            tool_use_id="call_4a0e",
        ).tools

        assert call == ToolCall(
            id="call_4a0e", name="Bash", input={"command": "echo hi"}, output="hi\n"
        )

    def test_a_patch_is_one_call_per_file_with_its_whole_path(self) -> None:
        calls = codex(
            "PostToolUse",
            tool_name="apply_patch",
            tool_input={"command": PATCH},
            tool_response="Success.",
            tool_use_id="call_1",
            cwd="/home/u/shop/api",
        ).tools

        assert [(call.id, call.name, call.input["file_path"]) for call in calls] == [
            ("call_1", "Edit", "/home/u/shop/api/src/orders.py"),
            ("call_1:1", "Write", "/home/u/shop/api/notes.md"),
        ]

    def test_a_patch_in_a_command_stands_with_its_files(self) -> None:
        given = {"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}
        told = {"tool_name": "Bash", "tool_input": given, "tool_response": "Success."}

        calls = codex("PostToolUse", **told, tool_use_id="c", cwd="/home/u/shop").tools

        assert [call.input.get("file_path") for call in calls] == [
            None,
            "/home/u/shop/src/orders.py",
            "/home/u/shop/notes.md",
        ]
        assert "cents" not in repr(calls[0])

    def test_the_folder_of_a_command_is_not_the_sessions(self) -> None:
        told = {"tool_name": "Bash", "tool_use_id": "c", "tool_input": {}, "cwd": "/tmp"}

        assert codex("PostToolUse", **told).cwd == ""
        assert codex("Stop").cwd == "/home/u/shop"

    def test_log_and_folder_of_a_subagent_are_not_the_sessions(self) -> None:
        event = codex("UserPromptSubmit", agent_id="a-1", agent_type="default", prompt="Count.")

        assert (event.agent_id, event.cwd, event.transcript) == ("a-1", "", "")


class TestGemini:
    def test_a_prompt_goes_by_its_time_because_the_client_gives_it_no_id(self) -> None:
        event = gemini("UserPromptSubmit", hook_event_name="BeforeAgent", prompt="What?")

        assert (event.name, event.prompt, event.prompt_id) == ("UserPromptSubmit", "What?", "")
        assert event.at == AT

    def test_the_content_of_a_file_that_a_prompt_names_is_not_the_users(self) -> None:
        told = (
            "Explain @keys/a.pem please\n--- Content from referenced files ---\n"
            "Content from @keys/a.pem:\nswordfish\n--- End of content ---"
        )

        for name, event in (("UserPromptSubmit", {}), ("Stop", {"prompt_response": "Fine."})):
            assert gemini(name, prompt=told, **event).prompt == "Explain @keys/a.pem please"

    @pytest.mark.parametrize(
        ("content", "output"),
        [
            (["one", {"text": "two"}], "one\ntwo"),
            ({"text": "three"}, "three"),
            (None, ""),
            ([{"inlineData": {}}], ""),
        ],
    )
    def test_an_answer_has_one_of_many_shapes(
        self, content: dict[str, str] | list[dict[str, object] | str] | None, output: str
    ) -> None:
        assert ran("read_file", {"file_path": "a"}, {"llmContent": content}).output == output

    def test_the_end_of_a_turn_tells_prompt_and_answer(self) -> None:
        told = {
            "prompt": "What?",
            "prompt_response": "Let me look.\nDone.",
            "stop_hook_active": False,
        }

        event = gemini("Stop", **told)

        assert (event.prompt, event.answer, event.prompt_id) == ("What?", "Let me look.\nDone.", "")
        assert gemini("Stop", **told | {"prompt_response": "[no response text]"}).answer == ""

    @pytest.mark.parametrize(
        ("printed", "output", "failed"),
        [
            ("Output: tool-ran\nProcess Group PGID: 29429", "tool-ran", False),
            ("Output: err\nExit Code: 3\nProcess Group PGID: 31938", "err", True),
            ("Output: one\ntwo\nProcess Group PGID: 1", "one\ntwo", False),
            ("Output: Exit Code: 0\nProcess Group PGID: 1", "Exit Code: 0", False),
            ("Output: (empty)\nError: spawn failed\nProcess Group PGID: 1", "(empty)", True),
        ],
    )
    def test_a_command_and_what_it_printed(self, printed: str, output: str, failed: bool) -> None:
        response = {"llmContent": f"<untrusted_context>\n{printed}\n</untrusted_context>"}

        call = ran("run_shell_command", {"command": "echo tool-ran"}, response)

        assert (call.name, call.input) == ("Bash", {"command": "echo tool-ran"})
        assert (call.output, call.failed) == (output, failed)

    @pytest.mark.parametrize(
        ("printed", "trailer", "failed"),
        [
            ("Error: unused variable (warning only)", "", False),
            ("Exit Code: 7", "", False),
            ("Error: no tea\nnow there is", "", False),
            ("Exit Code: 0", "Exit Code: 2\n", True),
            ("one\n\nSignal: green", "", False),
            ("one", "Error: killed\nby hand\nExit Code: 1\nSignal: 9\n", True),
        ],
    )
    @pytest.mark.parametrize("first", ["", "Linted.\n"])
    def test_what_a_command_printed_is_not_how_it_ended(
        self, first: str, printed: str, trailer: str, failed: bool
    ) -> None:
        told = f"Output: {first}{printed}\n{trailer}Process Group PGID: 1"
        wrapped = f"<untrusted_context>\n{told}\n</untrusted_context>"

        response = {"llmContent": wrapped, "returnDisplay": f"{first}{printed}"}
        call = ran("run_shell_command", {"command": "make"}, response)

        assert (call.output, call.failed) == (f"{first}{printed}", failed)

    @pytest.mark.parametrize(
        ("told", "output", "failed"),
        [
            ("Output: Error: unused\nProcess Group PGID: 1", "Error: unused", False),
            ("Output: a\nError: unused\nProcess Group PGID: 1", "a\nError: unused", False),
            ("Output: a\nSignal: green\nProcess Group PGID: 1", "a\nSignal: green", False),
            ("Output: a\nExit Code: 7\nb\nProcess Group PGID: 1", "a\nExit Code: 7\nb", False),
            ("Output: a\nExit Code: 7", "a\nExit Code: 7", False),
        ],
    )
    def test_only_the_clients_trailer_tells_how_a_command_ended(
        self, told: str, output: str, failed: bool
    ) -> None:
        call = ran("run_shell_command", {"command": "make"}, {"llmContent": told})

        assert (call.output, call.failed) == (output, failed)

    @pytest.mark.parametrize(
        ("tool", "name"), [("write_file", "Write"), ("replace", "Edit"), ("read_file", "Read")]
    )
    def test_a_file_is_named_by_its_whole_path(self, tool: str, name: str) -> None:
        call = ran(tool, {"file_path": "a.txt"}, {"llmContent": "one\n", "returnDisplay": ""})

        assert (call.name, call.input["file_path"]) == (name, "/home/u/shop/a.txt")
        assert (call.output, call.failed) == ("one\n", False)

    def test_an_error_is_a_failure(self) -> None:
        response = {
            "llmContent": "Could not read file because no file was found.",
            "error": {"message": "File not found: /x", "type": "file_not_found"},
        }

        call = ran("read_file", {"file_path": "x"}, response)

        assert (call.output, call.failed) == (
            "Could not read file because no file was found.",
            True,
        )

    def test_a_tool_of_a_server_has_the_name_that_all_hosts_give_it(self) -> None:
        text = "<untrusted_context>\nremembered\n</untrusted_context>"
        server = {"server_name": "tickets", "tool_name": "find"}

        call = ran("mcp_tickets_find", {}, {"llmContent": [{"text": text}]}, mcp_context=server)

        assert (call.name, call.output) == ("mcp__tickets__find", "remembered")

    def test_calls_are_told_apart_and_the_same_event_is_the_same_call(self) -> None:
        one = ran("read_file", {"file_path": "a"}, {})
        same = ran("read_file", {"file_path": "a"}, {})
        other = ran("read_file", {"file_path": "b"}, {})
        later = ran("read_file", {"file_path": "a"}, {}, timestamp="2026-11-16T17:32:11.000Z")

        assert one.id == same.id
        assert len({one.id, other.id, later.id}) == 3


class TestOpenCode:
    @pytest.mark.parametrize(("code", "failed"), [(0, False), (3, True), (None, False)])
    def test_a_command_and_what_it_printed(self, code: int | None, failed: bool) -> None:
        (call,) = parse(
            "opencode",
            OPENCODE,
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": "echo tool-ran"},
            tool_use_id="toolu_3af3",
            tool_response={"output": "tool-ran\n", "exit": code},
        ).tools

        assert (call.output, call.failed) == ("tool-ran\n", failed)

    @pytest.mark.parametrize("field", ["patch_text", "input", "command"])
    def test_a_patch_is_one_call_per_file_whatever_its_field_is_called(self, field: str) -> None:
        told = {"tool_name": "apply_patch", "tool_use_id": "c", "tool_input": {field: PATCH}}

        calls = parse("opencode", OPENCODE, "PostToolUse", **told, tool_response="ok").tools

        assert [(call.name, call.input["file_path"]) for call in calls] == [
            ("Edit", "/home/u/shop/src/orders.py"),
            ("Write", "/home/u/shop/notes.md"),
        ]

    def test_a_refused_patch_tells_no_line_of_the_file(self) -> None:
        error = (
            "apply_patch verification failed: Error: Failed to find expected lines in"
            " /home/u/shop/keys.env:\nKEY=swordfish"
        )
        given = {"patch_text": "*** Update File: keys.env\n@@\n-KEY=swordfish\n+KEY="}
        told = {"tool_name": "apply_patch", "tool_use_id": "c", "tool_input": given}

        (call,) = parse("opencode", OPENCODE, "PostToolUseFailure", **told, error=error).tools

        assert call.output.endswith("in /home/u/shop/keys.env:")
        assert call.failed


class TestTime:
    @pytest.mark.parametrize(
        ("told", "taken"),
        [
            (AT - timedelta(seconds=30), AT - timedelta(seconds=30)),
            (AT + timedelta(seconds=1), AT),
            (AT - timedelta(hours=1), AT),
        ],
    )
    def test_an_event_happened_when_its_host_says_if_that_can_be(
        self, told: datetime, taken: datetime
    ) -> None:
        event = parse("opencode", OPENCODE, "Stop", timestamp=told.isoformat())

        assert event.at == taken

    def test_a_host_that_tells_no_time_is_heard_when_it_speaks(self) -> None:
        assert parse("opencode", OPENCODE, "Stop", timestamp="noon").at == AT
