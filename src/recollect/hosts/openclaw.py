"""OpenClaw: a plugin in its folder of extensions, and the right to see conversations.

The client loads the plugin because it is there, but hands a conversation only to one that the
user's settings allow it to. They may be JSON5; then the user is told what to add.
"""

import os
from pathlib import Path

from recollect.hosts import copies, footing, js_plugins, own_entries, programs
from recollect.hosts.client import Installation
from recollect.hosts.entries import Json
from recollect.hosts.own_entries import Keys, Place
from recollect.hosts.plan import Plan

NAME = "openclaw"
TITLE = "OpenClaw"

PLUGIN: Keys = ("plugins", "entries", "recollect")
SERVER: Keys = ("mcp", "servers", "recollect")
ALLOWED: Json = {"enabled": True, "hooks": {"allowConversationAccess": True}}


def find() -> Installation | None:
    """Return OpenClaw, if it is on this machine."""
    return programs.find("openclaw", config=config_folder())


def config_folder() -> Path:
    """Return the client's folder: `$OPENCLAW_STATE_DIR`, else `~/.openclaw`."""
    return Path(os.environ.get("OPENCLAW_STATE_DIR") or Path.home() / ".openclaw")


def setup(home: str, found: Installation) -> Plan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be read or written.
    """
    folder = extension(found.config)
    line = f"Copy the plugin to {footing.short(folder)}"
    copying = copies.putting(folder, wanted(home), line=line)
    place = _place(found.config)
    entries = own_entries.adding(home, place, {PLUGIN: ALLOWED, SERVER: footing.server(home)})
    note = entries.note or _is_left_out(place)
    return Plan(steps=(*footing.laying(home), *copying, *entries.steps), note=note)


def removal(home: str, config: Path) -> Plan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    entries = own_entries.removing(home, _place(config))
    return Plan(steps=(*entries.steps, *copies.removing(extension(config))), note=entries.note)


def is_on(home: str) -> bool:  # noqa: ARG001 - every host is asked in the same words
    """Tell whether the client finds our plugin."""
    return extension(config_folder()).exists()


def extension(config: Path) -> Path:
    """Return the folder of our plugin."""
    return config / "extensions" / "recollect"


def wanted(home: str) -> dict[str, bytes]:
    """Return the files of the plugin, for Recollect's *home*."""
    ours = copies.shipped(NAME)
    launcher = copies.scripts()["hooks/launch.sh"]
    return ours | {"index.js": js_plugins.at(home, ours["index.js"]), "launch.sh": launcher}


def _place(config: Path) -> Place:
    path = Path(os.environ.get("OPENCLAW_CONFIG_PATH") or config / "openclaw.json")
    return Place(host=NAME, path=path, keys=(PLUGIN, SERVER))


def _is_left_out(place: Place) -> str:
    """Say so if the user lists the plugins that may run, and ours is not among them."""
    listed = own_entries.value(place).get("plugins", {}).get("allow")
    if not isinstance(listed, list) or "recollect" in listed:
        return ""
    return f'{footing.short(place.path)} lists allowed plugins: add "recollect" to plugins.allow.'
