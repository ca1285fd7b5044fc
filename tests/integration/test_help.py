"""What `recollect` says of itself: whole, as wide as the terminal, and of what was meant."""

import re

import pytest

from recollect.cli import front
from recollect.cli.catalogue import ALIASES, COMMANDS, GROUPS
from scripts import reference
from tests.integration.conftest import Run

PATHS = [context.command_path.split()[1:] for context in reference.tree()]


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_fits_the_terminal_and_is_never_cut(
    recollect: Run, path: list[str], width: int
) -> None:
    said = recollect(*path, "--help", columns=width).stdout

    assert [line for line in said.splitlines() if len(line) > width] == []
    assert not re.search(r"[a-z]\.\.\.", said)


def test_the_overview_names_each_command_under_a_heading(recollect: Run) -> None:
    said = recollect("--help").stdout

    assert said == front.text(100)
    assert "\nTake back:\n  forget " in said
    assert [name for name in COMMANDS if f"\n  {name} " not in said] == []


def test_what_the_overview_says_is_what_a_search_for_a_command_would_hope_for() -> None:
    said = [about for _, commands in GROUPS for _, _, about in commands]

    assert [one for one in said if len(one) > 60 or one.endswith(".") or not one[0].isupper()] == []


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_a_short_name_is_the_command(recollect: Run, alias: str, name: str) -> None:
    assert recollect(alias, "--help").stdout == recollect(name, "--help").stdout
    assert recollect("help", alias).stdout == recollect(name, "--help").stdout


def test_a_mistyped_command_is_answered_with_what_was_meant(recollect: Run) -> None:
    assert "Did you mean search?" in recollect("serach", code=2).stderr
    assert "Did you mean list?" in recollect("lst", code=2).stderr.replace(" or ls?", "?")
    assert "Did you mean" not in recollect("frobnicate", code=2).stderr
