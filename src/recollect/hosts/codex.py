"""Codex: hooks in its hooks.json, and the memory's tools in its config.toml.

Both files are the user's, too: ours is added behind what is there, and taken out again alone. Which
hooks the user has reviewed is Codex' own record; we read it and never write it.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import backups, codex_hooks, documents, host, launcher, settings_file
from recollect.hosts import home as own
from recollect.hosts.codex_hooks import HooksFile
from recollect.hosts.documents import HostDocument, Json
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, Step, joined, short
from recollect.hosts.settings_file import TOML, SettingsFile

NAME = "codex"

HOOKS = HooksFile()
LAUNCHER = "claude-code/hooks/launch.sh"
SERVER = ("mcp_servers", "recollect")

REVIEW = (
    "The hooks are not reviewed yet. Codex runs them only after you have seen them: start `codex`"
    " once and choose “Trust all and continue”, or type /hooks. Until then nothing is kept, and"
    " `codex exec` does not say so."
)


def config_folder() -> Path:
    """Return the client's folder: `$CODEX_HOME`, else `~/.codex`.

    By that name it records which hooks were reviewed: links count as what they lead to in the
    variable, and as they are in the home folder.
    """
    chosen = os.environ.get("CODEX_HOME")
    return Path(chosen).resolve() if chosen else Path.home() / ".codex"


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    tools = settings_file.adding(home, _settings(found.config), {SERVER: launcher.server(home)})
    steps = (*launcher.installing(home), *_hooking(home, found.config), *tools.steps)
    waits = not is_reviewed(home, found.config)
    notes = [tools.note, REVIEW if waits else ""]
    return SetupPlan(steps=steps, note="\n".join(filter(None, notes)), is_blocked=waits)


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us; memories stay.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    # The other way round than they came: the last file takes the folder with it.
    return joined([settings_file.removing(home, _settings(config)), _unhooking(home, config)])


def is_on(home: str) -> bool:
    """Tell whether Codex has a hook of ours for this *home*, reviewed or not, or our tools.

    Raises `HostError` if its files cannot be understood.
    """
    config = config_folder()
    has_hooks = any(launcher.is_same(home, one) for one in _homes(_our_hooks(config)))
    return has_hooks or settings_file.is_on(home, _settings(config))


def is_reviewed(home: str, config: Path) -> bool:
    """Tell whether the user has reviewed every hook of ours, as far as Codex' record says.

    It may have been another version of the hook.
    """
    hooks = _hooks(config)
    keys = codex_hooks.review_keys(hooks.path, hooks.value, groups(home))
    state = settings_file.entry(_settings(config), ("hooks", "state"))
    known = state if isinstance(state, dict) else {}
    seen = {key for key, one in known.items() if isinstance(one, dict) and one.get("trusted_hash")}
    return len(keys) == len(codex_hooks.TIMEOUTS) and seen.issuperset(keys)


def groups(home: str) -> Json:
    """Return our groups of hooks by event, for this *home*."""
    return codex_hooks.wanted(own.plugin(home) / LAUNCHER, variables=launcher.variables(home))


def _hooking(home: str, config: Path) -> Iterator[Step]:
    hooks = _hooks(config)
    if codex_hooks.with_ours(hooks.value, groups(home)) == hooks.value:
        return
    documents.check_writable(hooks.path)
    name = short(hooks.path)
    line = f"Add {len(codex_hooks.TIMEOUTS)} hooks at the end of {name}, and keep a copy of it"
    if _homes(hooks):
        line = f"Bring our hooks in {name} up to date"
    yield Step(line=line, do=partial(_add_hooks, home, config))


def _unhooking(home: str, config: Path) -> SetupPlan:
    hooks = _our_hooks(config)
    homes, content = _homes(hooks), _without_hooks(home, hooks)
    if content == hooks.content:
        return SetupPlan(steps=())
    if not any(launcher.is_same(home, one) for one in homes):
        notes = [launcher.stays(one) for one in homes]
        return SetupPlan(steps=(), note="\n".join(notes))
    documents.check_writable(hooks.path)
    name = short(hooks.path)
    line = f"Remove our hooks from {name}; the rest stays"
    if content is None:
        line = f"Remove {name}, which was not there before"
    return SetupPlan(steps=(Step(line=line, do=partial(_remove_hooks, home, config)),))


def _add_hooks(home: str, config: Path) -> None:
    hooks = _hooks(config)
    earlier = (backups.folder(one, NAME) for one in _homes(hooks))
    backups.keep(backups.folder(home, NAME), HOOKS, hooks, earlier=earlier)
    value = codex_hooks.with_ours(hooks.value, groups(home))
    documents.write(hooks.path, documents.rendered(value, like=hooks.content))


def _remove_hooks(home: str, config: Path) -> None:
    hooks, copy = _hooks(config), backups.folder(home, NAME) / HOOKS.name
    backups.give_back(copy, hooks.path, _without_hooks(home, hooks))
    backups.forget(copy)


def _without_hooks(home: str, hooks: HostDocument) -> bytes | None:
    before = backups.kept(backups.folder(home, NAME), HOOKS)
    return backups.left_behind(HOOKS, hooks, before)


def _hooks(config: Path) -> HostDocument:
    document = documents.read(config / HOOKS.name)
    if key := codex_hooks.misshapen(document.value):
        hint = "Nothing was changed. Correct the file, then try again."
        raise HostError(f"{document.path}: {key} is not what it should be", hint=hint)
    return document


def _our_hooks(config: Path) -> HostDocument:
    """The hooks; none if the file does not name us, whatever else is wrong with it."""
    path = config / HOOKS.name
    return (
        _hooks(config)
        if documents.names_us(path)
        else HostDocument(path=path, content=None, value={})
    )


def _homes(hooks: HostDocument) -> list[str]:
    """The homes that our hooks in the file are for."""
    launchers = sorted(codex_hooks.launchers(hooks.value))
    return [launcher.removesuffix(f"/plugin/{LAUNCHER}") for launcher in launchers]


def _settings(config: Path) -> SettingsFile:
    return SettingsFile(host=NAME, path=config / "config.toml", servers=(SERVER,), format=TOML)


HOST = Host(
    name=NAME,
    title="Codex",
    config_folder=config_folder,
    find=partial(host.find, "codex", config_folder),
    setup=setup,
    removal=removal,
    is_on=is_on,
)
