"""Find and decode JSON records of notes: a file, or all below a folder.

In a folder there may be JSON of other programs, which is left alone: only what stands in the
folder of a category, or looks like a record, is meant. Links are not followed, because a folder
from elsewhere may carry one to anything on this disk.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from recollect import paths
from recollect.errors import NoteError, RecollectError
from recollect.notes.categories import folders

SUFFIX = ".json"

# Ten thousand notes of the usual length take a quarter of it.
LARGEST_FILE = 64_000_000

LINKED = "a link, and links are not followed"

_MARK = re.compile(rb'(?<!\\)"schema_version"\s{0,9}:')


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFile:
    """A file that is meant to hold records."""

    file: Path
    values: tuple[object, ...] = ()
    """The records, not checked yet."""
    is_list: bool = False
    error: NoteError | None = None
    """Why it could not be read."""
    linked: bool = False
    """True when it was left alone, because it is a link."""


def is_file_of(path: Path) -> bool:
    """Tell whether *path*, which a person named, is a file that should hold records."""
    return path.suffix.lower() == SUFFIX and path.is_file()


def below(path: Path) -> list[RecordFile]:
    """Return the files with records that *path* is or holds."""
    if is_file_of(path):
        return [_attempt(path)]
    return [found for file in files_below(path, SUFFIX) if (found := _looked_at(file))]


def refuse_several(found: Sequence[RecordFile]) -> None:
    """Raise `RecollectError` for notes of several projects, which would become those of one."""
    homes = sorted({one.file.parent.parent for one in found if one.file.parent.name in folders()})
    if len(homes) > 1:
        one = next((home for home in homes if home.name not in ("", paths.EVERYWHERE)), homes[0])
        raise RecollectError(
            f"notes of several projects: {', '.join(map(str, homes))}",
            hint=f"Import each into its own: recollect import {one} --project {one.name}"
            f" (notes for every project: --global)",
        )


def decoded(raw: bytes) -> tuple[object, ...] | dict[str, object]:
    """Return the list of records in *raw*, or the only one. Raises `NoteError`."""
    try:
        value = json.loads(text(raw), strict=False)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NoteError(f"{where}: no JSON: {error.msg}", hint="Mend it there.") from None
    except RecursionError:
        raise NoteError("nested too deeply", hint="A note has no such depth.") from None
    except ValueError:  # More than 4,300 digits.
        raise NoteError("a number is too long", hint="Write a number that fits.") from None
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return value
    hint = "It should be a JSON object with the fields of a note, or a list of such objects."
    raise NoteError("neither a record nor a list of records", hint=hint)


def files_below(folder: Path, suffix: str) -> Iterator[Path]:
    """Yield every file below *folder* that ends so, and links in place of one; none is hidden."""
    for place, names_of_folders, names in os.walk(folder):
        inner = sorted(name for name in names_of_folders if not name.startswith("."))
        names_of_folders[:] = inner
        linked = [name for name in inner if name in folders()]
        yield from (path for name in linked if (path := Path(place, name)).is_symlink())
        for name in sorted(names):
            if name.lower().endswith(suffix) and not name.startswith("."):
                yield Path(place, name)


def _looked_at(file: Path) -> RecordFile | None:
    """What *file* holds; None when it is another program's."""
    if file.is_symlink():
        return RecordFile(file=file, linked=True)
    # A pipe would make us wait for ever.
    if not S_ISREG(file.lstat().st_mode):
        return None
    found = _attempt(file)
    return found if file.parent.name in folders() or _is_meant(found) else None


def content(file: Path) -> bytes:
    """Return what is in *file*. Raises `NoteError` if it cannot be read, or is too large."""
    try:
        size = file.stat().st_size
        if size > LARGEST_FILE:
            raise NoteError(
                f"{size:,} bytes, at most {LARGEST_FILE:,} are read",
                hint="Split it into several files.",
            )
        return file.read_bytes()
    except OSError as error:
        hint = "Look whose the file is."
        raise NoteError(error.strerror or str(error), hint=hint) from error


def text(raw: bytes) -> str:
    """Return *raw* as text, without a mark in front. Raises `NoteError` if it is none."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoteError(f"byte {error.start + 1}: not UTF-8", hint="Save it as UTF-8.") from None


def _attempt(file: Path) -> RecordFile:
    try:
        value = decoded(content(file))
    except NoteError as error:
        return RecordFile(file=file, error=error)
    if isinstance(value, dict):
        return RecordFile(file=file, values=(value,))
    return RecordFile(file=file, values=value, is_list=True)


def _is_meant(found: RecordFile) -> bool:
    """Tell whether a file that may be any program's is meant as notes."""
    if found.error:
        try:
            with found.file.open("rb") as opened:
                return _MARK.search(opened.read(LARGEST_FILE)) is not None
        except OSError:
            return False
    return any(
        isinstance(value, dict) and "category" in value and {"schema_version", "content"} & {*value}
        for value in found.values
    )
