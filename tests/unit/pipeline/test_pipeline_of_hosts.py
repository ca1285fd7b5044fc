"""Events of every host become turns: each once, in the project of its session."""

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect.transcripts import codex
from tests.builders.intake import BEGIN, Desk

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

    def test_a_turn_that_was_kept_before_its_id_was_known_is_not_kept_again(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        """Messages of Codex 0.144 have no turn id: such a turn was known by its place."""
        started = b'{"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}\n'
        asked = b'{"type":"event_msg","payload":{"type":"user_message","message":"Count"}}\n'
        meta = b'{"type":"session_meta","payload":{"id":"s-1"}}\n'
        rollout = tmp_path / "rollout-x.jsonl"
        rollout.write_bytes(meta + started + asked)
        desk.app.inside.state.sessions.set_recorded("codex", f"s-1:{len(meta + started)}")

        desk.arrive("Stop", transcript_path=str(rollout))
        desk.arrive("SessionEnd", transcript_path=str(rollout))

        assert desk.titles() == []

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


class TestGemini:
    """Its log gives turns an id, its events do not."""

    @pytest.fixture
    def log(self, desk: Desk, tmp_path: Path) -> Path:
        desk.host = "gemini-cli"
        path = tmp_path / "tmp" / "shop" / "chats" / "session-s1.jsonl"
        path.parent.mkdir(parents=True)
        (path.parent.parent / ".project_root").write_text(str(desk.folder))
        path.write_text('{"sessionId":"s-1","projectHash":"9c21","kind":"main"}\n')
        return path

    def write(self, desk: Desk, log: Path, kind: str, content: object, **fields: object) -> None:
        """A message in the log, a second after the last event."""
        at = (desk.now + timedelta(seconds=1)).isoformat()
        line = len(log.read_bytes().splitlines())
        record = {
            "id": f"{log.stem}-{line}",
            "timestamp": at,
            "type": kind,
            "content": content,
            **fields,
        }
        log.write_text(f"{log.read_text()}{json.dumps(record)}\n")

    def ask(self, desk: Desk, log: Path, prompt: str, answer: str) -> None:
        about = {"transcript_path": str(log)}
        desk.arrive("UserPromptSubmit", prompt=prompt, **about)
        self.write(desk, log, "user", [{"text": prompt}])
        call: dict[str, Any] = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}
        desk.arrive("PostToolUse", **call, tool_response={"llmContent": "a.py"}, **about)
        made = {"id": f"c-{desk.minutes}", "name": "run_shell_command", "args": {"command": "ls"}}
        self.write(desk, log, "gemini", "", toolCalls=[made])
        self.write(desk, log, "gemini", answer)
        desk.arrive("Stop", prompt=prompt, prompt_response=answer, **about)

    def test_log_and_events_make_one_turn_each_though_the_words_are_the_same(
        self, desk: Desk, log: Path
    ) -> None:
        self.ask(desk, log, "Go on", "Two.")
        self.ask(desk, log, "Go on", "Three.")
        for _ in range(2):
            desk.arrive("SessionEnd", reason="exit", transcript_path=str(log))

        assert [(one.key, one.prompt, one.answer, len(one.tools)) for one in desk.turns()] == [
            ("session-s1-1", "Go on", "Two.", 1),
            ("session-s1-4", "Go on", "Three.", 1),
        ]
        assert [one.host for one in desk.entries()] == ["gemini-cli"] * 2

    def test_a_turn_is_recorded_when_it_ends_and_not_again_by_an_import(
        self, desk: Desk, log: Path
    ) -> None:
        self.ask(desk, log, "Count the orders", "Two.")
        recorded = desk.titles()

        desk.arrive("SessionEnd", reason="exit", transcript_path=str(log))
        report = desk.app.importing.transcripts(log.parent, lambda *_: None)

        assert recorded == ["Count the orders"] == desk.titles()
        assert (report.added, report.known) == (0, 1)

    def test_what_the_log_left_out_is_known_from_the_events(self, desk: Desk, log: Path) -> None:
        about = {"transcript_path": str(log)}
        desk.arrive("UserPromptSubmit", prompt="Count", **about)
        self.write(desk, log, "user", [{"text": "Count"}])
        desk.arrive("Stop", prompt="Count", prompt_response="Two.", **about)

        self.ask(desk, log, "Go on", "Three.")

        first, _ = desk.turns()
        assert (first.answer, first.interrupted) == ("Two.", False)

    def test_an_import_makes_no_turn_emptier(self, desk: Desk, log: Path) -> None:
        about = {"transcript_path": str(log)}
        desk.arrive("UserPromptSubmit", prompt="Count", **about)
        self.write(desk, log, "user", [{"text": "Count"}])
        desk.arrive("Stop", prompt="Count", prompt_response="There are two orders.", **about)
        desk.arrive("SessionEnd", reason="exit", **about)
        before = desk.journal()

        desk.app.importing.transcripts(log, lambda *_: None)
        desk.arrive("SessionStart", source="resume", **about)
        self.ask(desk, log, "Go on", "Three.")

        assert desk.turns()[0].answer == "There are two orders."
        assert desk.entries()[0].body in before

    def test_what_was_typed_and_what_was_sent_are_one_turn(self, desk: Desk, log: Path) -> None:
        about = {"transcript_path": str(log)}
        sent = "Review pull request 7."
        desk.arrive("UserPromptSubmit", prompt=sent, **about)
        self.write(desk, log, "user", [{"text": sent}], displayContent=[{"text": "/review 7"}])
        self.write(desk, log, "gemini", "Reviewed.")
        desk.arrive("Stop", prompt=sent, prompt_response="Reviewed.", **about)
        desk.arrive("SessionEnd", reason="exit", **about)

        assert [turn.prompt for turn in desk.turns()] == ["/review 7"]

    def test_a_turn_that_a_hook_sent_back_to_work_is_one(self, desk: Desk, log: Path) -> None:
        about = {"transcript_path": str(log)}
        self.ask(desk, log, "Mend it", "Mended.")
        desk.arrive("UserPromptSubmit", prompt="Run the tests first.", **about)
        again = {"displayContent": [{"text": "Mend it"}]}
        self.write(desk, log, "user", [{"text": "Run the tests first."}], **again)
        desk.minutes += 1
        self.write(desk, log, "gemini", "Mended and tested.")
        at_once = {"timestamp": (desk.now + timedelta(seconds=2)).isoformat(), **about}
        desk.arrive("Stop", prompt="Mend it", prompt_response="Mended and tested.", **at_once)
        desk.arrive("SessionEnd", reason="exit", **about)

        assert [turn.answer for turn in desk.turns()] == ["Mended.\n\nMended and tested."]

    def test_what_a_turn_went_on_to_say_is_kept_though_its_entry_stays(
        self, desk: Desk, log: Path
    ) -> None:
        self.ask(desk, log, "What does it do?", "The cause was an N+1 query in get_orders.")
        again = {"displayContent": [{"text": "What does it do?"}]}
        self.write(desk, log, "user", [{"text": "Be brief."}], **again)
        self.write(desk, log, "gemini", "Yes.")
        desk.arrive("SessionEnd", reason="exit", transcript_path=str(log))

        (turn,) = desk.turns()
        assert turn.answer.endswith("Yes.")

    def test_a_log_that_moves_on_to_another_file_doubles_no_turn(
        self, desk: Desk, log: Path
    ) -> None:
        self.ask(desk, log, "Count the orders", "Two.")
        moved = log.with_name("session-s2.jsonl")
        moved.write_text(log.read_text().splitlines(keepends=True)[0])

        self.ask(desk, moved, "Count the taxes", "One.")
        desk.arrive("SessionEnd", reason="exit", transcript_path=str(moved))

        assert [turn.answer for turn in desk.turns()] == ["Two.", "One."]

    def test_files_are_left_out_by_their_path_though_the_log_names_no_folder(
        self, desk: Desk, log: Path
    ) -> None:
        desk.home.mkdir(exist_ok=True)
        excluded = json.dumps([str(desk.folder / "keys")])
        (desk.home / "config.toml").write_text(f"[capture]\nexclude_paths = {excluded}\n")
        (log.parent.parent / ".project_root").unlink()
        about = {"transcript_path": str(log)}
        desk.arrive("UserPromptSubmit", prompt="Look", **about)
        self.write(desk, log, "user", [{"text": "Look"}])
        result = [{"functionResponse": {"response": {"output": "swordfish"}}}]
        call = {"id": "c", "name": "read_file", "args": {"file_path": "keys/a"}, "result": result}
        self.write(desk, log, "gemini", "", toolCalls=[call])
        desk.arrive("Stop", prompt="Look", prompt_response="Done.", **about)

        (turn,) = desk.turns()
        assert (turn.tools, turn.cwd) == ((), str(desk.folder))

    def test_a_log_that_is_deleted_costs_no_turn_and_doubles_none(
        self, desk: Desk, log: Path
    ) -> None:
        self.ask(desk, log, "Count the orders", "Two.")
        log.unlink()
        about = {"transcript_path": str(log)}

        desk.arrive("UserPromptSubmit", prompt="Count the taxes", **about)
        desk.arrive("Stop", prompt="Count the taxes", prompt_response="One.", **about)
        desk.arrive("SessionEnd", reason="exit", **about)

        assert [one.answer for one in desk.turns()] == ["Two.", "One."]

    def test_a_log_that_does_not_say_where_it_is_from_goes_where_one_says(
        self, desk: Desk, log: Path
    ) -> None:
        self.write(desk, log, "user", [{"text": "Count the orders"}])
        (log.parent.parent / ".project_root").unlink()
        project = desk.app.projects.meet(str(desk.folder)).name

        refused = desk.app.importing.transcripts(log, lambda *_: None)
        taken = desk.app.importing.transcripts(log, lambda *_: None, project=project)

        ((_, reason),) = refused.failed
        assert "does not say which folder" in reason
        assert "--project" in reason
        assert (taken.added, taken.projects) == (1, (project,))


