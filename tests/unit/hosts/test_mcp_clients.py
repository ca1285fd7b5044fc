"""Clients that have the memory's tools alone: one entry comes and goes, and nothing else moves."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.errors import HostError
from recollect.hosts import backups, mcp_clients, roster
from recollect.hosts.mcp_clients import CLIENTS, Client

JSON = [client for client in CLIENTS.values() if not client.format]
each_client = pytest.mark.parametrize("client", JSON, ids=lambda client: client.name)
every_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)


def installed(client: Client, content: bytes | None = None) -> Path:
    """Make the folder that *client* makes when it starts; return its file."""
    path = mcp_clients.path(client)
    mcp_clients._folder(client).mkdir(parents=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return path


def add(client: Client, home: str) -> str:
    plan = mcp_clients.setup(home, client)
    plan.carry_out()
    return plan.note


def leave(client: Client, home: str) -> str:
    plan = roster.removal(home, [client.name])
    plan.carry_out()
    return plan.note


@every_client
def test_a_client_that_is_not_there_is_told(
    client: Client, home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    with pytest.raises(HostError, match="was not found") as missing:
        mcp_clients.setup(home, client)

    assert "--mcp print" in missing.value.hint
    assert contents() == {}


@every_client
def test_without_a_file_one_is_made_and_goes_again(
    client: Client, home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    path = installed(client)

    add(client, home)
    is_on, is_settled = mcp_clients.is_on(home, client), mcp_clients.setup(home, client).steps == ()
    leave(client, home)

    assert (is_on, is_settled) == (True, True)
    assert not path.exists()
    assert contents() == {}


@every_client
def test_folders_that_were_made_for_the_file_go_with_it(client: Client, home: str) -> None:
    folder = installed(client).parent
    is_the_clients = folder == mcp_clients._folder(client)

    add(client, home)
    leave(client, home)

    assert folder.exists() == is_the_clients
    assert mcp_clients._folder(client).exists()


@every_client
@pytest.mark.parametrize("content", [b"", b"{}\n", None])
@pytest.mark.parametrize("is_first_left_first", [True, False])
def test_a_file_that_two_homes_had_one_after_the_other_is_as_it_was(
    client: Client, home: str, content: bytes | None, is_first_left_first: bool, tmp_path: Path
) -> None:
    path, other = installed(client, content), str(tmp_path / "other")

    add(client, home)
    add(client, other)
    for one in (home, other) if is_first_left_first else (other, home):
        leave(client, one)

    assert (path.read_bytes() if path.exists() else None) == content


@each_client
@pytest.mark.parametrize("odd", ['{{\n\t"theme":1,"{key}":{{"other": {{}}}} }}', "{{}}\n", ""])
def test_what_others_wrote_stays_and_comes_back_byte_for_byte(
    client: Client, home: str, odd: str
) -> None:
    content = odd.format(key=client.key).encode()
    path = installed(client, content)

    add(client, home)
    told = json.loads(path.read_text())[client.key]
    leave(client, home)

    assert told["recollect"]["command"] == f"{home}/plugin/claude-code/bin/recollect"
    assert told["recollect"].items() >= {"args": ["mcp"], **client.extra}.items()
    assert ("other" in told) == ("other" in odd)
    assert path.read_bytes() == content


@each_client
def test_comments_are_never_lost(client: Client, home: str) -> None:
    content = b'{\n  // mine\n  "theme": "dark",\n}\n'
    path = installed(client, content)

    note = add(client, home)

    assert path.name in note
    assert mcp_clients.snippet(home, client) in note
    assert path.read_bytes() == content


def test_an_entry_in_a_file_with_comments_is_left_to_the_user(home: str) -> None:
    client = CLIENTS["zed"]
    content = f"// mine\n{mcp_clients.snippet(home, client)}".encode()
    installed(client, content)

    assert add(client, home) == ""
    assert "remove context_servers.recollect yourself" in leave(client, home)


def test_a_file_with_comments_that_holds_our_name_for_another_reason_has_no_entry(
    home: str,
) -> None:
    client = CLIENTS["zed"]
    installed(client, b'{ // mine\n"file_scan_exclusions": ["recollect"] }')

    note = add(client, home)

    assert mcp_clients.snippet(home, client) in note
    assert not mcp_clients.is_on(home, client)
    assert leave(client, home) == ""


ANOTHERS = (
    {"command": "/opt/recollect"},
    {"url": "https://team.example/mcp", "headers": {"Authorization": "Bearer 1"}},
    {"type": "remote", "enabled": True, "url": "https://team.example/mcp"},
)


@each_client
@pytest.mark.parametrize("entry", ANOTHERS)
def test_a_server_of_our_name_that_is_not_ours_stays(
    client: Client, home: str, entry: dict[str, object]
) -> None:
    content = json.dumps({client.key: {"recollect": entry}}).encode()
    path = installed(client, content)

    note = add(client, home)
    leave(client, home)

    assert f"{client.key}.recollect" in note
    assert not mcp_clients.is_on(home, client)
    assert path.read_bytes() == content


@each_client
def test_what_the_user_set_in_our_entry_outlives_another_setup(
    client: Client, home: str, tmp_path: Path
) -> None:
    path = installed(client)
    add(client, home)
    value = json.loads(path.read_text())
    ours = value[client.key]["recollect"]
    ours |= {"disabled": True, "autoApprove": ["search"], "args": [], "env": {"LANG": "C"}}
    path.write_text(json.dumps(value))

    add(client, str(tmp_path / "elsewhere"))
    moved = json.loads(path.read_text())[client.key]["recollect"]
    add(client, home)
    back = json.loads(path.read_text())[client.key]["recollect"]

    assert moved["env"] == {"LANG": "C", "RECOLLECT_HOME": str(tmp_path / "elsewhere")}
    assert back == mcp_clients.server(home, client) | {
        "disabled": True,
        "autoApprove": ["search"],
        "env": {"LANG": "C"},
    }
    assert mcp_clients.setup(home, client).steps == ()


def test_another_home_is_named_because_clients_pass_little_on(home: str, tmp_path: Path) -> None:
    elsewhere = str(tmp_path / "elsewhere")

    told = json.loads(mcp_clients.snippet(elsewhere))["mcpServers"]["recollect"]

    assert told["env"] == {"RECOLLECT_HOME": elsewhere}
    assert "env" not in json.loads(mcp_clients.snippet(home))["mcpServers"]["recollect"]


@every_client
def test_an_entry_for_another_home_stays_and_its_home_is_told(
    client: Client, home: str, tmp_path: Path
) -> None:
    path = installed(client)
    add(client, home)
    before = path.read_bytes()

    note = leave(client, str(tmp_path / "other"))

    assert f"RECOLLECT_HOME={home} recollect uninstall" in note
    assert path.read_bytes() == before
    assert mcp_clients.is_on(home, client)
    assert not mcp_clients.is_on(str(tmp_path / "other"), client)


def test_a_home_that_moved_is_followed(home: str, tmp_path: Path) -> None:
    client = CLIENTS["cursor"]
    path = installed(client)
    add(client, home)

    add(client, str(tmp_path / "elsewhere"))

    (entry,) = json.loads(path.read_text())["mcpServers"].values()
    assert entry["env"] == {"RECOLLECT_HOME": str(tmp_path / "elsewhere")}


@pytest.mark.parametrize(
    ("platform", "name", "path"),
    [
        ("linux", "vscode", ".config/Code/User/mcp.json"),
        ("darwin", "vscode", "Library/Application Support/Code/User/mcp.json"),
        ("darwin", "zed", ".config/zed/settings.json"),
        ("darwin", "cursor", ".cursor/mcp.json"),
    ],
)
def test_each_system_has_its_places(
    platform: str, name: str, path: str, monkeypatch: pytest.MonkeyPatch, user: Path
) -> None:
    monkeypatch.setattr(sys, "platform", platform)

    assert mcp_clients.path(CLIENTS[name]) == user / path


def test_variables_move_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path / "copilot"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    assert mcp_clients.path(CLIENTS["copilot-cli"]) == tmp_path / "copilot/mcp-config.json"
    assert mcp_clients.path(CLIENTS["zed"]) == tmp_path / "config/zed/settings.json"


@every_client
def test_a_file_is_copied_before_it_is_written_and_an_empty_one_is_still_there_after(
    client: Client, home: str
) -> None:
    path = installed(client, b"")

    add(client, home)
    copy = backups.folder(home, client.name) / path.name
    copied = copy.read_bytes()
    leave(client, home)

    assert copied == b""
    assert path.read_bytes() == b""
    assert not copy.exists()


def test_leaving_everything_leaves_clients_as_well(
    home: str, contents: Callable[[], dict[str, bytes]]
) -> None:
    for name in ("cursor", "goose", "zed"):
        installed(CLIENTS[name])
        add(CLIENTS[name], home)

    roster.removal(home, roster.on(home)).carry_out()

    assert contents() == {}
