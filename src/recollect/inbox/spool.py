"""Put an event in the inbox from a hook: one event, one file, one rename.

The rename is the commit. A hook killed half-way leaves a `.tmp` file that readers ignore,
so the inbox never holds half an event. There is no fsync: we promise against dying
processes, not power cuts. Part of the hot path.
"""

import posix
import time

from recollect import paths

# An event larger than this is kept as a stub; the host's transcript has it whole.
LARGEST_EVENT = 1 << 20
STUB = 1 << 16


def put(inbox: str, event: str, payload: bytes, *, client: str = "") -> str:
    """Keep *payload* as one file in *inbox* and return its path.

    The name sorts by time of arrival and tells the process id of the *client*, if it is known,
    the host and the event.
    """
    ending = "json"
    if len(payload) > LARGEST_EVENT:
        payload, ending = payload[:STUB], "stub"
    sender = f"{client}-" if client.isdigit() else ""
    name = f"{inbox}/{time.time_ns():020d}-{posix.getpid()}-{sender}{event}"
    written = f"{name}.tmp"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL
    try:
        file = posix.open(written, flags, 0o600)
    except FileNotFoundError:
        paths.make(inbox)
        file = posix.open(written, flags, 0o600)
    try:
        _write_all(file, payload)
        posix.rename(written, f"{name}.{ending}")
    except OSError:
        posix.unlink(written)
        raise
    finally:
        posix.close(file)
    return f"{name}.{ending}"


def _write_all(file: int, payload: bytes) -> None:
    view = memoryview(payload)
    while view:
        view = view[posix.write(file, view) :]
