"""Notes as JSON records: what `recollect export` writes, and programs that know its fields."""

from pathlib import Path

from recollect.importers import records
from recollect.importers.importer import Found, Importer
from recollect.transcripts import readers


def claims(file: Path) -> bool:
    """Tell whether *file* should hold records: some hosts write their sessions as JSON, too."""
    return records.is_file_of(file) and not readers.is_document(file)


def find(path: Path) -> Found:
    """Return the records that *path* is or holds."""
    return Found(records=tuple(records.below(path)))


IMPORTER = Importer(
    name="notes-json",
    reads=lambda: "Notes as `.json`, as written by `recollect export`",
    claims=claims,
    find=find,
)
