"""Which entries in Claude Code's own files are ours. Pure: JSON in, JSON out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.hosts.documents import Json, less

MARKETPLACE = "recollect"
PLUGIN = f"recollect@{MARKETPLACE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFile:
    """A file of the host that has entries of ours: *ours* are their keys, from the outside in."""

    name: str
    ours: tuple[tuple[str, ...], ...]
    blank: Json = field(default_factory=dict)
    """What the host writes when there is nothing to say."""

    def without_ours(self, value: Json, *, before: Json | None) -> Json:
        """Return the *value* of the file without our entries: see `without_plugin`."""
        return without_plugin(self, value, before=before)


SETTINGS = HostFile(
    name="settings.json",
    ours=(
        ("extraKnownMarketplaces", MARKETPLACE),
        ("enabledPlugins", PLUGIN),
        ("pluginConfigs", PLUGIN),
    ),
)
MARKETPLACES = HostFile(name="plugins/known_marketplaces.json", ours=((MARKETPLACE,),))
PLUGINS = HostFile(
    name="plugins/installed_plugins.json",
    ours=(("plugins", PLUGIN),),
    blank={"version": 2, "plugins": {}},
)
HOST_FILES = (SETTINGS, MARKETPLACES, PLUGINS)


def folder(settings: Json) -> str:
    """Return the folder whose plugin *settings* switch on; empty if they switch on none."""
    source = _at(settings, ("extraKnownMarketplaces", MARKETPLACE, "source"))
    enabled = _at(settings, ("enabledPlugins", PLUGIN))
    if enabled is not True or not isinstance(source, dict) or source.get("source") != "directory":
        return ""
    return str(source.get("path", ""))


def directory(settings: Json, marketplaces: Json) -> str:
    """Return the folder that the plugin is from, switched on or not; empty if it is from none."""
    source = _source(settings, marketplaces)
    return str(source.get("path", "")) if source.get("source") == "directory" else ""


def other_source(settings: Json, marketplaces: Json) -> str:
    """Say where the plugin comes from if it is from a repository rather than from a folder.

    >>> github = {"source": {"source": "github", "repo": "someone/recollect"}}
    >>> other_source({"extraKnownMarketplaces": {"recollect": github}}, {})
    'github someone/recollect'
    >>> other_source({}, {"recollect": {"source": {"source": "directory", "path": "/home/me"}}})
    ''
    """
    source = _source(settings, marketplaces)
    if source.get("source") in (None, "directory"):
        return ""
    return " ".join(map(str, source.values()))


def with_plugin(settings: Json, folder: str) -> Json:
    """Return *settings* in which the plugin in *folder* is switched on."""
    source = {"source": "directory", "path": folder}
    added: dict[str, Json] = {
        "extraKnownMarketplaces": {MARKETPLACE: {"source": source}},
        "enabledPlugins": {PLUGIN: True},
    }
    return {**settings, **{key: {**settings.get(key, {}), **new} for key, new in added.items()}}


def without_plugin(file: HostFile, value: Json, *, before: Json | None) -> Json:
    """Return the *value* of *file* without our entries.

    What is empty then goes as well, unless it was there *before* or the host wants it; if nobody
    knows what was there before, it goes if our entry was the last.
    """
    for *outer, key in file.ours:
        if not outer:
            value = less(value, key)
        elif isinstance(inside := value.get(outer[0]), dict):
            rest = less(inside, key)
            was_there = rest == inside if before is None else outer[0] in before
            stays = rest or was_there or outer[0] in file.blank
            value = {**value, outer[0]: rest} if stays else less(value, outer[0])
    return value


def misshapen(settings: Json) -> str:
    """Name the entry of *settings* that should hold entries and does not; empty if all is well."""
    outer = (keys[0] for keys in SETTINGS.ours)
    return next((key for key in outer if not isinstance(settings.get(key, {}), dict)), "")


def _source(settings: Json, marketplaces: Json) -> Json:
    """Where the plugin comes from, as the settings declare it or the host knows it."""
    declared = _at(settings, ("extraKnownMarketplaces", MARKETPLACE, "source"))
    source = declared or _at(marketplaces, (MARKETPLACE, "source"))
    return source if isinstance(source, dict) else {}


def _at(value: object, keys: tuple[str, ...]) -> object:
    """Return what stands under *keys*, from the outside in; None if there is nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
