"""One `recollect setup` for all the agents somebody has, and for clients that want tools alone."""

import json
import os
from pathlib import Path

import pytest

from tests.switching import Shell

AGENTS = ("claude", "codex", "gemini", "openclaw", "opencode")
TITLES = ("Claude Code", "Codex", "Gemini CLI", "OpenClaw", "OpenCode")


@pytest.fixture
def user(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / ".cursor").mkdir(parents=True)
    return folder


def shell(user: Path, *programs: str) -> Shell:
    return Shell(*programs, env={"HOME": str(user), "LANG": "C.UTF-8"}, folder=user / "bin")


def contents(user: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(user)): path.read_bytes()
        for path in user.rglob("*")
        if path.is_file() and not path.is_relative_to(user / ".recollect")
    }


def test_every_agent_found_is_set_up_named_and_left_again(user: Path) -> None:
    shop = shell(user, *AGENTS)
    before = contents(user)

    on = shop.recollect("setup", "--yes")
    again = shop.recollect("setup")
    status = shop.recollect("status")
    off = shop.recollect("uninstall", "--yes")

    headings = [f"{title} {user}/bin/{name}" for title, name in zip(TITLES, AGENTS, strict=True)]
    assert [line for line in on.splitlines() if line in headings] == headings
    assert on.count("Copy the plugin to ~/.recollect/plugin") == 1
    assert again.count("already set up") == len(AGENTS)
    assert "set up in Claude Code, Codex, Gemini CLI, OpenClaw and OpenCode" in status
    assert "Recollect is off." in off
    assert contents(user) == before


def test_what_agents_share_is_planned_once(user: Path) -> None:
    shop = shell(user, *AGENTS)

    told = shop.recollect("setup", "--dry-run")
    for_programs = json.loads(shop.recollect("setup", "--dry-run", "--json"))

    lines = [step["line"] for step in for_programs["steps"]]
    assert told.count("Record the Python") == 1
    assert len(lines) == len(set(lines))
    assert not (user / ".recollect").exists()


def test_a_person_is_asked_about_each_agent(user: Path) -> None:
    shop = shell(user, "gemini", "opencode")

    said = shop.answered("setup", "n", "y")

    assert "Gemini CLI" in said
    assert not (user / ".gemini").exists()
    assert (user / ".config/opencode/plugins/recollect.js").exists()


def test_agents_are_chosen_by_name(user: Path) -> None:
    shop = shell(user, "gemini", "opencode")

    shop.recollect("setup", "--host", "gemini-cli", "--yes")
    missing = shop.recollect("setup", "--host", "openclaw", "--yes", succeeds=False)
    shop.recollect("setup", "--host", "opencode", "--yes")
    off = shop.recollect("uninstall", "--host", "gemini-cli", "--yes")

    assert "OpenClaw was not found" in missing
    assert "Recollect is off in Gemini CLI." in off
    assert not (user / ".gemini/extensions").exists()
    assert (user / ".recollect/run/launch").exists()


def test_without_any_agent_that_is_said(user: Path) -> None:
    said = shell(user).recollect("setup", "--yes", succeeds=False)

    assert "no agent was found" in said
    assert "Install Claude Code, Codex, Gemini CLI, OpenClaw or OpenCode" in said


def test_a_client_gets_the_tools_alone_and_loses_them_again(user: Path) -> None:
    shop = shell(user)
    listed = user / ".cursor/mcp.json"
    listed.write_text('{"mcpServers": {"other": {"command": "x"}}}')

    on = shop.recollect("setup", "--mcp", "cursor", "--yes")
    told = json.loads(listed.read_text())["mcpServers"]
    can_be_run = os.access(told["recollect"]["command"], os.X_OK)
    missing = shop.recollect("setup", "--mcp", "zed", "--yes", succeeds=False)
    off = shop.recollect("uninstall", "--mcp", "cursor", "--yes")

    assert "Recollect is on for new sessions of Cursor." in on
    assert can_be_run
    assert "there is no ~/.config/zed" in missing
    assert "Recollect is off in Cursor." in off
    assert listed.read_text() == '{"mcpServers": {"other": {"command": "x"}}}'
    assert not (user / ".recollect").exists()


def test_any_other_client_is_told_what_to_add(user: Path) -> None:
    said = json.loads(shell(user).recollect("setup", "--mcp", "print"))

    assert os.access(said["mcpServers"]["recollect"]["command"], os.X_OK)


def test_purging_is_for_all_of_them(user: Path) -> None:
    said = shell(user).recollect("uninstall", "--purge", "--host", "opencode", succeeds=False)

    assert "--purge" in said
