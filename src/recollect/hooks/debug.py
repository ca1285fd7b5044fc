"""What went wrong inside a hook, for the one who asked: `RECOLLECT_DEBUG`."""

import posix

from recollect import paths


def report(error: Exception) -> None:
    """Say what went wrong on stderr, if debugging is on; the host must not be bothered."""
    if paths.variable("RECOLLECT_DEBUG"):
        posix.write(2, f"recollect: {type(error).__name__}: {error}\n".encode(errors="replace"))
