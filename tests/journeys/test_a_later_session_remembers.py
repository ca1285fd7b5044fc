"""Session one does work and ends; what later sessions are given of it, as the model saw it."""

import subprocess
from pathlib import Path

import pytest

from tests.client.claude import Claude
from tests.client.model_api import ModelApi, Say, Use, context_of, injected_now
from tests.home import PLUGIN, Home, git, repository

WORK = "The orders page is slow, find out why and fix it."
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", remote="git@github.com:ada/shop.git")


@pytest.fixture
def remembered(claude: Claude, model_api: ModelApi, home: Home, shop: Path) -> None:
    """One session in the shop has fixed the orders page and ended."""
    model_api.reply(
        to="orders page is slow",
        steps=[
            Use("Write", {"file_path": str(shop / "db.py"), "content": "selectinload(items)\n"}),
            Use("Bash", {"command": "echo 7 passed", "description": "run the tests"}),
            Say(ANSWER),
        ],
    )
    done = claude.run(WORK, cwd=shop, plugin_dir=PLUGIN)
    assert done.returncode == 0
    home.settle()


def asked(claude: Claude, model_api: ModelApi, prompt: str, cwd: Path) -> dict[str, str]:
    """Ask in a new session; return what its first request was given, by event."""
    before = len(model_api.main_requests())
    claude.run(prompt, cwd=cwd, plugin_dir=PLUGIN)
    request = model_api.main_requests()[before]
    events = ("SessionStart", "UserPromptSubmit")
    return {event: "\n".join(injected_now(request, event)) for event in events}


@pytest.mark.usefixtures("remembered")
class TestAfterASessionEnded:
    def test_the_journal_says_what_was_done(self, home: Home) -> None:
        (entry,) = home.kept()

        assert entry.title == ANSWER
        assert f"asked: {WORK}" in entry.body
        assert "selectinload" in entry.body
        assert "`db.py` (modified)" in entry.body

    def test_the_next_session_is_given_it_at_its_start(
        self, claude: Claude, model_api: ModelApi, shop: Path
    ) -> None:
        given = asked(claude, model_api, "Good morning, what shall we do?", shop)

        assert ANSWER.rstrip(".") in given["SessionStart"]
        assert "Last session" in given["SessionStart"]

    def test_a_prompt_about_it_brings_it_back(
        self, claude: Claude, model_api: ModelApi, shop: Path
    ) -> None:
        given = asked(claude, model_api, "Why was the orders page slow?", shop)

        assert "selectinload" in given["UserPromptSubmit"]

    def test_an_unrelated_prompt_gets_nothing(
        self, claude: Claude, model_api: ModelApi, shop: Path
    ) -> None:
        given = asked(claude, model_api, "Translate this greeting into Finnish please", shop)

        assert given["UserPromptSubmit"] == ""

    def test_it_works_without_a_worker_too(
        self, claude: Claude, model_api: ModelApi, shop: Path, home: Home
    ) -> None:
        home.no_worker()

        given = asked(claude, model_api, "Why was the orders page slow?", shop)

        assert ANSWER.rstrip(".") in given["SessionStart"]
        assert "selectinload" in given["UserPromptSubmit"]
        assert home.worker() is None

    def test_another_project_gets_nothing(
        self, claude: Claude, model_api: ModelApi, tmp_path: Path
    ) -> None:
        other = repository(tmp_path / "elsewhere" / "shop")

        given = asked(claude, model_api, "Why was the orders page slow?", other)

        assert given == {"SessionStart": "", "UserPromptSubmit": ""}

    def test_a_second_worktree_gets_it(
        self, claude: Claude, model_api: ModelApi, shop: Path, tmp_path: Path
    ) -> None:
        git(shop, "worktree", "add", "-q", str(tmp_path / "feature"))

        given = asked(claude, model_api, "Why was the orders page slow?", tmp_path / "feature")

        assert ANSWER.rstrip(".") in given["SessionStart"]
        assert "selectinload" in given["UserPromptSubmit"]

    def test_a_clone_that_claims_the_same_remote_gets_nothing_but_an_offer_to_the_user(
        self, claude: Claude, model_api: ModelApi, shop: Path, tmp_path: Path, home: Home
    ) -> None:
        hostile = tmp_path / "hostile"
        git(tmp_path, "clone", "-q", str(shop), str(hostile))
        git(hostile, "remote", "set-url", "origin", "https://github.com/ada/shop")

        first = asked(claude, model_api, "Why was the orders page slow?", hostile)
        home.settle()
        second = asked(claude, model_api, "Why was the orders page slow?", hostile)
        offer = home.hook("SessionStart", session_id="new", cwd=str(hostile), source="startup")

        # The second session may be given what the first one in the same clone did.
        assert first == {"SessionStart": "", "UserPromptSubmit": ""}
        assert "selectinload" not in second["SessionStart"] + second["UserPromptSubmit"]
        assert "recollect projects join" in str(offer["systemMessage"])

    def test_an_unpacked_archive_cannot_point_at_another_repository(
        self, claude: Claude, model_api: ModelApi, shop: Path, tmp_path: Path
    ) -> None:
        hostile = tmp_path / "unpacked"
        hostile.mkdir()
        (hostile / ".git").write_text(f"gitdir: {shop / '.git'}\n")

        given = asked(claude, model_api, "Why was the orders page slow?", hostile)

        assert given == {"SessionStart": "", "UserPromptSubmit": ""}

    def test_a_prompt_that_is_private_stays_out_of_the_journal(
        self, claude: Claude, home: Home, shop: Path
    ) -> None:
        claude.run(
            "Use the staging database <private>hunter2</private> and my key"
            " sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ please.",
            cwd=shop,
            plugin_dir=PLUGIN,
        )
        home.settle()

        everything = subprocess.run(
            ["grep", "-rlaE", "hunter2|abcdefghijklmnopqrstuvwxyz0123", str(home)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Use the staging database" in home.journal()
        assert everything.stdout == ""


def test_what_was_recalled_does_not_become_a_memory_again(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path, remembered: None
) -> None:
    given = asked(claude, model_api, "Why was the orders page slow?", shop)
    home.settle()

    assert "recollect-memory" in given["UserPromptSubmit"]
    assert "recollect-memory" not in home.journal()
    assert "Recalled by Recollect" not in home.journal()


def test_a_session_resumed_is_not_told_again(
    claude: Claude, model_api: ModelApi, home: Home, shop: Path, remembered: None
) -> None:
    first = claude.run("Good morning, what shall we do?", cwd=shop, plugin_dir=PLUGIN)

    claude.run("And what else is there?", "--resume", first.session_id, cwd=shop, plugin_dir=PLUGIN)

    seen = context_of(model_api.main_requests()[-1])
    assert seen.count("Last session (") == 1