class TestHostsWithoutALogThatIsRead:
    def ask(self, desk: Desk, prompt: str, answer: str, **about: Any) -> None:
        desk.arrive("UserPromptSubmit", prompt=prompt, **about)
        run = {"command": f"echo {answer}"}
        given: dict[str, Any] = {"tool_name": "run_shell_command", "tool_input": run}
        desk.arrive("PostToolUse", **given, tool_response={"llmContent": answer}, **about)
        desk.arrive("Stop", prompt=prompt, prompt_response=answer, **about)

    def test_the_same_events_again_are_the_same_turn(self, desk: Desk) -> None:
        desk.host = "gemini-cli"
        for _ in range(2):
            desk.minutes = 0
            self.ask(desk, "Count the orders", "Two.")

        assert [turn.answer for turn in desk.turns()] == ["Two."]

    def test_a_turn_that_was_interrupted_is_not_lost_to_the_next(self, desk: Desk) -> None:
        desk.host = "gemini-cli"
        desk.arrive("UserPromptSubmit", prompt="Mend the tax")
        file = {"file_path": "tax.py", "content": "1"}
        given: dict[str, Any] = {"tool_name": "write_file", "tool_input": file}
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

    def test_an_export_leaves_the_work_of_a_subagent_where_it_was_seen(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        desk.host = "opencode"
        written = {"tool_name": "Write", "tool_input": {"file_path": "db.py"}, "agent_id": "ses_2"}
        desk.arrive("UserPromptSubmit", prompt="Mend it", prompt_id="msg_1", session="ses_1")
        desk.arrive("PostToolUse", **written, tool_use_id="c", session="ses_1")
        desk.arrive("Stop", last_assistant_message="Mended.", session="ses_1")
        (before,) = desk.entries()
        text = {"type": "text", "text": "Mend it"}
        told = {"id": "msg_1", "role": "user", "time": {"created": 1_794_888_007_000}}
        info = {"id": "ses_1", "directory": str(desk.folder)}
        export = tmp_path / "export.json"
        messages = [{"info": told, "parts": [text]}]
        export.write_text(json.dumps({"info": info, "messages": messages}))

        desk.app.importing.transcripts(export, lambda *_: None)

        (after,) = desk.entries()
        assert "`db.py` (modified)" in before.body
        assert (after.title, after.body) == (before.title, before.body)

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
    @pytest.mark.parametrize("depth", [300, 900])
    def test_one_odd_file_does_not_stop_the_others(
        self, desk: Desk, tmp_path: Path, depth: int
    ) -> None:
        logs = tmp_path / "logs"
        logs.mkdir()
        nested: object = "x"
        for _ in range(depth):
            nested = [nested]
        call = {"id": "c", "name": "x", "args": {"deep": nested}}
        told = {"id": "g", "timestamp": "0001-01-01T00:00:00+14:00", "type": "gemini"}
        odd = [
            {"sessionId": "s-1", "projectHash": "9c21", "kind": "main"},
            {"id": "u", "timestamp": "9999-12-31T23:59:59Z", "type": "user", "content": "Look"},
            told | {"content": "Seen.", "toolCalls": [call]},
        ]
        (logs / "session-1.jsonl").write_text("".join(json.dumps(one) + "\n" for one in odd))
        shutil.copy(PLAIN, logs / "rollout-x.jsonl")
        project = desk.app.projects.meet(str(desk.folder)).name

        report = desk.app.importing.transcripts(logs, lambda *_: None, project=project)

        assert report.added + len(report.failed) == 2

    def test_transcripts_of_both_hosts_are_taken_in_from_one_folder(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        folder = tmp_path / "old"
        shutil.copytree(FIXTURES / "codex" / "scripted", folder / "sessions")
        shutil.copy(FIXTURES / "claude-code" / "resumed-3.jsonl", folder)

        report = desk.app.importing.transcripts(folder, lambda _done, _all: None)

        assert (report.failed, report.files) == ((), 3)
        assert {one.host for one in desk.entries()} == {"claude-code", "codex"}
