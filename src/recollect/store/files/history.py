"""The versions of one note: a file for each, numbered from 1, in a folder of its own.

What we write is copied here before it is put in its place, so the newest copy is what we
wrote last. A file that differs from it was changed by hand, and is copied too before
anything else happens to it.
"""

import contextlib
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from recollect import files
from recollect.errors import NotFoundError
from recollect.store.contract.notes import NoteVersion

FOLDER = ".history"

_NAME = re.compile(r"([1-9]\d{0,8})\.md")


class History:
    """The versions in *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def versions(self) -> list[NoteVersion]:
        """All of them, oldest first."""
        return [self._version(number) for number in self._numbers()]

    def text(self, number: int) -> str:
        """The text of the version *number*; `NotFoundError` when there is none."""
        if number not in self._numbers():
            raise NotFoundError(
                f"{self.folder.name}: there is no version {number}",
                hint=f"There are {len(self._numbers())}.",
            )
        return files.read_text(self._path(number))

    def latest(self) -> str | None:
        """What was kept last."""
        numbers = self._numbers()
        return files.read_text(self._path(numbers[-1])) if numbers else None

    def keep(self, text: str) -> int | None:
        """Make *text* the newest version; its number, or None when it is that already."""
        if text == self.latest():
            return None
        number = max(self._numbers(), default=0) + 1
        files.write(self._path(number), text)
        return number

    def withdraw(self, number: int) -> None:
        """Take back a version that did not come to be."""
        self._path(number).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # There are others.
            self.folder.rmdir()

    def date(self, at: datetime) -> None:
        """Let the newest version be of this time."""
        moment = at.timestamp()
        os.utime(self._path(self._numbers()[-1]), (moment, moment))

    def amend(self, number: int, text: str) -> None:
        """Make *text* the version *number*, which is still of its time."""
        path = self._path(number)
        written = path.lstat().st_mtime_ns
        files.write(path, text)
        os.utime(path, ns=(written, written))

    def erase(self) -> None:
        """Leave nothing."""
        if self.folder.is_dir():
            shutil.rmtree(self.folder)

    def _numbers(self) -> list[int]:
        if not self.folder.is_dir():
            return []
        with os.scandir(self.folder) as listed:
            # A cloned repository may carry a link to anything on this disk.
            names = [file.name for file in listed if file.is_file(follow_symlinks=False)]
        return sorted(int(found[1]) for name in names if (found := _NAME.fullmatch(name)))

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.md"

    def _version(self, number: int) -> NoteVersion:
        modified = self._path(number).lstat().st_mtime
        return NoteVersion(number, datetime.fromtimestamp(modified, UTC))
