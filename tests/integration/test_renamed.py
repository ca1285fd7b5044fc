"""What was renamed works under its old name for one release, and says the new one."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recollect import Memory
from recollect.cli.main import cli


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one note in a home of its own; no worker runs."""
    folder = tmp_path / "shop"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    assert recollect("remember", "Use tea instead of coffee").exit_code == 0
    return folder


def recollect(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def test_a_search_takes_bar_for_min_score(shop: Path) -> None:
    new = recollect("search", "--min-score", "1", "--json", "tea", "coffee")
    old = recollect("search", "--bar", "1", "--json", "tea", "coffee")

    assert old.stdout == new.stdout
    assert old.stderr == "--bar is now called --min-score.\n"
    assert new.stderr == ""


def test_a_program_takes_bar_for_min_score(shop: Path) -> None:
    with Memory(folder=shop) as memory:
        new = memory.search("tea coffee", min_score=0.0)
        with pytest.warns(DeprecationWarning, match="min_score"):
            old = memory.search("tea coffee", bar=0.0)

    assert [one.id for one in old] == [one.id for one in new] != []


def test_a_setting_by_its_old_name_is_set_by_its_new_one(shop: Path) -> None:
    done = recollect("config", "set", "recall.bar", "0.25")

    assert done.stderr == "recall.bar is now called recall.min_score.\n"
    assert done.stdout.startswith("recall.min_score is set in ")
    assert recollect("config", "get", "recall.min_score").stdout == "0.25\n"
    assert recollect("-s", "recall.bar=0.5", "config", "get", "recall.bar").stdout == "0.5\n"
