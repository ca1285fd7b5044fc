"""The files of notes when they move to another library: with their versions, none over another."""

from itertools import count
from pathlib import Path

from recollect import files
from recollect.notes import categories
from recollect.store.files import history
from recollect.store.files.disk import explained
from recollect.store.files.documents import MARKDOWN, names

# As long as the name of a note may be, with a number behind it.
LONGEST_NAME = 70


def move(folder: Path, into: Path) -> None:
    """Move the notes of *folder*; one whose name is taken gets a number behind it.

    One that says the same as the one that is there goes.
    """
    with explained(folder):
        for category in categories.folders():
            for name in names(folder / category, MARKDOWN):
                _move_note(folder, into, category, name.removesuffix(MARKDOWN))
            _move_histories(folder, into, category)


def _move_note(folder: Path, into: Path, category: str, note: str) -> None:
    there, here = folder / category / f"{note}{MARKDOWN}", into / category / f"{note}{MARKDOWN}"
    if here.exists() and here.read_bytes() == there.read_bytes():
        there.unlink()
        return
    free = _free(into, category, note)
    versions = folder / history.FOLDER / category
    # First the versions: dying in between leaves the note where it was, and whole.
    if (versions / note).is_dir():
        files.make_folder(into / history.FOLDER / category)
        (versions / note).rename(into / history.FOLDER / category / free)
    files.make_folder(into / category)
    there.rename(into / category / f"{free}{MARKDOWN}")


def _move_histories(folder: Path, into: Path, category: str) -> None:
    """Move what only versions are left of: a note that was deleted can be brought back."""
    versions = folder / history.FOLDER / category
    left = sorted(versions.iterdir()) if versions.is_dir() else []
    for each in left:
        if each.is_dir() and not each.is_symlink():
            files.make_folder(into / history.FOLDER / category)
            each.rename(into / history.FOLDER / category / _free(into, category, each.name))


def _free(folder: Path, category: str, note: str) -> str:
    """Return *note*, or the first of it with a number that no note has or had."""
    numbered = (f"{note[:LONGEST_NAME].rstrip('-')}-{number}" for number in count(2))
    free = note
    while (folder / category / f"{free}{MARKDOWN}").exists() or (
        folder / history.FOLDER / category / free
    ).exists():
        free = next(numbered)
    return free
