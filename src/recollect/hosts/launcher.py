"""What starts hooks and tools: the plugin's copy in Recollect's home, and a record of its Python.

Each host's plan begins with what is missing of it; it goes when the last host is left.
"""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from recollect.hosts import home as own
from recollect.hosts.documents import Json
from recollect.hosts.plan import Step, short

# In the plugin's copy: runs the command by the recorded Python.
SCRIPT = "claude-code/bin/recollect"

VARIABLE = "RECOLLECT_HOME"


def installing(home: str) -> Iterator[Step]:
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


def uninstalling(home: str) -> Iterator[Step]:
    """Yield the removal of it all, if anything of it is there; memories stay."""
    if own.is_set_up(home):
        line = f"Remove the plugin's copy and the record of its Python from {short(home)}"
        yield Step(line=line, do=partial(_uninstall, home))


def server(home: str) -> Json:
    """Return how the MCP server is started, in the words that most clients share.

    The script looks up the recorded Python, so a moved environment leaves no dead path. Clients
    pass little of the environment on: another home than the usual one is named.
    """
    started: Json = {"command": str(own.plugin(home) / SCRIPT), "args": ["mcp"]}
    return started | ({"env": variables(home)} if variables(home) else {})


def variables(home: str) -> dict[str, str]:
    """Return what must be set for programs of ours to find *home*: nothing for the usual one."""
    return {} if Path(home) == Path(usual_home()) else {VARIABLE: home}


def usual_home() -> str:
    """Return where the home is if nobody chose another."""
    return str(Path.home() / ".recollect")


def home_of(entry: object) -> str | None:
    """Return the home whose script *entry* of a client starts; None if it starts none of ours.

    >>> home_of({"command": [f"/home/ada/.recollect/plugin/{SCRIPT}", "mcp"]})
    '/home/ada/.recollect'
    >>> home_of({"command": "/opt/recollect"}), home_of({"url": "https://team.example"})
    (None, None)
    """
    fields = entry if isinstance(entry, Mapping) else {}
    command = fields.get("command", fields.get("cmd"))
    script = str(command[0] if isinstance(command, list) and command else command)
    end = f"/plugin/{SCRIPT}"
    return script.removesuffix(end) if script.endswith(end) else None


def is_same(home: str, other: str | None) -> bool:
    """Tell whether *home* and *other* are one folder, whatever links lead to it."""
    return other is not None and _real(home) == _real(other)


def stays(other: str) -> str:
    """Say that what is set up for the home *other* stays, and how it is removed."""
    command = f"{VARIABLE}={shlex.quote(other)} recollect uninstall"
    return f"What is set up for {short(other)} stays. This removes it: {command}"


def _real(home: str) -> str:
    return os.path.realpath(os.path.expanduser(home))


def _uninstall(home: str) -> None:
    """Backups that a host's own removal had no use for go as well; those of state.db are files."""
    for backed_up in Path(home, "backups").glob("*/"):
        own.remove(backed_up)
    own.forget(home)
