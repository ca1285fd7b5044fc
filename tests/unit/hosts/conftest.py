"""A user with a home folder, and what stands in it."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The user's own home folder, which the environment names."""
    folder = tmp_path / "home"
    (folder / ".claude").mkdir(parents=True)
    return folder


@pytest.fixture
def home(user: Path) -> str:
    return str(user / ".recollect")


@pytest.fixture
def contents(user: Path) -> Callable[[], dict[str, bytes]]:
    """Every file of the user's, by name, as it is when asked."""
    return lambda: {
        str(path.relative_to(user)): path.read_bytes()
        for path in sorted(user.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def program(user: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install a program by its name, the only one on the PATH beside the system's."""
    monkeypatch.setenv("PATH", f"{user}/bin:/usr/bin:/bin")

    def install(name: str) -> None:
        executable = user / "bin" / name
        executable.parent.mkdir(exist_ok=True)
        executable.write_text("#!/bin/sh\n")
        executable.chmod(0o755)

    return install
