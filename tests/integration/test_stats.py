"""What agents were given and used, as a person and a program are told: nothing is claimed."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from recollect.app.recollect import Recollect, opened
from recollect.cli.main import cli
from recollect.cli.stats import stats
from recollect.errors import RecollectError
from recollect.store.contract.state import EVENTS, ModelCall, Shown, Spent
from tests.home import Home, repository
from tests.remembering import remember

DAY = 86_400.0


@pytest.fixture
def app(home: Home) -> Iterator[Recollect]:
    with opened(str(home)) as app:
        yield app


@pytest.fixture
def shop(app: Recollect, tmp_path: Path) -> str:
    """The name of a project that is called `shop`."""
    return app.projects.meet(str(repository(tmp_path / "shop"))).name


@pytest.fixture
def bank(app: Recollect, tmp_path: Path) -> str:
    return app.projects.meet(str(repository(tmp_path / "bank"))).name


class Shows:
    """Notes that memories were shown, each call a block of its own."""

    def __init__(self, app: Recollect) -> None:
        self._app = app
        self._blocks = 0

    def __call__(
        self, project: str, *ids: str, event: str = "prompt", days: float = 0, **more: Any
    ) -> None:
        self._blocks += 1
        given: dict[str, Any] = {"session": "s-1", "version": "v1", "score": 0.8, "tokens": 100}
        at = time.time() - days * DAY + self._blocks / 1000
        given |= more
        lines = [Shown(at=at, project=project, event=event, id=one, **given) for one in ids]
        self._app.inside.state.shown.add(lines)


@pytest.fixture
def shows(app: Recollect) -> Shows:
    return Shows(app)


def spends(app: Recollect, project: str, sent: int, *, days: float = 0, **more: Any) -> None:
    at = time.time() - days * DAY
    call = ModelCall(at=at, engine="claude", model="haiku", project=project, purpose="observe")
    app.inside.state.ledger.book(call, Spent(input_tokens=sent, **more))


def shown(home: Home, *arguments: str, columns: int = 120, **env: str) -> str:
    """What the command prints."""
    env = {"COLUMNS": str(columns), "RECOLLECT_HOME": str(home)} | env
    done = CliRunner().invoke(stats, arguments, env=env, obj={}, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def told(home: Home, *arguments: str) -> Any:
    return json.loads(shown(home, *arguments, "--json"))


def row(output: str, first: str) -> list[str]:
    """The cells of the one line that begins with *first*, after it."""
    (line,) = (line for line in output.splitlines() if line.split()[:1] == [first])
    return line.split()[1:]


class TestBeforeAnythingWasShown:
    def test_it_says_so_plainly(self, home: Home) -> None:
        assert shown(home) == "Nothing was shown to an agent in the last 30 days.\n"
        assert shown(home, "--days", "1") == "Nothing was shown to an agent today.\n"

    def test_of_a_project_it_names_it(self, home: Home, shows: Shows, shop: str, bank: str) -> None:
        shows(bank, "a")

        assert "Nothing was shown to an agent in shop" in shown(home, "--project", "shop")

    def test_as_data_everything_is_there_and_nought(self, home: Home) -> None:
        found = told(home)

        nothing = {
            "times": 0, "memories": 0, "different": 0, "used": 0, "different_used": 0,
            "uses": {"opened": 0, "cited": 0, "files": 0, "words": 0},
            "tokens": 0, "in_full": 0, "sessions": 0,
        }  # fmt: skip
        assert found["together"] == nothing
        assert found["events"] == dict.fromkeys(("start", "prompt", "file", "subagent"), nothing)
        assert (found["most_used"], found["never_used"]) == ([], [])
        assert (found["days"], found["project"], found["models"]["tokens"]) == (30, None, 0)


class TestWhatWasShown:
    def test_each_event_has_its_line_and_all_together_one(
        self, home: Home, shows: Shows, shop: str
    ) -> None:
        shows(shop, "a", "b", "c", event="start")
        shows(shop, "a", "b", used="words")
        shows(shop, "a", session="s-2", tokens=1400)

        output = shown(home)

        assert "2 sessions got 6 memories in the last 30 days, 3 different." in output
        assert row(output, "start") == ["1", "3", "0", "300"]
        assert row(output, "prompt") == ["2", "3", "2", "1,600"]
        assert row(output, "together") == ["3", "6", "2", "1,900"]
        assert "subagent" not in output

    def test_it_says_how_memories_were_used_and_what_that_means(
        self, home: Home, shows: Shows, shop: str
    ) -> None:
        shows(shop, "a", "b", used="words")
        shows(shop, "c", used="opened")
        shows(shop, "d", "e")

        output = shown(home)

        assert "Used, as far as we can tell: 3 of 5 (opened 1, words 2)." in output
        assert "Used: opened or cited by its id" in output

    def test_tokens_are_told_without_a_claim(
        self, home: Home, app: Recollect, shows: Shows, shop: str
    ) -> None:
        shows(shop, "a", tokens=14_000, in_full=210_000)
        shows(shop, "", tokens=300)
        spends(app, shop, 2000)

        output = shown(home, columns=200)

        assert (
            "Injected ≈ 14,300 tokens + 2,000 spent on models; the turns behind the injected"
            " memories in full ≈ 210,000." in output
        )
        assert "saved" not in output.lower()

    def test_a_guess_of_what_models_took_is_marked(
        self, home: Home, app: Recollect, shows: Shows, shop: str
    ) -> None:
        shows(shop, "a")
        spends(app, shop, 2000, estimated=True)

        assert "+ ≈ 2,000 spent on models" in shown(home)

    def test_what_was_before_is_left_out(
        self, home: Home, app: Recollect, shows: Shows, shop: str
    ) -> None:
        shows(shop, "a", days=30)
        spends(app, shop, 500, days=30)
        shows(shop, "b", days=29)
        spends(app, shop, 70, days=29)

        assert told(home)["together"]["times"] == 1
        assert told(home)["models"]["tokens"] == 70
        assert told(home, "--days", "31")["together"]["times"] == 2
        assert told(home, "--days", "31")["models"]["tokens"] == 570

    def test_of_one_project_only_its_own_counts(
        self, home: Home, app: Recollect, shows: Shows, shop: str, bank: str
    ) -> None:
        shows(shop, "a")
        shows(bank, "b", "c", used="cited")
        spends(app, bank, 5000)

        output = shown(home, "--project", "shop")
        found = told(home, "--project", "shop")

        assert "1 session of shop got 1 memory" in output
        assert "+ 0 spent on models" in output
        assert (found["project"], found["together"]["memories"]) == (shop, 1)
        assert found["most_used"] == []

    def test_a_project_that_nobody_knows_is_an_error(self, home: Home) -> None:
        env = {"RECOLLECT_HOME": str(home)}

        done = CliRunner().invoke(cli, ["stats", "--project", "nowhere"], env=env)

        assert isinstance(done.exception, RecollectError)


class TestTheLists:
    def test_the_memories_used_most_have_their_titles(
        self, home: Home, app: Recollect, shows: Shows, shop: str, tmp_path: Path
    ) -> None:
        remember(home, tmp_path / "shop")
        (entry,) = app.inside.index.recent(shop, limit=9)
        shows(shop, entry.id, used="files")
        shows(shop, entry.id)

        output = shown(home)
        (most,) = told(home)["most_used"]

        assert "Used most" in output
        assert f"1     2 {entry.title} {entry.id}" in output
        assert most == {
            "project": shop, "id": entry.id, "title": entry.title, "shown": 2, "used": 1,
            "tokens": 200,
        }  # fmt: skip

    def test_a_memory_that_is_gone_is_told_by_its_id(
        self, home: Home, shows: Shows, shop: str
    ) -> None:
        shows(shop, "decision/gone", used="cited")

        assert "1     1 decision/gone" in shown(home)
        assert told(home)["most_used"][0]["title"] is None

    def test_the_note_of_the_same_name_elsewhere_lends_no_title(
        self, home: Home, app: Recollect, shows: Shows, shop: str, bank: str, tmp_path: Path
    ) -> None:
        remember(home, tmp_path / "bank")
        (entry,) = app.inside.index.recent(bank, limit=9)
        shows(shop, entry.id, used="cited")

        assert entry.title not in shown(home)

    def test_only_five_are_listed(self, home: Home, shows: Shows, shop: str) -> None:
        for number in range(7):
            shows(shop, f"note/{number}", used="cited")

        assert shown(home).count("note/") == 5
        assert len(told(home)["most_used"]) == 5

    def test_what_was_shown_often_and_never_used_is_said_to_sink(
        self, home: Home, shows: Shows, shop: str
    ) -> None:
        for _ in range(5):
            shows(shop, *(f"note/{number}" for number in range(7)))
        shows(shop, "seldom")

        output = shown(home)

        assert "Shown for 5 prompts or more, never used: they sink" in output
        assert "0     5 note/0" in output
        assert "and 2 more" in output
        assert "seldom" not in output
        assert len(told(home)["never_used"]) == 7

    def test_lists_of_nothing_are_left_out(self, home: Home, shows: Shows, shop: str) -> None:
        shows(shop, "a")

        output = shown(home)

        assert "Used most" not in output
        assert "sink" not in output


class TestTerminals:
    @pytest.fixture
    def plenty(self, app: Recollect, shows: Shows, shop: str, tmp_path: Path, home: Home) -> str:
        """A project with large numbers and a long Chinese title, which is returned."""
        remember(
            home, tmp_path / "shop", "修复订单页面变慢的问题，原因是夜间导出任务锁住了发票表" * 3
        )
        (entry,) = app.inside.index.recent(shop, limit=9)
        for event in EVENTS:
            shows(shop, entry.id, event=event, tokens=1_234_567, in_full=98_765_432, used="words")
        for _ in range(5):
            shows(shop, "decision/an-id-that-is-longer-than-a-narrow-terminal-is-wide")
        return entry.title

    @pytest.mark.parametrize("columns", [40, 60, 80])
    def test_no_line_is_wider_than_the_terminal_and_no_number_is_broken(
        self, home: Home, plenty: str, columns: int
    ) -> None:
        output = shown(home, columns=columns)

        assert max(cell_len(line) for line in output.splitlines()) <= columns
        assert row(output, "together") == ["9", "9", "4", "4,938,768"]
        assert "…" not in "".join(output.splitlines()[:8])
        assert "98,765,432" in output
        joined = output.replace(" ", "").replace("\n", "")
        assert plenty.replace(" ", "") in joined
        assert "an-id-that-is-longer-than-a-narrow-terminal-is-wide" in joined

    def test_colours_are_left_out_where_nobody_wants_them(self, home: Home, plenty: str) -> None:
        coloured = shown(home, FORCE_COLOR="1", TERM="xterm-256color")
        plain = shown(home, FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")

        assert "\x1b[2m" in coloured
        assert "\x1b[3" not in plain

    def test_a_name_cannot_write_on_the_terminal(self, home: Home, shows: Shows, shop: str) -> None:
        shows(shop, "x\x1b[2J[red]y\x9b", used="cited")

        output = shown(home)

        assert not {"\x1b", "\x9b"} & set(output)
        assert "[red]y" in output


def test_it_is_a_command_and_says_what_it_does(home: Home) -> None:
    env = {"COLUMNS": "100", "RECOLLECT_HOME": str(home)}

    done = CliRunner().invoke(cli, ["stats", "--help"], env=env)

    assert done.exit_code == 0
    assert "what they used of it" in done.output
