"""Gemini CLI, OpenCode and OpenClaw: switching on and leaving; the journeys use the real ones."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import recollect
from recollect.errors import HostError
from recollect.hosts import backups, copies, gemini_cli, openclaw, opencode, roster
from recollect.hosts import home as own
from recollect.hosts.plan import short
from recollect.worker import health
from tests.narrowing import not_none

ODD = b'{\n\t"theme": "dark",\n "mcp":{"other": {"type": "remote"}} }'
COMMENTED = b'{\n  // mine\n  "theme": "dark",\n}\n'

each_host = pytest.mark.parametrize("host", [gemini_cli, opencode, openclaw])


@pytest.fixture(autouse=True)
def installed(program: Callable[[str], None]) -> None:
    for name in ("gemini", "opencode", "openclaw"):
        program(name)


def set_up(host: ModuleType, home: str) -> list[str]:
    """Switch on in *host*; return what was done, and what the user was told."""
    plan = host.setup(home, host.HOST.find())
    return [*(done.line for done in plan.carry_out()), *filter(None, [plan.note])]


def leave(host: ModuleType, home: str) -> list[str]:
    plan = roster.removal(home, [host.HOST.name])
    return [*(done.line for done in plan.carry_out()), *filter(None, [plan.note])]


@each_host
def test_it_is_found_and_never_run(host: ModuleType, user: Path) -> None:
    found = host.HOST.find()

    assert found.executable.startswith(f"{user}/bin/")
    assert (found.version, found.config) == ("", host.config_folder())


@each_host
def test_it_is_not_found_where_it_is_not(host: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert host.HOST.find() is None


@each_host
def test_a_plan_changes_nothing_by_itself(
    host: ModuleType, home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    before = contents()

    assert host.setup(home, host.HOST.find()).steps
    assert contents() == before


@each_host
def test_a_second_time_nothing_is_left_to_do(
    host: ModuleType, home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    set_up(host, home)
    whole = contents()

    assert host.is_on(home)
    assert host.setup(home, host.HOST.find()).steps == ()
    assert contents() == whole


@each_host
def test_leaving_gives_back_all_that_was_there(
    host: ModuleType, home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    before = contents()
    set_up(host, home)

    leave(host, home)

    assert contents() == before
    assert not host.is_on(home)
    assert not Path(home).exists()
    assert leave(host, home) == []


@each_host
@pytest.mark.parametrize("was_there", [True, False])
def test_a_client_that_was_never_started_is_left_with_the_folders_it_had(
    host: ModuleType, home: str, was_there: bool
) -> None:
    config = host.config_folder()
    if was_there:
        config.mkdir(parents=True)

    set_up(host, home)
    leave(host, home)

    assert config.exists() == was_there
    assert was_there or config.parent.exists() == (config.parent == Path.home())
    assert not was_there or os.listdir(config) == []


@each_host
def test_what_another_version_left_is_brought_up_to_date(
    host: ModuleType, home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    set_up(host, home)
    whole = contents()
    for path in host.config_folder().rglob("*.js*"):
        path.write_text(path.read_text().replace("node:", "").replace("2000", "1000"))

    set_up(host, home)

    assert {name: text for name, text in contents().items() if name.endswith(".js")} == {
        name: text for name, text in whole.items() if name.endswith(".js")
    }


@each_host
def test_leaving_one_host_keeps_what_others_stand_on(host: ModuleType, home: str) -> None:
    set_up(host, home)
    other = opencode if host is not opencode else gemini_cli
    set_up(other, home)

    leave(host, home)

    assert own.is_set_up(home)
    leave(other, home)
    assert not Path(home).exists()


def copy_of(host: ModuleType) -> Path:
    """Where our plugin stands, a file or a folder."""
    if host is opencode:
        return opencode.plugin(opencode.config_folder()).path
    place = host.extension
    copy: Path = place(host.config_folder())
    return copy


@each_host
class TestWhatStandsInOurPlace:
    def test_what_is_not_ours_stays_and_is_told_of(self, host: ModuleType, home: str) -> None:
        path = copy_of(host)
        theirs = path if host is opencode else path / "index.js"
        theirs.parent.mkdir(parents=True)
        theirs.write_text("// Recollect, a plugin of my own\n")
        before = theirs.read_bytes()

        plan = host.setup(home, host.HOST.find())
        said = set_up(host, home)
        left = leave(host, home)

        assert plan.is_blocked
        assert f"{short(path)} is not ours and stays" in said[-1]
        assert "move it away" in said[-1]
        assert not any("extensions" in line or "plugins/" in line for line in left)
        assert theirs.read_bytes() == before

    def test_it_does_not_make_the_host_one_that_has_us(self, host: ModuleType, home: str) -> None:
        path = copy_of(host)
        path.parent.mkdir(parents=True)
        path.write_text("export default {}")

        assert not host.is_on(home)
        assert leave(host, home) == []

    def test_a_link_that_leads_nowhere_is_the_users(
        self, host: ModuleType, home: str, tmp_path: Path
    ) -> None:
        path = copy_of(host)
        path.parent.mkdir(parents=True)
        path.symlink_to(tmp_path / "gone")

        set_up(host, home)
        leave(host, home)

        assert path.is_symlink()


@pytest.mark.parametrize("host", [gemini_cli, openclaw])
def test_a_copy_that_was_cut_short_is_made_whole_and_goes(host: ModuleType, home: str) -> None:
    set_up(host, home)
    folder = copy_of(host)
    wanted = host.wanted(folder, home) if host is gemini_cli else host.wanted(home)
    for name in list(wanted)[1:]:
        (folder / name).unlink()

    repaired = set_up(host, home)
    leave(host, home)

    assert "Copy the" in repaired[0]
    assert not folder.exists()


@pytest.mark.parametrize("host", [gemini_cli, openclaw])
def test_a_copy_whose_launcher_the_user_changed_is_ours(host: ModuleType, home: str) -> None:
    set_up(host, home)
    (launcher,) = copy_of(host).rglob("launch.sh")
    launcher.write_text("exit 0\n")

    leave(host, home)

    assert not copy_of(host).exists()


@each_host
class TestAnotherHome:
    def test_what_is_set_up_for_it_stays_and_its_home_is_told(
        self, host: ModuleType, home: str, tmp_path: Path, contents: Callable[[], dict[str, bytes]]
    ) -> None:
        set_up(host, home)
        before = contents()

        said = leave(host, str(tmp_path / "other"))

        assert f"RECOLLECT_HOME={home} recollect uninstall" in said[-1]
        assert contents() == before
        assert host.is_on(home)
        assert not host.is_on(str(tmp_path / "other"))

    def test_it_is_known_when_it_is_not_the_usual_one(
        self, host: ModuleType, home: str, tmp_path: Path, contents: Callable[[], dict[str, bytes]]
    ) -> None:
        other = str(tmp_path / "it's another")
        before = contents()
        set_up(host, other)

        said = leave(host, home)
        leave(host, other)

        assert "it'\"'\"'s another" in said[-1]
        assert contents() == before

    def test_a_link_to_the_home_is_the_home(
        self, host: ModuleType, home: str, tmp_path: Path
    ) -> None:
        set_up(host, home)
        (tmp_path / "link").symlink_to(home)

        assert host.is_on(str(tmp_path / "link"))
        leave(host, str(tmp_path / "link"))
        assert not host.is_on(home)


def settings_of(host: ModuleType) -> Path:
    folder: Path = host.config_folder()
    return folder / f"{host.HOST.name}.json"


@pytest.mark.parametrize("host", [opencode, openclaw])
class TestEntriesInSettings:
    def test_they_are_added_in_the_users_style_and_go_byte_for_byte(
        self, host: ModuleType, home: str
    ) -> None:
        path = settings_of(host)
        path.parent.mkdir(parents=True)
        path.write_bytes(ODD)

        set_up(host, home)
        text = path.read_text()
        leave(host, home)

        assert text.startswith('{\n\t"theme": "dark",\n\t"mcp"')
        assert json.loads(text)["mcp"]["other"] == {"type": "remote"}
        assert path.read_bytes() == ODD

    def test_no_copy_is_promised_where_an_entry_of_ours_is_renewed(
        self, host: ModuleType, home: str, tmp_path: Path
    ) -> None:
        name = settings_of(host).name + ".absent"
        first = set_up(host, home)
        second = set_up(host, str(tmp_path / "other"))

        copied, taken_over = (
            (backups.folder(one, host.HOST.name) / name).read_bytes()
            for one in (home, str(tmp_path / "other"))
        )
        assert any("keep a copy of it as it is now" in line for line in first)
        assert not any("keep a copy" in line for line in second)
        assert copied == taken_over

    def test_what_the_user_added_meanwhile_stays(self, host: ModuleType, home: str) -> None:
        path = settings_of(host)
        path.parent.mkdir(parents=True)
        path.write_bytes(ODD)
        set_up(host, home)
        path.write_text(json.dumps(json.loads(path.read_text()) | {"later": True}))

        leave(host, home)

        assert json.loads(path.read_text()) == json.loads(ODD) | {"later": True}

    @pytest.mark.parametrize("content", [COMMENTED, b"{", b'{"mcp": [], "plugins": []}', b"[]"])
    def test_a_file_with_more_than_plain_json_is_left_and_told_of(
        self, host: ModuleType, home: str, content: bytes
    ) -> None:
        path = settings_of(host)
        path.parent.mkdir(parents=True)
        path.write_bytes(content)

        said = set_up(host, home)
        left = path.read_bytes()
        leave(host, home)

        assert '"recollect"' in said[-1]
        assert left == path.read_bytes() == content
        assert not host.is_on(home)

    def test_an_entry_the_user_wrote_is_not_asked_for_again(
        self, host: ModuleType, home: str
    ) -> None:
        path = settings_of(host)
        path.parent.mkdir(parents=True)
        set_up(host, home)
        path.write_bytes(b"// mine\n" + path.read_bytes())

        said = set_up(host, home)
        going = leave(host, home)

        assert said == []
        assert f"remove {'mcp' if host is opencode else 'mcp.servers'}.recollect" in going[-1]
        assert ("plugins.entries.recollect" in going[-1]) == (host is openclaw)

    def test_what_the_user_set_in_them_outlives_another_setup(
        self, host: ModuleType, home: str
    ) -> None:
        set_up(host, home)
        path = settings_of(host)
        switched_off = path.read_text().replace('"enabled": true', '"enabled": false')
        path.write_text(switched_off)

        done = host.setup(home, host.HOST.find()).carry_out()
        kept = path.read_text()
        leave(host, home)

        assert done == []
        assert '"enabled": false' in kept == switched_off
        assert not path.exists()

    def test_entries_of_our_name_that_are_not_ours_stay(self, host: ModuleType, home: str) -> None:
        server = {"type": "remote", "url": "https://team.example/mcp", "enabled": True}
        theirs = {
            "mcp": {"recollect": server, "servers": {"recollect": server}},
            "plugins": {"entries": {"recollect": {"enabled": True, "config": {"room": 1}}}},
        }
        path = settings_of(host)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(theirs))

        going = leave(host, home)
        said = set_up(host, home)

        assert going == []
        assert "not ours and stays" in said[-1]
        assert json.loads(path.read_text()) == theirs

    def test_tools_without_the_plugin_still_need_our_home(
        self, host: ModuleType, home: str
    ) -> None:
        set_up(host, home)
        set_up(gemini_cli, home)
        own.remove(copy_of(host))

        leave(gemini_cli, home)

        assert host.is_on(home)
        assert own.is_set_up(home)

    def test_a_key_that_holds_no_entries_is_named(self, host: ModuleType, home: str) -> None:
        path = settings_of(host)
        path.parent.mkdir(parents=True)
        path.write_text('{"mcp": null}')

        note = set_up(host, home)[-1]

        assert "mcp in it is not an object" in note
        assert "comments" not in note
        assert path.read_text() == '{"mcp": null}'

    def test_a_file_that_cannot_be_read_stops_everything(
        self, host: ModuleType, home: str, contents: Callable[[], dict[str, bytes]]
    ) -> None:
        settings_of(host).mkdir(parents=True)
        before = contents()

        with pytest.raises(HostError, match="cannot be read"):
            host.setup(home, host.HOST.find())

        assert contents() == before


class TestGeminiCli:
    def test_the_extension_brings_hooks_tools_and_commands(self, home: str, user: Path) -> None:
        set_up(gemini_cli, home)

        folder = user / ".gemini/extensions/recollect"
        manifest = json.loads((folder / "gemini-extension.json").read_text())
        assert (manifest["name"], manifest["version"]) == ("recollect", recollect.__version__)
        assert os.access(folder / "bin/recollect", os.X_OK)
        assert (folder / "hooks/launch.sh").exists()
        assert "${extensionPath}" not in (folder / "commands/recollect/help.toml").read_text()
        assert (
            f'"{folder}/bin/recollect" status'
            in (folder / "commands/recollect/help.toml").read_text()
        )

    def test_its_settings_may_be_elsewhere(
        self, home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GEMINI_CLI_HOME", str(tmp_path / "other"))

        set_up(gemini_cli, home)

        assert (tmp_path / "other/.gemini/extensions/recollect").is_dir()

    def test_what_the_client_noted_about_us_goes_and_nothing_else(
        self, home: str, user: Path
    ) -> None:
        set_up(gemini_cli, home)
        noted = user / ".gemini/extensions/extension-enablement.json"
        noted.write_text('{"recollect": {"overrides": []}, "other": {"overrides": ["/*"]}}')

        leave(gemini_cli, home)

        assert json.loads(noted.read_text()) == {"other": {"overrides": ["/*"]}}

    def test_an_extension_in_the_clients_care_is_left_to_it(self, home: str, user: Path) -> None:
        folder = user / ".gemini/extensions/recollect"
        folder.mkdir(parents=True)
        (folder / gemini_cli.INSTALLED).write_text('{"source": "elsewhere", "type": "git"}')

        coming, going = set_up(gemini_cli, home), leave(gemini_cli, home)

        assert "gemini extensions update recollect" in coming[-1]
        assert "gemini extensions uninstall recollect" in going[-1]
        assert os.listdir(folder) == [gemini_cli.INSTALLED]

    def test_hooks_are_short_and_never_fail(self) -> None:
        declared = json.loads(copies.shipped("gemini-cli")["hooks/hooks.json"])["hooks"]

        for (matched,), event in zip(declared.values(), declared, strict=True):
            (hook,) = matched["hooks"]
            assert hook["timeout"] == 2000, event
            assert hook["command"].startswith('exec 2>/dev/null; printf %s "$(')
            assert hook["command"].endswith(' gemini-cli)"')
        # It fires before every request to the model, and tells nothing.
        assert "PreCompress" not in declared

    @pytest.mark.parametrize(
        ("tool", "kept"),
        [
            *((name, True) for name in ("run_shell_command", "write_file", "mcp_gh_glob")),
            *((name, False) for name in ("glob", "list_directory", "mcp_recollect_search")),
        ],
    )
    def test_boring_tools_start_no_process(self, tool: str, kept: bool) -> None:
        declared = json.loads(copies.shipped("gemini-cli")["hooks/hooks.json"])["hooks"]

        assert bool(re.search(declared["AfterTool"][0]["matcher"], tool)) == kept


class TestOpenCode:
    def test_a_plugin_of_the_first_version_is_ours(self, home: str, user: Path) -> None:
        path = user / ".config/opencode/plugins/recollect.js"
        path.parent.mkdir(parents=True)
        path.write_text(
            "// Recollect for OpenCode: hands each event to the launcher, and the model what comes"
            ' back.\nconst HOME = process.env.RECOLLECT_HOME || join(homedir(), ".recollect")\n'
        )

        is_on = opencode.is_on(home)
        leave(opencode, home)

        assert is_on
        assert not path.exists()

    def test_its_settings_may_be_elsewhere(
        self, home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

        set_up(opencode, home)

        assert (tmp_path / "config/opencode/plugins/recollect.js").exists()

    def test_settings_with_the_other_name_are_the_settings(self, home: str, user: Path) -> None:
        path = user / ".config/opencode/opencode.jsonc"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"{}\n")

        set_up(opencode, home)
        told = json.loads(path.read_text())
        leave(opencode, home)

        command = [f"{home}/plugin/claude-code/bin/recollect", "mcp"]
        entry = {"type": "local", "command": command, "enabled": True}
        assert told == {"mcp": {"recollect": entry}}
        assert os.listdir(path.parent) == ["opencode.jsonc"]
        assert path.read_bytes() == b"{}\n"

    def test_ours_goes_from_every_file_of_settings(self, home: str, user: Path) -> None:
        folder = user / ".config/opencode"
        set_up(opencode, home)
        (folder / "opencode.jsonc").write_bytes((folder / "opencode.json").read_bytes())

        leave(opencode, home)

        assert not (folder / "opencode.json").exists()
        assert json.loads((folder / "opencode.jsonc").read_bytes()) == {}

    @pytest.mark.parametrize(
        ("comment", "told"), [("", "not ours and stays"), ("// mine\n", "it may hold comments")]
    )
    def test_a_server_of_our_name_in_either_file_stays_and_ours_is_not_mixed_with_it(
        self, home: str, user: Path, comment: str, told: str
    ) -> None:
        folder = user / ".config/opencode"
        folder.mkdir(parents=True)
        theirs = f'{comment}{{"mcp": {{"recollect": {{"url": "https://team.example/mcp"}}}}}}'
        (folder / "opencode.json").write_text("{}")
        (folder / "opencode.jsonc").write_text(theirs)

        said = set_up(opencode, home)

        assert "opencode.jsonc" in said[-1]
        assert told in said[-1]
        assert (folder / "opencode.json").read_text() == "{}"
        assert (folder / "opencode.jsonc").read_text() == theirs

    def test_settings_that_came_later_do_not_get_ours_a_second_time(
        self, home: str, user: Path
    ) -> None:
        folder = user / ".config/opencode"
        folder.mkdir(parents=True)
        (folder / "opencode.jsonc").write_text("{}")
        set_up(opencode, home)
        (folder / "opencode.json").write_text("{}")

        said = set_up(opencode, home)
        leave(opencode, home)

        assert said == []
        assert {path.name: path.read_text() for path in folder.iterdir()} == {
            "opencode.json": "{}",
            "opencode.jsonc": "{}",
        }

    def test_another_home_is_named(self, tmp_path: Path) -> None:
        elsewhere = str(tmp_path / "elsewhere")

        assert opencode.server(elsewhere)["environment"] == {"RECOLLECT_HOME": elsewhere}

    def test_plugins_of_others_stay(self, home: str, user: Path) -> None:
        other = user / ".config/opencode/plugins/other.js"
        other.parent.mkdir(parents=True)
        other.write_text("export const Other = async () => ({})")

        set_up(opencode, home)
        leave(opencode, home)

        assert os.listdir(other.parent) == ["other.js"]


class TestOpenClaw:
    def test_the_plugin_may_see_conversations(self, home: str, user: Path) -> None:
        set_up(openclaw, home)

        told = json.loads((user / ".openclaw/openclaw.json").read_text())
        assert told["plugins"]["entries"]["recollect"] == openclaw.ALLOWED
        assert told["mcp"]["servers"]["recollect"]["args"] == ["mcp"]
        assert (user / ".openclaw/extensions/recollect/launch.sh").exists()

    def test_settings_with_comments_that_hold_one_entry_of_two_are_not_complete(
        self, home: str, user: Path
    ) -> None:
        set_up(openclaw, home)
        path = user / ".openclaw/openclaw.json"
        value = json.loads(path.read_text())
        del value["plugins"]
        path.write_text(f"// mine\n{json.dumps(value)}")

        assert "allowConversationAccess" in set_up(openclaw, home)[-1]

    def test_a_server_of_our_name_does_not_keep_the_plugin_out(self, home: str, user: Path) -> None:
        path = user / ".openclaw/openclaw.json"
        path.parent.mkdir()
        theirs = '{"mcp": {"servers": {"recollect": {"url": "https://team.example"}}}}'
        path.write_text(theirs)

        said = set_up(openclaw, home)
        told = json.loads(path.read_text())
        leave(openclaw, home)

        assert "mcp.servers.recollect" in said[-1]
        assert told["plugins"]["entries"]["recollect"] == openclaw.ALLOWED
        assert told["mcp"] == json.loads(theirs)["mcp"]
        assert path.read_text() == theirs

    @pytest.mark.parametrize("told", [{"enabled": True}, {"enabled": True, "hooks": {"x": 1}}])
    def test_what_an_entry_lacks_is_added(
        self, home: str, user: Path, told: dict[str, Any]
    ) -> None:
        path = user / ".openclaw/openclaw.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"plugins": {"entries": {"recollect": told}}}))

        set_up(openclaw, home)

        entry = json.loads(path.read_text())["plugins"]["entries"]["recollect"]
        hooks = {**told.get("hooks", {}), "allowConversationAccess": True}
        assert entry == {"enabled": True, "hooks": hooks}

    def test_what_the_user_said_about_us_before_is_there_again_after(
        self, home: str, user: Path, tmp_path: Path
    ) -> None:
        refusal = (
            b'{"plugins":{"entries":{"recollect":{"enabled":true,'
            b'"hooks":{"allowConversationAccess":false}}}}}'
        )
        path = user / ".openclaw/openclaw.json"
        path.parent.mkdir()
        path.write_bytes(refusal)

        set_up(openclaw, home)
        copied = (backups.folder(home, "openclaw") / path.name).read_bytes()
        path.write_text(path.read_text().replace('Access": false', 'Access": true'))
        set_up(openclaw, str(tmp_path / "other"))
        leave(openclaw, str(tmp_path / "other"))
        again = leave(openclaw, home)

        assert copied == path.read_bytes() == refusal
        assert not any("openclaw.json" in line for line in again)

    def test_an_entry_about_our_plugin_goes_with_it_whatever_it_says(
        self, home: str, user: Path
    ) -> None:
        set_up(openclaw, home)
        path = user / ".openclaw/openclaw.json"
        value = json.loads(path.read_text())
        value["plugins"]["entries"]["recollect"]["config"] = {"room": 1}
        path.write_text(json.dumps(value))

        again = set_up(openclaw, home)
        leave(openclaw, home)

        assert again == []
        assert not path.exists()

    def test_another_plugin_of_our_name_is_not_let_into_conversations(
        self, home: str, user: Path
    ) -> None:
        path = user / ".openclaw/openclaw.json"
        path.parent.mkdir()
        path.write_text('{"plugins": {"entries": {"recollect": {"config": {"room": 1}}}}}')

        plan = openclaw.setup(home, not_none(openclaw.HOST.find()))
        plan.carry_out()

        assert plan.is_blocked
        assert "not ours and stays" in plan.note
        assert "Conversation" not in path.read_text()
        assert not openclaw.extension(path.parent).exists()

    @pytest.mark.parametrize(
        ("settings", "told"),
        [
            ({"enabled": False}, "plugins.enabled is false"),
            ({"deny": ["recollect"]}, "plugins.deny"),
            ({"allow": []}, "plugins.allow"),
            ({"entries": {"recollect": {"enabled": False}}}, "recollect.enabled is not true"),
            ({"entries": {"recollect": {"hooks": {"allowConversationAccess": False}}}}, "access"),
            ({"entries": {"recollect": {"hooks": True}}}, "access"),
        ],
    )
    def test_doctor_says_what_keeps_sessions_from_us(
        self, home: str, user: Path, settings: dict[str, object], told: str
    ) -> None:
        path = user / ".openclaw/openclaw.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"plugins": settings}))
        set_up(openclaw, home)

        check = health._host(openclaw.HOST, health._plan(openclaw.HOST, home))

        assert not check.ok
        assert told in check.detail

    @pytest.mark.parametrize(("allowed", "is_well"), [("true", True), ("false", False)])
    def test_doctor_looks_for_the_right_in_settings_with_comments_too(
        self, home: str, user: Path, allowed: str, is_well: bool
    ) -> None:
        set_up(openclaw, home)
        path = user / ".openclaw/openclaw.json"
        right = '"allowConversationAccess": true'
        changed = path.read_text().replace(right, f"allowConversationAccess: {allowed}, // mine")
        path.write_text(changed)

        assert health._host(openclaw.HOST, health._plan(openclaw.HOST, home)).ok == is_well

    def test_a_list_of_allowed_plugins_is_told_of(self, home: str, user: Path) -> None:
        path = user / ".openclaw/openclaw.json"
        path.parent.mkdir()
        path.write_text('{"plugins": {"allow": ["memory-core"]}}')

        assert "plugins.allow" in set_up(openclaw, home)[-1]

    def test_its_files_are_of_our_version(self) -> None:
        ours = copies.shipped("openclaw")

        for name in ("package.json", "openclaw.plugin.json"):
            assert json.loads(ours[name])["version"] == recollect.__version__
