"""The whole of it with the real client: the user's own Claude Code works, and is the engine."""

import json
from pathlib import Path

import pytest

from recollect import paths
from recollect.app.recollect import opened
from recollect.llm.providers import children
from tests.client.claude import Claude
from tests.client.model_api import ModelApi, Request, Say, Use, context_of
from tests.client.program import API_KEY
from tests.home import PLUGIN, Home, repository, wait_for
from tests.journeys.test_setup_and_uninstall import User
from tests.modelled import NOTHING, observation, summary

WORK = "The orders page is slow, find out why and fix it."
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."
BETTER = observation(
    "N+1 query in get_orders fixed with selectinload",
    "The orders page was slow because get_orders ran an N+1 query.",
    files="db.py",
) + summary("Make the slow orders page fast", learned="get_orders ran an N+1 query.")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


@pytest.fixture
def engine(home: Home, claude: Claude, claude_binary: Path, model_api: ModelApi) -> None:
    """The client stands where its installer puts it, and Recollect may ask it."""
    usual = claude.home / ".local" / "bin" / "claude"
    usual.parent.mkdir(parents=True)
    usual.symlink_to(claude_binary)
    key = home.path / "key"
    key.write_text(API_KEY)
    key.chmod(0o600)
    settings = {
        "synthesis.engine": "claude",
        "synthesis.when": "turn",
        "synthesis.claude.url": model_api.url,
        "synthesis.claude.key_file": str(key),
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    config = Path(paths.config(str(home)))
    config.write_text("\n".join(lines) + "\n")
    config.chmod(0o600)


def nested(model_api: ModelApi) -> list[Request]:
    """The requests of our own engine."""
    return [one for one in model_api.requests if "You keep the memory of" in context_of(one)]


@pytest.mark.usefixtures("engine")
class TestTheUsersOwnClientAsEngine:
    def test_one_nested_call_a_turn_none_deeper_and_nothing_about_ourselves(
        self, claude: Claude, model_api: ModelApi, home: Home, shop: Path
    ) -> None:
        model_api.reply(
            to="orders page is slow",
            steps=[
                Use("Write", {"file_path": str(shop / "db.py"), "content": "selectinload()\n"}),
                Say(ANSWER),
            ],
        )
        model_api.reply(to="Thanks", steps=[Say("You are welcome.")])
        model_api.complete(to="orders page is slow", steps=[Say(BETTER)])
        model_api.complete(to="Thanks", steps=[Say(NOTHING)])
        # Installed, the plugin is there for every client that reads the user's settings.
        User(claude).recollect("setup", "--yes")

        first = claude.run(WORK, cwd=shop)
        home.settle()
        claude.run("Thanks", "--resume", first.session_id, cwd=shop)
        home.settle()

        asked = nested(model_api)
        assert len(asked) == 2
        assert [one.tools for one in asked] == [[], []]
        assert len({one.session_id for one in asked} | {first.session_id}) == 3
        assert home.titles() == [ANSWER, "Thanks"]
        assert "ran an N+1 query" in home.journal()
        assert "keep the memory" not in home.journal()
        (said,) = home.kept("summary")
        assert first.session_id in said.session
        transcripts = list((claude.home / ".claude" / "projects").glob("*/*.jsonl"))
        assert [one.stem for one in transcripts] == [first.session_id]

    def test_what_it_cost_stands_in_the_ledger(
        self, claude: Claude, model_api: ModelApi, home: Home, shop: Path
    ) -> None:
        usage = {"input_tokens": 1234, "output_tokens": 56}
        model_api.reply(to="orders page", steps=[Say(ANSWER)])
        model_api.complete(to="orders page", steps=[Say(BETTER, usage=usage)])
        claude.run(WORK, cwd=shop, plugin_dir=PLUGIN)
        home.settle()

        with opened(str(home)) as app:
            (line,) = app.inside.state.ledger.rows()
        assert (line.engine, line.input_tokens, line.output_tokens) == ("claude", 1234, 56)
        assert line.model.startswith("claude-haiku")
        assert line.cost > 0

    def test_a_worker_killed_during_a_call_leaves_nothing_behind(
        self, claude: Claude, model_api: ModelApi, home: Home, shop: Path
    ) -> None:
        model_api.reply(to="orders page", steps=[Say(ANSWER)])
        model_api.complete(to="orders page", steps=[Say(BETTER, delay=60)])
        claude.run(WORK, cwd=shop, plugin_dir=PLUGIN)
        wait_for(lambda: nested(model_api))
        marks = [one.name for one in Path(paths.run(str(home)), "children").iterdir()]
        running = [group for mark in marks for group in children.groups(mark)]
        home.kill_worker()
        model_api.complete(to="orders page", steps=[Say(BETTER)])
        home.settle()

        assert running
        assert not [group for mark in marks for group in children.groups(mark)]
        assert list(Path(paths.run(str(home)), "children").iterdir()) == []
        assert "ran an N+1 query" in home.journal()
        with opened(str(home)) as app:
            assert app.inside.state.queue.everything() == []

    def test_a_worker_that_is_told_to_stop_takes_its_child_along(
        self, claude: Claude, model_api: ModelApi, home: Home, shop: Path
    ) -> None:
        model_api.reply(to="orders page", steps=[Say(ANSWER)])
        model_api.complete(to="orders page", steps=[Say(BETTER, delay=60)])
        claude.run(WORK, cwd=shop, plugin_dir=PLUGIN)
        wait_for(lambda: nested(model_api))
        marks = [one.name for one in Path(paths.run(str(home)), "children").iterdir()]
        home.stop()

        assert marks
        assert not [group for mark in marks for group in children.groups(mark)]
        with opened(str(home)) as app:
            assert [one.tries for one in app.inside.state.queue.everything()] == [0]
