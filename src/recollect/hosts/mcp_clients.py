"""Clients that take any MCP server: where each reads its servers, under which key, in which shape.

They get the memory's tools and nothing else: without hooks, no session is captured. Which of this
a maker documents, and which others report, is told in docs/how-to/use-with-other-agents.md.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import footing, goose, own_entries
from recollect.hosts.entries import Json
from recollect.hosts.own_entries import HostPlace, Keys
from recollect.hosts.plan import SetupPlan

KEY = "mcpServers"


@dataclass(frozen=True, slots=True, kw_only=True)
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
    is_yaml: bool = False


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            folder="APPS/Claude",
            file="claude_desktop_config.json",
        ),
        Client(
            name="cline",
            title="Cline in VS Code",
            folder="APPS/Code/User/globalStorage/saoudrizwan.claude-dev",
            file="settings/cline_mcp_settings.json",
            extra={"disabled": False, "autoApprove": []},
        ),
        Client(
            name="cline-cli",
            title="Cline CLI",
            folder="~/.cline",
            file="data/settings/cline_mcp_settings.json",
            extra={"disabled": False, "autoApprove": []},
        ),
        Client(
            name="copilot-cli",
            title="GitHub Copilot CLI",
            folder="~/.copilot",
            file="mcp-config.json",
            extra={"type": "local", "tools": ["*"]},
            moved_by="COPILOT_HOME",
        ),
        Client(name="cursor", title="Cursor", folder="~/.cursor", file="mcp.json"),
        Client(
            name="goose",
            title="Goose",
            folder="CONFIG/goose",
            file="config.yaml",
            key="extensions",
            is_yaml=True,
        ),
        Client(name="junie", title="Junie", folder="~/.junie", file="mcp/mcp.json"),
        Client(
            name="roo",
            title="Roo Code in VS Code",
            folder="APPS/Code/User/globalStorage/rooveterinaryinc.roo-cline",
            file="settings/mcp_settings.json",
        ),
        Client(
            name="vscode",
            title="VS Code",
            folder="APPS/Code/User",
            file="mcp.json",
            key="servers",
            extra={"type": "stdio"},
        ),
        Client(
            name="windsurf",
            title="Windsurf",
            folder="~/.codeium/windsurf",
            file="mcp_config.json",
        ),
        Client(
            name="zed",
            title="Zed",
            folder="CONFIG/zed",
            file="settings.json",
            key="context_servers",
        ),
    )
}


def setup(home: str, client: Client) -> SetupPlan:
    """Return what is left to do until *client* can start the server: nothing, the second time.

    Raises `HostError`, with nothing changed, if the client is not there, or its file cannot be
    read or written.
    """
    folder = _folder(client)
    if not folder.is_dir():
        raise HostError(
            f"{client.title} was not found: there is no {footing.short(folder)}",
            hint="Start it once, or run: recollect setup --mcp print",
        )
    if client.is_yaml:
        entry = goose.adding(home, path(client), footing.server(home))
    else:
        entry = own_entries.adding(home, _place(client), {_keys(client): server(home, client)})
    return SetupPlan(steps=(*footing.laying(home), *entry.steps), note=entry.note)


def removal(home: str, client: Client) -> SetupPlan:
    """Return what is left to do until *client* knows nothing of us."""
    if client.is_yaml:
        return goose.removing(home, path(client))
    return own_entries.removing(home, _place(client))


def is_on(home: str, client: Client) -> bool:
    """Tell whether *client* starts the server of *home*.

    Raises `HostError` if that cannot be read.
    """
    if client.is_yaml:
        return goose.stands(home, path(client))
    return own_entries.stand(home, _place(client))


def snippet(home: str, client: Client | None = None) -> str:
    """Return what a person adds to the file of *client*, or of one that is like most."""
    if not client:
        return own_entries.snippet({(KEY, "recollect"): footing.server(home)})
    if client.is_yaml:
        return goose.snippet(footing.server(home))
    return own_entries.snippet({_keys(client): server(home, client)})


def server(home: str, client: Client) -> Json:
    """Return how *client* is told to start the server."""
    return client.extra | footing.server(home)


def path(client: Client) -> Path:
    """Return the file in which *client* lists its servers."""
    return _folder(client) / client.file


def _place(client: Client) -> HostPlace:
    return HostPlace(host=client.name, path=path(client), servers=(_keys(client),))


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
