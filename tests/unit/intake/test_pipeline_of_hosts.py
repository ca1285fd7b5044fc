"""Events of every host become turns: each once, in the project of its session."""

import shutil
from pathlib import Path

import pytest

from recollect.importers import transcripts
from recollect.transcripts import codex
from tests.unit.intake.desk import BEGIN, Desk

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
PLAIN = FIXTURES / "codex" / "plain.jsonl"
PATCH = "*** Begin Patch\n*** Add File: {}\n+swordfish\n*** End Patch"


class TestCodex:
    @pytest.fixture(autouse=True)
    def of_codex(self, desk: Desk) -> None:
        desk.host = "codex"

    def test_rollout_and_events_make_one_turn_each(self, desk: Desk, tmp_path: Path) -> None:
        rollout = Path(shutil.copy(PLAIN, tmp_path / "rollout-x.jsonl"))
        reading = codex.read(rollout)
        about = {"session": reading.session, "transcript_path": str(rollout)}

        for _ in range(2):
            for turn in reading.turns:
                desk.arrive("UserPromptSubmit", turn_id=turn.key, prompt=turn.prompt, **about)
                desk.arrive("Stop", turn_id=turn.key, last_assistant_message=turn.answer, **about)
            desk.arrive("SessionEnd", reason="other", **about)

        assert [(one.host, one.turn) for one in desk.entries()] == [
            ("codex", turn.key) for turn in reading.turns
        ]
        assert [len(one.tools) for one in desk.turns()] == [len(one.tools) for one in reading.turns]

    def test_the_log_of_a_subagent_is_not_taken_for_the_sessions(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        desk.arrive("UserPromptSubmit", turn_id="t", prompt="Count", transcript_path="/parent")
        desk.arrive("PostToolUse", agent_id="a", transcript_path=str(PLAIN), cwd=str(tmp_path))

        session = desk.session()
        assert (session.transcript, session.cwd) == ("/parent", str(desk.folder))

    @pytest.mark.parametrize("fields", [{"agent_id": "a"}, {"tool_name": "Bash"}])
    def test_where_a_command_or_a_subagent_runs_does_not_decide_the_project(
        self, desk: Desk, tmp_path: Path, fields: dict[str, str]
    ) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        desk.arrive("PostToolUse", turn_id="t", tool_use_id="c", cwd=str(elsewhere), **fields)

        desk.arrive("Stop", turn_id="t", last_assistant_message="Two.")

        session = desk.session()
        assert session.project.startswith("shop-")

    def test_the_task_of_a_subagent_is_no_turn(self, desk: Desk) -> None:
        desk.arrive("UserPromptSubmit", turn_id="t", prompt="Count the orders")
        desk.arrive("UserPromptSubmit", turn_id="u", prompt="Count them", agent_id="a")
        desk.arrive("Stop", turn_id="t", last_assistant_message="Two.")
        desk.arrive("SessionEnd")

        assert [one.title for one in desk.entries()] == ["Count the orders"]

    def test_an_excluded_path_holds_for_a_patch_without_a_rollout(self, desk: Desk) -> None:
        settings = f'[capture]\nexclude_paths = ["{desk.folder}/keys"]\n'
        (desk.home / "config.toml").write_text(settings)
        desk.arrive("UserPromptSubmit", turn_id="t", prompt="Write it down")
        for number, name in enumerate(["keys/a.txt", "b.txt"]):
            given = {"command": PATCH.format(name)}
            about = {"tool_name": "apply_patch", "tool_use_id": f"c{number}", "turn_id": "t"}
            desk.arrive("PostToolUse", tool_input=given, **about)
        desk.arrive("Stop", turn_id="t", last_assistant_message="Done.")

        (turn,) = desk.turns()
        assert [call.input["file_path"] for call in turn.tools] == [f"{desk.folder}/b.txt"]

    def test_a_session_that_went_silent_is_written_down(self, desk: Desk) -> None:
        desk.arrive("UserPromptSubmit", turn_id="t", prompt="Count the orders")

        desk.app.intake.settle(now=BEGIN.timestamp() + 700)

        assert [one.title for one in desk.entries()] == ["Count the orders"]

    def test_a_turn_that_was_read_outlives_its_rollout(self, desk: Desk, tmp_path: Path) -> None:
        rollout = Path(shutil.copy(PLAIN, tmp_path / "rollout-x.jsonl"))
        reading = codex.read(rollout)
        about = {"session": reading.session, "transcript_path": str(rollout)}
        last = reading.turns[-1]
        desk.arrive("UserPromptSubmit", turn_id=last.key, prompt=last.prompt, **about)
        desk.arrive("Stop", turn_id=last.key, last_assistant_message=last.answer, **about)
        before = (desk.journal(), desk.turns())
        rollout.unlink()

        for _ in range(2):
            desk.arrive("SessionEnd", reason="other", **about)

        assert (desk.journal(), desk.turns()) == before


class TestHostsWithoutALogThatIsRead:
    def ask(self, desk: Desk, prompt: str, answer: str, **about: object) -> None:
        desk.arrive("UserPromptSubmit", prompt=prompt, **about)
        given = {"tool_name": "run_shell_command", "tool_input": {"command": f"echo {answer}"}}
        desk.arrive("PostToolUse", **given, tool_response={"llmContent": answer}, **about)
        desk.arrive("Stop", prompt=prompt, prompt_response=answer, **about)

    def test_the_events_of_gemini_tell_all_though_it_keeps_a_log(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        desk.host = "gemini-cli"
        log = tmp_path / "session-b343.jsonl"
        log.write_text('{"sessionId":"s-1","kind":"main"}\n')

        for answer in ("Two.", "Three."):
            self.ask(desk, "Count the orders", answer, transcript_path=str(log))
        for _ in range(2):
            desk.arrive("SessionEnd", reason="exit", transcript_path=str(log))

        assert [(turn.prompt, turn.answer) for turn in desk.turns()] == [
            ("Count the orders", "Two."),
            ("Count the orders", "Three."),
        ]
        assert [[call.name for call in turn.tools] for turn in desk.turns()] == [["Bash"]] * 2
        assert [one.host for one in desk.entries()] == ["gemini-cli"] * 2

    def test_the_same_events_again_are_the_same_turn(self, desk: Desk) -> None:
        desk.host = "gemini-cli"
        for _ in range(2):
            desk.minutes = 0
            self.ask(desk, "Count the orders", "Two.")

        assert [turn.answer for turn in desk.turns()] == ["Two."]

    def test_a_turn_that_was_interrupted_is_not_lost_to_the_next(self, desk: Desk) -> None:
        desk.host = "gemini-cli"
        desk.arrive("UserPromptSubmit", prompt="Mend the tax")
        given = {"tool_name": "write_file", "tool_input": {"file_path": "tax.py", "content": "1"}}
        desk.arrive("PostToolUse", **given, tool_response={"llmContent": "Written."})

        self.ask(desk, "Test the tax", "Tested.")
        desk.arrive("SessionEnd", reason="exit")

        assert [(turn.prompt, turn.interrupted, len(turn.tools)) for turn in desk.turns()] == [
            ("Mend the tax", True, 1),
            ("Test the tax", False, 1),
        ]
        assert len(desk.entries()) == 2

    def test_what_hooks_had_said_is_not_kept_with_the_prompt(self, desk: Desk) -> None:
        desk.host = "gemini-cli"
        ours = "&lt;recollect-memory&gt;\n- tea\n&lt;/recollect-memory&gt;"
        self.ask(desk, f"<hook_context>{ours}</hook_context>\n\nCount the orders", "Two.")

        assert [turn.prompt for turn in desk.turns()] == ["Count the orders"]

    def test_the_events_of_opencode_tell_all(self, desk: Desk) -> None:
        desk.host = "opencode"
        desk.arrive("UserPromptSubmit", prompt="Count the orders", prompt_id="msg_1")
        desk.arrive(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": "wc -l orders"},
            tool_use_id="toolu_1",
            tool_response={"output": "2 orders\n", "exit": 0},
        )
        desk.arrive("Stop", last_assistant_message="Two.")
        for _ in range(2):
            desk.arrive("SessionEnd", reason="exit")

        (turn,) = desk.turns()
        assert (turn.host, turn.key, turn.answer) == ("opencode", "msg_1", "Two.")
        assert [call.output for call in turn.tools] == ["2 orders\n"]


class TestImport:
    def test_transcripts_of_both_hosts_are_taken_in_from_one_folder(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        folder = tmp_path / "old"
        shutil.copytree(FIXTURES / "codex" / "scripted", folder / "sessions")
        shutil.copy(FIXTURES / "claude-code" / "resumed-3.jsonl", folder)

        report = transcripts.import_all(desk.app.intake, folder, lambda _done, _all: None)

        assert (report.failed, report.files) == ((), 3)
        assert {one.host for one in desk.entries()} == {"claude-code", "codex"}
