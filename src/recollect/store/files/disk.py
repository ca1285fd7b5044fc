"""What the disk says, in words for a person."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.errors import LibraryError

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
