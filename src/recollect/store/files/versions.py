"""What tells one state of a file from another. Part of the hot path, which trusts nothing else."""

import os


def stamp(path: str) -> str:
    """Return size and time of the file *path*; empty if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{found.st_size}.{found.st_mtime_ns}"


def is_unchanged(path: str, version: str) -> bool:
    """Tell whether the file *path* is still of this *version*: its stamp, and what may follow."""
    now = stamp(path)
    return bool(now) and (version == now or version.startswith(f"{now}."))
