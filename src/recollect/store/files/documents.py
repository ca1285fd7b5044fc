"""Files of a library as an index follows them: one of unchanged size and time is not read."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from recollect import files
from recollect.journal.model import LibraryItem
from recollect.store.contract.library import DocumentChange, DocumentKind
from recollect.store.files import archive
from recollect.store.files.disk import explained
from recollect.store.files.versions import stamp
from recollect.transcripts.turns import Turn

MARKDOWN = ".md"


ReadArchive = Callable[[Path, int], Sequence[Turn]]
"""Returns the turns that stand in an archive behind its first so many bytes."""


class MarkdownFiles:
    """`Documents` in files that *listed* finds in *folders*, and *read* reads.

    A version is the stamp of the file and the hash of its content, so that one that was only
    touched need not be read again.
    """

    def __init__(
        self,
        kind: DocumentKind,
        folders: Callable[[], Sequence[Path]],
        read: Callable[[Path], Sequence[LibraryItem]],
        *,
        listed: Callable[[Path], Mapping[str, str]] = lambda folder: stamps_in(folder, MARKDOWN),
    ) -> None:
        self.kind: DocumentKind = kind
        self._folders = folders
        self._read = read
        self._listed = listed

    def states(self) -> Mapping[str, str]:
        """Return the files, each with its stamp."""
        found = map(self._listed, self._folders())
        return {path: stamp for stamps in found for path, stamp in stamps.items()}

    def state(self, document: str) -> str:
        """Return the stamp of the file *document*, if it is in one of the folders."""
        path = Path(document)
        return stamp(document) if path.parent in self._folders() else ""

    def change(self, document: str, known: str) -> DocumentChange | None:
        """Return what became of the file *document* since the version *known*."""
        now = stamp(document)
        if not now:
            return None
        content = _content_hash(document)
        return DocumentChange(
            document=document,
            kind=self.kind,
            version=f"{now}.{content}",
            items=None if known.endswith(f".{content}") else self._read(Path(document)),
        )

    def items(self, document: str) -> Sequence[LibraryItem]:
        """Return what stands in the file *document*."""
        return self._read(Path(document))

    def text(self, document: str) -> str:
        """Return the text of the file *document*."""
        with suppress(FileNotFoundError):
            return files.read_text(Path(document))
        return ""


class ArchiveFiles:
    """`Documents` in the archives of *folder*: of one that grew, only what was added is read."""

    kind: DocumentKind = "archive"

    def __init__(self, folder: Path, read: ReadArchive = archive.read) -> None:
        self._folder = folder
        self._read = read

    def states(self) -> Mapping[str, str]:
        """Return the archives with their stamps."""
        return stamps_in(self._folder, archive.ENDING)

    def state(self, document: str) -> str:
        """Return the stamp of the archive *document*."""
        return stamp(document) if Path(document).parent == self._folder else ""

    def change(self, document: str, known: str) -> DocumentChange | None:
        """Return the turns that were added to *document*; one that shrank is a new one."""
        now = stamp(document)
        if not now:
            return None
        before, size = (int(one.partition(".")[0] or 0) for one in (known, now))
        start = before if before <= size else 0
        return DocumentChange(
            document=document,
            kind="archive",
            version=now,
            turns=self._read(Path(document), start),
            is_more=bool(start),
        )

    def items(self, _document: str) -> Sequence[LibraryItem]:
        """Return nothing: turns are no items."""
        return ()

    def text(self, _document: str) -> str:
        """Return an empty text."""
        return ""


def names(folder: Path, ending: str) -> list[str]:
    """Return the plain files in *folder* whose names end so, in order.

    A cloned repository may carry a link to anything on this disk; those are left out.
    """
    return sorted(one.name for one in _plain(folder, ending))


def stamps_in(folder: Path, ending: str) -> dict[str, str]:
    """Return the paths of the same files, each with its stamp."""
    with explained(folder):
        found = [
            (one.path, status.st_size, status.st_mtime_ns)
            for one in _plain(folder, ending)
            for status in [one.stat(follow_symlinks=False)]
        ]
    return {path: f"{size}.{mtime_ns}" for path, size, mtime_ns in sorted(found)}


def _plain(folder: Path, ending: str) -> list[os.DirEntry[str]]:
    with (
        explained(folder),
        suppress(FileNotFoundError, NotADirectoryError),
        os.scandir(folder) as it,
    ):
        return [
            one
            for one in it
            if one.name.endswith(ending)
            and not one.name.startswith(".")
            and one.is_file(follow_symlinks=False)
        ]
    return []


def _content_hash(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return blake2b(file.read(), digest_size=16).hexdigest()
    except OSError:
        return ""  # Reading it says what is wrong.
