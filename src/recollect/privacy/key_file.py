"""A key stands in a file of its own: settings are shown, exported and sent to whoever helps."""

import re
from pathlib import Path


def read(file: str) -> str:
    """Return the key in *file*. Raises `ValueError`, which says why there is none, not what is."""
    try:
        key = Path(file).expanduser().read_text(encoding="utf-8").strip()
    except (OSError, RuntimeError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else "cannot be read"
        raise ValueError(f"{file}: {what}") from error
    if not re.fullmatch(r"[!-~]+", key):
        raise ValueError(f"{file}: holds no key")
    return key


def stamp(file: str) -> str:
    """Return what changes when the key in *file* does, without a look at it."""
    if not file:
        return ""
    try:
        found = Path(file).expanduser().stat()
    except (OSError, RuntimeError, ValueError):
        return "-"
    return f"{found.st_size}.{found.st_mtime_ns}"
