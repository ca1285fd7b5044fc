"""The commands as a person and a program use them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts import shapes
from tests import command_line
from tests.home import Home, git, repository, wait_for
from tests.json_shapes import problems
from tests.remembering import put, take_in

Run = Callable[..., "subprocess.CompletedProcess[str]"]

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma"
    " tau upsilon phi chi psi omega"
)
FIXTURES = Path(__file__).parent.parent / "fixtures" / "claude-code"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


@pytest.fixture
def recollect(home: Home, shop: Path) -> Run:
    """Run a command in the shop; it must succeed unless told otherwise."""
    return in_shop(home, shop)


def in_shop(home: Home, shop: Path) -> Run:
    """What runs a command in the *shop* with the memory of *home*."""

    def run(*arguments: str, code: int = 0, cwd: Path = shop, stdin: str = "") -> Any:
        env = {"PATH": os.environ["PATH"], "HOME": str(home.path.parent), "COLUMNS": "120"}
        done = command_line.run(
            *arguments, cwd=cwd, env=env | {"RECOLLECT_HOME": str(home)}, stdin=stdin
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


def results(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    """What a search found."""
    found: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return found


def turn(home: Home, folder: Path, number: int, prompt: str, answer: str) -> None:
    """Let a session of one turn happen in *folder*."""
    common: dict[str, Any] = {
        "session": f"session-{number}",
        "folder": folder,
        "prompt_id": f"turn-{number}",
    }
    put(home, "UserPromptSubmit", prompt=prompt, **common)
    put(home, "Stop", last_assistant_message=answer, **common)
    put(home, "SessionEnd", reason="other", **common)


def two_turns(home: Home, shop: Path) -> None:
    """Let two turns happen: about a slow page, and about a cache."""
    turn(home, shop, 1, "Why is the orders page slow?", "An N+1 query, because items load lazily.")
    turn(home, shop, 2, "Which cache shall we take?", "We decided on Redis because it is shared.")


@pytest.fixture
def remembered(home: Home, shop: Path) -> None:
    """Two turns are known: a slow page, and a cache. No worker runs."""
    two_turns(home, shop)
    take_in(home)


@pytest.fixture
def worker(home: Home, remembered: None) -> None:
    """A worker runs, and has nothing left to do."""
    home.settle()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Home, Path]]:
    """A home that remembers the two turns, with a worker, and the shop it is about."""
    folder = tmp_path_factory.mktemp("finding")
    home, shop = Home(folder / "recollect"), repository(folder / "shop")
    two_turns(home, shop)
    home.settle()
    yield home, shop
    home.end()


@pytest.mark.xdist_group("finding")
class TestFinding:
    """They only look, so they share a home and its worker."""

    @pytest.fixture
    def home(self, place: tuple[Home, Path]) -> Home:
        return place[0]

    @pytest.fixture
    def shop(self, place: tuple[Home, Path]) -> Path:
        return place[1]

    def test_search_shows_what_answers_with_score_age_and_id(
        self, recollect: Run, home: Home
    ) -> None:
        (entry,) = (one for one in home.kept() if one.title.startswith("An N+1 query"))

        headline, about, answer, asked, *_ = recollect(
            "search", "orders page slow"
        ).stdout.splitlines()

        assert re.fullmatch(r"(0\.9\d|1\.00) An N\+1 query, because items load lazily\.", headline)
        assert about.split() == ["just", "now", "·", entry.id]
        assert answer.strip() == "An N+1 query, because items load lazily."
        assert asked.strip() == "asked: Why is the orders page slow?"

    def test_search_as_json(self, recollect: Run) -> None:
        (found,) = results(recollect("search", "--json", "orders page slow"))

        assert found["title"] == "An N+1 query, because items load lazily."
        assert found["score"] > 0.9
        assert found["session"] == "session-1"
        assert Path(found["file"]).is_file()

    def test_a_question_can_come_from_standard_input(self, recollect: Run) -> None:
        (found,) = results(recollect("search", "--json", "-", stdin="orders page slow\n"))

        assert found["session"] == "session-1"

    def test_nothing_is_a_normal_answer(self, recollect: Run) -> None:
        assert results(recollect("search", "--json", "kubernetes ingress")) == []
        assert recollect("search", "kubernetes ingress").stdout == "No match. Try other words.\n"

    def test_what_is_only_near_is_shown_as_the_closest(self, recollect: Run) -> None:
        asked = ("-s", "search.min_score=1", "search")

        (found,) = results(recollect(*asked, "--json", "orders page slow"))
        shown = recollect(*asked, "orders page slow").stdout.splitlines()

        assert found["weak"] is True
        assert shown[0] == "No good match. Closest:"
        assert shown[1].endswith("An N+1 query, because items load lazily.")
        assert " · weak match · " in shown[2]

    @pytest.mark.parametrize("command", ["expand", "transcript", "timeline"])
    def test_the_short_id_of_a_card_is_enough(self, recollect: Run, command: str) -> None:
        (found,) = results(recollect("search", "--json", "orders page slow"))
        short = found["id"].partition("-")[2]

        assert recollect(command, short).stdout == recollect(command, found["id"]).stdout

    def test_another_folder_has_no_memory_and_says_so(self, recollect: Run, tmp_path: Path) -> None:
        other = repository(tmp_path / "other")

        done = recollect("search", "orders", cwd=other, code=1)

        assert "has no memory yet" in done.stderr
        assert "--all-projects" in done.stderr

    def test_all_projects_and_a_named_one_are_found_from_anywhere(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        for scope in (["--all-projects"], ["--project", "shop"]):
            done = recollect("search", "--json", *scope, "orders page slow", cwd=tmp_path)

            assert results(done)[0]["session"] == "session-1"

    def test_expand_shows_the_whole_entry_by_the_beginning_of_its_id(self, recollect: Run) -> None:
        (found,) = results(recollect("search", "--json", "orders page slow"))

        whole = json.loads(recollect("expand", "--json", found["id"][:-2]).stdout)

        assert "because items load lazily" in whole["body"]

    def test_an_unknown_id_is_an_error_of_two_lines(self, recollect: Run) -> None:
        done = recollect("expand", "nonsense", code=1)

        assert "Traceback" not in done.stderr
        assert "nonsense" in done.stderr

    def test_transcript_shows_the_turn_behind_a_memory(self, recollect: Run) -> None:
        (found,) = results(recollect("search", "--json", "orders page slow"))

        by_entry = json.loads(recollect("transcript", "--json", found["id"]).stdout)
        by_session = recollect("transcript", "session-1").stdout

        assert [turn["prompt"] for turn in by_entry["turns"]] == ["Why is the orders page slow?"]
        assert "An N+1 query" in by_session

    def test_a_setting_holds_for_one_call(self, recollect: Run) -> None:
        asked = ("search", "--json", "orders page slow kubernetes")

        assert not any(one["weak"] for one in results(recollect(*asked)))
        assert all(one["weak"] for one in results(recollect("--set", "search.min_score=1", *asked)))


def test_expand_tells_what_the_turn_said_beside_the_entry(
    recollect: Run, home: Home, shop: Path
) -> None:
    # More than an entry keeps.
    jobs = [
        f"The {name} of the vault was read by job {number} and written by the night run of {name}"
        f" number {number}, which takes {number} minutes."
        for number, name in enumerate(GREEK.split())
    ]
    left = "## Left open\nThe archive has none, either."
    plan = "```\n$ explain vault\nSeq Scan on vault (cost=0..4711)\n```"
    said = "\n\n".join(["The vault index was missing.", plan, *jobs, left])
    turn(home, shop, 4, "Why is the vault slow?", said)
    take_in(home)
    (found,) = results(recollect("search", "--json", "-n", "1", "vault slow"))

    shown = recollect("expand", found["id"]).stdout
    whole = json.loads(recollect("expand", "--json", found["id"]).stdout)

    _, _, told = shown.partition("from the turn:\n")
    rows = [row.rstrip() for row in told.splitlines()]
    assert "The archive has none" not in whole["body"]
    assert rows[rows.index("  Left open:") + 1] == "  The archive has none, either."
    assert "Left open:\nThe archive has none, either." in whole["passages"]


@pytest.mark.usefixtures("remembered")
class TestProjects:
    def test_the_list_tells_name_paths_hosts_sessions_and_memories(
        self, recollect: Run, shop: Path
    ) -> None:
        (listed,) = json.loads(recollect("projects", "--json").stdout)

        assert listed["label"] == "shop"
        assert listed["paths"] == [str(shop / ".git")]
        assert listed["hosts"] == ["claude-code"]
        assert (listed["sessions"], listed["memories"]) == (2, 2)
        assert "shop" in recollect("projects").stdout

    def test_rename_changes_the_label_alone(self, recollect: Run) -> None:
        recollect("projects", "rename", "shop", "The Shop")

        (listed,) = json.loads(recollect("projects", "--json").stdout)
        assert listed["label"] == "The Shop"
        assert listed["name"].startswith("shop-")

    def test_an_excluded_project_is_neither_kept_nor_shown_until_undone(
        self, recollect: Run, home: Home, shop: Path
    ) -> None:
        recollect("projects", "exclude", "shop")
        turn(home, shop, 3, "Something secret about orders", "It is secret.")
        home.settle()
        question = {
            "session_id": "later",
            "cwd": str(shop),
            "prompt": "why is the orders page slow",
        }
        silent = home.hook("UserPromptSubmit", **question)

        recollect("projects", "exclude", "--undo", "shop")
        question["session_id"] = "latest"
        spoken = home.hook("UserPromptSubmit", **question)

        assert silent == {}
        assert "orders page slow" in str(spoken)
        assert "secret" not in home.journal()

    def test_two_clones_are_joined_on_request_and_split_again(
        self, recollect: Run, home: Home, shop: Path, tmp_path: Path
    ) -> None:
        clone = tmp_path / "clone"
        git(tmp_path, "clone", "-q", str(shop), str(clone))
        turn(home, clone, 4, "How do we deploy the clone?", "With make deploy.")
        take_in(home)

        recollect("projects", "join", "clone", "shop", "--yes")
        joined = results(recollect("search", "--json", "deploy the clone", cwd=shop))
        shared = results(recollect("search", "--json", "orders page slow", cwd=clone))
        recollect("projects", "split", "shop", str(clone))
        alone = results(recollect("search", "--json", "orders page slow", cwd=clone))

        assert joined
        assert shared
        assert alone == []

    def test_join_asks_first(self, recollect: Run, home: Home, shop: Path, tmp_path: Path) -> None:
        other = repository(tmp_path / "other")
        turn(home, other, 5, "Another thing entirely here", "Yes.")
        take_in(home)

        recollect("projects", "join", "other", "shop", stdin="n\n", code=1)

        assert len(json.loads(recollect("projects", "--json").stdout)) == 2

    def test_an_unknown_project_is_named(self, recollect: Run) -> None:
        done = recollect("projects", "exclude", "nonsense", code=1)

        assert "no project called nonsense" in done.stderr


class TestSettings:
    def test_a_value_is_set_shown_and_forgotten_and_comments_stay(
        self, recollect: Run, home: Home
    ) -> None:
        (home.path / "config.toml").write_text("# mine\n[recall]\n# few are enough\nlimit = 4\n")

        recollect("config", "set", "recall.limit", "2")
        shown = recollect("config", "get", "recall.limit").stdout
        text = (home.path / "config.toml").read_text()
        recollect("config", "unset", "recall.limit")

        assert shown.strip() == "2"
        assert "# mine" in text
        assert "# few are enough" in text
        assert recollect("config", "get", "recall.limit").stdout.strip() == "3"

    def test_an_unknown_key_is_named_with_the_nearest(self, recollect: Run) -> None:
        done = recollect("config", "set", "recal.limit", "3", code=1)

        assert "unknown setting recal.limit" in done.stderr
        assert "recall.limit" in done.stderr

    def test_a_wrong_value_says_what_is_wanted(self, recollect: Run) -> None:
        done = recollect("config", "set", "recall.limit", "many", code=1)

        assert "recall.limit must be a whole number" in done.stderr

    def test_the_list_shows_every_setting_and_what_is_wrong(
        self, recollect: Run, home: Home
    ) -> None:
        (home.path / "config.toml").write_text("[recall]\nlimt = 4\n")

        listed = json.loads(recollect("config", "--json").stdout)

        assert listed["settings"]["recall.limit"] == 3
        assert "unknown setting recall.limt" in listed["problems"][0]

    def test_a_broken_file_stops_no_command_and_is_shown(self, recollect: Run, home: Home) -> None:
        (home.path / "config.toml").write_text("[recall\n")

        assert "config.toml" in recollect("config").stdout
        assert "config.toml" in recollect("doctor", code=1).stdout


def switch_on(home: Home) -> None:
    """Give Claude Code's settings in this HOME our plugin, as `recollect setup` does."""
    source = {"source": {"source": "directory", "path": str(home.path / "plugin")}}
    settings = {
        "extraKnownMarketplaces": {"recollect": source},
        "enabledPlugins": {"recollect@recollect": True},
    }
    (home.path.parent / ".claude").mkdir()
    (home.path.parent / ".claude" / "settings.json").write_text(json.dumps(settings))


