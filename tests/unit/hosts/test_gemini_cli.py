"""The copy of the extension for Gemini CLI, whatever the folders are called."""

import json
import os
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.hosts import copies, gemini_cli
from tests.narrowing import not_none

ODD = """it's "$(touch PWNED)" `touch PWNED` \\ $HOME"""

# Stands for launcher and command alike: tells which home it was given, and in what words.
TELLING = 'printf "%s|%s" "$RECOLLECT_HOME" "$*"'


class Extension:
    """The extension as it is copied, with scripts that tell how they were started."""

    def __init__(self, folder: Path, home: str) -> None:
        self.folder = folder
        self.files = gemini_cli.wanted(folder, home)
        for script in copies.scripts():
            path = folder / script
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TELLING)

    def hooks(self) -> list[str]:
        """The commands, with the folder where the client fills it in."""
        declared = json.loads(self.files["hooks/hooks.json"])["hooks"]
        commands = [group["hooks"][0]["command"] for (group,) in declared.values()]
        return [command.replace("${extensionPath}", str(self.folder)) for command in commands]

    def prompts(self) -> dict[str, str]:
        return {
            Path(name).stem: tomllib.loads(content.decode())["prompt"]
            for name, content in self.files.items()
            if name.endswith(".toml")
        }

    def shell_commands(self) -> list[str]:
        pieces = [prompt.partition("!{")[2] for prompt in self.prompts().values()]
        return [piece.partition("}\n")[0] for piece in pieces if piece]


def run(command: str, folder: Path) -> tuple[int, str, str]:
    """How *command* ended in *folder*, as the client runs it: exit code, stdout, stderr."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Recollect's home where it is if nobody chose another."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return str(tmp_path / ".recollect")


def test_a_folder_whose_name_is_shell_code_is_only_a_name(tmp_path: Path, usual: str) -> None:
    extension = Extension(tmp_path / ODD / "recollect", usual)
    before = sorted(tmp_path.rglob("*"))

    hooks = [run(command, tmp_path) for command in extension.hooks()]
    commands = [run(command, tmp_path) for command in extension.shell_commands()]

    assert hooks[1] == (0, "|UserPromptSubmit gemini-cli", "")
    assert {(code, said) for code, _, said in hooks} == {(0, "")}
    assert commands == [(0, "|status", ""), (0, "|stats", "")]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_launcher_that_is_gone_is_silence(tmp_path: Path, usual: str) -> None:
    extension = Extension(tmp_path / "recollect", usual)
    (extension.folder / "hooks/launch.sh").unlink()

    assert {run(command, tmp_path) for command in extension.hooks()} == {(0, "", "")}


def test_another_home_reaches_hooks_commands_and_tools(tmp_path: Path, usual: str) -> None:
    elsewhere = f"/elsewhere/{ODD}"
    extension = Extension(tmp_path / "recollect", elsewhere)

    hooks = [run(command, tmp_path) for command in extension.hooks()]
    commands = [run(command, tmp_path) for command in extension.shell_commands()]

    assert {said.partition("|")[0] for _, said, _ in hooks + commands} == {elsewhere}
    manifest = json.loads(extension.files["gemini-extension.json"])
    assert manifest["mcpServers"]["recollect"]["env"] == {"RECOLLECT_HOME": elsewhere}
    assert not (tmp_path / "PWNED").exists()


def test_the_usual_home_is_not_named(tmp_path: Path, usual: str) -> None:
    files = gemini_cli.wanted(tmp_path, usual)

    assert [name for name, content in files.items() if os.fsencode(usual) in content] == []
    assert "env" not in json.loads(files["gemini-extension.json"])["mcpServers"]["recollect"]


def test_a_command_of_ours_says_that_it_is_one(tmp_path: Path, usual: str) -> None:
    prompts = Extension(tmp_path / "recollect", usual).prompts()

    assert {prompt.splitlines()[0] for prompt in prompts.values()} == {"[recollect command]"}


def test_setup_for_another_home_has_nothing_to_do_the_second_time(
    program: Callable[[str], None], tmp_path: Path
) -> None:
    program("gemini")
    elsewhere = str(tmp_path / "it's elsewhere")

    found = not_none(gemini_cli.HOST.find())
    done = list(gemini_cli.setup(elsewhere, found).carry_out())

    assert done
    assert gemini_cli.setup(elsewhere, not_none(gemini_cli.HOST.find())).steps == ()
    assert gemini_cli.setup(
        str(tmp_path / "home/.recollect"), not_none(gemini_cli.HOST.find())
    ).steps
