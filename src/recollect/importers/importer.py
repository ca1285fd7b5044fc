"""What can be taken in: each module of this package with an `IMPORTER` reads one kind of thing.

An importer only finds and reads. What it finds are transcripts, whose turns take the way of all
turns, or records of notes, which are taken in one by one; so a store of another tool needs no more
than to be read into either.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from recollect import discovery
from recollect import importers as package
from recollect.errors import NotFoundError
from recollect.importers.records import RecordFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What there is to take in."""

    logs: tuple[Path, ...] = ()
    """Transcripts that a reader of `transcripts` knows."""
    records: tuple[RecordFile, ...] = field(default_factory=tuple)
    """Notes, as records of `notes.exchange`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One kind of thing that can be taken in."""

    name: str
    reads: Callable[[], str]
    """Says what it reads, in a sentence for people."""
    claims: Callable[[Path], bool]
    """Tells whether a file that a person named is of this kind."""
    find: Callable[[Path], Found]
    """Returns what of this kind a file or folder is or holds."""


@cache
def known() -> tuple[Importer, ...]:
    """Return every importer, by the names of their modules."""
    return tuple(discovery.found_in(package, "IMPORTER"))


def find(path: Path) -> Found:
    """Return what there is to take in at *path*: of a file, what the first that claims it finds.

    Raises `NotFoundError` if there is no such path, or it is a file that nobody can read.
    """
    if not path.exists():
        raise NotFoundError(f"{path}: no such file or folder")
    chosen = known()
    if path.is_file():
        chosen = tuple(one for one in known() if one.claims(path))[:1]
    if not chosen:
        can_be_read = "\n".join(f"  · {one.reads()}" for one in known())
        raise NotFoundError(
            f"{path}: nothing that can be imported", hint=f"What can be:\n{can_be_read}"
        )
    found = [one.find(path) for one in chosen]
    return Found(
        logs=tuple(log for one in found for log in one.logs),
        records=tuple(record for one in found for record in one.records),
    )
