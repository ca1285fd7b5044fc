"""The notes of one project in a folder: a Markdown file a note, below a folder a category.

A text editor is a supported client, so a file is written only while it is as it was read. Links
are not followed, because a cloned repository may carry one to anything on this disk.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from recollect import files, ids
from recollect.errors import LibraryError, NoteError, NotFoundError
from recollect.files import Stamp
from recollect.notes.categories import CATEGORIES, folders
from recollect.store.contract.notes import NoteKey, NoteStore, NoteText, NoteVersion
from recollect.store.files import history, note_folders
from recollect.store.files.disk import LOCK_NAME, LOCK_SECONDS, described
from recollect.store.files.documents import MARKDOWN
from recollect.store.files.history import History

# Bytes, far more than any note has; more is not read at all.
LARGEST_FILE = 4_000_000

# Locked while a new note is compared with those that are there.
COMPARING = ".curating.lock"

_HALF_WRITTEN = re.compile(r"\..+\.md\..+\.tmp")


class FileNotes:
    """`NoteStore` in *folder*, with its versions beside the notes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder.name

    # Reading takes no lock: a file is always whole.

    def listed(self) -> list[NoteKey]:
        """Return the notes of which there is a file, also of what is only named like one."""
        return [key for key in self._meant() if ids.is_note_id(key.id)]

    def misnamed(self) -> list[NoteKey]:
        """Return the Markdown files whose names are none for a note."""
        return [key for key in self._meant() if not ids.is_note_id(key.id)]

    def location(self, key: NoteKey) -> str:
        """Return the path of the file."""
        return str(self._file(key))

    def key_at(self, location: str) -> NoteKey | None:
        """Return which note is in the file with this path."""
        path = Path(location)
        category = folders().get(path.parent.name)
        if category is None or path.parent.parent != self.folder or path.suffix != MARKDOWN:
            return None
        return NoteKey(category, path.stem)

    def version(self, key: NoteKey) -> Stamp | None:
        """Return the stamp of the file; None when there is none."""
        with _explained(), contextlib.suppress(NotADirectoryError):
            return files.stamp(self._file(key))
        return None

    def read(self, key: NoteKey) -> NoteText:
        """Return the text of the file, which is neither a link nor larger than any note."""
        path = self._plain(key)
        with _explained():
            stamp = files.stamp(path)
            if stamp is None:
                raise NotFoundError(f"{key.name}: no such note")
            _refuse_link(path)
            if stamp.size > LARGEST_FILE:
                raise NoteError(
                    f"{stamp.size:,} bytes, at most {LARGEST_FILE:,} are read",
                    hint="Move the long part to a file of the project, and name it in"
                    " related_files.",
                )
            modified = datetime.fromtimestamp(stamp.mtime_ns // 10**9, UTC)
            return NoteText(text=files.read_text(path), version=stamp, modified=modified)

    # Writing.

    def write(self, key: NoteKey, text: str, *, over: NoteText | None) -> bool:
        """Make *text* the file, after a copy of it, while the file is as it was read."""
        path, kept = self._plain(key), self._history(key)
        with _explained():
            if over:
                kept.keep(over.text)
            number = kept.keep(text)
            written = False
            try:
                written = files.write_over(path, text, seen=_stamp(over) if over else None)
            finally:
                if number and not written:
                    kept.withdraw(number)
            return written

    def amend(self, key: NoteKey, text: str, *, over: NoteText) -> bool:
        """Make *text* the file while it is as it was read, and no copy of anything."""
        with _explained():
            return files.write_over(self._plain(key), text, seen=_stamp(over))

    def remove(self, key: NoteKey, *, over: NoteText, at: datetime) -> bool:
        """Delete the file while it is as it was read; a copy of its text stays."""
        path, kept = self._plain(key), self._history(key)
        with _explained():
            kept.keep(over.text)
            kept.date(at)
            if files.stamp(path) != _stamp(over):
                return False
            path.unlink()
            return True

    def erase(self, key: NoteKey) -> None:
        """Delete all that hangs on the note, and then its file: until then it can be repeated."""
        path, kept = self._plain(key), self._history(key)
        try:
            for draft in path.parent.glob(f".{path.name}.*"):
                draft.unlink(missing_ok=True)
            kept.erase()
            path.unlink(missing_ok=True)
        except OSError as error:
            left = ", ".join(str(each) for each in (path, kept.folder) if files.stamp(each))
            raise LibraryError(
                f"not all of it could be erased: {described(error).message}; still there: {left}",
                hint="Mend that and erase it again: what is left goes then.",
            ) from error

    def keep(self, key: NoteKey) -> bool:
        """Copy the file to the versions of the note, unless the newest of them is it."""
        text = self.read(key).text
        with _explained():
            return self._history(key).keep(text) is not None

    def save_draft(self, key: NoteKey, text: str) -> str:
        """Write *text* into a hidden file beside the note; return its path."""
        number, path = 1, self._plain(key)
        while (draft := path.with_name(f".{path.name}.mine-{number}")).exists():
            number += 1
        with _explained():
            files.write(draft, text)
        return str(draft)

    # Versions.

    def versioned(self) -> list[NoteKey]:
        """Return the notes that have versions."""
        return [key for key, kept in self._histories() if kept.versions()]

    def versions(self, key: NoteKey) -> list[NoteVersion]:
        """Return the versions of the note, the oldest first; none behind a link."""
        with _explained():
            return [] if _links(*self._history_parts(key)) else self._history(key).versions()

    def version_text(self, key: NoteKey, number: int) -> str:
        """Return the text of the version *number*."""
        with _explained():
            return self._history(key).text(number)

    def amend_version(self, key: NoteKey, number: int, text: str) -> None:
        """Make *text* the version *number*, which keeps its time."""
        with _explained():
            self._history(key).amend(number, text)

    def _histories(self) -> Iterator[tuple[NoteKey, History]]:
        """Yield every history there is, of whatever note; links are not followed."""
        root = self.folder / history.FOLDER
        for name, category in folders().items():
            folder = root / name
            if not (root.is_symlink() or folder.is_symlink()):
                for left in sorted(folder.glob("*")):
                    if ids.is_note_id(left.name) and left.is_dir() and not left.is_symlink():
                        yield NoteKey(category, left.name), History(left)

    # The folder as a whole.

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the library."""
        with _explained(), files.locked(self.folder / LOCK_NAME, wait=LOCK_SECONDS):
            yield

    @contextlib.contextmanager
    def comparing(self) -> Iterator[None]:
        """Hold a lock of its own."""
        with files.locked(self.folder / COMPARING, wait=LOCK_SECONDS):
            yield

    def tidy(self) -> None:
        """Delete drafts that a killed process left; nobody else writes while we hold the lock."""
        for place in (*folders(), history.FOLDER):
            if not (self.folder / place).is_symlink():
                for folder, _, names in os.walk(self.folder / place):
                    for name in filter(_HALF_WRITTEN.fullmatch, names):
                        Path(folder, name).unlink(missing_ok=True)

    def take_over(self, other: NoteStore) -> None:
        """Move the files of *other* here, with their versions."""
        assert isinstance(other, FileNotes)
        note_folders.move(other.folder, self.folder)

    # Where things are.

    def _meant(self) -> Iterator[NoteKey]:
        """Yield the Markdown files, and links that are called so, in the folders of notes."""
        for category, row in CATEGORIES.items():
            for name in sorted(self._names(self.folder / row.folder)):
                yield NoteKey(category, name)

    def _names(self, folder: Path) -> list[str]:
        with (
            _explained(),
            contextlib.suppress(FileNotFoundError, NotADirectoryError),
            os.scandir(folder) as found,
        ):
            return [each.name.removesuffix(MARKDOWN) for each in found if _is_meant(each)]
        return []

    def _file(self, key: NoteKey) -> Path:
        return self.folder / CATEGORIES[key.category].folder / f"{key.id}{MARKDOWN}"

    def _plain(self, key: NoteKey) -> Path:
        """The file of the note. Raises `LibraryError` when it is behind a link."""
        if key.id != Path(key.id).name:
            raise NotFoundError(f"{key.id[:80]}: no such note")
        path = self._file(key)
        _refuse_link(path.parent)
        return path

    def _history(self, key: NoteKey) -> History:
        parts = self._history_parts(key)
        for folder in _links(*parts):
            _refuse_link(folder)
        return History(parts[-1])

    def _history_parts(self, key: NoteKey) -> list[Path]:
        """Return the folder of the versions of the note, after those that it is in."""
        parts = (history.FOLDER, CATEGORIES[key.category].folder, key.id)
        return [self.folder.joinpath(*parts[:depth]) for depth in (1, 2, 3)]


def _is_meant(entry: os.DirEntry[str]) -> bool:
    """Tell whether *entry* is meant as a note.

    Hidden files are drafts of ours, or what systems leave everywhere. A pipe that somebody called
    like a note would make us wait for ever.
    """
    if not entry.name.endswith(MARKDOWN) or entry.name.startswith("."):
        return False
    try:
        return S_ISREG(entry.stat(follow_symlinks=False).st_mode) or entry.is_symlink()
    except OSError:
        return False


def _stamp(read: NoteText) -> Stamp:
    assert isinstance(read.version, Stamp)
    return read.version


def _links(*paths: Path) -> list[Path]:
    return [path for path in paths if path.is_symlink()]


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise LibraryError(
            f"{path}: is a link, and notes are not kept behind links",
            hint="Put the thing itself there, or link the whole folder of the project.",
        )


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise described(error) from error
