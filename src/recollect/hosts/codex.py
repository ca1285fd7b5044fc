"""Codex: hooks in its hooks.json, and the memory's tools in its config.toml.

Both files are the user's, too: ours is added behind what is there, and taken out again alone. Which
hooks the user has reviewed is Codex' own record; we read it and never write it.
"""

import codecs
import os
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import codex_hooks, codex_server, documents, footing, keepsake, programs
from recollect.hosts import home as own
from recollect.hosts.client import Installation
from recollect.hosts.codex_hooks import HooksFile
from recollect.hosts.documents import JsonFile
from recollect.hosts.entries import Json
from recollect.hosts.plan import SetupPlan, Step, joined

NAME = "codex"
TITLE = "Codex"

HOOKS = HooksFile()
LAUNCHER = "claude-code/hooks/launch.sh"
SETTINGS = "config.toml"

UNCHANGED = "Nothing was changed. Correct the file, then try again."

REVIEW = (
    "The hooks are not reviewed yet. Codex runs them only after you have seen them: start `codex`"
    " once and choose “Trust all and continue”, or type /hooks. Until then nothing is kept, and"
    " `codex exec` does not say so."
)


def find() -> Installation | None:
    """Return Codex, if it is on this machine."""
    return programs.find("codex", config=config_folder())


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
    tools, note = _serving(home, found.config)
    steps = (*footing.laying(home), *_hooking(home, found.config), *tools)
    waits = not is_reviewed(home, found.config)
    notes = [note, REVIEW if waits else ""]
    return SetupPlan(steps=steps, note="\n".join(filter(None, notes)), is_blocked=waits)


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us; memories stay.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    plans = [_unhooking(home, config), _unserving(home, config)]
    copies = footing.keepsakes(home, NAME)
    if copies.exists():
        line = f"Remove the copies of them from {footing.short(copies)}"
        plans.append(SetupPlan(steps=(Step(line=line, do=partial(own.remove, copies)),)))
    return joined(plans)


def is_on(home: str) -> bool:
    """Tell whether Codex has a hook of ours for this *home*, reviewed or not, or our tools.

    Raises `HostError` if its files cannot be understood.
    """
    config = config_folder()
    tools = codex_server.home_of(_our_settings(config))
    return any(footing.is_same(home, one) for one in (*_homes(_our_hooks(config)), tools))


def is_reviewed(home: str, config: Path) -> bool:
    """Tell whether the user has reviewed every hook of ours, as far as Codex' record says.

    It may have been another version of the hook.
    """
    hooks = _hooks(config)
    keys = codex_hooks.review_keys(hooks.path, hooks.value, groups(home))
    known = codex_server.reviewed(_settings(config))
    return len(keys) == len(codex_hooks.TIMEOUTS) and known.issuperset(keys)


def groups(home: str) -> Json:
    """Return our groups of hooks by event, for this *home*."""
    return codex_hooks.wanted(own.plugin(home) / LAUNCHER, variables=footing.variables(home))


def _hooking(home: str, config: Path) -> Iterator[Step]:
    hooks = _hooks(config)
    if codex_hooks.with_ours(hooks.value, groups(home)) == hooks.value:
        return
    documents.check_writable(hooks.path)
    name = footing.short(hooks.path)
    line = f"Add {len(codex_hooks.TIMEOUTS)} hooks at the end of {name}, and keep a copy of it"
    if _homes(hooks):
        line = f"Bring our hooks in {name} up to date"
    yield Step(line=line, do=partial(_add_hooks, home, config))


def _unhooking(home: str, config: Path) -> SetupPlan:
    hooks = _our_hooks(config)
    homes, content = _homes(hooks), _without_hooks(home, hooks)
    if content == hooks.content:
        return SetupPlan(steps=())
    if not any(footing.is_same(home, one) for one in homes):
        notes = [footing.elsewhere(one) for one in homes]
        return SetupPlan(steps=(), note="\n".join(notes))
    documents.check_writable(hooks.path)
    name = footing.short(hooks.path)
    line = f"Remove our hooks from {name}; the rest stays"
    if content is None:
        line = f"Remove {name}, which was not there before"
    return SetupPlan(steps=(Step(line=line, do=partial(_remove_hooks, home, config)),))


