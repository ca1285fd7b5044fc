"""Claude Code: find it, switch Recollect on in it, and leave it as it was.

Switching on goes through `claude plugin`; where that fails, two entries in the host's settings
do the same. Leaving needs no client: our entries are known, and whatever else the user changed
meanwhile stays. The host's own uninstall would reformat the settings and leave files behind.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import recollect
from recollect.errors import HostError
from recollect.hosts import backups, claude_settings, client, documents, launcher, settings_file
from recollect.hosts import home as own
from recollect.hosts.claude_settings import PLUGIN
from recollect.hosts.documents import HostDocument
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, Step, joined, short

NAME = claude_settings.NAME

FILES = (claude_settings.settings, claude_settings.marketplaces, claude_settings.plugins)

# What the host makes for a plugin, below its own folder.
LEFTOVERS = ("plugins/cache/recollect", "plugins/data/recollect-recollect")


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    settings = settings_file.read(claude_settings.settings(found.config))
    marketplaces = settings_file.read(claude_settings.marketplaces(found.config))
    if key := claude_settings.misshapen(settings.value):
        raise HostError(f"{settings.path}: {key} must be an object", hint="Nothing was changed.")
    source = claude_settings.other_source(settings.value, marketplaces.value)
    if source:
        note = f"The plugin comes from {source} and stays as it is; `claude plugin update {PLUGIN}`"
        return SetupPlan(
            steps=tuple(launcher.recording(home)), note=f"{note} brings it up to date."
        )
    registered = _is_registered(home, settings)
    steps = [*_copying(home, found, registered=registered), *launcher.recording(home)]
    if not registered:
        documents.check_writable(settings.path)
        steps += _registering(home, found, settings)
    return SetupPlan(steps=tuple(steps))


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the host in *config* knows nothing of us; memories stay.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    settings, marketplaces = _ours(config)
    source = claude_settings.other_source(settings.value, marketplaces.value)
    if source:
        note = f"The plugin comes from {source}; this removes it: claude plugin uninstall {PLUGIN}"
        return SetupPlan(steps=(), note=note)
    other = _home(settings, marketplaces)
    if other and not launcher.is_same(home, other):
        return SetupPlan(steps=(), note=launcher.stays(other))
    files = (one(config) for one in FILES)
    leaving = (settings_file.removing(home, file) for file in files)
    return joined([*leaving, SetupPlan(steps=tuple(_sweeping(config)))])


def is_on(home: str) -> bool:
    """Tell whether Claude Code's settings have our plugin, from this *home* or another source.

    Raises `HostError` if they cannot be read.
    """
    config = client.config_folder()
    settings, marketplaces = _ours(config)
    other = claude_settings.other_source(settings.value, marketplaces.value)
    return bool(other) or _is_registered(home, settings)


def _copying(home: str, found: Installation, *, registered: bool) -> Iterator[Step]:
    steps = tuple(launcher.copying(home))
    yield from steps
    if steps and registered:
        line = f"Tell Claude Code that the plugin is now {recollect.__version__}"
        yield Step(line=line, do=partial(_update, home, found))


def _registering(home: str, found: Installation, settings: HostDocument) -> Iterator[Step]:
    name, copies = short(settings.path), short(backups.folder(home, NAME))
    is_new = not claude_settings.settings(found.config).ours(settings.value)
    kept = f"a copy of {name} as it is now" if is_new else f"the copy of {name} from before us"
    yield Step(line=f"Keep {kept} in {copies}", do=partial(_keep, home, found.config))
    yield Step(
        line="Switch the plugin on by `claude plugin`: adds an entry to extraKnownMarketplaces"
        f" and one to enabledPlugins in {name}",
        do=partial(_register, home, found),
    )


def _sweeping(config: Path) -> Iterator[Step]:
    left = [config / name for name in LEFTOVERS if (config / name).exists()]
    if left:
        line = f"Remove what Claude Code made for the plugin: {', '.join(map(short, left))}"
        yield Step(line=line, do=partial(_sweep, left))


def _keep(home: str, config: Path) -> None:
    there = _home(*_ours(config))
    earlier = [backups.folder(there, NAME)] if there else []
    for file in (one(config) for one in FILES):
        backups.keep(backups.folder(home, NAME), file, settings_file.read(file), earlier=earlier)


def _register(home: str, found: Installation) -> str:
    """Switch the plugin on; say so if the client could not do it and its settings were written."""
    folder = str(own.plugin(home))
    trouble = client.plugin(
        found, home, ("marketplace", "add", folder), ("install", PLUGIN, "--scope", "user")
    )
    settings = settings_file.read(claude_settings.settings(found.config))
    if _is_registered(home, settings):
        return ""
    value = claude_settings.with_plugin(settings.value, folder)
    documents.write(settings.path, documents.rendered(value, like=settings.content))
    reason = trouble or "it changed nothing"
    return f"`claude plugin` could not do it ({reason}), so the entries were written directly."


def _update(home: str, found: Installation) -> str:
    """The client reads the plugin where it is; only its own list would show the old version."""
    trouble = client.plugin(found, home, ("update", PLUGIN))
    return f"It lists the old version for now ({trouble}), but runs the new one." if trouble else ""


def _sweep(folders: list[Path]) -> None:
    for folder in folders:
        own.remove(folder)


def _home(settings: HostDocument, marketplaces: HostDocument) -> str | None:
    """The home whose plugin Claude Code knows, switched on or not; None if there is none."""
    folder = Path(claude_settings.directory(settings.value, marketplaces.value))
    home = str(folder.parent)
    return home if folder == own.plugin(home) else None


def _is_registered(home: str, settings: HostDocument) -> bool:
    """Links count as what they lead to: the client may have resolved them."""
    folder = claude_settings.folder(settings.value)
    return bool(folder) and os.path.realpath(folder) == os.path.realpath(own.plugin(home))


def _ours(config: Path) -> tuple[HostDocument, HostDocument]:
    """The settings and the list of marketplaces, as far as they may be about us."""
    files = (claude_settings.settings(config), claude_settings.marketplaces(config))
    settings, marketplaces = map(settings_file.read_if_ours, files)
    return settings, marketplaces


HOST = Host(
    name=NAME,
    title="Claude Code",
    config_folder=client.config_folder,
    find=client.find,
    setup=setup,
    removal=removal,
    is_on=is_on,
    how_to_install="no `claude` on the PATH (https://code.claude.com)",
    welcome=(
        "\nRecollect is on. Start [bold]claude[/bold] in a project and work as always;"
        " [bold]/recollect:help[/bold] shows what it knows."
        "\nSessions that are open now take it up with [bold]/reload-plugins[/bold]."
    ),
)
