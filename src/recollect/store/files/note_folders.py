"""The files of notes when they move to another library: with their versions, none over another."""

from itertools import count
from pathlib import Path

from recollect import files
from recollect.notes import categories
from recollect.store.contract.library import NoteTexts
from recollect.store.files import history
from recollect.store.files.disk import explained
from recollect.store.files.documents import MARKDOWN, names

# As long as the name of a note may be, with a number behind it.
LONGEST_NAME = 70


class NoteFolders:
    """`NoteTexts` in the folder of a library."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take_over(self, other: NoteTexts) -> None:
        """Move the notes of *other* here; one whose name is taken gets a number behind it.

        One that says the same as the one that is here goes.
        """
        assert isinstance(other, NoteFolders)
        with explained(other._folder):
            for category in categories.folders():
                for name in names(other._folder / category, MARKDOWN):
                    self._take(other._folder, category, name.removesuffix(MARKDOWN))
                self._take_histories(other._folder, category)

    def _take(self, folder: Path, category: str, note: str) -> None:
        there, here = folder / category / f"{note}{MARKDOWN}", self._file(category, note)
        if here.exists() and here.read_bytes() == there.read_bytes():
            there.unlink()
            return
        free = self._free(category, note)
        versions = folder / history.FOLDER / category
        # First the versions: dying in between leaves the note where it was, and whole.
        if (versions / note).is_dir():
            files.make_folder(self._folder / history.FOLDER / category)
            (versions / note).rename(self._folder / history.FOLDER / category / free)
        files.make_folder(self._folder / category)
        there.rename(self._file(category, free))

    def _take_histories(self, folder: Path, category: str) -> None:
        """Take what only versions are left of: a note that was deleted can be brought back."""
        versions = folder / history.FOLDER / category
        left = sorted(versions.iterdir()) if versions.is_dir() else []
        for each in left:
            if each.is_dir() and not each.is_symlink():
                files.make_folder(self._folder / history.FOLDER / category)
                free = self._free(category, each.name)
                each.rename(self._folder / history.FOLDER / category / free)

    def _free(self, category: str, note: str) -> str:
        """Return *note*, or the first of it with a number that no note has or had."""
        numbered = (f"{note[:LONGEST_NAME].rstrip('-')}-{number}" for number in count(2))
        free = note
        while (
            self._file(category, free).exists()
            or (self._folder / history.FOLDER / category / free).exists()
        ):
            free = next(numbered)
        return free

    def _file(self, category: str, note: str) -> Path:
        return self._folder / category / f"{note}{MARKDOWN}"
