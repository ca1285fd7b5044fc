"""Clients that take any MCP server: where each reads its servers, under which key, in which shape.

They get the memory's tools and nothing else: without hooks, no session is captured. Which of this
a maker documents, and which others report, is told in docs/how-to/use-with-other-agents.md.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import launcher, settings_file
from recollect.hosts.documents import Json
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, short
from recollect.hosts.settings_file import YAML, Keys, SettingsFile, TextFormat

KEY = "mcpServers"


@dataclass(frozen=True, slots=True)
class Client:
    """A client: its *folder*, which it makes itself, and the *file* in it that lists servers.

    *folder* may begin with `~`, with `APPS` (where programs with windows keep their settings) or
    with `CONFIG`; *moved_by* is the variable that names another one. An entry stands under *key*,
    and says *extra* beside the command.
    """

    name: str
    title: str
    folder: str
    file: str
    key: str = KEY
    extra: Json = field(default_factory=dict)
    moved_by: str = ""
    format: TextFormat | None = None


_STORAGE = "APPS/Code/User/globalStorage"
_CLINE = "settings/cline_mcp_settings.json"
_CLINES: Json = {"disabled": False, "autoApprove": []}
_COPILOTS: Json = {"type": "local", "tools": ["*"]}
_STDIO: Json = {"type": "stdio"}
_GOOSES: Json = {
    "enabled": True,
    "type": "stdio",
    "name": "recollect",
    "description": "What was learned in earlier sessions",
    "cmd": "",
    "args": [],
    "envs": {},
    "env_keys": [],
    "timeout": 300,
    "bundled": False,
}

CLIENTS = {
    client.name: client
    for client in (
        Client("claude-desktop", "Claude Desktop", "APPS/Claude", "claude_desktop_config.json"),
        Client(
            "cline", "Cline in VS Code", f"{_STORAGE}/saoudrizwan.claude-dev", _CLINE, extra=_CLINES
        ),
        Client("cline-cli", "Cline CLI", "~/.cline", f"data/{_CLINE}", extra=_CLINES),
        Client(
            "copilot-cli", "GitHub Copilot CLI", "~/.copilot", "mcp-config.json",
            extra=_COPILOTS, moved_by="COPILOT_HOME",
        ),
        Client("cursor", "Cursor", "~/.cursor", "mcp.json"),
        Client(
            "goose", "Goose", "CONFIG/goose", "config.yaml", "extensions", _GOOSES, format=YAML
        ),
        Client("junie", "Junie", "~/.junie", "mcp/mcp.json"),
        Client(
            "roo", "Roo Code in VS Code", f"{_STORAGE}/rooveterinaryinc.roo-cline",
            "settings/mcp_settings.json",
        ),
        Client("vscode", "VS Code", "APPS/Code/User", "mcp.json", "servers", _STDIO),
        Client("windsurf", "Windsurf", "~/.codeium/windsurf", "mcp_config.json"),
        Client("zed", "Zed", "CONFIG/zed", "settings.json", "context_servers"),
    )
}  # fmt: skip


def as_host(client: Client) -> Host:
    """Return *client* as a host that has our tools alone."""
    config = path(client).parent
    return Host(
        name=client.name,
        title=client.title,
        config_folder=lambda: config,
        find=lambda: Installation(executable=short(path(client)), version="", config=config),
        setup=lambda home, _: setup(home, client),
        removal=lambda home, _: removal(home, client),
        is_on=lambda home: is_on(home, client),
    )


def setup(home: str, client: Client) -> SetupPlan:
    """Return what is left to do until *client* can start the server: nothing, the second time.

    Raises `HostError`, with nothing changed, if the client is not there, or its file cannot be
    read or written.
    """
    folder = _folder(client)
    if not folder.is_dir():
        raise HostError(
            f"{client.title} was not found: there is no {short(folder)}",
            hint="Start it once, or run: recollect setup --mcp print",
        )
    entry = settings_file.adding(home, _settings(client), _entries(home, client))
    return SetupPlan(steps=(*launcher.installing(home), *entry.steps), note=entry.note)


def removal(home: str, client: Client) -> SetupPlan:
    """Return what is left to do until *client* knows nothing of us."""
    return settings_file.removing(home, _settings(client))


def is_on(home: str, client: Client) -> bool:
    """Tell whether *client* starts the server of *home*.

    Raises `HostError` if that cannot be read.
    """
    return settings_file.is_on(home, _settings(client))


def snippet(home: str, client: Client | None = None) -> str:
    """Return what a person adds to the file of *client*, or of one that is like most."""
    if not client:
        return settings_file.snippet(None, {(KEY, "recollect"): launcher.server(home)})
    return settings_file.snippet(_settings(client), _entries(home, client))


def server(home: str, client: Client) -> Json:
    """Return how *client* is told to start the server."""
    started = launcher.server(home)
    if "cmd" not in client.extra:
        return client.extra | started
    words = {"cmd": started["command"], "args": started["args"], "envs": started.get("env", {})}
    return client.extra | words


def path(client: Client) -> Path:
    """Return the file in which *client* lists its servers."""
    return _folder(client) / client.file


def _settings(client: Client) -> SettingsFile:
    keys = _keys(client)
    return SettingsFile(host=client.name, path=path(client), servers=(keys,), format=client.format)


def _entries(home: str, client: Client) -> dict[Keys, Json]:
    return {_keys(client): server(home, client)}


def _keys(client: Client) -> Keys:
    return (client.key, "recollect")


def _folder(client: Client) -> Path:
    moved = os.environ.get(client.moved_by) if client.moved_by else ""
    first, *deeper = Path(moved or client.folder).parts
    beginnings = {"~": Path.home(), "APPS": _apps(), "CONFIG": _config()}
    return beginnings.get(first, Path(first)).joinpath(*deeper)


def _apps() -> Path:
    is_mac = sys.platform == "darwin"
    return Path.home() / "Library" / "Application Support" if is_mac else _config()


def _config() -> Path:
    chosen = os.environ.get("XDG_CONFIG_HOME") if sys.platform != "darwin" else ""
    return Path(chosen or Path.home() / ".config")
