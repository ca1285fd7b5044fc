"""The command line in a project, in this process: starting one for each call takes too long."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recollect.cli.main import cli
from recollect.errors import RecollectError
from tests.home import Home, repository

Run = Callable[..., Any]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


@pytest.fixture
def recollect(home: Home, shop: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in the shop; it must succeed unless told otherwise."""
    monkeypatch.chdir(shop)

    def run(
        *arguments: str,
        code: int = 0,
        stdin: str = "",
        editor: str = "false",
        columns: int = 120,
    ) -> Any:
        env = {"COLUMNS": str(columns), "RECOLLECT_HOME": str(home), "EDITOR": editor, "VISUAL": ""}
        done = CliRunner().invoke(cli, arguments, input=stdin, env=env)
        if done.exception and not isinstance(done.exception, SystemExit | RecollectError):
            raise done.exception
        assert done.exit_code == code, done.output + str(done.exception)
        return done

    return run
