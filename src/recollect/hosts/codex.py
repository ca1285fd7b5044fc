"""Codex: hooks in its hooks.json, and the memory's tools in its config.toml.

Both files are the user's, too: ours is added behind what is there, and taken out again alone. Which
hooks the user has reviewed is Codex' own record; we read it and never write it.
"""

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
from recollect.hosts.documents import Document
from recollect.hosts.entries import Json
from recollect.hosts.plan import Plan, Step

NAME = "codex"
TITLE = "Codex"

HOOKS = HooksFile()
SETTINGS = "config.toml"

UNCHANGED = "Nothing was changed. Correct the file, then try again."

REVIEW = (
    "Codex runs hooks only after you have seen them: start `codex` once and choose"
    " “Trust all and continue”, or type /hooks. Until then nothing is kept, and `codex exec`"
    " does not say so."
)


def find() -> Installation | None:
    """Return Codex, if it is on this machine."""
    return programs.find("codex", config=config_folder())


def config_folder() -> Path:
    """Return the client's folder: `$CODEX_HOME`, else `~/.codex`."""
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")


def setup(home: str, found: Installation) -> Plan:
    """Return what is left to do until *found* has Recollect: nothing, the second time.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    tools, note = _serving(home, found.config)
    steps = (*footing.laying(home), *_hooking(home, found.config), *tools)
    notes = [note, "" if is_reviewed(home, found.config) else REVIEW]
    return Plan(steps=steps, note="\n".join(filter(None, notes)))


def removal(home: str, config: Path) -> Plan:
    """Return what is left to do until the client in *config* knows nothing of us; memories stay.

    Raises `HostError`, with nothing changed, if a file of the host cannot be understood or written.
    """
    steps = [*_unhooking(home, config), *_unserving(config)]
    copies = footing.keepsakes(home, NAME)
    if copies.exists():
        line = f"Remove the copies of them from {footing.short(copies)}"
        steps.append(Step(line=line, do=partial(own.remove, copies)))
    return Plan(steps=tuple(steps))


def is_on(home: str) -> bool:
    """Tell whether Codex has our hooks for this *home*, reviewed or not.

    Raises `HostError` if its hooks cannot be read.
    """
    return codex_hooks.stand(_hooks(config_folder()).value, groups(home))


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
    launcher = own.plugin(home) / "claude-code" / "hooks" / "launch.sh"
    return codex_hooks.wanted(launcher, variables=footing.server(home).get("env", {}))


def _hooking(home: str, config: Path) -> Iterator[Step]:
    hooks = _hooks(config)
    if codex_hooks.with_ours(hooks.value, groups(home)) == hooks.value:
        return
    documents.check_writable(hooks.path)
    name = footing.short(hooks.path)
    line = f"Add {len(codex_hooks.TIMEOUTS)} hooks at the end of {name}, and keep a copy of it"
    yield Step(line=line, do=partial(_add_hooks, home, config))


def _unhooking(home: str, config: Path) -> Iterator[Step]:
    hooks = _hooks(config)
    content = _without_hooks(home, hooks)
    if content == hooks.content:
        return
    documents.check_writable(hooks.path)
    name = footing.short(hooks.path)
    line = f"Remove our hooks from {name}; the rest stays"
    if content is None:
        line = f"Remove {name}, which was not there before"
    yield Step(line=line, do=partial(_remove_hooks, home, config))


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
        return [], f"{note}codex mcp add recollect -- {server['command']} mcp"
    documents.check_writable(config / SETTINGS)
    line = f"Add {codex_server.KEY} to {name}; nothing else in it moves"
    return [Step(line=line, do=partial(_add_server, home, config))], ""


def _unserving(config: Path) -> Iterator[Step]:
    text = _settings(config)
    if codex_server.without_server(text) == text:
        return
    documents.check_writable(config / SETTINGS)
    line = f"Remove {codex_server.KEY} from {footing.short(config / SETTINGS)}; the rest stays"
    yield Step(line=line, do=partial(_remove_server, config))


def _add_hooks(home: str, config: Path) -> None:
    hooks = _hooks(config)
    keepsake.keep(footing.keepsakes(home, NAME), HOOKS, hooks)
    value = codex_hooks.with_ours(hooks.value, groups(home))
    documents.write(hooks.path, documents.rendered(value, like=hooks.content))


def _remove_hooks(home: str, config: Path) -> None:
    hooks = _hooks(config)
    documents.write(hooks.path, _without_hooks(home, hooks))


def _without_hooks(home: str, hooks: Document) -> bytes | None:
    before = keepsake.kept(footing.keepsakes(home, NAME), HOOKS)
    return keepsake.left_behind(HOOKS, hooks, before)


def _add_server(home: str, config: Path) -> None:
    _write(config / SETTINGS, codex_server.with_server(_settings(config), footing.server(home)))


def _remove_server(config: Path) -> None:
    _write(config / SETTINGS, codex_server.without_server(_settings(config)))


def _hooks(config: Path) -> Document:
    document = documents.read(config / HOOKS.name)
    if key := codex_hooks.misshapen(document.value):
        raise HostError(f"{document.path}: {key} is not what it should be", hint=UNCHANGED)
    return document


def _settings(config: Path) -> str:
    """The text of the client's settings; empty if it has none."""
    path = config / SETTINGS
    try:
        text = path.read_bytes().decode() if path.exists() else ""
        tomllib.loads(text)
    except OSError as error:
        raise HostError(f"{path}: cannot be read: {error.strerror}", hint=UNCHANGED) from error
    except ValueError as error:
        raise HostError(f"{path}: not valid TOML: {error}", hint=UNCHANGED) from error
    return text


def _write(path: Path, text: str) -> None:
    """Write the settings; a file that would be empty was made for us alone."""
    documents.write(path, text.encode() if text else None)
