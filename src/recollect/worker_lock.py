"""At most one worker per home: a lock on a file, given up by the kernel when its holder dies."""

import fcntl
import os
import time
from typing import IO

from recollect import paths

# One that is about to leave has closed its socket already; its successor waits for it.
SECONDS_FOR_A_LEAVING_WORKER = 3.0
SECONDS_FOR_A_GLANCE = 0.2


def take(home: str) -> IO[str] | None:
    """Return the locked file, which holds our process id; None if another worker has it."""
    path = paths.worker_lock(home)
    paths.make(os.path.dirname(path))
    file = open(path, "a+", encoding="ascii")  # noqa: SIM115 - held as long as we run
    os.chmod(path, 0o600)
    deadline = time.monotonic() + SECONDS_FOR_A_LEAVING_WORKER
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # `status` holds it for a moment; a worker that lives has a socket as well.
            waited = SECONDS_FOR_A_LEAVING_WORKER - (deadline - time.monotonic())
            has_socket = os.path.exists(paths.socket(home)) and waited > SECONDS_FOR_A_GLANCE
            if has_socket or waited > SECONDS_FOR_A_LEAVING_WORKER:
                file.close()
                return None
            time.sleep(0.05)
            continue
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        return file


def holder(home: str) -> int | None:
    """Return the process id of the running worker; None if there is none."""
    try:
        with open(paths.worker_lock(home), encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read().strip() or 0) or None
            fcntl.flock(file, fcntl.LOCK_UN)
            return None
    except (OSError, ValueError):
        return None
