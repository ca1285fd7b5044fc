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

from recollect.errors import NoteError
from recollect.notes import categories

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
    return [found for file in _files(path) if (found := _looked_at(file))]


def homes(found: Sequence[RecordFile]) -> list[Path]:
    """Return the folders that hold those of categories: one for each project that was exported."""
    kept = {one.file.parent.parent for one in found if one.file.parent.name in categories.folders()}
    return sorted(kept)


def decoded(raw: bytes) -> tuple[object, ...] | dict[str, object]:
    """Return the list of records in *raw*, or the only one. Raises `NoteError`."""
    try:
        value = json.loads(raw.decode("utf-8-sig"), strict=False)
    except UnicodeDecodeError as error:
        raise NoteError(f"byte {error.start + 1}: not UTF-8", hint="Save it as UTF-8.") from None
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


def _files(folder: Path) -> Iterator[Path]:
    """Every JSON file below *folder*, and links in place of one; what is hidden is left alone."""
    for place, names_of_folders, names in os.walk(folder):
        inner = sorted(name for name in names_of_folders if not name.startswith("."))
        names_of_folders[:] = inner
        linked = [name for name in inner if name in categories.folders()]
        yield from (path for name in linked if (path := Path(place, name)).is_symlink())
        for name in sorted(names):
            if name.lower().endswith(SUFFIX) and not name.startswith("."):
                yield Path(place, name)


def _looked_at(file: Path) -> RecordFile | None:
    """What *file* holds; None when it is another program's."""
    if file.is_symlink():
        return RecordFile(file=file, linked=True)
    # A pipe would make us wait for ever.
    if not S_ISREG(file.lstat().st_mode):
        return None
    found = _attempt(file)
    return found if file.parent.name in categories.folders() or _is_meant(found) else None


def _attempt(file: Path) -> RecordFile:
    try:
        size = file.stat().st_size
        if size > LARGEST_FILE:
            raise NoteError(
                f"{size:,} bytes, at most {LARGEST_FILE:,} are read",
                hint="Split it into several files.",
            )
        value = decoded(file.read_bytes())
    except NoteError as error:
        return RecordFile(file=file, error=error)
    except OSError as error:
        hint = "Look whose the file is."
        return RecordFile(file=file, error=NoteError(error.strerror or str(error), hint=hint))
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
