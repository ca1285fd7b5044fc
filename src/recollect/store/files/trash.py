"""What was taken out of the journal: until it is erased it can be put back.

Of what was erased only a hash stays, so that no import, recovery or copy brings it back.
"""

import json
from dataclasses import asdict
from pathlib import Path

from recollect import files, ids
from recollect.errors import LibraryError
from recollect.store.contract.library import NOTE, Forgotten, TrashStore

FOLDER = ".forgotten"
# Hashes of turns that were erased, one a line.
TOMBSTONES = "tombstones"


class Trash:
    """The forgotten memories of one library. Whoever writes holds the library's lock."""

    def __init__(self, library: Path) -> None:
        self._folder = library / FOLDER

    def keep(self, taken: Forgotten) -> None:
        """Keep what was *taken* out."""
        files.write(self._file(taken.id), json.dumps(asdict(taken)))

    def find(self, id: str) -> Forgotten:  # noqa: A002 - it is the word people use
        """Return the forgotten memory *id*."""
        taken = _read(self._file(id))
        if taken is None:
            raise LibraryError(f"{id}: was not forgotten", hint="See: recollect forget --list")
        return taken

    def all(self) -> list[Forgotten]:
        """Return everything that can still be put back, the latest first."""
        found = [_read(file) for file in sorted(self._folder.glob("*.json"))]
        return sorted((one for one in found if one), key=lambda one: -one.at)

    def drop(self, taken: Forgotten) -> None:
        """Delete the copy that was kept of *taken*."""
        self._file(taken.id).unlink(missing_ok=True)

    def bury(self, taken: Forgotten) -> None:
        """See to it that the turn of *taken* is never recorded again."""
        if taken.turn:
            self._mark(_tombstone(taken.host, taken.turn))

    def bury_note(self, mark: str) -> None:
        """See to it that no note that is known by *mark* is made again unasked."""
        self._mark(_tombstone(NOTE, mark))

    def _mark(self, tombstone: str) -> None:
        names = sorted({*self._tombstones(), tombstone})
        files.write(self._folder / TOMBSTONES, "\n".join(names) + "\n")

    def is_buried(self, host: str, turn: str) -> bool:
        """Tell whether this turn, or the note of this mark (its host is `NOTE`), was erased."""
        return _tombstone(host, turn) in self._tombstones()

    def is_empty(self) -> bool:
        """Tell whether nothing was taken out, and nothing erased."""
        return not self.all() and not self._tombstones()

    def take_over(self, other: TrashStore) -> None:
        """Take what was taken out of *other*, and what was erased there."""
        assert isinstance(other, Trash)
        erased = {*self._tombstones(), *other._tombstones()}
        if erased:
            files.write(self._folder / TOMBSTONES, "\n".join(sorted(erased)) + "\n")
        for taken in other.all():
            self.keep(taken)
            other.drop(taken)
        (other._folder / TOMBSTONES).unlink(missing_ok=True)

    def _tombstones(self) -> set[str]:
        try:
            return set(files.read_text(self._folder / TOMBSTONES).split())
        except FileNotFoundError:
            return set()

    def _file(self, id: str) -> Path:  # noqa: A002
        return self._folder / f"{ids.file_name(id)}.json"


def _tombstone(host: str, turn: str) -> str:
    return ids.text_hash(f"{host}\n{turn}")


def _read(file: Path) -> Forgotten | None:
    try:
        return Forgotten(**json.loads(files.read_text(file)))
    except (OSError, ValueError, TypeError):
        return None
