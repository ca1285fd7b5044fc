"""From events to the journal: which turns are kept, which never, and each of them once."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from benchmarks import claude_transcripts

from recollect import paths
from recollect.store import queue
from recollect.transcripts import claude_code, events
from tests.builders.intake import BEGIN, Desk

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "claude-code"


class TestTurns:
    def test_a_finished_turn_is_written_down_at_once(self, desk: Desk) -> None:
        desk.turn("Fix the tea", "It was cold because nobody drank it.")

        assert desk.titles() == ["It was cold because nobody drank it."]
        assert "asked: Fix the tea" in desk.journal()
        assert desk.session().turns == 1

    def test_an_unfinished_turn_waits_for_the_end_of_its_session(self, desk: Desk) -> None:
        desk.arrive("UserPromptSubmit", prompt="Fix the tea", prompt_id="p")
        before = desk.titles()
        desk.arrive("SessionEnd", reason="other")

        assert before == []
        assert [title.startswith("Fix the tea") for title in desk.titles()] == [True]
        assert desk.session().status == "completed"
        assert desk.session().end_reason == "other"

    def test_the_same_events_twice_make_one_turn(self, desk: Desk) -> None:
        for _ in range(2):
            desk.turn("Fix the tea")

        assert desk.titles() == ["Fix the tea"]

    def test_a_transcript_and_its_events_make_one_turn_each(self, desk: Desk) -> None:
        transcript = desk.folder / "t.jsonl"
        shutil.copy(FIXTURES / "resumed-3.jsonl", transcript)
        lines = map(json.loads, transcript.read_text().splitlines())
        session = next(line["sessionId"] for line in lines if line.get("sessionId"))

        for _ in range(2):
            desk.arrive("Stop", session=session, transcript_path=str(transcript))
            desk.arrive("SessionEnd", session=session, transcript_path=str(transcript))

        titles = desk.titles()
        assert titles
        assert len(titles) == desk.session(session).turns

    def test_a_turn_that_was_read_outlives_its_transcript(self, desk: Desk) -> None:
        transcript = Path(shutil.copy(FIXTURES / "resumed-3.jsonl", desk.folder / "t.jsonl"))
        reading = claude_code.read(transcript)
        about = {"session": reading.session, "transcript_path": str(transcript)}
        last = reading.turns[-1]
        desk.arrive("UserPromptSubmit", prompt=last.prompt, prompt_id=last.key, **about)
        desk.arrive("Stop", last_assistant_message=last.answer, prompt_id=last.key, **about)
        before = (desk.journal(), desk.turns())
        transcript.unlink()

        desk.arrive("SessionEnd", reason="other", **about)

        assert (desk.journal(), desk.turns()) == before

    def test_a_turn_that_its_transcript_only_repeats_waits_for_no_model_again(
        self, desk: Desk
    ) -> None:
        (desk.home / "config.toml").write_text('[synthesis]\nengine = "anthropic"\n')
        said = {"id": "t", "session": "s", "at": "2026-11-15T12:00:00Z", "prompt": "Fix the tea"}
        told = [{**said, "tools": [], "answer": "It was cold because nobody drank it."}]
        claude_transcripts.write(desk.folder / "logs", told, project=desk.folder)
        (transcript,) = (desk.folder / "logs").iterdir()
        reading = claude_code.read(transcript)
        (turn,) = reading.turns
        about = {"session": reading.session, "transcript_path": str(transcript)}
        written = transcript.read_bytes()
        transcript.unlink()  # The client has not written it yet.
        desk.arrive("UserPromptSubmit", prompt=turn.prompt, prompt_id=turn.key, **about)
        desk.arrive("Stop", last_assistant_message=turn.answer, prompt_id=turn.key, **about)
        asked_about = queue.waiting(desk.app.inside.state)
        queue.done(desk.app.inside.state, asked_about)
        transcript.write_bytes(written)

        desk.arrive("SessionEnd", reason="other", **about)

        assert [one.turn for one in asked_about] == [turn.key]
        assert queue.waiting(desk.app.inside.state) == []

    def test_a_turn_that_the_user_deleted_does_not_come_back(self, desk: Desk) -> None:
        desk.turn("Fix the tea")
        (day,) = desk.home.glob("projects/*/journal/*.md")
        day.write_text("# 2026-11-15\n")

        desk.turn("Fix the tea")
        desk.turn("Bake a cake")

        assert desk.titles() == ["Bake a cake"]

    def test_a_summary_has_nothing_that_the_user_took_out_of_an_entry(self, desk: Desk) -> None:
        desk.turn(
            "Why is it cold?",
            "The root cause was that `kettle_code` of the shop kitchen read 4711.",
        )
        (day,) = desk.home.glob("projects/*/journal/*.md")
        before = day.read_text()
        summary, mark, entry = before.partition("### 12:01")
        day.write_text(summary + mark + entry.replace("4711", "a number"))

        desk.turn("Bake a cake", "It is in the oven.")

        assert "4711" in summary
        assert "4711" not in desk.journal()

    def test_an_event_without_a_session_or_folder_is_no_obstacle(self, desk: Desk) -> None:
        desk.arrive("UserPromptSubmit", cwd="", prompt="Fix the tea", prompt_id="p")
        desk.arrive("Stop", cwd="", prompt_id="p")
        desk.turn("Bake a cake", session="s-2")

        assert desk.titles() == ["Bake a cake"]

    @pytest.mark.parametrize("name", ["../../../escaped", "a/b/c", "x" * 400, ".", "\u0000\ud800"])
    def test_a_session_of_any_name_stays_inside_the_home(
        self, desk: Desk, tmp_path: Path, name: str
    ) -> None:
        before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(desk.home)}

        desk.turn("Fix the tea", session=f"{name}-s")

        assert desk.titles() == ["Fix the tea"]
        assert {p for p in tmp_path.rglob("*") if not p.is_relative_to(desk.home)} == before
        assert len(list(desk.home.glob("projects/*/transcripts/*.gz"))) == 1

    @pytest.mark.parametrize(
        "transcript", ["/", "/dev/null", "/nowhere", "relative.jsonl", "/etc/hosts", "x" * 5000]
    )
    def test_a_transcript_that_is_none_is_no_obstacle(self, desk: Desk, transcript: str) -> None:
        desk.arrive(
            "UserPromptSubmit", prompt="Fix the tea", prompt_id="p", transcript_path=transcript
        )
        desk.arrive("Stop", prompt_id="p", transcript_path=transcript)

        assert desk.titles() == ["Fix the tea"]

    def test_the_end_of_a_nameless_subagent_is_noise(self, desk: Desk) -> None:
        desk.arrive("SubagentStop", session="s-9", agent_type="")

        assert desk.app.inside.state.sessions.find("s-9") is None


class TestWhatIsNotKept:
    def settings(self, desk: Desk, text: str) -> None:
        Path(paths.config(str(desk.home))).write_text(text)

    def everything(self, desk: Desk) -> bytes:
        """All bytes in the home, databases and archives too."""
        files = [path for path in desk.home.rglob("*") if path.is_file()]
        unpacked = [gzip.decompress(path.read_bytes()) for path in files if path.suffix == ".gz"]
        return b"".join([*unpacked, *(path.read_bytes() for path in files)])

    def test_nothing_while_capture_is_off(self, desk: Desk) -> None:
        self.settings(desk, "[capture]\nenabled = false\n")

        desk.turn("The swordfish is fine")

        assert desk.titles() == []
        assert b"swordfish" not in self.everything(desk)

    def test_a_session_once_not_kept_never_is(self, desk: Desk) -> None:
        self.settings(desk, "[capture]\nenabled = false\n")
        desk.turn("The swordfish is fine")
        self.settings(desk, "")

        desk.turn("Bake a cake")
        desk.turn("Another one", session="s-2")

        assert desk.titles() == ["Another one"]

    def test_nothing_of_an_excluded_project(self, desk: Desk) -> None:
        desk.turn("Fix the tea")
        desk.app.inside.registry.exclude(desk.app.projects.all()[0], excluded=True)

        desk.turn("The swordfish is fine", session="s-2")

        assert desk.titles() == ["Fix the tea"]
        assert b"swordfish" not in self.everything(desk)

    def test_nothing_of_an_excluded_folder(self, desk: Desk) -> None:
        self.settings(desk, f'[capture]\nexclude_paths = ["{desk.folder}"]\n')

        desk.turn("The swordfish is fine")

        assert b"swordfish" not in self.everything(desk)

    @pytest.mark.parametrize("where", ["user", "repository"])
    def test_no_call_that_touches_an_excluded_file(self, desk: Desk, where: str) -> None:
        text = '[capture]\nexclude_paths = ["*.pem"]\n'
        if where == "user":
            self.settings(desk, text)
        else:
            (desk.folder / ".recollect.toml").write_text(text)
        desk.arrive("UserPromptSubmit", prompt="Look at the keys", prompt_id="p")
        for name, content in (("key.pem", "swordfish"), ("tea.txt", "earl grey")):
            desk.arrive(
                "PostToolUse", prompt_id="p", tool_name="Write", tool_use_id=name,
                tool_input={"file_path": f"{desk.folder}/{name}", "content": content},
                tool_response={"filePath": name, "type": "create"},
            )  # fmt: skip
        desk.arrive("Stop", prompt_id="p", last_assistant_message="Seen.")

        assert "`tea.txt` (modified)" in desk.journal()
        assert "key.pem" not in desk.journal()
        assert b"swordfish" not in self.everything(desk)

    def test_no_private_block_and_no_secret_anywhere(self, desk: Desk) -> None:
        secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
        desk.turn(
            f"Use <private>the swordfish</private> and {secret}",
            f"I used {secret} <private>eel</private>.",
        )

        everything = self.everything(desk)
        assert desk.titles()
        for word in (secret, "swordfish", "eel"):
            assert word.encode() not in everything


class TestProjects:
    def test_a_session_keeps_the_project_it_began_in(self, desk: Desk, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        desk.arrive("SessionStart", source="startup")

        desk.arrive(
            "UserPromptSubmit", cwd=str(tmp_path / "elsewhere"), prompt="Tea", prompt_id="p"
        )
        desk.arrive("Stop", cwd=str(tmp_path / "elsewhere"), prompt_id="p")

        assert [project.label for project in desk.app.projects.all()] == ["shop"]
        assert desk.titles() == ["Tea"]

    def test_a_repositorys_label_is_taken_until_the_user_gives_one(self, desk: Desk) -> None:
        (desk.folder / ".recollect.toml").write_text('label = "The Shop"\n')
        desk.turn("Fix the tea")
        theirs = desk.app.projects.all()[0]
        desk.app.inside.registry.rename(theirs, "Mine")
        desk.turn("Bake a cake", session="s-2")

        assert theirs.label == "The Shop"
        assert [project.label for project in desk.app.projects.all()] == ["Mine"]

    def test_an_ended_session_that_is_resumed_is_active_again(self, desk: Desk) -> None:
        desk.turn("Fix the tea")
        desk.arrive("SessionEnd", reason="other")
        desk.arrive("SessionStart", source="resume")

        assert (desk.session().status, desk.session().ended) == ("active", None)


class TestSilence:
    def test_a_session_that_went_silent_is_written_down_and_later_given_up(
        self, desk: Desk
    ) -> None:
        desk.arrive("UserPromptSubmit", prompt="Fix the tea", prompt_id="p")
        seen = desk.session().last_seen

        desk.app.intake.settle(now=seen + 60)
        soon = desk.titles()
        desk.app.intake.settle(now=seen + 3600)
        later = (len(desk.titles()), desk.session().status)
        desk.arrive("PostToolUse", tool_name="Bash", tool_use_id="t", tool_input={})
        desk.app.intake.settle(now=seen + 3 * 86400)

        assert soon == []
        assert later == (1, "active")
        assert desk.session().status == "interrupted"
        assert len(desk.titles()) == 1


class TestAHostThatIsGoneAlready:
    def test_a_turn_whose_end_we_hear_of_late_is_noticed_all_the_same(self, desk: Desk) -> None:
        dead = 2**22 + 1  # No such process.
        transcript = desk.folder / "t.jsonl"
        said = "We decided on Postgres because it has partial indexes."
        line = {"sessionId": "s-1", "cwd": str(desk.folder), "timestamp": BEGIN.isoformat()}
        lines = [
            {**line, "type": "user", "uuid": "u-1", "promptId": "p-1",
             "message": {"role": "user", "content": said}},
            {**line, "type": "assistant", "uuid": "a-1", "parentUuid": "u-1",
             "message": {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]}},
        ]  # fmt: skip
        transcript.write_text("".join(json.dumps(one) + "\n" for one in lines))
        common = {"transcript_path": str(transcript)}
        payload = {"session_id": "s-1", "cwd": str(desk.folder), **common}
        raw = json.dumps({**payload, "source": "startup"}).encode()
        begun = events.parse(raw, name="SessionStart", at=BEGIN)
        desk.app.intake.arrive(begun, client=dead)
        recorded_at_once = desk.titles()
        desk.arrive("UserPromptSubmit", prompt=said, prompt_id="p-1", **common)
        desk.arrive("Stop", last_assistant_message="Noted.", prompt_id="p-1", **common)
        desk.arrive("SessionEnd", reason="other", **common)

        (project,) = desk.app.projects.all()
        notes = desk.app.inside.notebook(project.name).notes()
        assert recorded_at_once == [said]
        assert desk.titles() == [said]
        assert [one.note.category for one in notes] == ["decision"]
