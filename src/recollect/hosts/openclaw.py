"""OpenClaw: a plugin in its folder of extensions, and the right to see conversations.

The client loads the plugin because it is there, but hands a conversation only to one that the
user's settings allow it to. They may be JSON5; then the user is told what to add.
"""

import os
from pathlib import Path

from recollect.hosts import copies, footing, js_plugins, own_entries, programs
from recollect.hosts.client import Installation
from recollect.hosts.entries import Json
from recollect.hosts.own_entries import HostPlace, Keys
from recollect.hosts.plan import SetupPlan, joined

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


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be read or written.
    """
    laying = SetupPlan(steps=tuple(footing.laying(home)))
    server = {SERVER: footing.server(home)}
    if theirs := _anothers(found.config):
        tools = own_entries.adding(home, _place(found.config), server)
        return joined([laying, tools, SetupPlan(steps=(), note=theirs, is_blocked=True)])
    folder, place = extension(found.config), _place(found.config, about=(PLUGIN,))
    line = f"Copy the plugin to {footing.short(folder)}"
    putting = copies.putting(folder, wanted(home), line=line, record=_record(home))
    copying = SetupPlan(steps=tuple(putting))
    entries = own_entries.adding(home, place, {PLUGIN: ALLOWED, **server})
    return joined([laying, copying, entries, _hearing(place, entries)])


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    folder, of = extension(config), _home(config)
    is_ours = footing.is_same(home, of) or (not folder.exists() and _is_left_over(home, config))
    entries = own_entries.removing(home, _place(config, about=(PLUGIN,) if is_ours else ()))
    return joined([entries, copies.removing(home, folder, of=of, record=_record(home))])


def is_on(home: str) -> bool:
    """Tell whether the client has our plugin for this *home*, or starts its tools."""
    config = config_folder()
    return footing.is_same(home, _home(config)) or own_entries.stand(home, _place(config))


def extension(config: Path) -> Path:
    """Return the folder of our plugin."""
    return config / "extensions" / "recollect"


def wanted(home: str) -> dict[str, bytes]:
    """Return the files of the plugin, for Recollect's *home*."""
    ours = copies.shipped(NAME)
    launcher = copies.scripts()["hooks/launch.sh"]
    return ours | {"index.js": js_plugins.at(home, ours["index.js"]), "launch.sh": launcher}


def _home(config: Path) -> str | None:
    """The home that our plugin is for; None if it is not there, or not ours."""
    folder = extension(config)
    if not copies.is_ours(folder):
        return None
    return js_plugins.home_of(folder / "index.js") or footing.usual_home()


def _record(home: str) -> Path:
    return footing.keepsakes(home, NAME) / "recollect"


def _place(config: Path, *, about: tuple[Keys, ...] = ()) -> HostPlace:
    path = Path(os.environ.get("OPENCLAW_CONFIG_PATH") or config / "openclaw.json")
    return HostPlace(host=NAME, path=path, servers=(SERVER,), about=about)


def _anothers(config: Path) -> str:
    """Say so if a plugin of our name is another's: it stands there, or is configured."""
    folder, place = extension(config), _place(config)
    if copies.is_anothers(folder):
        return copies.in_the_way(folder)
    told = own_entries.entry(place, PLUGIN)
    is_known = told is None or (isinstance(told, dict) and told.keys() <= ALLOWED.keys())
    return "" if is_known or copies.is_ours(folder) else own_entries.staying(place.path, [PLUGIN])


def _is_left_over(home: str, config: Path) -> bool:
    """Tell whether what is said about a plugin that is gone was about ours."""
    place = _place(config)
    return own_entries.entry(place, PLUGIN) == ALLOWED or own_entries.stand(home, place)


def _hearing(place: HostPlace, entries: SetupPlan) -> SetupPlan:
    """What keeps sessions from us when *entries* are there: a refusal, or that they are not."""
    refused = _refusals(place)
    is_lacking = not entries.steps and own_entries.entry(place, PLUGIN) is None
    is_blocked = bool(refused) or (is_lacking and bool(entries.note))
    return SetupPlan(steps=(), note=refused, is_blocked=is_blocked)


def _refusals(place: HostPlace) -> str:
    """Say what in the settings keeps our plugin from seeing conversations; empty if nothing does.

    What they do not say yet is added.
    """
    plugins = own_entries.entry(place, PLUGIN[:1])
    told = plugins if isinstance(plugins, dict) else {}
    allow, deny = told.get("allow"), told.get("deny")
    there = own_entries.entry(place, PLUGIN)
    entry = own_entries.renewed(there if isinstance(there, dict) else {}, ALLOWED)
    refusals = {
        "plugins.enabled is false": told.get("enabled") is False,
        'add "recollect" to plugins.allow': isinstance(allow, list) and "recollect" not in allow,
        "recollect stands in plugins.deny": isinstance(deny, list) and "recollect" in deny,
        f"{'.'.join(PLUGIN)}.enabled is not true": entry["enabled"] is not True,
        f"{'.'.join(PLUGIN)}.hooks does not allow conversation access": not _allows(entry["hooks"]),
    }
    found = "; ".join(text for text, is_so in refusals.items() if is_so)
    name = footing.short(place.path)
    return f"By {name}, OpenClaw hands us no session: {found}." if found else ""


def _allows(hooks: object) -> bool:
    return isinstance(hooks, dict) and hooks.get("allowConversationAccess") is True
