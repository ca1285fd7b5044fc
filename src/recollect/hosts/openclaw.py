"""OpenClaw: a plugin in its folder of extensions, and the right to see conversations.

The client loads the plugin because it is there, but hands a conversation only to one that the
user's settings allow it to. They may be JSON5; then the user is told what to add.
"""

import os
from functools import partial
from pathlib import Path

from recollect.hosts import copies, host, js_plugins, launcher, settings_file
from recollect.hosts.copies import CopiedPlugin
from recollect.hosts.documents import Json
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, joined, short
from recollect.hosts.settings_file import Keys, SettingsFile

NAME = "openclaw"

PLUGIN: Keys = ("plugins", "entries", "recollect")
SERVER: Keys = ("mcp", "servers", "recollect")
ALLOWED: Json = {"enabled": True, "hooks": {"allowConversationAccess": True}}


def config_folder() -> Path:
    """Return the client's folder: `$OPENCLAW_STATE_DIR`, else `~/.openclaw`."""
    return Path(os.environ.get("OPENCLAW_STATE_DIR") or Path.home() / ".openclaw")


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be read or written.
    """
    installing = SetupPlan(steps=tuple(launcher.installing(home)))
    server = {SERVER: launcher.server(home)}
    if theirs := _anothers(found.config):
        tools = settings_file.adding(home, _place(found.config), server)
        return joined([installing, tools, SetupPlan(steps=(), note=theirs, is_blocked=True)])
    copying = _copy(found.config).adding(home, wanted(home))
    place = _place(found.config, about=(PLUGIN,))
    entries = settings_file.adding(home, place, {PLUGIN: ALLOWED, **server})
    return joined([installing, copying, entries, _hearing(place, entries)])


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    folder, of = extension(config), _home(config)
    is_ours = launcher.is_same(home, of) or (not folder.exists() and _is_left_over(home, config))
    entries = settings_file.removing(home, _place(config, about=(PLUGIN,) if is_ours else ()))
    return joined([entries, _copy(config).removing(home, of=of)])


def is_on(home: str) -> bool:
    """Tell whether the client has our plugin for this *home*, or starts its tools."""
    config = config_folder()
    return launcher.is_same(home, _home(config)) or settings_file.is_on(home, _place(config))


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
    return js_plugins.home_of(folder / "index.js") or launcher.usual_home()


def _copy(config: Path) -> CopiedPlugin:
    return CopiedPlugin(host=NAME, path=extension(config))


def _place(config: Path, *, about: tuple[Keys, ...] = ()) -> SettingsFile:
    path = Path(os.environ.get("OPENCLAW_CONFIG_PATH") or config / "openclaw.json")
    return SettingsFile(host=NAME, path=path, servers=(SERVER,), about=about)


def _anothers(config: Path) -> str:
    """Say so if a plugin of our name is another's: it stands there, or is configured."""
    folder, place = extension(config), _place(config)
    if copies.is_foreign(folder):
        return copies.in_the_way(folder)
    entry = settings_file.entry(place, PLUGIN)
    is_known = entry is None or (isinstance(entry, dict) and entry.keys() <= ALLOWED.keys())
    return "" if is_known or copies.is_ours(folder) else settings_file.staying(place.path, [PLUGIN])


def _is_left_over(home: str, config: Path) -> bool:
    """Tell whether what is chosen about a plugin that is gone was about ours."""
    place = _place(config)
    return settings_file.entry(place, PLUGIN) == ALLOWED or settings_file.is_on(home, place)


def _hearing(place: SettingsFile, entries: SetupPlan) -> SetupPlan:
    """What keeps sessions from us when *entries* are there: a refusal, or that they are not."""
    refused = _refusals(place)
    is_lacking = not entries.steps and settings_file.entry(place, PLUGIN) is None
    is_blocked = bool(refused) or (is_lacking and bool(entries.note))
    return SetupPlan(steps=(), note=refused, is_blocked=is_blocked)


def _refusals(place: SettingsFile) -> str:
    """Say what in the settings keeps our plugin from seeing conversations; empty if nothing does.

    What they do not say yet is added.
    """
    plugins = settings_file.entry(place, PLUGIN[:1])
    chosen = plugins if isinstance(plugins, dict) else {}
    allow, deny = chosen.get("allow"), chosen.get("deny")
    there = settings_file.entry(place, PLUGIN)
    entry = settings_file.renewed(there if isinstance(there, dict) else {}, ALLOWED)
    refusals = {
        "plugins.enabled is false": chosen.get("enabled") is False,
        'add "recollect" to plugins.allow': isinstance(allow, list) and "recollect" not in allow,
        "recollect stands in plugins.deny": isinstance(deny, list) and "recollect" in deny,
        f"{'.'.join(PLUGIN)}.enabled is not true": entry["enabled"] is not True,
        f"{'.'.join(PLUGIN)}.hooks does not allow conversation access": not _allows(entry["hooks"]),
    }
    found = "; ".join(text for text, is_so in refusals.items() if is_so)
    name = short(place.path)
    return f"By {name}, OpenClaw hands us no session: {found}." if found else ""


def _allows(hooks: object) -> bool:
    return isinstance(hooks, dict) and hooks.get("allowConversationAccess") is True


HOST = Host(
    name=NAME,
    title="OpenClaw",
    config_folder=config_folder,
    find=partial(host.find, "openclaw", config_folder),
    setup=setup,
    removal=removal,
    is_on=is_on,
)
