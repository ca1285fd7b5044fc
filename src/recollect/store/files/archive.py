"""The archive of redacted turns, for the day when the host has deleted its transcript.

One file per session, one gzip member per turn, each with one line of JSON, so that `zcat` shows
it. A member is written at once at the end of the file and found again by how it begins: one
that was torn by a crash is lost alone, and those before and behind it stay readable.
"""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from recollect import files, ids
from recollect.store import archived
from recollect.store.contract.library import Archive
from recollect.store.files.disk import explained
from recollect.transcripts import loose_json, records
from recollect.transcripts.turns import CleanTurn

ENDING = ".jsonl.gz"

# In bytes; the turns that are asked for mostly stand there.
FIRST_BLOCK = 1 << 15

# Magic, method, no flags, no time: the same for every member we write, and by chance in the
# middle of another less than once in 10^18 bytes.
_MEMBER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00"
_GZIP = 16 + zlib.MAX_WBITS


class FileArchive:
    """`Archive` in *folder*: a file a session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, session: str, turn: CleanTurn) -> None:
        """Add *turn* to *session*; a turn of the same key there is replaced by it."""
        append(self._file(session), turn)

    def read(self, session: str) -> list[CleanTurn]:
        """Return the turns of *session*, oldest first."""
        return read(self._file(session))

    def backwards(self, session: str) -> Iterator[CleanTurn]:
        """Yield the turns of *session*, the last that was written first, as they are read."""
        return backwards(self._file(session))

    def remove(self, session: str, key: str) -> bool:
        """Take the turn *key* out of *session*; tell whether it was there."""
        return remove(self._file(session), key)

    def prune(self, *, max_bytes: int) -> int:
        """Remove the oldest sessions until *max_bytes* hold the rest; return how many went."""
        return len(prune(self._folder, max_bytes=max_bytes))

    def sessions(self) -> list[str]:
        """Return the names of the archived sessions."""
        return sorted(file.name.removesuffix(ENDING) for file in self._folder.glob(f"*{ENDING}"))

    def take_over(self, other: Archive) -> None:
        """Move the files of *other* here; each session has one of its own."""
        assert isinstance(other, FileArchive)
        with explained(other._folder):
            for file in sorted(other._folder.glob(f"*{ENDING}")):
                files.make_folder(self._folder)
                file.rename(self._folder / file.name)

    def _file(self, session: str) -> Path:
        return self._folder / f"{ids.file_name(session)}{ENDING}"


def append(path: Path, turn: CleanTurn) -> None:
    """Add *turn* to the archive at *path*; a turn of the same key there is replaced by it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    member = zlib.compress(archived.line_of(turn), wbits=_GZIP)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        while member:
            member = member[os.write(file, member) :]
    finally:
        os.close(file)


def read(path: Path, start: int = 0) -> list[CleanTurn]:
    """The turns in the archive at *path*, oldest first; none if there is no archive.

    Those in its first *start* bytes are left out, if a turn ends there.
    """
    turns: dict[str, CleanTurn] = {}
    for line in _lines(path, start):
        turns |= {turn.key: turn for turn in archived.turns_in(line)}
    return list(turns.values())


def backwards(path: Path, *, block: int = FIRST_BLOCK) -> Iterator[CleanTurn]:
    """Yield the turns in the archive at *path*, the last that was written first, as they are read.

    What happened last is asked for after every turn; a long session is not read for it, but the
    last *block* of bytes, and as more turns are asked for, ever larger ones before it.
    """
    seen: set[str] = set()
    for member in _raw_members_backwards(path, block):
        for line in _inflated(member):
            turns = archived.turns_in(line)
            yield from (turn for turn in reversed(turns) if turn.key not in seen)
            seen.update(turn.key for turn in turns)


def remove(path: Path, key: str) -> bool:
    """Take the turn *key* out of the archive at *path*; tell whether it was there."""
    members = list(_members(path, 0))
    kept = [member for member, line in members if not _is_of(line, key)]
    if len(kept) == len(members):
        return False
    files.write_bytes(path, b"".join(kept))
    return True


def _is_of(line: bytes, key: str) -> bool:
    try:
        return any(records.turn_of(record).key == key for record in loose_json.objects(line))
    except ValueError:
        return False


def prune(folder: Path, *, max_bytes: int) -> list[Path]:
    """Remove archives from *folder*, oldest first, until *max_bytes* hold the rest.

    Returns what was removed.
    """
    files = sorted(
        (status.st_mtime, status.st_size, path)
        for path in folder.glob(f"*{ENDING}")
        for status in [path.stat()]
    )
    excess = sum(size for _, size, _ in files) - max_bytes
    removed: list[Path] = []
    for _, size, path in files:
        if excess <= 0:
            break
        path.unlink(missing_ok=True)
        removed.append(path)
        excess -= size
    return removed


def _lines(path: Path, start: int) -> Iterator[bytes]:
    return (line for _, line in _members(path, start))


def _members(path: Path, start: int) -> Iterator[tuple[bytes, bytes]]:
    """Return the whole members behind the first *start* bytes, each with what it holds."""
    for member in _raw_members(path, start):
        for line in _inflated(member):
            yield member, line


def _raw_members(path: Path, start: int) -> list[bytes]:
    """Return the members behind the first *start* bytes, torn ones too."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            raw = file.read()
            if start and not raw.startswith(_MEMBER):  # We looked while a turn was being written.
                file.seek(0)
                raw = file.read()
    except FileNotFoundError:
        return []
    return [_MEMBER + rest for rest in raw.split(_MEMBER)[1:]]


def _raw_members_backwards(path: Path, block: int) -> Iterator[bytes]:
    """Yield the members, the last one first, and read no more of the file than they take."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        left, raw = file.seek(0, os.SEEK_END), b""
        while left > 0:
            left, before = max(left - block, 0), left
            file.seek(left)
            # What stands before the first member begins in the block before.
            raw, *rest = (file.read(before - left) + raw).split(_MEMBER)
            yield from (_MEMBER + one for one in reversed(rest))
            block *= 2


def _inflated(member: bytes) -> Iterator[bytes]:
    """Yield what *member* holds, if it is whole."""
    inflater = zlib.decompressobj(wbits=_GZIP)
    try:
        line = inflater.decompress(member)
    except zlib.error:
        return
    if inflater.eof:
        yield line
