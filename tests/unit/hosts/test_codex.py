"""Switching on in Codex and leaving it; the journeys use the real client."""

import codecs
import json
import shlex
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.errors import HostError
from recollect.hosts import backups, codex, codex_hooks, launcher, roster
from recollect.hosts import home as own
from recollect.hosts.host import Installation
from tests.narrowing import not_none

HooksByEvent = dict[str, list[dict[str, list[dict[str, object]]]]]

OTHERS = {"type": "command", "command": "true", "timeout": 9}
ODD_HOOKS = b'{ "hooks":{"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}'
SETTINGS = b'# mine\nmodel   = "gpt-5.5"\n\n[mcp_servers.notes] # too\ncommand = "notes"'
# As some editors on Windows begin a file.
MARKED = codecs.BOM_UTF8 + SETTINGS
# What Codex adds to its settings by itself.
REVIEWED = '\n[hooks.state."{}"]\ntrusted_hash = "sha256:6d37"\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / ".codex"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home" / ".recollect")


@pytest.fixture
def found(config: Path) -> Installation:
    return Installation(executable="/usr/bin/codex", version="", config=config)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def hooks_of(config: Path) -> HooksByEvent:
    hooks: HooksByEvent = json.loads((config / "hooks.json").read_text())["hooks"]
    return hooks


def settings_of(config: Path) -> dict[str, dict[str, dict[str, object]]]:
    return tomllib.loads((config / "config.toml").read_text())


