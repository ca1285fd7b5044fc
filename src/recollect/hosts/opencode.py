"""OpenCode: one file among its plugins, and an entry for the memory's tools in its settings."""

import os
from functools import partial
from pathlib import Path

from recollect.hosts import copies, host, js_plugins, launcher, settings_file
from recollect.hosts.copies import CopiedPlugin
from recollect.hosts.documents import Json
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, joined
from recollect.hosts.settings_file import SettingsFile

NAME = "opencode"

# Where its installer puts the client.
USUAL_PLACE = "~/.opencode/bin/opencode"
SETTINGS = ("opencode.json", "opencode.jsonc")
ENTRY = ("mcp", "recollect")
PLUGIN = "recollect.js"


def config_folder() -> Path:
    """Return the folder of its settings: `~/.config/opencode`, or in `$XDG_CONFIG_HOME`."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "opencode"


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be read or written.
    """
    copy = plugin(found.config)
    tools = _adding(home, found.config)
    if copies.is_foreign(copy.path):
        notes = filter(None, [copies.in_the_way(copy.path), tools.note])
        steps = (*launcher.installing(home), *tools.steps)
        return SetupPlan(steps=steps, note="\n".join(notes), is_blocked=True)
    installing = SetupPlan(steps=tuple(launcher.installing(home)))
    return joined([installing, copy.adding(home, wanted(home)), tools])


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    copy = plugin(config)
    entries = [settings_file.removing(home, place) for place in _places(config)]
    return joined([*entries, copy.removing(home, of=js_plugins.home_of(copy.path))])


def is_on(home: str) -> bool:
    """Tell whether the client has our plugin for this *home*, or starts its tools."""
    config = config_folder()
    if launcher.is_same(home, js_plugins.home_of(plugin(config).path)):
        return True
    return any(settings_file.is_on(home, place) for place in _places(config))


def plugin(config: Path) -> CopiedPlugin:
    """Return our plugin, which the client loads because it is there."""
    return CopiedPlugin(host=NAME, path=config / "plugins" / PLUGIN)


def server(home: str) -> Json:
    """Return how the MCP server is started, in this client's words."""
    started = launcher.server(home)
    command = [started["command"], *started["args"]]
    entry: Json = {"type": "local", "command": command, "enabled": True}
    return entry | ({"environment": started["env"]} if "env" in started else {})


def wanted(home: str) -> bytes:
    """Return the plugin for Recollect's *home*."""
    return js_plugins.at(home, copies.shipped(NAME)[PLUGIN])


def _adding(home: str, config: Path) -> SetupPlan:
    """The client reads both files as one, and needs neither.

    Ours is renewed wherever it stands. Another's in either of them stays, and is not mixed with
    ours in the other.
    """
    places = _places(config)
    taken = [place for place in places if settings_file.has_foreign(place)]
    there = [place for place in places if settings_file.has_ours(place)]
    existing = [place for place in places if place.path.exists()]
    chosen = [*taken, *there] or (existing or places)[:1]
    return joined(settings_file.adding(home, place, {ENTRY: server(home)}) for place in chosen)


def _places(config: Path) -> list[SettingsFile]:
    return [SettingsFile(host=NAME, path=config / name, servers=(ENTRY,)) for name in SETTINGS]


HOST = Host(
    name=NAME,
    title="OpenCode",
    config_folder=config_folder,
    find=partial(host.find, "opencode", config_folder, USUAL_PLACE),
    setup=setup,
    removal=removal,
    is_on=is_on,
)
