"""Plugins in JavaScript, which their hosts load without a word on where Recollect's home is."""

import json

from recollect.hosts import footing

# The line of a plugin that names the home, if it is not the usual one.
HOME = b'const CHOSEN_HOME = ""'


def at(home: str, plugin: bytes) -> bytes:
    """Return *plugin* for *home*."""
    chosen = footing.server(home).get("env", {}).get("RECOLLECT_HOME", "")
    return plugin.replace(HOME, f"const CHOSEN_HOME = {json.dumps(chosen)}".encode())
