"""Reading the notes of a folder: each file is a note, broken, or not ours, and is said to be.

Nothing is written here and no lock is taken: a file is always whole. A file is read again
only when it has changed. Links are not followed, because a cloned repository may carry
one to anything on this disk.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from recollect import files, ids
from recollect.errors import LibraryError, NoteError, NotFoundError
from recollect.files import Stamp
from recollect.notes import categories, note_model, note_text
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.note_model import Note
from recollect.notes.note_text import NotePlace

# Bytes; a character of any script has at most four.
LARGEST_FILE = 4 * note_text.LARGEST

MISNAMED = "not a name for a note"

_TOLD_ID = re.compile(r"^id:[ \t]*['\"]?([\w-]{1,80})", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """A note and the file that it was read from."""

    note: Note
    path: Path
    text: str
    hash: str
    """Of the text; a note with another hash is another version."""
    stamp: Stamp

    @property
    def place(self) -> NotePlace:
        """What the place of the file says."""
        return place_of(self.note.category, self.note.id, self.stamp)

    @property
    def name(self) -> str:
        """The name that no other note has: `category/id`."""
        return f"{self.note.category}/{self.note.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something about a file that a person should look at; *line* is 0 where none is meant."""

    path: Path
    what: str
    fix: str
    line: int = 0

    @property
    def name(self) -> str:
        """What the note is called that stands there, or should: `category/id`."""
        return f"{category_of(self.path.parent.name)}/{self.path.stem}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """All that stands in the folders of notes."""

    notes: tuple[NoteFile, ...]
    broken: tuple[Trouble, ...]
    """Files that should be notes and cannot be read."""
    foreign: tuple[Trouble, ...]
    """What is not ours; it is left alone."""

    @property
    def misnamed(self) -> tuple[Trouble, ...]:
        """Markdown that is meant as a note, and whose name is none for one."""
        return tuple(each for each in self.foreign if each.what == MISNAMED)

    @property
    def doubtful(self) -> tuple[Trouble, ...]:
        """Notes that were read, with something odd about them."""
        return tuple(_doubts(self.notes))


class Shelves:
    """The folders of notes in *folder*, one for each category."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[Path, tuple[Stamp, NoteFile | Trouble]] = {}

    def look(self) -> Shelf:
        """Everything that stands there now."""
        foreign: list[Trouble] = []
        found: list[NoteFile | Trouble] = []
        for category in CATEGORIES:
            for path in self._paths(category):
                odd = _foreign(path)
                if odd:
                    foreign.append(odd)
                else:
                    found.append(self._glance(category, path))
        return Shelf(
            notes=tuple(each for each in found if isinstance(each, NoteFile)),
            broken=tuple(each for each in found if isinstance(each, Trouble)),
            foreign=tuple(foreign),
        )

    def at(self, path: Path) -> NoteFile | Trouble:
        """What stands in the file *path* of one of these folders."""
        return _foreign(path) or self._glance(category_of(path.parent.name), path)

    def path(self, category: Category, note_id: str) -> Path:
        """Where the note stands; `LibraryError` when that is not a plain place in the folder."""
        if not note_model.is_id(note_id):
            raise NotFoundError(f"{note_id[:80]}: no such note")
        path = self.folder / CATEGORIES[category].folder / f"{note_id}.md"
        refuse_link(path.parent)
        return path

    def read(self, category: Category, note_id: str) -> NoteFile:
        """The note as its file says it now; `NoteError` when the file is broken."""
        path = self.path(category, note_id)
        stamp = files.stamp(path)
        if stamp is None:
            raise NotFoundError(f"{category}/{note_id}: no such note")
        text = text_at(path)
        note = note_text.read(text, place_of(category, note_id, stamp))
        return NoteFile(note=note, path=path, text=text, hash=ids.text_hash(text), stamp=stamp)

    def homes(self, note_id: str) -> list[Category]:
        """The categories in which a file has this id, broken or not."""
        found = {row.name: self.folder / row.folder for row in CATEGORIES.values()}
        return [each for each, folder in found.items() if files.stamp(folder / f"{note_id}.md")]

    def taken(self) -> set[str]:
        """Every id that a file has, whatever is in it."""
        return {path.stem for category in CATEGORIES for path in self._paths(category)}

    def _paths(self, category: Category) -> list[Path]:
        folder = self.folder / CATEGORIES[category].folder
        try:
            names = sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise explained(error) from error
        # Hidden files are drafts of ours, or what systems leave everywhere.
        return [folder / name for name in names if not name.startswith(".")]

    def _glance(self, category: Category, path: Path) -> NoteFile | Trouble:
        """What *path* is, read again only when it has changed."""
        stamp = files.stamp(path)
        before = self._read.get(path)
        if before and before[0] == stamp:
            return before[1]
        found = self._attempt(category, path)
        if stamp:
            self._read[path] = (stamp, found)
        return found

    def _attempt(self, category: Category, path: Path) -> NoteFile | Trouble:
        try:
            return self.read(category, path.stem)
        except (LibraryError, NotFoundError) as error:
            return _trouble(path, error)
        except OSError as error:
            return _trouble(path, explained(error))


