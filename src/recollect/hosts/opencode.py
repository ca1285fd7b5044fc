"""OpenCode: one file among its plugins, and an entry for the memory's tools in its settings."""

import os
from pathlib import Path

from recollect.hosts import copies, footing, js_plugins, own_entries, programs
from recollect.hosts.client import Installation
from recollect.hosts.entries import Json
from recollect.hosts.own_entries import Place
from recollect.hosts.plan import Plan

NAME = "opencode"
TITLE = "OpenCode"

# Where its installer puts the client.
USUAL_PLACE = "~/.opencode/bin/opencode"
SETTINGS = ("opencode.json", "opencode.jsonc")
ENTRY = ("mcp", "recollect")
PLUGIN = "recollect.js"


def find() -> Installation | None:
    """Return OpenCode, if it is on this machine."""
    return programs.find("opencode", config=config_folder(), places=(USUAL_PLACE,))


def config_folder() -> Path:
    """Return the folder of its settings: `~/.config/opencode`, or in `$XDG_CONFIG_HOME`."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "opencode"


def setup(home: str, found: Installation) -> Plan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be read or written.
    """
    line = f"Copy the plugin to {footing.short(plugin(found.config))}"
    copying = copies.adding(plugin(found.config).parent, wanted(home), line=line)
    tools = own_entries.adding(home, _place(found.config), {ENTRY: server(home)})
    return Plan(steps=(*footing.laying(home), *copying, *tools.steps), note=tools.note)


def removal(home: str, config: Path) -> Plan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    tools = own_entries.removing(home, _place(config))
    return Plan(steps=(*copies.removing(plugin(config)), *tools.steps), note=tools.note)


def is_on(home: str) -> bool:  # noqa: ARG001 - every host is asked in the same words
    """Tell whether the client finds our plugin."""
    return plugin(config_folder()).exists()


def plugin(config: Path) -> Path:
    """Return where our plugin stands, which the client loads because it is there."""
    return config / "plugins" / PLUGIN


def server(home: str) -> Json:
    """Return how the MCP server is started, in this client's words."""
    started = footing.server(home)
    command = [started["command"], *started["args"]]
    entry: Json = {"type": "local", "command": command, "enabled": True}
    return entry | ({"environment": started["env"]} if "env" in started else {})


def wanted(home: str) -> dict[str, bytes]:
    """Return the plugin by its name, for Recollect's *home*."""
    return {PLUGIN: js_plugins.at(home, copies.shipped(NAME)[PLUGIN])}


def _place(config: Path) -> Place:
    """The settings that are there; the client reads either, and needs neither."""
    paths = [config / name for name in SETTINGS]
    path = next((path for path in paths if path.exists()), paths[0])
    return Place(host=NAME, path=path, keys=(ENTRY,))
