"""What every host stands on in Recollect's own home: the plugin's copy and its Python's record.

Each host's plan begins with what is missing of it; it goes when the last host is left.
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from recollect.hosts import home as own
from recollect.hosts.entries import Json
from recollect.hosts.plan import Step

# In the plugin's copy: runs the command by the recorded Python.
SCRIPT = "claude-code/bin/recollect"

# What is said of a plugin of ours starts nothing; it says this and no more.
ABOUT_PLUGINS = ({"enabled", "hooks"}, {"overrides"})


def laying(home: str) -> Iterator[Step]:
    """Yield what is left to do until hooks and servers can be started from *home*."""
    yield from copying(home)
    yield from recording(home)


def copying(home: str) -> Iterator[Step]:
    """Yield the copying of the plugin, unless the copy is as it should be."""
    if not own.has_plugin(home):
        line = f"Copy the plugin to {short(own.plugin(home))}"
        yield Step(line=line, do=partial(own.copy_plugin, home))


def recording(home: str) -> Iterator[Step]:
    """Yield the recording of this Python, unless it is recorded."""
    if not own.has_launch(home):
        line = f"Record the Python that runs the hooks: {short(sys.executable)}"
        yield Step(line=line, do=partial(own.record_launch, home))


def leaving(home: str) -> Iterator[Step]:
    """Yield the removal of it all, if anything of it is there; memories stay."""
    if own.is_set_up(home):
        line = f"Remove the plugin's copy and the record of its Python from {short(home)}"
        yield Step(line=line, do=partial(_leave, home))


def keepsakes(home: str, host: str) -> Path:
    """Return the folder of files of *host* as they were before us."""
    return own.keepsakes(home).with_name(host)


def server(home: str) -> Json:
    """Return how the MCP server is started, in the words that most clients share.

    The script looks up the recorded Python, so a moved environment leaves no dead path. Clients
    pass little of the environment on: another home than the usual one is named.
    """
    started: Json = {"command": str(own.plugin(home) / SCRIPT), "args": ["mcp"]}
    if Path(home) != Path.home() / ".recollect":
        started["env"] = {"RECOLLECT_HOME": home}
    return started


def is_ours(entry: object) -> bool:
    """Tell whether *entry* of a client, which has our name, is really ours.

    >>> is_ours({"command": [f"/p/{SCRIPT}", "mcp"]}), is_ours({"enabled": True, "hooks": {}})
    (True, True)
    >>> is_ours({"command": "/opt/recollect"}), is_ours({"url": "https://team.example"})
    (False, False)
    """
    if not isinstance(entry, dict):
        return False
    return SCRIPT in str(entry.get("command")) or entry.keys() in ABOUT_PLUGINS


def short(path: str | Path) -> str:
    """Return *path* as people write it, with `~`."""
    user = str(Path.home())
    return f"~{str(path)[len(user) :]}" if f"{path}/".startswith(f"{user}/") else str(path)


def _leave(home: str) -> None:
    """Copies that a host's own removal had no use for go as well; those of state.db are files."""
    for folder in own.keepsakes(home).parent.glob("*/"):
        own.remove(folder)
    own.forget(home)
