"""Several hosts at once: what is wrong with one keeps nobody from the others."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.errors import HostError
from recollect.hosts import gemini_cli, mcp_clients, roster
from recollect.hosts import home as own
from recollect.hosts.plan import SetupPlan, joined
from tests.narrowing import not_none


@pytest.fixture(autouse=True)
def gemini(program: Callable[[str], None], home: str) -> None:
    program("gemini")
    gemini_cli.setup(home, not_none(gemini_cli.HOST.find())).carry_out()


def every() -> tuple[str, ...]:
    return (*roster.hosts(), *mcp_clients.CLIENTS)


@pytest.mark.parametrize(
    "name", [".codex/config.toml", ".codex/hooks.json", ".claude/settings.json"]
)
def test_a_broken_file_of_a_host_we_were_never_in_is_none_of_our_business(
    name: str, user: Path, home: str
) -> None:
    broken = user / name
    broken.parent.mkdir(exist_ok=True)
    broken.write_text("{ = [")

    plan = roster.removal(home, every())
    plan.carry_out()

    assert plan.troubles == ()
    assert not gemini_cli.is_on(home)
    assert not own.is_set_up(home)
    assert broken.read_text() == "{ = ["


def test_a_host_that_cannot_be_left_is_told_of_and_keeps_what_it_stands_on(
    user: Path, home: str
) -> None:
    (user / ".codex").mkdir()
    (user / ".codex/config.toml").write_text("[mcp_servers.recollect")

    plan = roster.removal(home, every())
    plan.carry_out()

    (trouble,) = plan.troubles
    assert "config.toml" in trouble.message
    assert not gemini_cli.is_on(home)
    assert own.is_set_up(home)


def test_a_folder_where_a_file_should_be_is_told_of_as_well(user: Path, home: str) -> None:
    (user / ".config/goose/config.yaml").mkdir(parents=True)

    plan = roster.removal(home, every())

    (trouble,) = plan.troubles
    assert "config.yaml" in trouble.message


def test_a_host_that_is_not_understood_for_a_reason_nobody_thought_of_stops_no_other() -> None:
    def planned() -> SetupPlan:
        raise ValueError("half a character")

    (trouble,) = roster.attempted(planned).troubles

    assert trouble.message == "half a character"
    assert "try again" in trouble.hint


def test_what_several_plans_note_is_noted_once() -> None:
    plans = [SetupPlan(steps=(), note=note) for note in ("one", "two", "one", "")]

    assert joined(plans).note == "one\ntwo"


def test_plans_joined_say_all_that_is_wrong() -> None:
    plans = [
        SetupPlan(steps=(), troubles=(HostError("one"),)),
        SetupPlan(steps=(), note="two", is_blocked=True),
        SetupPlan(steps=(), troubles=(HostError("three"),)),
    ]

    whole = joined(plans)

    assert [trouble.message for trouble in whole.troubles] == ["one", "three"]
    assert (whole.note, whole.is_blocked) == ("two", True)
