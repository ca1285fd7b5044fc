"""A host: an agent that Recollect captures sessions of, as one descriptor.

A module of this package that defines a `HOST` adds one. How its log is read is said by the
`READER` of its module in `transcripts`; what is copied into it lies in `plugins`.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.hosts.plan import SetupPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """A host on this machine; *version* is empty if nobody asked, or it does not tell."""

    executable: str
    version: str
    config: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What there is to know of one host to switch Recollect on in it, and to leave it."""

    name: str
    """What the host is called in commands and in memories."""
    title: str
    """What its maker calls it."""
    config_folder: Callable[[], Path]
    """Returns the folder of its settings."""
    find: Callable[[], Installation | None]
    """Returns the host, if it is on this machine."""
    setup: Callable[[str, Installation], SetupPlan]
    """Returns what is left to do until the installation has Recollect, in a home."""
    removal: Callable[[str, Path], SetupPlan]
    """Returns what is left to do until the host, set up in a folder, knows nothing of a home."""
    is_on: Callable[[str], bool]
    """Tells whether the host has our hooks for a home."""
    how_to_install: str = "it is not on the PATH"
    """What is said where the host is asked for and not found."""
    welcome: str = ""
    """What the user is told once it is set up, instead of what is said of any host."""


def find(name: str, config_folder: Callable[[], Path], *places: str) -> Installation | None:
    """Return the program *name* on the PATH, or in one of the *places* installers choose.

    It is not run: asking one for its version takes up to eight seconds, and nothing depends on it.
    """
    looked_for = (name, *map(os.path.expanduser, places))
    executable = next(filter(None, map(shutil.which, looked_for)), None)
    if not executable:
        return None
    path = os.path.abspath(executable)
    return Installation(executable=path, version="", config=config_folder())
