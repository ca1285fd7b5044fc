"""What the files of a library share: their lock, and what the disk says in words for a person."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.errors import LibraryError

LOCK_NAME = ".lock"
LOCK_SECONDS = 10.0

HINTS = {
    errno.ENOSPC: "Free some space on this disk; the file is as it was before.",
    errno.EROFS: "The disk is read-only; the file is as it was before.",
    errno.EACCES: "Make the folder and its files yours to read and write.",
    errno.EPERM: "Make the folder and its files yours to read and write.",
    errno.EEXIST: "A file stands where a folder should be; move it away.",
    errno.ENOTDIR: "A file stands where a folder should be; move it away.",
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise what the disk says about *path* as a `LibraryError`."""
    try:
        yield
    except OSError as error:
        raise LibraryError(
            f"{path}: {error.strerror or error}", hint=HINTS.get(error.errno or 0, "")
        ) from error


def described(error: OSError) -> LibraryError:
    """Return what the disk says about a note."""
    where = f"{error.filename}: " if error.filename else ""
    hint = "Look whether the disk is full, and whose the folder is; the file is as it was."
    return LibraryError(f"{where}{error.strerror or error}", hint=hint)
