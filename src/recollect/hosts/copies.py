"""Files of ours in a host's own folder: put there, kept up to date, taken away again.

A host that finds plugins by looking into a folder needs no entry anywhere, so nothing of the
user's is edited.
"""

import contextlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from recollect import files
from recollect.hosts import documents, footing
from recollect.hosts import home as own
from recollect.hosts.plan import Step

EXECUTABLE = 0o700

Files = Mapping[str, bytes]
"""Contents by name, relative to the folder they belong into."""


def shipped(plugin: str) -> dict[str, bytes]:
    """Return the files of *plugin* as they are shipped."""
    folder = own.shipped() / plugin
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def scripts() -> dict[str, bytes]:
    """Return the scripts that every plugin shares: the launcher of hooks, and the command."""
    ours = shipped("claude-code")
    return {name: ours[name] for name in ("hooks/launch.sh", "bin/recollect")}


def stand(folder: Path, wanted: Files) -> bool:
    """Tell whether all that is *wanted* stands in *folder*, unchanged."""
    return all(_content(folder / name) == content for name, content in wanted.items())


def putting(folder: Path, wanted: Files, *, line: str) -> Iterator[Step]:
    """Yield the making of *folder*, ours alone, unless it holds exactly what is *wanted*."""
    if _found(folder) != wanted:
        documents.check_writable(folder)
        yield Step(line=line, do=partial(_replace, folder, wanted))


def adding(folder: Path, wanted: Files, *, line: str) -> Iterator[Step]:
    """Yield the writing of what is *wanted* into *folder*, which holds more than ours."""
    if not stand(folder, wanted):
        documents.check_writable(folder)
        yield Step(line=line, do=partial(_write, folder, wanted))


def removing(*paths: Path) -> Iterator[Step]:
    """Yield the removal of those of *paths* that are there."""
    for path in paths:
        if path.exists() or path.is_symlink():
            documents.check_writable(path)
            yield Step(line=f"Remove {footing.short(path)}", do=partial(_remove, path))


def _remove(path: Path) -> None:
    """Remove *path*, and the folder around it if that leaves it empty."""
    own.remove(path)
    with contextlib.suppress(OSError):
        path.parent.rmdir()


def _replace(folder: Path, wanted: Files) -> None:
    own.remove(folder)
    _write(folder, wanted)


def _write(folder: Path, wanted: Files) -> None:
    for name, content in wanted.items():
        files.write_bytes(folder / name, content)
        if content.startswith(b"#!"):
            (folder / name).chmod(EXECUTABLE)


def _found(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): _content(path)
        for path in folder.rglob("*")
        if path.is_file()
    }


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
