"""Files of ours in a host's own folder: put there, kept up to date, taken away again.

A host that finds plugins by looking into a folder needs no entry anywhere, so nothing of the
user's is edited. What has our name there need not be ours: it is, if one of its files says so.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from recollect import files
from recollect.hosts import backups, documents, launcher
from recollect.hosts import home as own
from recollect.hosts.plan import SetupPlan, Step, short

EXECUTABLE = 0o700

# Words in files of ours, the same in every version and for every host. One file that has them is
# enough: the user may have changed the others.
MARK = re.compile(
    rb"Recollect for \w+: hands each event to the launcher|Hands one hook event to Recollect"
    rb"|A memory for [\w ]+: local, fast, readable\."
)

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


def has_all(folder: Path, wanted: Files) -> bool:
    """Tell whether all that is *wanted* stands in *folder*, unchanged."""
    return all(_content(folder / name) == content for name, content in wanted.items())


def is_ours(path: Path) -> bool:
    """Tell whether the file or folder at *path* is a copy of ours, of whatever version."""
    files = (path, path / "hooks" / "launch.sh", *(path.glob("*") if path.is_dir() else ()))
    return any(MARK.search(_content(one) or b"") for one in files)


def is_foreign(path: Path) -> bool:
    """Tell whether something stands at *path* that we did not put there."""
    if path.is_dir() and not any(path.iterdir()):
        return False
    return (path.exists() or path.is_symlink()) and not is_ours(path)


def in_the_way(path: Path) -> str:
    """Say that what stands at *path* is another's, and what to do."""
    stays = f"{short(path)} is not ours and stays, so no session is captured."
    return f"{stays} To have ours, move it away, then run setup again."


def replacing(folder: Path, wanted: Files, *, line: str, record: Path) -> Iterator[Step]:
    """Yield the making of *folder*, ours alone, unless it holds exactly what is *wanted*.

    Which folders it needed is kept as *record*.
    """
    if _found(folder) != wanted:
        documents.check_writable(folder)
        yield Step(line=line, do=partial(_replace, folder, wanted, record))


def adding(folder: Path, wanted: Files, *, line: str, record: Path) -> Iterator[Step]:
    """Yield the writing of what is *wanted* into *folder*, which holds more than ours.

    Which folders it needed is kept as *record*.
    """
    if not has_all(folder, wanted):
        documents.check_writable(folder)
        yield Step(line=line, do=partial(_add, folder, wanted, record))


def removing(home: str, path: Path, *, of: str | None, record: Path) -> SetupPlan:
    """Return what is left to do until the copy at *path*, which is that *of* a home, is gone.

    The copy of another home stays, and what is no copy of ours. Folders made for it go by *record*.
    """
    if of is None:
        return SetupPlan(steps=())
    if not launcher.is_same(home, of):
        return SetupPlan(steps=(), note=launcher.stays(of))
    documents.check_writable(path)
    remove = partial(_remove, path, record)
    return SetupPlan(steps=(Step(line=f"Remove {short(path)}", do=remove),))


def _remove(path: Path, record: Path) -> None:
    """Remove *path*, and the folders around it that this leaves empty and that we made."""
    own.remove(path)
    backups.sweep(record.parent)
    backups.forget(record)


def _replace(folder: Path, wanted: Files, record: Path) -> None:
    if not folder.exists():
        backups.keep_bytes(record, None, of=folder)
    own.remove(folder)
    _write(folder, wanted)


def _add(folder: Path, wanted: Files, record: Path) -> None:
    if not folder.exists():
        backups.keep_bytes(record, None, of=folder / record.name)
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
