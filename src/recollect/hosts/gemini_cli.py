"""Gemini CLI: Recollect as an extension, a folder that the client finds by itself.

Nothing of the user's is edited. Its settings would be the other way, but they may hold comments.
"""

import os
from pathlib import Path

from recollect.hosts import copies, footing, own_entries, programs
from recollect.hosts.client import Installation
from recollect.hosts.own_entries import Place
from recollect.hosts.plan import Plan

NAME = "gemini-cli"
TITLE = "Gemini CLI"

# Written by `gemini extensions install` and `link`: then the extension is in the client's care.
INSTALLED = ".gemini-extension-install.json"

# The client fills this in, in its JSON files, but not in commands.
FOLDER = b"${extensionPath}"


def find() -> Installation | None:
    """Return Gemini CLI, if it is on this machine."""
    return programs.find("gemini", config=config_folder())


def config_folder() -> Path:
    """Return the client's folder: `~/.gemini`, or the one in `$GEMINI_CLI_HOME`."""
    return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini"


def setup(home: str, found: Installation) -> Plan:
    """Return what is left to do until *found* has Recollect: nothing, the second time."""
    folder = extension(found.config)
    steps = [*footing.recording(home)]
    if (folder / INSTALLED).exists():
        note = "The extension was installed by Gemini CLI, and stays as it is."
        return Plan(
            steps=tuple(steps), note=f"{note} `gemini extensions update recollect` updates it."
        )
    line = f"Copy the extension to {footing.short(folder)}"
    return Plan(steps=(*steps, *copies.putting(folder, wanted(folder), line=line)))


def removal(home: str, config: Path) -> Plan:
    """Return what is left to do until the client in *config* knows nothing of us."""
    folder = extension(config)
    if (folder / INSTALLED).exists():
        return Plan(steps=(), note="This removes it: gemini extensions uninstall recollect")
    chosen = Place(host=NAME, path=_enablement(config), keys=(("recollect",),))
    entry = own_entries.removing(home, chosen)
    return Plan(steps=(*copies.removing(folder), *entry.steps), note=entry.note)


def is_on(home: str) -> bool:  # noqa: ARG001 - every host is asked in the same words
    """Tell whether the client finds our extension."""
    return (extension(config_folder()) / "gemini-extension.json").exists()


def extension(config: Path) -> Path:
    """Return the folder of our extension, which the client loads because it is there."""
    return config / "extensions" / "recollect"


def wanted(folder: Path) -> dict[str, bytes]:
    """Return the files of the extension in *folder*."""
    ours = copies.shipped(NAME) | copies.scripts()
    return {
        name: content.replace(FOLDER, os.fsencode(folder)) if name.endswith(".toml") else content
        for name, content in ours.items()
    }


def _enablement(config: Path) -> Path:
    """Where the client notes which extensions are switched off, and in which folders."""
    return config / "extensions" / "extension-enablement.json"
