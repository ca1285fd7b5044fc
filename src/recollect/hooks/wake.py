"""Start a worker from a hook, detached, and not again and again when it cannot start.

A try is recorded before it begins; the worker removes the record when it is up. After four
tries in vain one is made each hour, or when something changes: the package, the interpreter or
the settings.
"""

import os
import sys
import time

from recollect import paths

# Seconds to wait before the first, second, third and fourth try.
PATIENCE = (0, 1, 2, 4)
# … and before any further one, when nothing has changed.
LONG_PAUSE = 3600

# The hook's environment holds the user's keys; a worker needs none of them.
# Nor does it take one session's settings for all.
PASSED_ON = (
    *("HOME", "PATH", "LANG", "TZ", "TMPDIR", "USER", "LOGNAME", "XDG_RUNTIME_DIR"),
    *("RECOLLECT_DEBUG", "FASTEMBED_CACHE_PATH"),
    # The way out, and where the host keeps its login: for those who let a model be asked.
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CLAUDE_CONFIG_DIR"),
)


def start_worker(home: str) -> int:
    """Start a worker unless that was tried in vain; return its process id, 0 if it was."""
    tries = recorded_tries(home)
    pause = PATIENCE[len(tries)] if len(tries) < len(PATIENCE) else LONG_PAUSE
    if tries and time.time() < tries[-1] + pause:
        return 0
    _record_try(home, tries)
    paths.make(paths.logs(home))
    log = _start_log(home)
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-m", "recollect.worker"],
        environment(home),
        setsid=True,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
    )


def start_anew(home: str) -> int:
    """Start a worker, however often that was tried in vain: somebody asked for one."""
    try:
        os.unlink(paths.worker_tries(home))
    except OSError:
        pass
    return start_worker(home)


def last_words(home: str) -> str:
    """Return the last line that a worker said which could not start; empty if it said nothing."""
    try:
        with open(_start_log(home), encoding="utf-8", errors="replace") as log:
            lines = log.read().strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def _start_log(home: str) -> str:
    return paths.logs(home) + "/worker-start.log"


def environment(home: str) -> dict[str, str]:
    """Return the environment of a worker for *home*."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_ON or name.startswith("LC_")
    }
    return {**passed, "RECOLLECT_HOME": home, paths.GUARD: "1"}


def recorded_tries(home: str) -> list[float]:
    """Return when a start was tried in vain under the present circumstances, oldest first."""
    try:
        with open(paths.worker_tries(home), encoding="utf-8") as record:
            circumstances, *times = record.read().splitlines()
        return [float(at) for at in times] if circumstances == _circumstances(home) else []
    except (OSError, ValueError):
        return []


def _record_try(home: str, tries: list[float]) -> None:
    path = paths.worker_tries(home)
    paths.make(os.path.dirname(path))
    lines = [_circumstances(home), *map(str, tries), str(time.time())]
    with open(path, "w", encoding="utf-8") as record:
        record.write("\n".join(lines) + "\n")


def _circumstances(home: str) -> str:
    """Return a line that changes when a new try may be worth it."""
    marks = []
    for path in (__file__, os.path.realpath(sys.executable), paths.config(home)):
        try:
            found = os.stat(path)
            marks.append(f"{found.st_size}.{found.st_mtime_ns}")
        except OSError:
            marks.append("-")
    return " ".join(marks)
