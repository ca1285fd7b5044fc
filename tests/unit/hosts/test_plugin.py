"""What is shipped for Claude Code: manifest, hooks, and a launcher that never fails the host."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.hooks import claude_code as hook
from recollect.hosts import home as own

PLUGIN = own.shipped() / "claude-code"
REPOSITORY = Path(recollect.__file__).parents[2]
HOOKS = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]

# Clients as old as 2.1.197 reject the whole file for one name they do not know.
KNOWN_FOR_LONG = {
    *("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"),
    *("Stop", "SubagentStart", "SubagentStop", "PreCompact", "SessionEnd"),
}


def test_manifest_launcher_and_package_are_of_one_version() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    launcher = re.search(r"^version=(\S+)$", (PLUGIN / "hooks/launch.sh").read_text(), re.MULTILINE)

    assert manifest["version"] == recollect.__version__
    assert launcher
    assert launcher[1] == recollect.__version__


def test_both_marketplaces_say_the_same_of_the_same_folder() -> None:
    def read(root: Path) -> dict[str, object]:
        listed: dict[str, Any] = json.loads(
            (root / ".claude-plugin" / "marketplace.json").read_text()
        )
        (plugin,) = listed["plugins"]
        plugin["source"] = (root / plugin["source"]).resolve()
        return listed

    assert read(REPOSITORY) == read(own.shipped())


def test_hooks_use_only_names_that_old_clients_know() -> None:
    assert set(HOOKS) == KNOWN_FOR_LONG
    assert set(hook.ANSWERED) <= {*HOOKS, own.READING}


@pytest.mark.parametrize("event", HOOKS)
def test_every_hook_has_a_short_timeout_and_is_waited_for(event: str) -> None:
    ((entry,),) = [matched["hooks"] for matched in HOOKS[event]]

    assert 0 < entry["timeout"] <= 5
    assert "async" not in entry
    assert entry["args"][-1] == event


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
@pytest.mark.parametrize(
    ("tool", "kept"),
    [
        *((tool, True) for tool in ("Bash", "Read", "Edit", "Task", "WebFetch", "mcp__gh__Grep")),
        *((tool, False) for tool in ("Glob", "Grep", "LS", "TodoWrite", "TaskList", "ToolSearch")),
    ],
)
def test_boring_tools_start_no_process(event: str, tool: str, kept: bool) -> None:
    assert bool(re.search(HOOKS[event][0]["matcher"], tool)) == kept


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "a home"
    (folder / "run").mkdir(parents=True)
    return folder


def record(home: Path, *, python: str, hook: str = __file__) -> None:
    (home / "run" / "launch").write_text(f"{python}\n{hook}\n")


def a_program(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def launched(event: str, *, root: Path = PLUGIN, **env: str) -> str:
    """What the host gets from the hook for *event*; it must never see it fail."""
    command = HOOKS[event][0]["hooks"][0]
    args = [arg.replace("${CLAUDE_PLUGIN_ROOT}", str(root)) for arg in command["args"]]
    done = subprocess.run(
        [command["command"], *args],
        input=b"{}",
        capture_output=True,
        env={"PATH": os.environ["PATH"], **env},
        timeout=20,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def is_friendly(said: str) -> bool:
    return "Run once: " in json.loads(said)["systemMessage"]


def advised(root: Path, **env: str) -> str:
    """The command that the start of a session advises to run, where nothing is set up."""
    said: str = json.loads(launched("SessionStart", root=root, **env))["systemMessage"]
    return said.partition("Run once: ")[2]


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The plugin as a host keeps it that took it from a marketplace: a copy, and nothing else."""
    root = tmp_path / "cache" / "claude-code"
    shutil.copytree(PLUGIN, root)
    return root


def test_a_plugin_read_in_its_clone_names_the_script_that_installs_the_command() -> None:
    assert advised(PLUGIN) == f"sh '{REPOSITORY}/scripts/install.sh'"
    assert os.access(REPOSITORY / "scripts" / "install.sh", os.X_OK)


@pytest.mark.parametrize("variable", ["HOME", "CLAUDE_CONFIG_DIR"])
def test_a_plugin_from_the_marketplace_names_the_script_in_the_hosts_clone(
    alone: Path, tmp_path: Path, variable: str
) -> None:
    config = tmp_path / "a user" / ".claude"
    script = config / "plugins/marketplaces/recollect/scripts/install.sh"
    script.parent.mkdir(parents=True)
    script.touch()
    where = {"HOME": str(config.parent), "CLAUDE_CONFIG_DIR": str(config)}[variable]

    assert advised(alone, **{variable: where}) == f"sh '{script}'"
    assert launched("Stop", root=alone, **{variable: where}) == ""


def test_a_plugin_that_is_all_alone_still_says_what_is_missing(alone: Path) -> None:
    assert advised(alone) == "scripts/install.sh in a clone of Recollect"


