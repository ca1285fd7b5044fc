"""Switching on and leaving, with a client that refuses; the journeys use the real one."""

import json
import os
import sys
from pathlib import Path

import pytest

import recollect
from recollect.errors import HostError
from recollect.hosts import claude_code, client, roster
from recollect.hosts import home as own
from recollect.hosts.host import Installation

REFUSING = "#!/bin/sh\n[ \"$1\" = --version ] && echo '2.1.325 (Claude Code)' && exit\nexit 3\n"


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The user's own home folder, which the environment names."""
    folder = tmp_path / "home"
    (folder / ".claude").mkdir(parents=True)
    return folder


def found_one() -> Installation:
    found = client.find()
    assert found
    return found


@pytest.fixture
def found(user: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    program = user / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(REFUSING)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return found_one()


@pytest.fixture
def home(user: Path) -> str:
    return str(user / ".recollect")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def settings_of(user: Path) -> Path:
    return user / ".claude" / "settings.json"


def test_the_client_is_found_with_version_and_settings(user: Path, found: Installation) -> None:
    assert found.executable == str(user / "bin" / "claude")
    assert (found.version, found.config) == ("2.1.325", user / ".claude")


def test_a_client_that_only_an_alias_leads_to_is_found(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    program = user / ".claude" / "local" / "claude"
    program.parent.mkdir()
    program.write_text(REFUSING)
    program.chmod(0o755)

    assert found_one().executable == str(program)


def test_no_client_is_told_with_what_to_do(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(HostError, match="not found") as missing:
        roster.targets(home, ["claude-code"], [])

    assert "no `claude` on the PATH" in missing.value.message
    assert "recollect setup" in missing.value.hint


def test_another_system_is_told(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(HostError, match="does not run on win32"):
        roster.targets(home, [], [])


def test_the_settings_folder_may_be_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))

    assert client.config_folder() == tmp_path / "config"


def test_a_plan_changes_nothing_by_itself(user: Path, found: Installation, home: str) -> None:
    before = contents(user)

    plan = claude_code.setup(home, found)

    assert plan.steps
    assert contents(user) == before


def test_where_the_client_refuses_the_entries_are_written_in_the_users_style(
    user: Path, found: Installation, home: str
) -> None:
    settings_of(user).write_text('{\n\t"model": "opus"\n}\n')

    done = claude_code.setup(home, found).carry_out()

    assert "written directly" in done[-1].remark
    assert "exit code 3" in done[-1].remark
    text = settings_of(user).read_text()
    assert text.startswith('{\n\t"model": "opus",\n\t"extraKnownMarketplaces"')
    assert json.loads(text)["enabledPlugins"] == {"recollect@recollect": True}


def test_a_second_time_nothing_is_left_to_do(found: Installation, home: str) -> None:
    claude_code.setup(home, found).carry_out()

    assert claude_code.setup(home, found).steps == ()


@pytest.mark.parametrize(
    ("missing", "line"),
    [
        ("run/launch", "Record the Python"),
        ("plugin/claude-code/hooks/launch.sh", "Copy the plugin"),
        ("../.claude/settings.json", "Keep a copy"),
    ],
)
def test_what_is_missing_is_put_back_and_nothing_else(
    user: Path, found: Installation, home: str, missing: str, line: str
) -> None:
    claude_code.setup(home, found).carry_out()
    whole = contents(user)
    (Path(home) / missing).unlink()

    plan = claude_code.setup(home, found)
    plan.carry_out()

    assert plan.steps[0].line.startswith(line)
    assert contents(user) == whole


def test_an_upgrade_replaces_the_copy(found: Installation, home: str) -> None:
    claude_code.setup(home, found).carry_out()
    manifest = own.plugin(home) / "claude-code" / ".claude-plugin" / "plugin.json"
    manifest.write_text(manifest.read_text().replace(recollect.__version__, "0.0.9"))
    (own.plugin(home) / "claude-code" / "commands" / "old.md").write_text("old")

    claude_code.setup(home, found).carry_out()

    assert own.has_plugin(home)
    assert not list(Path(home).glob("plugin.*"))


def test_the_interpreter_is_recorded_as_it_was_called(found: Installation, home: str) -> None:
    claude_code.setup(home, found).carry_out()

    python, hook = (Path(home) / "run" / "launch").read_text().splitlines()

    assert python == sys.executable
    assert Path(hook).parts[-3:] == ("recollect", "hooks", "__main__.py")


@pytest.mark.parametrize("content", ["{", "[]", '{"enabledPlugins": []}', "{} // mine"])
def test_settings_that_are_not_understood_stop_everything(
    user: Path, found: Installation, home: str, content: str
) -> None:
    settings_of(user).write_text(content)
    before = contents(user)

    with pytest.raises(HostError, match=r"settings\.json"):
        claude_code.setup(home, found)

    assert contents(user) == before


def test_what_the_clients_own_uninstall_left_empty_is_tidied_up(
    user: Path, found: Installation, home: str
) -> None:
    settings_of(user).write_bytes(b'{ "model":"opus"}')
    claude_code.setup(home, found).carry_out()
    settings_of(user).write_text('{"model": "opus", "extraKnownMarketplaces": {}}')

    claude_code.removal(home, found.config).carry_out()

    assert settings_of(user).read_bytes() == b'{ "model":"opus"}'


def test_settings_that_broke_meanwhile_are_not_touched_when_leaving(
    user: Path, found: Installation, home: str
) -> None:
    claude_code.setup(home, found).carry_out()
    settings_of(user).write_text(f"{{{settings_of(user).read_text()}")
    before = contents(user)

    with pytest.raises(HostError, match="not valid JSON"):
        claude_code.removal(home, found.config)

    assert contents(user) == before


def test_leaving_gives_back_all_that_was_there(user: Path, found: Installation, home: str) -> None:
    settings_of(user).write_bytes(b'{ "model":"opus"}')
    before = contents(user)
    claude_code.setup(home, found).carry_out()

    roster.removal(home, [claude_code.NAME]).carry_out()

    assert contents(user) == before
    assert not Path(home).exists()
    assert roster.removal(home, [claude_code.NAME]).steps == ()


def test_leaving_keeps_what_is_not_ours(user: Path, found: Installation, home: str) -> None:
    claude_code.setup(home, found).carry_out()
    memory = Path(home) / "projects" / "shop" / "decisions" / "redis.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("Redis, because p99 mattered.")
    other = user / ".claude" / "plugins" / "cache" / "other"
    other.mkdir(parents=True)

    claude_code.removal(home, found.config).carry_out()

    assert memory.exists()
    assert other.exists()


def test_what_the_host_made_for_the_plugin_goes(user: Path, found: Installation, home: str) -> None:
    claude_code.setup(home, found).carry_out()
    made = [found.config / name for name in claude_code.LEFTOVERS]
    for folder in made:
        folder.mkdir(parents=True)

    claude_code.removal(home, found.config).carry_out()

    assert not any(folder.exists() for folder in made)


def test_a_plugin_that_came_from_a_repository_is_left_to_the_user(
    user: Path, found: Installation, home: str
) -> None:
    github = {"source": {"source": "github", "repo": "ada/recollect"}}
    settings_of(user).write_text(
        json.dumps(
            {
                "extraKnownMarketplaces": {"recollect": github},
                "enabledPlugins": {"recollect@recollect": True},
            }
        )
    )
    before = settings_of(user).read_bytes()

    coming = claude_code.setup(home, found)
    coming.carry_out()
    going = claude_code.removal(home, found.config)
    going.carry_out()

    assert [step.line.split()[0] for step in coming.steps] == ["Record"]
    assert "github ada/recollect" in coming.note
    assert "claude plugin uninstall" in going.note
    assert settings_of(user).read_bytes() == before


def test_a_plugin_of_another_home_stays_and_its_home_is_told(
    user: Path, found: Installation, home: str, tmp_path: Path
) -> None:
    claude_code.setup(home, found).carry_out()
    before = contents(user)

    plan = claude_code.removal(str(tmp_path / "other"), found.config)

    assert plan.steps == ()
    assert f"RECOLLECT_HOME={home} recollect uninstall" in plan.note
    assert contents(user) == before


def test_settings_that_two_homes_had_one_after_the_other_are_as_they_were(
    user: Path, found: Installation, home: str, tmp_path: Path
) -> None:
    odd, other = b'{"model":"opus",\n\t"enabledPlugins":{}}', str(tmp_path / "other")
    settings_of(user).write_bytes(odd)
    first = claude_code.setup(home, found).carry_out()

    second = claude_code.setup(other, found).carry_out()
    roster.removal(home, ["claude-code"]).carry_out()
    roster.removal(other, ["claude-code"]).carry_out()

    assert any("settings.json as it is now" in step.line for step in first)
    assert not any("as it is now" in step.line for step in second)
    assert settings_of(user).read_bytes() == odd


def test_a_link_to_the_home_is_the_home(
    user: Path, found: Installation, home: str, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    linked.symlink_to(user)
    claude_code.setup(str(linked / ".recollect"), found).carry_out()

    assert claude_code.setup(home, found).steps == ()


def test_purging_takes_the_memories_and_leaves_what_is_not_ours(home: str) -> None:
    for name in ("projects/shop/day.md", "state.db", "state.db-wal", ".state.lock", "logs-of-mine"):
        (Path(home) / name).parent.mkdir(parents=True, exist_ok=True)
        (Path(home) / name).write_text("x")

    said = own.purge(home)

    assert os.listdir(home) == ["logs-of-mine"]
    assert "logs-of-mine" in said


@pytest.mark.parametrize("home", ["/", "~"])
def test_a_folder_that_is_not_ours_alone_is_never_purged(home: str) -> None:
    with pytest.raises(HostError, match="not purged"):
        own.check_purgeable(os.path.expanduser(home))


def test_a_step_that_fails_says_where(found: Installation, home: str) -> None:
    plan = claude_code.setup(home, found)
    Path(home).write_text("a file in the way")

    with pytest.raises(HostError, match=r"\.recollect") as failed:
        plan.carry_out()

    assert "run the same command again" in failed.value.hint