def _trouble(path: Path, error: LibraryError | NotFoundError) -> Trouble:
    line = error.line if isinstance(error, NoteError) else 0
    # The path stands beside what is said of it.
    what = error.message.removeprefix(f"{path}: ")
    return Trouble(path=path, what=what, fix=error.hint, line=line)


def explained(error: OSError) -> LibraryError:
    """What the disk says, in words for a person."""
    where = f"{error.filename}: " if error.filename else ""
    hint = "Look whether the disk is full, and whose the folder is; the file is as it was."
    return LibraryError(f"{where}{error.strerror or error}", hint=hint)


def category_of(folder: str) -> str:
    """The category that *folder* names, by its folder or by itself."""
    return categories.folders().get(folder, folder.replace("-", "_"))


def refuse_link(path: Path) -> None:
    """Raise `LibraryError` when *path* is a link."""
    if path.is_symlink():
        raise LibraryError(
            f"{path}: is a link, and notes are not kept behind links",
            hint="Put the thing itself there, or link the whole folder of the project.",
        )


def _foreign(path: Path) -> Trouble | None:
    """Why *path* cannot be meant as a note; None when it can."""
    if path.suffix != ".md" or not (path.is_symlink() or _is_file(path)):
        return Trouble(path=path, what="not a note", fix="Move it elsewhere if it disturbs you.")
    if not note_model.is_id(path.stem):
        better = note_model.slug(path.stem, "decision")
        return Trouble(path=path, what=MISNAMED, fix=f"Rename it to {better}.md.")
    return None


def _is_file(path: Path) -> bool:
    """A pipe that somebody called like a note would make us wait for ever."""
    try:
        return S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def text_at(path: Path) -> str:
    """The text of *path*, which is neither a link nor larger than any note."""
    refuse_link(path)
    size = path.lstat().st_size
    if size > LARGEST_FILE:
        raise NoteError(
            f"{size:,} bytes, at most {LARGEST_FILE:,} are read",
            hint="Move the long part to a file of the project, and name it in related_files.",
        )
    return files.read_text(path)


def place_of(category: Category, note_id: str, stamp: Stamp) -> NotePlace:
    """What the place of a file with this *stamp* says about its note."""
    modified = datetime.fromtimestamp(stamp.mtime_ns // 10**9, UTC)
    return NotePlace(category=category, id=note_id, modified=modified)


def _doubts(stored: Iterable[NoteFile]) -> Iterator[Trouble]:
    by_id: defaultdict[str, list[NoteFile]] = defaultdict(list)
    for each in stored:
        by_id[each.note.id].append(each)
    for each in stored:
        yield from _misnamed(each)
        yield from _doubled(each, by_id[each.note.id])
        yield from _half_superseded(each, by_id)


def _misnamed(stored: NoteFile) -> Iterator[Trouble]:
    told = _TOLD_ID.search(stored.text[: note_text.LARGEST // 100])
    if told and told[1] != stored.note.id:
        what = f"says that it is {told[1]}; the name of the file counts"
        yield Trouble(path=stored.path, what=what, fix=f"Write id: {stored.note.id}.")


def _doubled(stored: NoteFile, same: list[NoteFile]) -> Iterator[Trouble]:
    if len(same) > 1:
        what = f"{len(same)} notes are called {stored.note.id}"
        yield Trouble(path=stored.path, what=what, fix=f"Name it {stored.name}, or rename a file.")


def _half_superseded(stored: NoteFile, by_id: dict[str, list[NoteFile]]) -> Iterator[Trouble]:
    for old_id in stored.note.supersedes:
        for old in by_id.get(old_id, ()):
            if old.note.superseded_by != stored.note.id:
                what = f"says that it supersedes {old_id}, which does not say so"
                yield Trouble(path=stored.path, what=what, fix="Supersede it again.")
