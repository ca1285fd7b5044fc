"""Which paths the user keeps out of the memory, by patterns."""

import os
from collections.abc import Sequence
from fnmatch import fnmatch


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    """Tell whether *path*, or a folder it is in, fits one of *patterns*.

    >>> is_excluded("/srv/keys/a.pem", ["*.pem"]), is_excluded("/srv/a.py", ["/secret/*"])
    (True, False)
    """
    path = os.path.normpath(path) if path else ""
    for pattern in patterns:
        wanted = os.path.expanduser(pattern).rstrip("/")
        level = path
        while level not in ("", "/"):
            if fnmatch(level, wanted) or fnmatch(os.path.basename(level), wanted):
                return True
            level = os.path.dirname(level)
    return False
