"""Copies of notes in a folder of the user's: whole, for its owner alone, and never over another."""

import contextlib
import stat
from pathlib import Path
from typing import Literal

from recollect import files
from recollect.errors import LibraryError

Outcome = Literal["written", "unchanged", "kept"]
"""What became of a copy: `unchanged` when it is there already, `kept` when something else is."""


def put(path: Path, text: str, *, force: bool) -> Outcome:
    """Make *text* the file *path*; only with *force* over a file that says something else.

    Raises `LibraryError` when its folder is a link, or cannot be written.
    """
    if path.parent.is_symlink():
        raise LibraryError(
            f"{path.parent}: is a link, and notes are not kept behind links",
            hint="Put the thing itself there, or link the whole folder of the project.",
        )
    try:
        return _put(path, text, force=force)
    except OSError as error:
        raise LibraryError(
            f"{path}: cannot be written: {error.strerror or error}",
            hint="Look whose the folder is and whether the disk is full, or name another one.",
        ) from error


def _put(path: Path, text: str, *, force: bool) -> Outcome:
    there = files.stamp(path)
    content = text.encode("utf-8", "surrogateescape")
    if there and there.size == len(content) and _content(path) == content:
        return "unchanged"
    if there and (not force or path.is_dir()):
        return "kept"
    return "written" if files.write_over(path, text, seen=there) else "kept"


def _content(path: Path) -> bytes | None:
    """What the file *path* holds; None for a link, a pipe, or what may not be read."""
    with contextlib.suppress(OSError):
        if stat.S_ISREG(path.lstat().st_mode):
            return path.read_bytes()
    return None
