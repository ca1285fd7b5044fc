"""Copies of the host's files as they were before us, to give them back byte for byte.

A file goes back to its copy only if it says the same once our entries are gone; so a copy that
is old or damaged can do no harm. That there was no file is kept as well.
"""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from recollect import files
from recollect.hosts import documents
from recollect.hosts.documents import Document
from recollect.hosts.entries import Json

# Beside the copies: there was no such file.
ABSENT = ".absent"


class HostFile(Protocol):
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
class Kept:
    """A file as it was before us; *content* is None if there was none."""

    content: bytes | None
    value: Json


def keep(folder: Path, file: HostFile, document: Document) -> None:
    """Keep a copy of *document* in *folder*, unless it has entries of ours already."""
    if file.without_ours(document.value, before=document.value) == document.value:
        keep_bytes(folder / Path(file.name).name, document.content)


def keep_bytes(copy: Path, content: bytes | None) -> None:
    """Make *content* that of *copy*; None is kept as well."""
    kept, other = (_absent(copy), copy) if content is None else (copy, _absent(copy))
    files.write_bytes(kept, content or b"")
    other.unlink(missing_ok=True)


def forget(copy: Path) -> None:
    """Remove *copy*, and the folder around it with the last one."""
    for path in (copy, _absent(copy)):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # Not empty, or never there.
        copy.parent.rmdir()


def was_absent(copy: Path) -> bool:
    """Tell whether there was no file that *copy* could be one of."""
    return _absent(copy).exists()


def kept(folder: Path, file: HostFile) -> Kept | None:
    """Return *file* as it was before us; None if nobody knows."""
    copy = folder / Path(file.name).name
    with contextlib.suppress(OSError, ValueError):
        content = copy.read_bytes()
        value = json.loads(content.decode("utf-8-sig")) if content.strip() else {}
        return Kept(content=content, value=value)
    if was_absent(copy):
        return Kept(content=None, value={})
    return None


def left_behind(file: HostFile, document: Document, before: Kept | None) -> bytes | None:
    """Return what *document* should be without us; None if it should not be there at all."""
    value = file.without_ours(document.value, before=before.value if before else None)
    if document.content is None or value == document.value:
        return document.content
    if before and before.content is None and value in ({}, file.blank):
        return None
    if before and before.content is not None and value == before.value:
        return before.content
    return documents.rendered(value, like=document.content)


def _absent(copy: Path) -> Path:
    return copy.with_name(copy.name + ABSENT)