class TestFinding:
    def test_the_folder_may_be_elsewhere(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        usual = codex.config_folder()
        monkeypatch.setenv("CODEX_HOME", str(tmp_path / "other"))

        assert usual == Path.home() / ".codex"
        assert codex.config_folder() == tmp_path / "other"

    def test_it_is_found_on_the_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        program = tmp_path / "codex"
        monkeypatch.setenv("PATH", str(tmp_path))
        before = codex.HOST.find()
        program.touch(mode=0o755)

        after = codex.HOST.find()

        assert before is None
        assert after
        assert after.executable == str(program)


class TestSettingUp:
    def test_a_plan_changes_nothing_by_itself(
        self, home: str, found: Installation, config: Path
    ) -> None:
        plan = codex.setup(home, found)

        assert plan.steps
        assert contents(config) == {}
        assert not Path(home).exists()

    def test_hooks_come_behind_those_of_others(
        self, home: str, found: Installation, config: Path
    ) -> None:
        (config / "hooks.json").write_bytes(ODD_HOOKS)

        codex.setup(home, found).carry_out()

        others, ours = hooks_of(config)["Stop"]
        assert others["hooks"] == [{"type": "command", "command": "true"}]
        assert "launch.sh Stop codex" in str(ours["hooks"][0]["command"])
        assert codex.is_on(home)

    def test_the_end_of_a_session_may_take_no_more_than_codex_grants(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()

        (group,) = hooks_of(config)["SessionEnd"]
        assert group["hooks"][0]["timeout"] == 3

    def test_a_definition_says_nothing_that_a_release_changes(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()

        (group,) = hooks_of(config)["SessionStart"]
        assert group == {
            "hooks": [
                {
                    "type": "command",
                    "command": 'sh -c \'[ -r "$0" ] && . "$0"; exit 0\' '
                    f"{home}/plugin/claude-code/hooks/launch.sh SessionStart codex",
                    "timeout": 5,
                }
            ]
        }

    def test_the_memorys_tools_are_added_as_the_last_table(
        self, home: str, found: Installation, config: Path
    ) -> None:
        (config / "config.toml").write_bytes(SETTINGS)

        codex.setup(home, found).carry_out()

        assert (config / "config.toml").read_bytes().startswith(SETTINGS)
        script = f"{home}/plugin/claude-code/bin/recollect"
        assert settings_of(config)["mcp_servers"] == {
            "notes": {"command": "notes"},
            "recollect": {"command": script, "args": ["mcp"]},
        }

    def test_another_home_than_the_usual_is_named_to_hooks_and_tools(
        self, tmp_path: Path, found: Installation, config: Path
    ) -> None:
        home = str(tmp_path / "o'dd home")

        codex.setup(home, found).carry_out()
        launcher = Path(home) / "plugin" / "claude-code" / "hooks" / "launch.sh"
        launcher.write_text('echo "$RECOLLECT_HOME: $1 $2"')

        (group,) = hooks_of(config)["Stop"]
        command = ["bash", "-c", str(group["hooks"][0]["command"])]
        done = subprocess.run(
            command, check=True, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True
        )
        assert done.stdout == f"{home}: Stop codex\n"
        assert settings_of(config)["mcp_servers"]["recollect"]["env"] == {"RECOLLECT_HOME": home}

    def test_a_second_time_nothing_is_left_to_do(
        self, home: str, found: Installation, config: Path
    ) -> None:
        (config / "config.toml").write_bytes(SETTINGS)
        codex.setup(home, found).carry_out()
        before = contents(config)

        plan = codex.setup(home, found)

        assert plan.steps == ()
        assert contents(config) == before

    def test_a_definition_that_changed_takes_the_place_of_the_old_one(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        hooks = hooks_of(config)
        old = {**hooks["Stop"][0]["hooks"][0], "timeout": 60}
        hooks["Stop"] = [{"hooks": [old]}, {"hooks": [OTHERS]}]
        (config / "hooks.json").write_text(json.dumps({"hooks": hooks}))

        codex.setup(home, found).carry_out()

        ours, others = hooks_of(config)["Stop"]
        assert ours == codex.groups(home)["Stop"]
        assert others == {"hooks": [OTHERS]}

    def test_a_hook_that_the_user_put_into_our_group_stays(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        hooks = hooks_of(config)
        hooks["Stop"][0]["hooks"].append(OTHERS)
        (config / "hooks.json").write_text(json.dumps({"hooks": hooks}))

        codex.setup(home, found).carry_out()
        renewed = hooks_of(config)["Stop"]
        codex.removal(home, config).carry_out()

        assert renewed == [{"hooks": [OTHERS]}, codex.groups(home)["Stop"]]
        assert hooks_of(config) == {"Stop": [{"hooks": [OTHERS]}]}

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("hooks.json", "{"),
            ("hooks.json", '{"hooks": ["recollect"]}'),
            ("hooks.json", '{"hooks": {"Stop": {"recollect": 1}}}'),
            ("config.toml", "model = "),
            ("config.toml", b"# \xff"),
        ],
    )
    def test_a_file_that_is_not_understood_stops_everything(
        self, home: str, found: Installation, name: str, content: bytes | str
    ) -> None:
        file = found.config / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        before = contents(found.config)

        with pytest.raises(HostError, match=name.replace(".", r"\.")):
            codex.setup(home, found)

        assert contents(found.config) == before

    @pytest.mark.parametrize(
        ("name", "content"), [("hooks.json", "{"), ("config.toml", "model = ")]
    )
    def test_leaving_need_not_understand_a_file_that_does_not_name_us(
        self, home: str, found: Installation, config: Path, name: str, content: str
    ) -> None:
        codex.setup(home, found).carry_out()
        (config / name).write_text(content)
        one_left = codex.is_on(home)

        codex.removal(home, config).carry_out()

        assert one_left
        assert not codex.is_on(home)
        assert contents(config) == {name: content.encode()}

    @pytest.mark.parametrize("name", ["hooks.json", "config.toml"])
    def test_leaving_stops_at_a_file_that_names_us_and_is_not_understood(
        self, home: str, config: Path, name: str
    ) -> None:
        (config / name).write_text('recollect = "')

        with pytest.raises(HostError, match=name.replace(".", r"\.")):
            codex.removal(home, config)

    def test_settings_are_copied_before_they_are_written(
        self, home: str, found: Installation, config: Path
    ) -> None:
        (config / "config.toml").write_bytes(MARKED)

        codex.setup(home, found).carry_out()
        codex.setup(str(Path(home) / "deeper"), found).carry_out()

        assert (backups.folder(home, "codex") / "config.toml").read_bytes() == MARKED
        assert (config / "config.toml").read_bytes().startswith(MARKED)

    def test_what_the_user_set_in_our_table_outlives_another_home(
        self, home: str, found: Installation, config: Path, tmp_path: Path
    ) -> None:
        path = config / "config.toml"
        path.write_bytes(SETTINGS + b"\n")
        codex.setup(home, found).carry_out()
        mine = "enabled = false # for now\nstartup_timeout_sec = 20\n\n[tui]\n"
        path.write_text(path.read_text() + mine)
        before = path.read_text()

        codex.setup(str(tmp_path / "elsewhere"), found).carry_out()
        moved = settings_of(config)["mcp_servers"]["recollect"]
        codex.setup(home, found).carry_out()

        assert moved["enabled"] is False
        assert moved["startup_timeout_sec"] == 20
        assert str(moved["command"]).startswith(f"{tmp_path}/elsewhere/")
        assert moved["env"] == {"RECOLLECT_HOME": f"{tmp_path}/elsewhere"}
        assert path.read_text().replace("env = {}\n", "") == before

    def test_variables_of_the_users_own_are_no_reason_to_repair(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        with (config / "config.toml").open("a") as settings:
            settings.write('env = {LANG = "C"}\n')

        assert codex.setup(home, found).steps == ()

    def test_two_old_definitions_become_one(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        hooks = hooks_of(config)
        old = {"hooks": [{**hooks["Stop"][0]["hooks"][0], "timeout": 60}]}
        hooks["Stop"] = [old, {"hooks": [OTHERS]}, old]
        (config / "hooks.json").write_text(json.dumps({"hooks": hooks}))

        codex.setup(home, found).carry_out()

        assert hooks_of(config)["Stop"] == [codex.groups(home)["Stop"], {"hooks": [OTHERS]}]

    def test_an_old_definition_beside_the_new_one_goes(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        hooks = hooks_of(config)
        old = {"hooks": [{**hooks["Stop"][0]["hooks"][0], "timeout": 60}]}
        hooks["Stop"].insert(0, old)
        (config / "hooks.json").write_text(json.dumps({"hooks": hooks}))

        codex.setup(home, found).carry_out()

        assert hooks_of(config)["Stop"] == [codex.groups(home)["Stop"]]

    def test_a_server_of_the_users_own_stays_and_is_named(
        self, home: str, found: Installation, config: Path
    ) -> None:
        text = '[mcp_servers.recollect]\ncommand = "mine"\n'
        (config / "config.toml").write_text(text)

        plan = codex.setup(home, found)
        plan.carry_out()
        codex.removal(home, config).carry_out()

        assert "mcp_servers.recollect already, which is not ours and stays" in plan.note
        assert (config / "config.toml").read_text() == text

    def test_servers_on_one_line_stay_on_one(
        self, home: str, found: Installation, config: Path
    ) -> None:
        text = 'mcp_servers = {notes = {command = "notes"}} # mine\n'
        (config / "config.toml").write_text(text)

        codex.setup(home, found).carry_out()
        (line,) = (config / "config.toml").read_text().splitlines()
        told = settings_of(config)["mcp_servers"]
        codex.removal(home, config).carry_out()

        assert line.endswith("# mine")
        assert told == {"notes": {"command": "notes"}, "recollect": launcher.server(home)}
        assert (config / "config.toml").read_text() == text

    @pytest.mark.parametrize("between", ["", "\n[tui]\nnotifications = true\n\n"])
    def test_a_table_of_variables_follows_the_home_as_the_hooks_do(
        self, home: str, found: Installation, config: Path, tmp_path: Path, between: str
    ) -> None:
        path, elsewhere = config / "config.toml", str(tmp_path / "elsewhere")
        codex.setup(home, found).carry_out()
        table = '[mcp_servers.recollect.env] # mine\nLANG = "C"\n'
        path.write_text(f"{path.read_text()}{between}{table}")
        before = path.read_text()

        codex.setup(elsewhere, found).carry_out()
        moved = settings_of(config)["mcp_servers"]["recollect"]
        codex.setup(str(tmp_path / "third"), found).carry_out()
        third = settings_of(config)["mcp_servers"]["recollect"]
        codex.setup(home, found).carry_out()

        assert str(moved["command"]).startswith(elsewhere)
        assert moved["env"] == {"LANG": "C", "RECOLLECT_HOME": elsewhere}
        assert third["env"] == {"LANG": "C", "RECOLLECT_HOME": str(tmp_path / "third")}
        assert path.read_text() == before

    def test_a_number_that_is_none_does_not_keep_our_table_out(
        self, home: str, found: Installation, config: Path
    ) -> None:
        text = "[limits]\nscore = nan\n"
        (config / "config.toml").write_text(text)

        codex.setup(home, found).carry_out()
        is_there = "recollect" in settings_of(config).get("mcp_servers", {})
        codex.removal(home, config).carry_out()

        assert is_there
        assert (config / "config.toml").read_text() == text


class TestReview:
    def test_the_user_is_told_to_review_the_hooks_until_that_is_done(
        self, home: str, found: Installation, config: Path
    ) -> None:
        plan = codex.setup(home, found)
        plan.carry_out()
        waiting = codex.setup(home, found)
        keys = [
            f"{config}/hooks.json:{name}:0:0"
            for name in (
                "session_start", "user_prompt_submit", "post_tool_use", "stop",
                "subagent_start", "subagent_stop", "pre_compact", "session_end",
            )
        ]  # fmt: skip
        with (config / "config.toml").open("a") as settings:
            settings.writelines(map(REVIEWED.format, keys))

        reviewed = codex.setup(home, found)
        assert "/hooks" in plan.note
        assert "/hooks" in waiting.note
        assert waiting.is_blocked
        assert (reviewed.note, reviewed.is_blocked) == ("", False)

    @pytest.mark.parametrize("variable", ["HOME", "CODEX_HOME"])
    def test_links_are_followed_where_codex_follows_them(
        self,
        home: str,
        program: Callable[[str], None],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        variable: str,
    ) -> None:
        """As codex 0.166.0 lists its hooks: the variable is resolved, `~/.codex` is not."""
        program("codex")
        kept = tmp_path / "dotfiles"
        kept.mkdir()
        link = Path.home() / ".codex"
        link.symlink_to(kept)
        if variable == "CODEX_HOME":
            monkeypatch.setenv(variable, str(link))
        named = kept if variable == "CODEX_HOME" else link
        codex.setup(home, not_none(codex.HOST.find())).carry_out()
        with (kept / "config.toml").open("a") as settings:
            for event in codex_hooks.TIMEOUTS:
                key = f"{named}/hooks.json:{codex_hooks._snake(event)}:0:0"
                settings.write(REVIEWED.format(key))

        assert codex.is_reviewed(home, codex.config_folder())

    def test_the_record_of_it_is_codex_own(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        key = REVIEWED.format(f"{config}/hooks.json:stop:0:0")
        with (config / "config.toml").open("a") as settings:
            settings.write(key)

        codex.removal(home, config).carry_out()

        assert (config / "config.toml").read_text() == key


class TestBeingOn:
    def test_a_hook_that_the_user_changed_is_still_ours(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        path = config / "hooks.json"
        path.write_text(path.read_text().replace('"timeout": 3', '"timeout": 2'))

        roster.removal(home, ["gemini-cli", "cursor"]).carry_out()

        assert codex.is_on(home)
        assert own.is_set_up(home)

    def test_the_tools_alone_stand_on_our_home_as_well(
        self, home: str, found: Installation, config: Path
    ) -> None:
        codex.setup(home, found).carry_out()
        (config / "hooks.json").unlink()

        assert codex.is_on(home)

    def test_what_another_home_put_there_does_not_count(
        self, home: str, found: Installation, tmp_path: Path
    ) -> None:
        codex.setup(str(tmp_path / "elsewhere"), found).carry_out()

        assert not codex.is_on(home)


class TestLeaving:
    @pytest.mark.parametrize("hooks", [ODD_HOOKS, b"{}", b'{"hooks": {"Stop": []}}', None])
    @pytest.mark.parametrize("settings", [SETTINGS, SETTINGS + b"\n", b"\n\n", b"", MARKED, None])
    def test_all_is_as_it_was_byte_for_byte(
        self,
        home: str,
        found: Installation,
        config: Path,
        hooks: bytes | None,
        settings: bytes | None,
    ) -> None:
        given = {"hooks.json": hooks, "config.toml": settings}
        for name, content in given.items():
            if content is not None:
                (config / name).write_bytes(content)
        before = contents(config)
        codex.setup(home, found).carry_out()

        codex.removal(home, config).carry_out()

        assert contents(config) == before
        assert codex.removal(home, config).steps == ()
        assert not codex.is_on(home)
        assert not backups.folder(home, "codex").exists()

    @pytest.mark.parametrize("hooks", [ODD_HOOKS, None])
    @pytest.mark.parametrize("settings", [MARKED, None])
    def test_all_is_as_it_was_after_two_homes_one_after_the_other(
        self,
        home: str,
        found: Installation,
        config: Path,
        tmp_path: Path,
        hooks: bytes | None,
        settings: bytes | None,
    ) -> None:
        for name, content in {"hooks.json": hooks, "config.toml": settings}.items():
            if content is not None:
                (config / name).write_bytes(content)
        before, other = contents(config), str(tmp_path / "other")
        codex.setup(home, found).carry_out()

        second = codex.setup(other, found)
        second.carry_out()
        roster.removal(home, ["codex"]).carry_out()
        roster.removal(other, ["codex"]).carry_out()

        assert contents(config) == before
        assert not any("keep a copy" in step.line for step in second.steps)

    def test_a_folder_that_was_made_for_us_goes_with_the_last_file(
        self, home: str, found: Installation, config: Path
    ) -> None:
        config.rmdir()
        codex.setup(home, found).carry_out()

        codex.removal(home, config).carry_out()

        assert not config.exists()
        assert config.parent.exists()

    def test_what_the_user_and_codex_added_meanwhile_stays(
        self, home: str, found: Installation, config: Path
    ) -> None:
        (config / "config.toml").write_bytes(SETTINGS)
        codex.setup(home, found).carry_out()
        hooks = hooks_of(config)
        hooks["PreToolUse"] = [{"hooks": [OTHERS]}]
        (config / "hooks.json").write_text(json.dumps({"hooks": hooks, "version": 1}))
        with (config / "config.toml").open("a") as settings:
            settings.write('\n[projects."/srv/shop"] # theirs\ntrust_level = "trusted"\n')

        codex.removal(home, config).carry_out()

        left = json.loads((config / "hooks.json").read_text())
        assert left == {"hooks": {"PreToolUse": [{"hooks": [OTHERS]}]}, "version": 1}
        added = b'\n[projects."/srv/shop"] # theirs\ntrust_level = "trusted"\n'
        assert (config / "config.toml").read_bytes() == SETTINGS + added

    @pytest.mark.parametrize(
        "more",
        [
            "startup_timeout_sec = 20\n",
            "# slow here\nstartup_timeout_sec = 20\n",
            "[mcp_servers.recollect.tools.search]\nenabled = false\n",
        ],
    )
    def test_a_table_that_the_user_changed_goes_whole(
        self, home: str, found: Installation, config: Path, more: str
    ) -> None:
        (config / "config.toml").write_bytes(SETTINGS + b"\n")
        codex.setup(home, found).carry_out()
        with (config / "config.toml").open("a") as settings:
            settings.write(more)

        codex.removal(home, config).carry_out()

        text = (config / "config.toml").read_text()
        assert text.startswith(SETTINGS.decode())
        assert tomllib.loads(text) == tomllib.loads(SETTINGS.decode())

    def test_a_table_within_ours_goes_though_others_stand_between(
        self, home: str, found: Installation, config: Path
    ) -> None:
        (config / "config.toml").write_bytes(SETTINGS + b"\n\n[projects]\n")
        codex.setup(home, found).carry_out()
        tail = "\n# theirs\n[tui]\nnotifications = true\n"
        with (config / "config.toml").open("a") as settings:
            settings.write("startup_timeout_sec = 20\n" + tail)
            settings.write("\n[mcp_servers.recollect.tools.search]\nenabled = false\n")

        codex.removal(home, config).carry_out()

        left = (config / "config.toml").read_text()
        assert left == f"{SETTINGS.decode()}\n\n[projects]\n{tail}"

    @pytest.mark.parametrize(
        ("form", "left"),
        [
            ('[mcp_servers]\nrecollect = {{command = "{script}"}}\n', "[mcp_servers]\n"),
            ('mcp_servers.recollect.command = "{script}"\n', ""),
            ('[mcp_servers.recollect]\ncommand = "{script}"\nargs = [\n["mcp"]\n]\n', ""),
        ],
    )
    def test_a_server_in_a_form_of_the_users_own_goes_as_well(
        self, home: str, config: Path, form: str, left: str
    ) -> None:
        text = form.format(script=launcher.server(home)["command"])
        (config / "config.toml").write_text(f"model = 1 # mine\n{text}")

        codex.removal(home, config).carry_out()

        assert (config / "config.toml").read_text().strip() == f"model = 1 # mine\n{left}".strip()
        assert not codex.is_on(home)

    @pytest.mark.parametrize("end", [b"", b"\r\n"])
    def test_lines_end_as_the_others_do(
        self, home: str, found: Installation, config: Path, end: bytes
    ) -> None:
        before = SETTINGS.replace(b"\n", b"\r\n") + end
        (config / "config.toml").write_bytes(before)

        codex.setup(home, found).carry_out()
        text = (config / "config.toml").read_bytes()
        codex.removal(home, config).carry_out()

        assert text.count(b"\n") == text.count(b"\r\n")
        assert (config / "config.toml").read_bytes() == before

    def test_a_table_with_line_ends_of_unix_in_a_file_of_windows_goes_whole(
        self, home: str, config: Path
    ) -> None:
        before = SETTINGS.replace(b"\n", b"\r\n") + b"\r\n"
        script = launcher.server(home)["command"]
        table = f'\n[mcp_servers.recollect]\ncommand = "{script}"\nargs = ["mcp"]\n'
        (config / "config.toml").write_bytes(before + table.encode())

        codex.removal(home, config).carry_out()

        assert (config / "config.toml").read_bytes() == before

    def test_what_is_set_up_for_another_home_stays_and_its_home_is_told(
        self, home: str, found: Installation, config: Path, tmp_path: Path
    ) -> None:
        elsewhere = str(tmp_path / "it's elsewhere")
        codex.setup(elsewhere, found).carry_out()
        before = contents(config)

        plan = codex.removal(home, config)
        plan.carry_out()

        command = f"RECOLLECT_HOME={shlex.quote(elsewhere)} recollect uninstall"
        assert plan.note.count(command) == 1
        assert contents(config) == before
        assert codex.is_on(elsewhere)

    @pytest.mark.parametrize(
        "text",
        [
            "[[profiles]]\nname = 1\n[tui]\n[[profiles]]\nname = 2",
            "[mcp_servers.notes]\ncommand = 'n'\n[[profiles]]\nname = 1\nsince = 2026-01-01",
            'about = """\n[mcp_servers.recollect]\n"""\n',
        ],
    )
    def test_nothing_moves_in_a_file_of_any_form(
        self, home: str, found: Installation, config: Path, text: str
    ) -> None:
        (config / "config.toml").write_text(text)

        codex.setup(home, found).carry_out()
        with_us = (config / "config.toml").read_text()
        codex.removal(home, config).carry_out()

        assert with_us.startswith(text)
        assert (config / "config.toml").read_text() == text

    def test_what_would_move_something_else_is_left_to_the_user(
        self, home: str, found: Installation, config: Path
    ) -> None:
        """Tables of a list that stand apart would be written one behind the other."""
        text = "[[profiles]]\nname = 1\n[tui]\n[[profiles]]\nname = 2\n"
        (config / "config.toml").write_text(text)
        codex.setup(home, found).carry_out()
        with (config / "config.toml").open("a") as settings:
            settings.write("enabled = false # for now\n")
        before = (config / "config.toml").read_text()

        plan = codex.removal(home, config)
        plan.carry_out()

        assert "Remove mcp_servers.recollect from it yourself" in plan.note
        assert (config / "config.toml").read_text() == before

    def test_a_link_stays_a_link(
        self, home: str, found: Installation, config: Path, tmp_path: Path
    ) -> None:
        kept = tmp_path / "dotfiles.toml"
        kept.write_bytes(SETTINGS)
        (config / "config.toml").symlink_to(kept)

        codex.setup(home, found).carry_out()
        with_us = kept.read_bytes()
        codex.removal(home, config).carry_out()

        assert (config / "config.toml").is_symlink()
        assert b"recollect" in with_us
        assert kept.read_bytes() == SETTINGS
