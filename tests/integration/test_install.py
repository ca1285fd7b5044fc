"""The script that installs Recollect from a clone, and what it leaves behind without the clone."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import recollect

CLONE = Path(recollect.__file__).parents[2]
PARTS = ("pyproject.toml", "README.md", "LICENSE", "scripts", "src")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a clone has of Recollect, without what grows in a working copy."""
    folder = tmp_path / "a clone"
    for part in PARTS:
        ours, theirs = CLONE / part, folder / part
        theirs.parent.mkdir(exist_ok=True)
        if ours.is_dir():
            shutil.copytree(ours, theirs, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ours, theirs)
    return folder


def environment(user: Path) -> dict[str, str]:
    """A user who has nothing but Python; what Recollect depends on comes from where tests run."""
    return {
        "HOME": str(user),
        "PATH": "/usr/bin:/bin",
        "PYTHON": sys.executable,
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # To pip, "no isolation" is what this says.
    }


@pytest.mark.timeout(300)
def test_one_command_installs_and_sets_up_and_again_it_upgrades(
    tmp_path: Path, clone: Path
) -> None:
    user = tmp_path / "home"
    (user / ".cursor").mkdir(parents=True)

    def install(*options: str) -> str:
        done = subprocess.run(
            ["sh", clone / "scripts" / "install.sh", "--yes", *options],
            env=environment(user),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    alone = install()
    said = install("--mcp", "cursor")
    package = next((user / ".local/share/recollect").rglob("site-packages/recollect"))
    version = package / "__init__.py"
    (clone / "src/recollect/__init__.py").write_text(
        version.read_text().replace(recollect.__version__, "99.0")
    )
    again = install("--mcp", "cursor")
    shutil.rmtree(clone)
    command = subprocess.run(
        [user / ".local/bin/recollect", "--version"],
        env={"HOME": str(user)}, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "Recollect is on for new sessions of Cursor" in said
    assert "Not on your PATH yet" in said
    server = json.loads((user / ".cursor/mcp.json").read_text())["mcpServers"]["recollect"]
    assert Path(server["command"]).is_file()
    assert "Recollect is already set up" in again or "done" in again
    assert "No agent was found on this machine" in alone
    assert command.stdout == "recollect, version 99.0\n"
    assert not os.path.lexists(user / ".claude")
    assert [one.name for one in package.glob("cli/*ref*")] == []


def test_without_a_python_it_says_so(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "dirname"):
        (programs / name).symlink_to(str(shutil.which(name)))

    done = subprocess.run(
        [programs / "sh", CLONE / "scripts" / "install.sh"],
        env={"HOME": str(tmp_path), "PATH": str(programs)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert not (tmp_path / ".local").exists()
