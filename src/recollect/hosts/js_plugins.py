"""Plugins in JavaScript, which their hosts load without a word on where Recollect's home is."""

import json
import re
from pathlib import Path

from recollect.hosts import copies, launcher

# The line of a plugin that names the home, if it is not the usual one.
HOME = b'const CHOSEN_HOME = ""'
CHOSEN = re.compile(rb'^const CHOSEN_HOME = (".+")$', re.MULTILINE)


def at(home: str, plugin: bytes) -> bytes:
    """Return *plugin* for *home*."""
    chosen = launcher.variables(home).get(launcher.VARIABLE, "")
    return plugin.replace(HOME, f"const CHOSEN_HOME = {json.dumps(chosen)}".encode())


def home_of(plugin: Path) -> str | None:
    """Return the home that the *plugin* is for; None if it is not there, or not ours."""
    if not copies.is_ours(plugin):
        return None
    chosen = CHOSEN.search(plugin.read_bytes())
    return json.loads(chosen[1]) if chosen else launcher.usual_home()
