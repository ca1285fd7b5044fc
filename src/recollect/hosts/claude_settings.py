"""Which entries in Claude Code's own files are ours. Pure: JSON in, JSON out."""

from collections.abc import Mapping
from pathlib import Path

from recollect.hosts.documents import Json
from recollect.hosts.settings_file import SettingsFile

NAME = "claude-code"

MARKETPLACE = "recollect"
PLUGIN = f"recollect@{MARKETPLACE}"


def settings(config: Path) -> SettingsFile:
    """Return the host's settings in *config*."""
    entries = (
        ("extraKnownMarketplaces", MARKETPLACE),
        ("enabledPlugins", PLUGIN),
        ("pluginConfigs", PLUGIN),
    )
    return _file(config / "settings.json", *entries)


def marketplaces(config: Path) -> SettingsFile:
    """Return the host's list of marketplaces in *config*."""
    return _file(config / "plugins/known_marketplaces.json", (MARKETPLACE,))


def plugins(config: Path) -> SettingsFile:
    """Return the host's list of plugins in *config*."""
    blank = {"version": 2, "plugins": {}}
    return _file(config / "plugins/installed_plugins.json", ("plugins", PLUGIN), blank=blank)


def _file(path: Path, *entries: tuple[str, ...], blank: Json | None = None) -> SettingsFile:
    return SettingsFile(
        host=NAME, path=path, entries=entries, blank=blank or {}, may_have_comments=False
    )


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


def misshapen(settings: Json) -> str:
    """Name the entry of *settings* that should hold entries and does not; empty if all is well."""
    outer = ("extraKnownMarketplaces", "enabledPlugins", "pluginConfigs")
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
