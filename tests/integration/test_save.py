"""`recollect save`: what a session said so far is taken in now, once, and told as it happened."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from recollect import paths, worker_lock
from recollect.app.recollect import opened
from recollect.cli.main import cli
from recollect.errors import NotFoundError, ProjectError, RecollectError, WorkerError
from recollect.inbox import spool
from recollect.store import queue
from recollect.worker import saving
from tests.home import Home, repository
from tests.remembering import put, remember

Save = Callable[..., str]

RULE = "From now on we always use pnpm in this repository, never npm."
TALK = "What does the orders page show?"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


@pytest.fixture
def save(home: Home, shop: Path, monkeypatch: pytest.MonkeyPatch) -> Save:
    """Run `recollect save` in the shop; return what it printed, or raise what went wrong."""
    monkeypatch.setenv("RECOLLECT_HOME", str(home))
    monkeypatch.chdir(shop)

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(cli, ["save", *arguments])
        if done.exception:
            raise done.exception
        return done.stdout.strip()

    return run


def turn(home: Home, folder: Path, number: int, prompt: str, session: str = "s-1") -> None:
    """Let a turn begin and end in *folder*; nobody has taken it in."""
    begin(home, folder, number, prompt, session)
    end = {"last_assistant_message": "Understood.", "prompt_id": f"{session}-{number}"}
    put(home, "Stop", session, folder, **end)


def begin(home: Home, folder: Path, number: int, prompt: str, session: str = "s-1") -> None:
    """Let a turn begin in *folder*."""
    put(home, "UserPromptSubmit", session, folder, prompt=prompt, prompt_id=f"{session}-{number}")


def notes(home: Home) -> list[str]:
    return sorted(path.stem for path in home.path.glob("projects/*/preferences/*.md"))


def excluded(home: Home) -> None:
    with opened(str(home)) as app:
        app.inside.registry.exclude(app.projects.all()[0], excluded=True)


class TestWithoutAWorker:
    def test_what_waits_is_taken_in_and_the_notes_are_told(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, RULE)

        assert save() == "Saved: preference (created)."
        assert home.titles() == [RULE]
        assert len(notes(home)) == 1

    def test_a_second_time_there_is_nothing_new(self, home: Home, shop: Path, save: Save) -> None:
        turn(home, shop, 1, RULE)
        save()
        before = home.journal()

        said = save()

        assert said == "Nothing new to save. Already kept of this session: 1 turn, preference."
        assert home.journal() == before
        assert len(notes(home)) == 1

    def test_what_is_said_again_changes_the_note_that_is_there(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, RULE)
        save()
        turn(home, shop, 2, RULE, session="s-2")

        assert save() == "Saved: preference (updated)."
        assert len(notes(home)) == 1

    def test_a_turn_without_a_note_is_told_as_that(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, TALK)

        assert save() == "Saved 1 turn to the journal; no note came of it."

    def test_a_note_that_could_not_be_written_is_not_told(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        remember(home, shop)
        (project,) = home.path.glob("projects/*")
        (project / "preferences").write_text("in the way")
        turn(home, shop, 2, RULE)

        assert save() == "Saved 1 turn to the journal; no note came of it."

    def test_an_event_that_cannot_be_taken_in_is_told(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, TALK)
        spool.put(paths.inbox(str(home)), "claude-code.Stop", b"[no event")

        assert save().endswith("1 event could not be taken in: recollect doctor.")

    def test_no_worker_is_started_and_the_next_one_finds_nothing_to_do(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, RULE)
        save()

        assert home.worker() is None
        home.settle()
        assert home.titles() == [RULE]
        assert len(notes(home)) == 1


class TestWithAWorker:
    def test_the_worker_does_it_and_nothing_is_kept_twice(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        remember(home, shop)
        home.settle()
        worker = home.worker()
        turn(home, shop, 2, RULE)

        said = save()

        assert said == "Saved: preference (created)."
        assert home.worker() == worker
        assert save().startswith("Nothing new to save. Already kept of this session: 2 turns, ")
        assert home.titles().count(RULE) == 1

    def test_one_that_takes_nothing_in_is_no_save(
        self, home: Home, shop: Path, save: Save, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(saving, "SECONDS_FOR_THE_WORKER", 0.2)
        turn(home, shop, 1, RULE)
        held = worker_lock.take(str(home))
        assert held

        with held, pytest.raises(WorkerError, match="not saved yet: 2 events"):
            save()

    def test_one_that_is_killed_leaves_it_to_us(self, home: Home, shop: Path, save: Save) -> None:
        home.settle()
        home.kill_worker()
        turn(home, shop, 1, RULE)

        assert save() == "Saved: preference (created)."


class TestATurnUnderWay:
    @pytest.mark.parametrize("worker", ["", "runs"])
    def test_is_kept_when_it_ends(self, home: Home, shop: Path, save: Save, worker: str) -> None:
        if worker:
            home.settle()
        turn(home, shop, 1, RULE)
        begin(home, shop, 2, TALK)

        said = save()

        assert said == "Saved: preference (created). This turn is saved when it ends."
        assert home.titles() == [RULE]

    def test_and_then_only_once(self, home: Home, shop: Path, save: Save) -> None:
        begin(home, shop, 1, RULE)
        first = save()
        turn(home, shop, 1, RULE)

        assert first == "Nothing new to save. This turn is saved when it ends."
        assert save() == "Saved: preference (created)."
        assert home.titles() == [RULE]

    def test_is_not_promised_when_it_is_a_command_of_ours(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, TALK)
        begin(home, shop, 2, "/recollect:save")

        assert save() == "Saved 1 turn to the journal; no note came of it."


class TestWhichSession:
    def test_the_latest_one_here_unless_another_is_named(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, TALK, session="earlier")
        turn(home, shop, 1, TALK, session="later")

        latest = json.loads(save("--json"))
        named = json.loads(save("--json", "--session", "earl"))

        assert (latest["session"], latest["turns"]) == ("later", 1)
        assert (named["session"], named["turns"], named["turns_in_all"]) == ("earlier", 0, 1)

    def test_a_whole_id_is_meant_also_where_another_begins_with_it(
        self, home: Home, shop: Path, save: Save
    ) -> None:
        turn(home, shop, 1, TALK, session="s-1")
        turn(home, shop, 1, TALK, session="s-10")

        assert json.loads(save("--json", "--session", "s-1"))["session"] == "s-1"

    def test_one_of_another_project(
        self, home: Home, save: Save, tmp_path: Path, shop: Path
    ) -> None:
        turn(home, repository(tmp_path / "far"), 1, RULE, session="far")

        done = json.loads(save("--json", "--session", "far"))

        assert done["project"].startswith("far")
        assert [one["outcome"] for one in done["changes"]] == ["created"]
        assert done["notes"] == [done["changes"][0]["name"]]

    def test_no_memory_here(self, save: Save) -> None:
        with pytest.raises(ProjectError, match="has no memory yet") as caught:
            save()
        assert "--" not in caught.value.hint  # It has no option that would help.

    def test_a_project_without_a_session(self, home: Home, shop: Path, save: Save) -> None:
        with opened(str(home)) as app:
            app.projects.meet(str(shop))

        with pytest.raises(NotFoundError, match="has had no session yet"):
            save()

    def test_an_unknown_one(self, home: Home, shop: Path, save: Save) -> None:
        turn(home, shop, 1, RULE)

        with pytest.raises(NotFoundError, match="no session nonsense"):
            save("--session", "nonsense")

    def test_one_that_is_not_kept(self, home: Home, shop: Path, save: Save) -> None:
        remember(home, shop)
        excluded(home)
        turn(home, shop, 1, RULE, session="s-2")

        with pytest.raises(RecollectError, match="s-2 is not kept"):
            save()


def test_turns_that_wait_for_a_model_are_told(home: Home, shop: Path, save: Save) -> None:
    (home.path / "config.toml").write_text('[synthesis]\nengine = "claude"\nallow = ["claude"]\n')
    turn(home, shop, 1, TALK)

    said = save()

    assert said.endswith("no note came of it. A model has yet to look at 1 turn.")
    with opened(str(home)) as app:
        assert len(queue.waiting(app.inside.state)) == 1


def test_a_worker_that_starts_meanwhile_does_nothing_twice(
    home: Home, shop: Path, save: Save
) -> None:
    turn(home, shop, 1, RULE)
    home.hook("UserPromptSubmit", session_id="s-2", cwd=str(shop), prompt="Good morning, you")

    save("--session", "s-1")
    home.settle()

    assert home.titles().count(RULE) == 1
    assert len(notes(home)) == 1
