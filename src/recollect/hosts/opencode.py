"""OpenCode: one file among its plugins, and an entry for the memory's tools in its settings."""

import os
from pathlib import Path

from recollect.hosts import copies, footing, js_plugins, own_entries, programs
from recollect.hosts.client import Installation
from recollect.hosts.entries import Json
from recollect.hosts.own_entries import HostPlace
from recollect.hosts.plan import SetupPlan, joined

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


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be read or written.
    """
    path = plugin(found.config)
    tools = _adding(home, found.config)
    if copies.is_anothers(path):
        notes = filter(None, [copies.in_the_way(path), tools.note])
        steps = (*footing.laying(home), *tools.steps)
        return SetupPlan(steps=steps, note="\n".join(notes), is_blocked=True)
    line = f"Copy the plugin to {footing.short(path)}"
    copying = copies.adding(path.parent, wanted(home), line=line, record=_record(home))
    return SetupPlan(steps=(*footing.laying(home), *copying, *tools.steps), note=tools.note)


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    path = plugin(config)
    entries = [own_entries.removing(home, place) for place in _places(config)]
    copy = copies.removing(home, path, of=js_plugins.home_of(path), record=_record(home))
    return joined([*entries, copy])


def is_on(home: str) -> bool:
    """Tell whether the client has our plugin for this *home*, or starts its tools."""
    config = config_folder()
    if footing.is_same(home, js_plugins.home_of(plugin(config))):
        return True
    return any(own_entries.stand(home, place) for place in _places(config))


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


def _adding(home: str, config: Path) -> SetupPlan:
    """The client reads both files as one, and needs neither.

    Ours is renewed wherever it stands. Another's in either of them stays, and is not mixed with
    ours in the other.
    """
    places = _places(config)
    taken = [place for place in places if own_entries.is_anothers(place)]
    there = [place for place in places if own_entries.is_there(place)]
    existing = [place for place in places if place.path.exists()]
    chosen = [*taken, *there] or (existing or places)[:1]
    return joined(own_entries.adding(home, place, {ENTRY: server(home)}) for place in chosen)


def _places(config: Path) -> list[HostPlace]:
    return [HostPlace(host=NAME, path=config / name, servers=(ENTRY,)) for name in SETTINGS]


def _record(home: str) -> Path:
    return footing.keepsakes(home, NAME) / PLUGIN