def test_a_command_that_is_installed_has_only_to_be_set_up(alone: Path, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    a_program(programs / "recollect", "exit 0")

    own_folder = f"{alone / 'bin'}:{os.environ['PATH']}"

    assert advised(alone, PATH=f"{programs}:{os.environ['PATH']}") == "recollect setup"
    assert advised(alone, PATH=own_folder) == "scripts/install.sh in a clone of Recollect"


@pytest.mark.parametrize("name", ["it's", 'a "clone"', "back\\slash", "$(touch x)", "two  words"])
def test_no_name_of_a_folder_breaks_what_the_host_is_told(tmp_path: Path, name: str) -> None:
    clone = tmp_path / name
    root = clone / "src/recollect/plugins/claude-code"
    shutil.copytree(PLUGIN, root)
    (clone / "scripts").mkdir()
    (clone / "scripts" / "install.sh").touch()

    named = f"sh '{clone}/scripts/install.sh'"
    is_plain = not set(name) & set("'\"\\")

    assert advised(root) == (named if is_plain else "scripts/install.sh in a clone of Recollect")
    assert not (tmp_path / "x").exists()


def test_the_launcher_hands_the_event_to_what_was_recorded(home: Path) -> None:
    record(home, python=a_program(home / "python", 'echo "$@"; cat'))

    said = launched("Stop", RECOLLECT_HOME=str(home))

    assert said == f"-I -S {__file__} claude-code Stop {recollect.__version__}\n{{}}"


def test_the_record_is_looked_for_in_the_users_home_too(tmp_path: Path) -> None:
    (tmp_path / ".recollect" / "run").mkdir(parents=True)
    record(tmp_path / ".recollect", python=a_program(tmp_path / "python", "echo here"))

    assert launched("Stop", HOME=str(tmp_path)) == "here\n"


@pytest.mark.parametrize("recorded", [None, "", "/gone/python\n", "/bin/echo\n"])
def test_nothing_recorded_is_said_once_when_a_session_starts(
    home: Path, recorded: str | None
) -> None:
    if recorded is not None:
        (home / "run" / "launch").write_text(recorded)

    assert is_friendly(launched("SessionStart", RECOLLECT_HOME=str(home)))
    assert launched("UserPromptSubmit", RECOLLECT_HOME=str(home)) == ""


def test_no_home_at_all_is_no_failure_either() -> None:
    assert is_friendly(launched("SessionStart"))
    assert launched("Stop") == ""


@pytest.mark.parametrize(
    "python",
    [
        "/gone/python",
        "/etc/passwd",  # not executable
        "/bin",  # a folder
        "/bin/false",
    ],
)
def test_an_interpreter_that_is_gone_or_fails_is_said_when_a_session_starts(
    home: Path, python: str
) -> None:
    record(home, python=python)

    assert is_friendly(launched("SessionStart", RECOLLECT_HOME=str(home)).splitlines()[-1])
    assert launched("Stop", RECOLLECT_HOME=str(home)) == ""


def test_an_interpreter_that_crashes_is_no_failure(home: Path) -> None:
    record(home, python=a_program(home / "python", f"kill -{signal.SIGSEGV:d} $$"))

    assert launched("UserPromptSubmit", RECOLLECT_HOME=str(home)) == ""


def test_a_hook_that_is_gone_is_said_when_a_session_starts(home: Path) -> None:
    record(home, python="/bin/echo", hook="/gone/__main__.py")

    assert is_friendly(launched("SessionStart", RECOLLECT_HOME=str(home)))


def test_variables_of_the_users_are_not_mistaken_for_the_record(home: Path) -> None:
    said = launched("Stop", RECOLLECT_HOME=str(home), python="/bin/echo", hook=__file__)

    assert said == ""


def test_a_launcher_that_is_gone_does_not_refuse_the_users_prompt(tmp_path: Path) -> None:
    """A shell that misses its script exits 2: the host then drops the prompt."""
    assert launched("UserPromptSubmit", root=tmp_path) == ""


def commanded(home: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(home)}
    command = [str(PLUGIN / "bin" / "recollect"), *args]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_the_command_beside_the_launcher_runs_nothing_from_the_current_folder(home: Path) -> None:
    record(home, python=a_program(home / "python", 'echo "$@"'))

    said = commanded(home, "search", "a b")

    assert said.stdout == "-P -m recollect search a b\n"


def test_the_command_beside_the_launcher_says_what_is_missing(home: Path) -> None:
    said = commanded(home)

    assert said.returncode == 1
    assert "scripts/install.sh" in said.stderr


def test_the_shell_scripts_are_plain_sh() -> None:
    if not shutil.which("dash"):
        pytest.skip("no dash to check with")
    ours = (PLUGIN / "hooks" / "launch.sh", PLUGIN / "bin" / "recollect")
    for script in (*ours, REPOSITORY / "scripts" / "install.sh"):
        subprocess.run(["dash", "-n", script], check=True)


def test_the_hook_before_each_read_is_declared_only_to_who_wants_it(tmp_path: Path) -> None:
    home = str(tmp_path)
    own.copy_plugin(home)
    without = json.loads((own.plugin(home) / own.HOOKS).read_text())["hooks"]

    (tmp_path / "config.toml").write_text("[files]\nenabled = true\n")
    is_out_of_step = not own.has_plugin(home)
    own.copy_plugin(home)
    with_it = json.loads((own.plugin(home) / own.HOOKS).read_text())["hooks"]

    assert own.READING not in without
    assert is_out_of_step
    assert own.has_plugin(home)
    ((matched,),) = [with_it.pop(own.READING)]
    assert matched["matcher"] == "^Read$"
    assert matched["hooks"][0]["args"][-1] == own.READING
    assert with_it == without


def test_one_project_that_wants_it_is_enough(tmp_path: Path) -> None:
    project = tmp_path / "projects" / "shop-1f"
    project.mkdir(parents=True)
    (project / "config.toml").write_text("[files]\nenabled = true\n")

    assert own.tells_of_files(str(tmp_path))
