"""Start the worker: take the lock first, so that a second one costs next to nothing.

Here it is put together with those who answer agents, which stand above it.
"""

import os
import sys

from recollect import paths, worker_lock


def main() -> int:
    """Run the worker of this home until it is idle; return the exit code."""
    home = paths.home()
    held = worker_lock.take(home)
    if held is None:
        return 0
    with held:
        # Two threads that wait for each other take longer over a small matrix than one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Heavy; a second worker never gets here.
        from recollect.mcp_server import server  # noqa: PLC0415
        from recollect.worker import daemon  # noqa: PLC0415

        daemon.Daemon(home, answer=server.answered).run()
    return 0


if __name__ == "__main__":
    # What the hook had inherited is not ours to keep open: a lock, somebody's pipe.
    os.closerange(3, 256)
    sys.exit(main())