def _serving(home: str, config: Path) -> tuple[list[Step], str]:
    """What is left to do until Codex has our tools, or why that is left to the user."""
    text, name = _settings(config), footing.short(config / SETTINGS)
    server = footing.server(home)
    if codex_server.is_anothers(text):
        return [], f"{name} has a server called recollect already, which stays as it is."
    if codex_server.stands(text, server):
        return [], ""
    try:
        codex_server.with_server(text, server)
    except ValueError:
        note = f"{name} is written in a way of its own and left as it is. To have the tools: "
        return [], f"{note}{codex_server.command(server)}"
    documents.check_writable(config / SETTINGS)
    line = f"Add {codex_server.KEY} to {name}, and keep a copy of it; nothing else in it moves"
    if codex_server.home_of(text):
        line = f"Bring {codex_server.KEY} in {name} up to date; nothing else in it moves"
    return [Step(line=line, do=partial(_add_server, home, config))], ""


def _unserving(home: str, config: Path) -> SetupPlan:
    text, path = _our_settings(config), config / SETTINGS
    there = codex_server.home_of(text)
    if there is None:
        return SetupPlan(steps=())
    if not footing.is_same(home, there):
        return SetupPlan(steps=(), note=footing.elsewhere(there))
    try:
        codex_server.without_server(text)
    except ValueError:
        note = f"{footing.short(path)} is written in a way of its own: remove {codex_server.KEY}"
        return SetupPlan(steps=(), note=f"{note} yourself.")
    documents.check_writable(path)
    line = f"Remove {codex_server.KEY} from {footing.short(path)}; the rest stays"
    return SetupPlan(steps=(Step(line=line, do=partial(_remove_server, home, config)),))


def _add_hooks(home: str, config: Path) -> None:
    hooks = _hooks(config)
    earlier = (footing.keepsakes(one, NAME) for one in _homes(hooks))
    keepsake.keep(footing.keepsakes(home, NAME), HOOKS, hooks, earlier=earlier)
    value = codex_hooks.with_ours(hooks.value, groups(home))
    documents.write(hooks.path, documents.rendered(value, like=hooks.content))


def _remove_hooks(home: str, config: Path) -> None:
    hooks = _hooks(config)
    keepsake.give_back(_copy(home, HOOKS.name), hooks.path, _without_hooks(home, hooks))


def _without_hooks(home: str, hooks: JsonFile) -> bytes | None:
    before = keepsake.kept(footing.keepsakes(home, NAME), HOOKS)
    return keepsake.left_behind(HOOKS, hooks, before)


def _add_server(home: str, config: Path) -> None:
    path, text = config / SETTINGS, _settings(config)
    copy, there = _copy(home, SETTINGS), codex_server.home_of(text)
    if there is None:
        keepsake.keep_bytes(copy, path.read_bytes() if path.exists() else None, of=path)
    else:
        keepsake.take_over(copy, [_copy(there, SETTINGS)])
    documents.write(path, _encoded(path, codex_server.with_server(text, footing.server(home))))


def _remove_server(home: str, config: Path) -> None:
    path, copy = config / SETTINGS, _copy(home, SETTINGS)
    text = codex_server.without_server(_settings(config))
    is_gone = not text and keepsake.was_absent(copy)
    keepsake.give_back(copy, path, None if is_gone else _encoded(path, text))


def _copy(home: str, name: str) -> Path:
    return footing.keepsakes(home, NAME) / name


def _hooks(config: Path) -> JsonFile:
    document = documents.read(config / HOOKS.name)
    if key := codex_hooks.misshapen(document.value):
        raise HostError(f"{document.path}: {key} is not what it should be", hint=UNCHANGED)
    return document


def _our_hooks(config: Path) -> JsonFile:
    """The hooks; none if the file does not name us, whatever else is wrong with it."""
    path = config / HOOKS.name
    return (
        _hooks(config) if documents.names_us(path) else JsonFile(path=path, content=None, value={})
    )


def _homes(hooks: JsonFile) -> list[str]:
    """The homes that our hooks in the file are for."""
    launchers = sorted(codex_hooks.launchers(hooks.value))
    return [launcher.removesuffix(f"/plugin/{LAUNCHER}") for launcher in launchers]


def _our_settings(config: Path) -> str:
    """The settings; empty if they do not name us, whatever else is wrong with them."""
    return _settings(config) if documents.names_us(config / SETTINGS) else ""


def _settings(config: Path) -> str:
    """The text of the client's settings, without the mark that some editors begin it with."""
    path = config / SETTINGS
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        tomllib.loads(text)
    except OSError as error:
        raise HostError(f"{path}: cannot be read: {error.strerror}", hint=UNCHANGED) from error
    except ValueError as error:
        raise HostError(f"{path}: not valid TOML: {error}", hint=UNCHANGED) from error
    return text


def _encoded(path: Path, text: str) -> bytes:
    """The settings as they are written to *path*; they begin as they did."""
    is_marked = path.exists() and path.read_bytes().startswith(codecs.BOM_UTF8)
    return text.encode("utf-8-sig" if is_marked else "utf-8")
