"""Hosts other than Claude Code, as programs: they are looked for and never run.

Asking one for its version takes up to eight seconds, and nothing depends on the answer.
"""

import os
import shutil
from pathlib import Path

from recollect.hosts.client import Installation


def find(name: str, *, config: Path, places: tuple[str, ...] = ()) -> Installation | None:
    """Return the program *name* on the PATH, or in one of the *places* installers choose."""
    looked_for = (name, *map(os.path.expanduser, places))
    executable = next(filter(None, map(shutil.which, looked_for)), None)
    if not executable:
        return None
    return Installation(executable=os.path.abspath(executable), version="", config=config)
