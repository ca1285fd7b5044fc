"""The library of one project in a folder: a Markdown file a day, archives, notes beside them."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import tzinfo
from pathlib import Path

from recollect import files
from recollect.errors import LibraryError
from recollect.files import Stamp
from recollect.journal.model import LibraryItem
from recollect.notes.categories import folders
from recollect.store.files import hosted
from recollect.store.files.archive import FileArchive
from recollect.store.files.disk import HINTS, LOCK_NAME, LOCK_SECONDS, explained
from recollect.store.files.documents import MARKDOWN, ArchiveFiles, MarkdownFiles, names
from recollect.store.files.notes import FileNotes
from recollect.store.files.trash import Trash
from recollect.store.files.versions import stamp
from recollect.store.library import Library

ReadNote = Callable[[Path], Sequence[LibraryItem]]
"""Returns the note in a file; nothing if it holds no longer or cannot be read."""


def open_library(
    folder: Path,
    *,
    read_note: ReadNote | None = None,
    hosted_places: Callable[[], Sequence[Path]] = tuple,
    zone: tzinfo | None = None,
) -> Library:
    """Return the library in *folder*, with what a host itself remembers in *hosted_places*.

    Without *read_note* nobody follows its notes.
    """
    journal, archives = folder / "journal", folder / "transcripts"
    library = Library(
        folder.name,
        days=FileDays(folder),
        archive=FileArchive(archives),
        trash=Trash(folder),
        notes=FileNotes(folder),
        location=str(folder),
        zone=zone,
    )
    days = MarkdownFiles("journal", lambda: [journal], lambda file: library.items_on(file.stem))
    shelves = [folder / name for name in folders()]
    notes = MarkdownFiles("note", lambda: shelves, read_note or (lambda _: ()))
    facts = MarkdownFiles(
        "hosted",
        hosted_places,
        lambda file: hosted.read(file, home=hosted_places()[0]),
        listed=lambda place: {str(file): stamp(str(file)) for file in hosted.facts(place)},
    )
    library.documents = (days, notes, facts, ArchiveFiles(archives))
    return library


class FileDays:
    """`Days` in the folder of a library: a file a day, and a lock beside them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = folder / "journal"

    def names(self) -> list[str]:
        """Return the days of which there is a file, in order."""
        return [name.removesuffix(MARKDOWN) for name in names(self._journal, MARKDOWN)]

    def document(self, name: str) -> str:
        """Return the path of the day *name*."""
        return str(self._file(name))

    def version(self, name: str) -> Stamp | None:
        """Return what tells this file of the day *name* from another."""
        with explained(self._file(name)):
            return files.stamp(self._file(name))

    def text(self, name: str) -> str:
        """Return the text of the day *name*, which is not behind a link."""
        path = self._file(name)
        if path.is_symlink():
            raise LibraryError(
                f"{path}: is a link, and a library is not written through links",
                hint="Put the file itself there, or link the whole folder.",
            )
        with explained(path):
            return files.read_text(path)

    def write(self, name: str, text: str, *, seen: object) -> bool:
        """Make *text* the day *name*, while its file is as it was *seen*."""
        assert seen is None or isinstance(seen, Stamp)
        with explained(self._file(name)):
            return files.write_over(self._file(name), text, seen=seen)

    def remove(self, name: str) -> None:
        """Delete the file of the day *name*."""
        with explained(self._file(name)):
            self._file(name).unlink()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the library, which its notes share."""
        lock = self._folder / LOCK_NAME
        with explained(self._folder), files.locked(lock, wait=LOCK_SECONDS):
            yield

    def discard(self) -> None:
        """Delete the folder of a library with nothing in it but its lock."""
        with suppress(OSError):  # Something is there after all.
            if os.listdir(self._folder) == [LOCK_NAME]:
                (self._folder / LOCK_NAME).unlink()
            self._folder.rmdir()

    def check_writable(self) -> None:
        """Raise `LibraryError` if nothing could be written now."""
        with explained(self._folder):
            probe = self._journal / ".probe"
            files.write(probe, "")
            probe.unlink()
            for name in self.names()[-1:]:
                if not os.access(self._file(name), os.W_OK):
                    raise LibraryError(
                        f"{self._file(name)}: cannot be written", hint=HINTS[errno.EACCES]
                    )

    def _file(self, name: str) -> Path:
        return self._journal / f"{name}{MARKDOWN}"
