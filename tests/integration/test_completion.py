"""What the Tab key offers, in a real bash."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.cli import complete
from tests.home import Home, repository
from tests.integration.conftest import Run
from tests.remembering import remember

Tab = Callable[..., list[str]]

PRESS_TAB = """\
source <(recollect completion bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_recollect "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def tab(home: Home, shop: Path) -> Tab:
    """What bash offers in the shop when Tab is pressed behind these words."""

    def pressed(*words: str, cwd: Path = shop) -> list[str]:
        programs = Path(sys.executable).parent
        done = subprocess.run(
            ["bash", "--norc", "-c", PRESS_TAB, "bash", "recollect", *words],
            cwd=cwd,
            env={
                "PATH": f"{programs}:{os.environ['PATH']}",
                "HOME": str(home.path.parent),
                "RECOLLECT_HOME": str(home),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout.split()

    return pressed


def test_commands_are_completed_and_their_short_names_know_the_options(tab: Tab) -> None:
    assert tab("arch") == ["archive"]
    assert tab("projects", "") == ["exclude", "join", "rename", "split"]
    assert tab("ls", "--sta") == ["--status"]
    assert tab("-s", "recall.limit=1", "forg") == ["forget"]
    assert tab("help", "unin") == ["uninstall"]


def test_values_are_completed_where_they_are_known(tab: Tab) -> None:
    assert tab("config", "set", "recall.li") == ["recall.limit"]
    assert tab("list", "--category", "de") == ["decision"]
    assert tab("list", "--category", "=", "de") == ["decision"]
    assert tab("completion", "") == ["bash", "zsh", "fish"]
    assert tab("config", "set", "recall.limit", "") == []


def test_notes_are_completed_by_name_and_by_id(tab: Tab, recollect: Run) -> None:
    recollect("remember", "-c", "constraint", "Deploys need the VPN")
    recollect("remember", "-c", "preference", "--global", "Answer in short sentences")

    assert tab("show", "") == ["constraint/deploys-need-the-vpn",
                               "preference/answer-in-short-sentences"]  # fmt: skip
    assert tab("retire", "deploys-need-the-vpn", "ans") == ["answer-in-short-sentences"]
    assert tab("pin", "--global", "constraint/") == []
    assert tab("review", "--accept", "const") == ["constraint/deploys-need-the-vpn"]


def test_memories_are_completed_newest_first_and_only_those_of_this_project(
    tab: Tab, home: Home, shop: Path, tmp_path: Path
) -> None:
    other = repository(tmp_path / "other")
    for folder, session in ((shop, "first"), (shop, "second"), (other, "third")):
        remember(home, folder, session=session)
    third, first, second = (one.id for one in home.kept())  # By project, and then by time.

    assert tab("expand", "") == [second, first]
    assert tab("expand", "", cwd=other) == [third]
    (name,) = tab("stats", "--project", "oth")
    assert tab("forget", "--project", name, "") == [third]


def test_where_nothing_is_known_nothing_is_offered_and_nothing_fails(
    tab: Tab, home: Home, tmp_path: Path
) -> None:
    Path(home.path / "index.db").write_bytes(b"this is no database")
    Path(home.path / "run" / "places").write_bytes(b"\xff\xfe\n\n")

    assert tab("expand", "") == []
    assert tab("nosuchcommand", "") == []
    assert tab("show", "--project", "nowhere", "") == []


def test_no_command_is_loaded_to_complete_one(home: Home) -> None:
    listed = "import sys; from recollect.cli import complete; complete.run(['expand', ''])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{listed}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env={"RECOLLECT_HOME": str(home)},
    )

    assert {"click", "rich", "json", "sqlite3", "pydantic"}.isdisjoint(done.stdout.split())


@pytest.mark.parametrize("shell", complete.SHELLS)
def test_each_script_says_how_to_load_it(shell: str, recollect: Run) -> None:
    printed = recollect("completion", shell).stdout

    assert f"recollect completion {shell}" in printed
