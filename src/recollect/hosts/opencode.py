"""OpenCode: one file among its plugins, and an entry for the memory's tools in its settings."""

import os
from pathlib import Path

from recollect.hosts import backups, copies, host, js_plugins, launcher, settings_file
from recollect.hosts.documents import Json
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, joined, short
from recollect.hosts.settings_file import SettingsFile

NAME = "opencode"

# Where its installer puts the client.
USUAL_PLACE = "~/.opencode/bin/opencode"
SETTINGS = ("opencode.json", "opencode.jsonc")
ENTRY = ("mcp", "recollect")
PLUGIN = "recollect.js"


def find() -> Installation | None:
    """Return OpenCode, if it is on this machine."""
    return host.find("opencode", config=config_folder(), places=(USUAL_PLACE,))


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
    if copies.is_foreign(path):
        notes = filter(None, [copies.in_the_way(path), tools.note])
        steps = (*launcher.installing(home), *tools.steps)
        return SetupPlan(steps=steps, note="\n".join(notes), is_blocked=True)
    line = f"Copy the plugin to {short(path)}"
    copying = copies.adding(path.parent, wanted(home), line=line, record=_record(home))
    return SetupPlan(steps=(*launcher.installing(home), *copying, *tools.steps), note=tools.note)


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    path = plugin(config)
    entries = [settings_file.removing(home, place) for place in _places(config)]
    copy = copies.removing(home, path, of=js_plugins.home_of(path), record=_record(home))
    return joined([*entries, copy])


def is_on(home: str) -> bool:
    """Tell whether the client has our plugin for this *home*, or starts its tools."""
    config = config_folder()
    if launcher.is_same(home, js_plugins.home_of(plugin(config))):
        return True
    return any(settings_file.is_on(home, place) for place in _places(config))


def plugin(config: Path) -> Path:
    """Return where our plugin stands, which the client loads because it is there."""
    return config / "plugins" / PLUGIN


def server(home: str) -> Json:
    """Return how the MCP server is started, in this client's words."""
    started = launcher.server(home)
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
    taken = [place for place in places if settings_file.has_foreign(place)]
    there = [place for place in places if settings_file.has_ours(place)]
    existing = [place for place in places if place.path.exists()]
    chosen = [*taken, *there] or (existing or places)[:1]
    return joined(settings_file.adding(home, place, {ENTRY: server(home)}) for place in chosen)


def _places(config: Path) -> list[SettingsFile]:
    return [SettingsFile(host=NAME, path=config / name, servers=(ENTRY,)) for name in SETTINGS]


def _record(home: str) -> Path:
    return backups.folder(home, NAME) / PLUGIN


HOST = Host(
    name=NAME,
    title="OpenCode",
    config_folder=config_folder,
    find=find,
    setup=setup,
    removal=removal,
    is_on=is_on,
)
