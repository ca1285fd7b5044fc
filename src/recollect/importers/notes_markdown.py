"""Notes as Markdown files: what `recollect export --format markdown` writes.

A file says which note it is by its place: a folder that is named after a category. Such folders may
hold Markdown of others, so it must also begin as ours does. What a person added beyond the fields
of a note is not taken in.
"""

import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from recollect.errors import NoteError
from recollect.importers import records
from recollect.importers.importer import Found, Importer
from recollect.importers.records import RecordFile
from recollect.notes import categories

SUFFIX = ".md"

# So far into a file its front matter has shown whose it is.
_HEAD = 1_000
_MARK = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\nschema_version:")


def claims(file: Path) -> bool:
    """Tell whether *file* is a note of ours, in the folder of its category."""
    if file.suffix != SUFFIX or file.parent.name not in categories.folders():
        return False
    with suppress(OSError), file.open("rb") as opened:
        return _MARK.match(opened.read(_HEAD)) is not None
    return False


def find(path: Path) -> Found:
    """Return the notes that *path* is or holds; links are not followed."""
    files = [path] if path.is_file() else records.files_below(path, SUFFIX)
    return Found(records=tuple(_read(file) for file in files if claims(file)))


def _read(file: Path) -> RecordFile:
    from recollect.notes import exchange, note_text  # noqa: PLC0415 - takes pydantic and YAML
    from recollect.notes.note_text import NotePlace  # noqa: PLC0415

    if file.is_symlink():
        return RecordFile(file=file, linked=True)
    try:
        text, modified = records.text(records.content(file)), file.stat().st_mtime
        place = NotePlace(
            category=categories.named(file.parent.name),
            id=file.stem,
            modified=datetime.fromtimestamp(modified, UTC),
        )
        return RecordFile(file=file, values=(exchange.full_record(note_text.read(text, place)),))
    except NoteError as error:
        return RecordFile(file=file, error=error)


IMPORTER = Importer(
    name="notes-markdown",
    reads=lambda: "Notes as `.md`, as written by `recollect export --format markdown`",
    claims=claims,
    find=find,
)
