"""What every test starts from, and the real client for those that want it."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client.claude import Claude, client
from tests.client.model_api import ModelApi
from tests.client.terminal import Terminal
from tests.home import Home

# Settings of the developer's own tools; a test that needs one sets it.
_PERSONAL = ("ANTHROPIC_", "CLAUDE", "RECOLLECT_", "XDG_", "GIT_")


@pytest.fixture(autouse=True)
def scrubbed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give each test an empty home and none of the developer's settings."""
    for name in [name for name in os.environ if name.startswith(_PERSONAL)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def model_api() -> Iterator[ModelApi]:
    """A stand-in for the model, for the test to script."""
    with ModelApi() as api:
        yield api


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """The real client's binary, fetched if need be."""
    return client()


@pytest.fixture
def claude(claude_binary: Path, model_api: ModelApi, tmp_path: Path) -> Iterator[Claude]:
    """The real client in a scratch home; its processes end with the test."""
    env = {"RECOLLECT_HOME": str(tmp_path / "recollect")}
    with contextlib.closing(Claude(claude_binary, tmp_path / "home", model_api, env)) as client:
        yield client


@pytest.fixture
def terminal(claude: Claude) -> Iterator[Callable[..., Terminal]]:
    """Start `claude` in a terminal, as often as the test likes: `terminal("--continue")`."""
    with contextlib.ExitStack() as opened:
        yield lambda *args, **where: opened.enter_context(Terminal(claude, *args, **where))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """Recollect's home, the one the client's hooks use; its worker ends with the test."""
    home = Home(tmp_path / "recollect")
    yield home
    home.end()