class TestHealth:
    def test_status_does_not_claim_hooks_that_no_host_runs(self, recollect: Run) -> None:
        assert json.loads(recollect("status", "--json").stdout)["set_up"] is False
        assert "recollect setup" in recollect("status").stdout

    def test_status_says_whether_memories_are_kept(
        self, recollect: Run, worker: None, home: Home
    ) -> None:
        switch_on(home)
        status = json.loads(recollect("status", "--json").stdout)

        assert status["set_up"] is True
        assert status["memories"] == 2
        assert status["worker"]["running"] is True
        assert "2 memories in 1 project\n" in recollect("status").stdout

    def test_doctor_is_content_with_a_healthy_home(
        self, recollect: Run, worker: None, home: Home
    ) -> None:
        switch_on(home)
        for path in home.path.iterdir():
            path.chmod(path.stat().st_mode & 0o700)

        checks = json.loads(recollect("doctor", "--json").stdout)

        assert all(check["well"] for check in checks)

    def test_doctor_names_what_is_wrong_and_what_to_do(self, recollect: Run, home: Home) -> None:
        (home.path / "run" / "launch").write_text("/nowhere/python\n/nowhere/hook\n")

        shown = recollect("doctor", code=1).stdout

        assert "/nowhere/python is gone" in shown
        assert "recollect setup" in shown

    def test_the_log_can_be_shown_and_emptied(self, recollect: Run, worker: None) -> None:
        before = recollect("logs").stdout
        recollect("logs", "--clear")

        assert "worker started" in before
        assert recollect("logs").stdout == ""

    def test_the_log_says_nothing_of_memories(self, recollect: Run, worker: None) -> None:
        assert "orders" not in recollect("logs").stdout


