"""Files that are whole or not there: atomic writes, locks, and reading that loses no byte.

Text is UTF-8 with `surrogateescape`: a byte that some editor left behind and that is no
UTF-8 comes back as it was when the file is written again.
"""

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from recollect.errors import BusyError

OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700

# A lock is held for one read-check-write, a few milliseconds.
POLL_SECONDS = 0.02


class Stamp(NamedTuple):
    """What tells one state of a file from another without reading it."""

    inode: int
    size: int
    mtime_ns: int


def stamp(path: Path) -> Stamp | None:
    """What *path* looks like now; None when nothing is there. A link is not followed."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def read_text(path: Path) -> str:
    """The text of *path* with its own line endings; bytes that are no UTF-8 survive."""
    return path.read_bytes().decode("utf-8", errors="surrogateescape")


def write(path: Path, text: str) -> None:
    """Make *text* the content of *path*, whole or not at all, readable by its owner alone."""
    write_bytes(path, _encoded(text))


def write_bytes(path: Path, content: bytes) -> None:
    """Write as `write` does what is no text."""
    with _beside(path, content) as draft:
        draft.replace(path)
    _sync_folder(path.parent)


def write_over(path: Path, text: str, *, seen: Stamp | None) -> bool:
    """Write as `write` does, but only while *path* is still as it was *seen*.

    False when somebody changed the file meanwhile (an editor takes no lock of ours):
    nothing was written then.
    """
    with _beside(path, _encoded(text)) as draft:
        if stamp(path) != seen:
            return False
        draft.replace(path)
    _sync_folder(path.parent)
    return True


def make_folder(folder: Path) -> None:
    """Make *folder* and whatever is missing above it, each for its owner alone."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=OWNER_ONLY_FOLDER, exist_ok=True)


@contextmanager
def locked(path: Path, *, wait: float) -> Iterator[None]:
    """Hold the lock file *path*; `BusyError` when others hold it for *wait* seconds.

    The lock goes with the process that holds it, so a crash leaves nobody waiting.
    """
    make_folder(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
    try:
        _take(descriptor, path, wait)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise BusyError(
                    f"{path}: another process has held this lock for {wait:g} s",
                    hint="Try again in a moment.",
                ) from None
            time.sleep(POLL_SECONDS)
        else:
            return


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogateescape")


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """A finished file with *content* in the folder of *path*, gone unless it was renamed."""
    make_folder(path.parent)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Without this a power cut may undo the rename."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
