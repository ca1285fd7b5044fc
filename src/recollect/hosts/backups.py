"""Copies of the host's files as they were before us, to give them back byte for byte.

A file goes back to its copy only if it says the same once our entries are gone; so a copy that
is old or damaged can do no harm. That there was no file is kept as well.
"""

import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from recollect import files
from recollect.hosts import documents
from recollect.hosts.documents import HostDocument, Json

# Beside the copies: there was no such file, nor these folders.
ABSENT = ".absent"


class BackedUpFile(Protocol):
    """A file of the host that has entries of ours."""

    @property
    def name(self) -> str:
        """Where it is, in the host's folder."""

    @property
    def blank(self) -> Json:
        """What the host writes when there is nothing to say."""

    def without_ours(self, value: Json, *, before: Json | None) -> Json:
        """Return what it says, *value*, without us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginalFile:
    """A file as it was before us; *content* is None if there was none."""

    content: bytes | None
    value: Json


def folder(home: str, host: str) -> Path:
    """Return the folder of files of *host* as they were before us, in Recollect's *home*."""
    return Path(home) / "backups" / host


def keep(
    folder: Path, file: BackedUpFile, document: HostDocument, *, earlier: Iterable[Path]
) -> None:
    """Keep a copy of *document* in *folder* as it was before us.

    If entries of ours are there already, that is the one that the homes they are for have kept, in
    one of the folders *earlier*. What the user said about us before we came is no entry of ours.
    """
    copy, value = folder / Path(file.name).name, document.value
    is_clean = file.without_ours(value, before=None) == value
    is_the_users = not kept(folder, file) and file.without_ours(value, before=value) == value
    if is_clean or is_the_users:
        keep_bytes(copy, document.content, of=document.path)
    else:
        take_over(copy, (one / copy.name for one in earlier))


def keep_bytes(copy: Path, content: bytes | None, *, of: Path) -> None:
    """Make *content* that of *copy*; None is kept as well, with the folders that are missing."""
    if content is None:
        missing = [str(folder) for folder in of.parents if not folder.exists()]
        _keep(_absent(copy), json.dumps(missing).encode(), instead_of=copy)
    else:
        _keep(copy, content, instead_of=_absent(copy))


def take_over(copy: Path, earlier: Iterable[Path]) -> None:
    """Make *copy* what another home has kept as one of the copies *earlier*, if it can be read."""
    for one in earlier:
        with contextlib.suppress(OSError):
            if was_absent(one):
                _keep(_absent(copy), _absent(one).read_bytes(), instead_of=copy)
            else:
                _keep(copy, one.read_bytes(), instead_of=_absent(copy))


def give_back(copy: Path, path: Path, content: bytes | None) -> None:
    """Make *content* that of *path*, or remove it, and with the last file the folders we made."""
    documents.write(path, content)
    if content is None:
        sweep(copy.parent)


def sweep(folder: Path) -> None:
    """Remove what is empty of the folders that were not there before the copies in *folder*."""
    for made in sorted(_made(folder), reverse=True):  # The deepest first.
        with contextlib.suppress(OSError):  # Not empty: there is more than we put there.
            Path(made).rmdir()


def forget(copy: Path) -> None:
    """Remove *copy*, and the folder around it with the last one."""
    for path in (copy, _absent(copy)):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # Not empty, or never there.
        copy.parent.rmdir()


def was_absent(copy: Path) -> bool:
    """Tell whether there was no file that *copy* could be one of."""
    return _absent(copy).exists()


def kept(folder: Path, file: BackedUpFile) -> OriginalFile | None:
    """Return *file* as it was before us; None if nobody knows."""
    copy = folder / Path(file.name).name
    with contextlib.suppress(OSError, ValueError):
        content = copy.read_bytes()
        value = json.loads(content.decode("utf-8-sig")) if content.strip() else {}
        return OriginalFile(content=content, value=value)
    if was_absent(copy):
        return OriginalFile(content=None, value={})
    return None


def left_behind(
    file: BackedUpFile, document: HostDocument, before: OriginalFile | None
) -> bytes | None:
    """Return what *document* should be without us; None if it should not be there at all."""
    value = file.without_ours(document.value, before=before.value if before else None)
    if document.content is None or value == document.value:
        return document.content
    if before and before.content is None and value in ({}, file.blank):
        return None
    if before and before.content is not None and value == before.value:
        return before.content
    return documents.rendered(value, like=document.content)


def _keep(kept: Path, content: bytes, *, instead_of: Path) -> None:
    files.write_bytes(kept, content)
    instead_of.unlink(missing_ok=True)


def _made(folder: Path) -> set[str]:
    """The folders that were not there before the files whose copies are in *folder*."""
    made: set[str] = set()
    for record in folder.glob(f"*{ABSENT}"):
        with contextlib.suppress(OSError, ValueError):  # Earlier versions wrote no names.
            made.update(json.loads(record.read_bytes()))
    return made


def _absent(copy: Path) -> Path:
    return copy.with_name(copy.name + ABSENT)
