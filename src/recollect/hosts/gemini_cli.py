"""Gemini CLI: Recollect as an extension, a folder that the client finds by itself.

Nothing of the user's is edited. Its settings would be the other way, but they may hold comments.
"""

import contextlib
import json
import os
import re
from functools import partial
from pathlib import Path

from recollect.hosts import copies, host, launcher, settings_file
from recollect.hosts.copies import CopiedPlugin
from recollect.hosts.documents import Json
from recollect.hosts.host import Host, Installation
from recollect.hosts.plan import SetupPlan, joined
from recollect.hosts.settings_file import SettingsFile

NAME = "gemini-cli"

MANIFEST = "gemini-extension.json"

# Written by `gemini extensions install` and `link`: then the extension is in the client's care.
INSTALLED = ".gemini-extension-install.json"

# How a script of ours is started, in double quotes. The client would put the folder's name there as
# it is, so that a `$` or a quote in it were the shell's.
START = 'sh "${extensionPath}/'


def config_folder() -> Path:
    """Return the client's folder: `~/.gemini`, or the one in `$GEMINI_CLI_HOME`."""
    return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini"


def setup(home: str, found: Installation) -> SetupPlan:
    """Return what is left to do until *found* has Recollect: nothing, the second time."""
    folder = extension(found.config)
    steps = [*launcher.recording(home)]
    if (folder / INSTALLED).exists():
        note = "The extension was installed by Gemini CLI, and stays as it is."
        return SetupPlan(
            steps=tuple(steps), note=f"{note} `gemini extensions update recollect` updates it."
        )
    if copies.is_foreign(folder):
        return SetupPlan(steps=(), note=copies.in_the_way(folder), is_blocked=True)
    copying = _copy(found.config).adding(home, wanted(folder, home))
    return joined([SetupPlan(steps=tuple(steps)), copying])


def removal(home: str, config: Path) -> SetupPlan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    folder = extension(config)
    if (folder / INSTALLED).exists():
        return SetupPlan(steps=(), note="This removes it: gemini extensions uninstall recollect")
    of = _home(folder)
    copy = _copy(config).removing(home, of=of)
    if not launcher.is_same(home, of):
        return copy
    chosen = SettingsFile(host=NAME, path=_enablement(config), about=(("recollect",),))
    return joined([settings_file.removing(home, chosen), copy])


def is_on(home: str) -> bool:
    """Tell whether the client finds our extension, for this *home* or in its own care."""
    folder = extension(config_folder())
    if (folder / INSTALLED).exists():
        return (folder / MANIFEST).exists()
    return launcher.is_same(home, _home(folder))


def extension(config: Path) -> Path:
    """Return the folder of our extension, which the client loads because it is there."""
    return config / "extensions" / "recollect"


def wanted(folder: Path, home: str) -> dict[str, bytes]:
    """Return the files of the extension in *folder*, for Recollect's *home*."""
    # The scripts first: a copy that was cut short is known by them.
    ours = copies.scripts() | copies.shipped(NAME)
    variables = launcher.variables(home)
    setting = "".join(f'{name}="{_quoted(value)}" ' for name, value in variables.items())
    start = f'{setting}sh "{_quoted(str(folder))}/'
    return {name: _filled(name, content, start) for name, content in ours.items()} | {
        MANIFEST: _with_variables(ours[MANIFEST], variables)
    }


def _home(folder: Path) -> str | None:
    """The home that our extension in *folder* is for; None if it is not there, or not ours."""
    if not copies.is_ours(folder):
        return None
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        manifest = json.loads((folder / MANIFEST).read_bytes())
        return str(manifest["mcpServers"]["recollect"]["env"][launcher.VARIABLE])
    return launcher.usual_home()


def _copy(config: Path) -> CopiedPlugin:
    return CopiedPlugin(host=NAME, path=extension(config), kind="extension")


def _filled(name: str, content: bytes, start: str) -> bytes:
    """*content* of the file *name*, in which scripts are started by *start*."""
    encode = _in_json if name.endswith(".json") else str
    return content.replace(os.fsencode(encode(START)), os.fsencode(encode(start)))


def _with_variables(manifest: bytes, variables: Json) -> bytes:
    """*manifest* with *variables* for the server of the memory's tools."""
    if not variables:
        return manifest
    value = json.loads(manifest)
    value["mcpServers"]["recollect"]["env"] = variables
    return os.fsencode(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _quoted(name: str) -> str:
    r"""*name* for a shell's double quotes, never with three single ones: they would end the TOML.

    >>> print(_quoted('/$x/"y"'))
    /\$x/\"y\"
    """
    return re.sub(r'[\\"$`]', r"\\\g<0>", name).replace("'", '\'""')


def _in_json(text: str) -> str:
    """*text* as a part of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _enablement(config: Path) -> Path:
    """Where the client notes which extensions are switched off, and in which folders."""
    return config / "extensions" / "extension-enablement.json"


HOST = Host(
    name=NAME,
    title="Gemini CLI",
    config_folder=config_folder,
    find=partial(host.find, "gemini", config_folder),
    setup=setup,
    removal=removal,
    is_on=is_on,
)