class TestWorker:
    def test_it_is_started_looked_at_restarted_and_stopped(
        self, recollect: Run, home: Home
    ) -> None:
        recollect("worker", "start")
        first = home.worker()
        recollect("worker", "restart")
        second = home.worker()
        status = json.loads(recollect("worker", "status", "--json").stdout)
        recollect("worker", "stop")

        assert first
        assert second not in (None, first)
        assert status["pid"] == second
        assert home.worker() is None
        assert "The worker is not running" in recollect("worker").stdout

    def test_a_second_one_in_the_foreground_is_refused(self, recollect: Run, home: Home) -> None:
        recollect("worker", "start")

        done = recollect("worker", "run", code=1)

        assert "a worker runs already" in done.stderr


class TestIndexAndImport:
    def test_transcripts_are_imported_once(self, recollect: Run) -> None:
        first = json.loads(recollect("import", "--json", str(FIXTURES)).stdout)
        second = json.loads(recollect("import", "--json", str(FIXTURES)).stdout)

        assert first["added"] > 10
        assert second["added"] == 0
        assert second["known"] >= first["added"]

    def test_what_is_no_transcript_is_reported_and_stops_nothing(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        folder = tmp_path / "mixed"
        folder.mkdir()
        (folder / "other.jsonl").write_text('{"role": "user", "parts": []}\n')
        (folder / "plain.jsonl").write_bytes((FIXTURES / "plain-print.jsonl").read_bytes())

        report = json.loads(recollect("import", "--json", str(folder)).stdout)

        assert report["added"] == 1
        assert report["failed"][0]["file"].endswith("other.jsonl")
        assert "not a Claude Code transcript" in report["failed"][0]["reason"]

    def test_a_path_that_is_not_there_is_named(self, recollect: Run) -> None:
        assert "/nowhere" in recollect("import", "/nowhere", code=1).stderr

    @pytest.mark.usefixtures("worker")
    def test_the_index_is_made_anew_from_the_markdown(self, recollect: Run, home: Home) -> None:
        before = results(recollect("search", "--json", "orders page slow"))
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            (home.path / name).unlink(missing_ok=True)
        by_words = results(recollect("search", "--json", "orders page slow"))

        rebuilt = json.loads(recollect("index", "--rebuild", "--json").stdout)

        assert [one["id"] for one in by_words] == [one["id"] for one in before]
        assert rebuilt == {"memories": 2, "pending": 0, "trouble": ""}
        assert results(recollect("search", "--json", "orders page slow")) == before


def test_help_and_version_work_without_a_home(recollect: Run) -> None:
    assert "recollect, version" in recollect("--version").stdout
    for command in ("search", "projects", "config", "worker", "setup", "uninstall", "demo"):
        assert "Usage:" in recollect(command, "--help").stdout


def test_the_demo_shows_all_it_promises_and_leaves_nothing(recollect: Run, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def left() -> list[Path]:
        return list(scratch.iterdir())

    done = subprocess.run(
        [sys.executable, "-m", "recollect", "demo", "--json"],
        capture_output=True, text=True, check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(scratch)},
    )  # fmt: skip
    shown = json.loads(done.stdout)

    first, second, third = shown["prompts"].values()
    assert problems(shown, shapes.PRINTED["demo"]) == []
    assert "selectinload" in shown["journal"]
    assert "hunter2" not in done.stdout
    assert "Last session" in shown["start"]["hookSpecificOutput"]["additionalContext"]
    assert "N+1" in first["hookSpecificOutput"]["additionalContext"]
    assert "Redis" in second["hookSpecificOutput"]["additionalContext"]
    assert third == {}
    wait_for(lambda: not left())
    assert not (tmp_path / ".recollect").exists()
