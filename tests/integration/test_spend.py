"""What models cost, as a person and a program are told."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.cli.spend import spend
from recollect.store import ledger
from recollect.store.contract.state import ModelCall, Spent
from tests.home import Home, repository

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


class Spends:
    """Books calls that were made *days* ago."""

    def __init__(self, app: Recollect) -> None:
        self._app = app
        self._call = ModelCall(
            at=0.0, engine="claude", model="haiku", project="", purpose="observe"
        )

    def __call__(
        self, project: str, sent: int, answered: int = 0, *, days: int = 0, **more: Any
    ) -> None:
        whom = {name: more.pop(name) for name in ("engine", "model", "purpose") if name in more}
        call = replace(self._call, at=time.time() - days * DAY, project=project, **whom)
        spent = Spent(input_tokens=sent, output_tokens=answered, **more)
        self._app.inside.state.ledger.book(call, spent)


@pytest.fixture
def spends(app: Recollect) -> Spends:
    return Spends(app)


def shown(home: Home, *arguments: str, **flags: str) -> str:
    """What the command prints."""
    env = {"COLUMNS": "120", "RECOLLECT_HOME": str(home)}
    settings = {name.replace("_", ".", 1): value for name, value in flags.items()}
    done = CliRunner().invoke(spend, arguments, env=env, obj=settings, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def told(home: Home, *arguments: str) -> Any:
    return json.loads(shown(home, *arguments, "--json"))


def row(output: str, *words: str) -> list[str]:
    """The cells of the one line that has all of *words*."""
    (line,) = (line for line in output.splitlines() if all(word in line for word in words))
    return line.split()


class TestWithoutAnyCall:
    def test_it_says_so_and_how_a_model_is_switched_on(self, home: Home) -> None:
        output = shown(home)

        assert "No model was asked in the last 14 days: 0 tokens." in output
        assert "recollect config set synthesis.engine claude" in output

    def test_who_has_a_model_is_not_told_how_to_get_one(self, home: Home) -> None:
        output = shown(home, "--days", "1", synthesis_engine="claude")

        assert output == "No model was asked today: 0 tokens.\n"

    def test_as_data_each_day_is_there_and_empty(self, home: Home) -> None:
        found = told(home, "--days", "3")

        assert [one["tokens"] for one in found["days"]] == [0, 0, 0]
        assert found["groups"] == []
        assert found["today"] == {"tokens": 0, "limit": 200_000}


class TestDays:
    def test_every_day_has_a_line_and_the_dearest_the_longest_bar(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 4000, days=2)
        spends(shop, 1000)

        lines = shown(home, "--days", "4").splitlines()[:4]

        assert [line.count("▇") for line in lines] == [0, 40, 0, 10]
        assert [line[:10] for line in lines] == [
            ledger.day_of(time.time() - days * DAY) for days in (3, 2, 1, 0)
        ]
        assert lines[1].endswith(" 4,000")

    def test_the_least_that_was_spent_can_be_seen(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 1_000_000, days=1)
        spends(shop, 1)

        assert shown(home, "--days", "2").splitlines()[1].count("▇") == 1

    def test_what_was_before_is_left_out(self, home: Home, spends: Spends, shop: str) -> None:
        spends(shop, 700, days=14)
        spends(shop, 50, days=13)

        assert told(home)["total"]["tokens"] == 50
        assert told(home, "--days", "15")["total"]["tokens"] == 750

    def test_today_is_compared_with_what_may_be_spent(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 12_000, 340)
        spends(shop, 5_000, days=1)

        assert "12,340 of 200,000 tokens today\n" in shown(home)
        assert "12,340 of 9,000 tokens" in shown(home, synthesis_daily_tokens="9000")


class TestTheTable:
    def test_each_project_model_and_purpose_has_a_row_under_the_projects_label(
        self, home: Home, spends: Spends, shop: str, bank: str
    ) -> None:
        spends(shop, 1000, 100, cached_tokens=600, cost=0.02, days=1)
        spends(shop, 2000, 200, cached_tokens=0, cost=0.04)
        spends(shop, 10, 1, purpose="answer", cost=0.01)
        spends(bank, 20, 2, engine="openai", model="llama", cost=0.0)

        output = shown(home)

        assert row(output, "shop", "observe") == [
            "shop", "claude/haiku", "observe", "2", "3,000", "300", "600", "$0.06",
        ]  # fmt: skip
        assert row(output, "shop", "answer")[3:] == ["1", "10", "1", "0", "$0.01"]
        assert row(output, "bank")[1:] == ["openai/llama", "observe", "1", "20", "2", "0", "$0.00"]
        assert row(output, "together")[1:] == ["4", "3,030", "303", "600", "$0.07"]

    def test_as_data_it_has_the_projects_name_and_label(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 1000, 100, cached_tokens=600, cost=0.02)

        (group,) = told(home)["groups"]

        assert group == {
            "project": shop, "label": "shop", "engine": "claude", "model": "haiku",
            "purpose": "observe", "calls": 1, "input_tokens": 1000, "output_tokens": 100,
            "cached_tokens": 600, "tokens": 1100, "cost": 0.02, "without_price": 0, "estimated": 0,
        }  # fmt: skip

    def test_a_cost_of_which_a_part_is_unknown_is_at_least_that(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 1000, cost=0.02)
        spends(shop, 1000, cost=None)

        assert row(shown(home), "shop")[-2:] == ["≥", "$0.02"]
        assert told(home)["total"]["cost"] == 0.02

    def test_without_any_price_no_cost_is_made_up(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 1000)

        assert row(shown(home), "shop")[-1] == "–"
        assert told(home)["total"]["cost"] is None

    def test_an_estimate_is_marked(self, home: Home, spends: Spends, shop: str, bank: str) -> None:
        spends(shop, 1000, 100, estimated=True)
        spends(bank, 50, 5)

        output = shown(home)

        assert row(output, "shop")[4:8] == ["≈", "1,000", "≈", "100"]
        assert row(output, "bank")[4:6] == ["50", "5"]
        assert "▇ ≈ 1,155" in output

    def test_what_was_spent_on_no_single_project_is_shown_as_such(
        self, home: Home, spends: Spends
    ) -> None:
        spends(paths.EVERYWHERE, 10, purpose="answer")

        assert "all projects  claude/haiku" in shown(home)

    def test_two_projects_of_one_label_are_told_apart(
        self, home: Home, app: Recollect, spends: Spends, shop: str, bank: str
    ) -> None:
        app.inside.registry.rename(app.inside.registry.named(bank), "shop")
        spends(shop, 10)
        spends(bank, 20)

        assert {one["label"] for one in told(home)["groups"]} == {shop, bank}

    def test_a_project_that_is_gone_keeps_its_line(self, home: Home, spends: Spends) -> None:
        spends("gone-1", 10)

        assert row(shown(home), "gone-1")[0] == "gone-1"

    def test_a_server_cannot_write_on_the_terminal_through_the_name_of_its_model(
        self, home: Home, spends: Spends, shop: str
    ) -> None:
        spends(shop, 10, model="x\x1b[2J[red]y\x9b")

        output = shown(home)

        assert not {"\x1b", "\x9b"} & set(output)
        assert "[red]y" in output


class TestOneProject:
    def test_only_its_lines_are_shown(
        self, home: Home, spends: Spends, shop: str, bank: str
    ) -> None:
        spends(shop, 10)
        spends(bank, 5000)

        output = shown(home, "--project", "shop")

        assert "bank" not in output
        assert told(home, "--project", "shop")["total"]["tokens"] == 10

    def test_today_counts_all_projects_because_they_share_the_limit(
        self, home: Home, spends: Spends, shop: str, bank: str
    ) -> None:
        spends(bank, 5000)

        output = shown(home, "--project", "shop")

        assert "No model was asked" in output
        assert "5,000 of 200,000 tokens today, all projects together" in output
