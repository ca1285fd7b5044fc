"""Files of ours in a host's own folder: put there, kept up to date, taken away again.

A host that finds plugins by looking into a folder needs no entry anywhere, so nothing of the
user's is edited. What has our name there need not be ours: it is, if one of its files says so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect.hosts import backups, documents, launcher
from recollect.hosts import home as own
from recollect.hosts.plan import SetupPlan, Step, short

# Words in files of ours, the same in every version and for every host. One file that has them is
# enough: the user may have changed the others.
MARK = re.compile(
    rb"Recollect for \w+: hands each event to the launcher|Hands one hook event to Recollect"
    rb"|A memory for [\w ]+: local, fast, readable\."
)


def shipped(plugin: str) -> dict[str, bytes]:
    """Return the files of *plugin* as they are shipped."""
    return own.files_below(own.shipped() / plugin)


def scripts() -> dict[str, bytes]:
    """Return the scripts that every plugin shares: the launcher of hooks, and the command."""
    ours = shipped("claude-code")
    return {name: ours[name] for name in ("hooks/launch.sh", "bin/recollect")}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedPlugin:
    """A plugin of ours, the file or folder at *path*, where *host* finds it by looking."""

    host: str
    path: Path
    kind: str = "plugin"
    """What the host calls it."""

    def adding(self, home: str, wanted: Mapping[str, bytes] | bytes) -> SetupPlan:
        """Return what is left to do until exactly what is *wanted* stands there."""
        is_file = isinstance(wanted, bytes)
        if (_content(self.path) if is_file else own.files_below(self.path)) == wanted:
            return SetupPlan(steps=())
        documents.check_writable(self.path)
        line = f"Copy the {self.kind} to {short(self.path)}"
        return SetupPlan(steps=(Step(line=line, do=partial(self._add, home, wanted)),))

    def removing(self, home: str, *, of: str | None) -> SetupPlan:
        """Return what is left to do until the copy, which is that *of* a home, is gone.

        The copy of another home stays, and what is no copy of ours.
        """
        if of is None:
            return SetupPlan(steps=())
        if not launcher.is_same(home, of):
            return SetupPlan(steps=(), note=launcher.stays(of))
        documents.check_writable(self.path)
        step = Step(line=f"Remove {short(self.path)}", do=partial(self._remove, home))
        return SetupPlan(steps=(step,))

    def _record(self, home: str) -> Path:
        """Where it is kept which folders were made for the copy."""
        return backups.folder(home, self.host) / self.path.name

    def _add(self, home: str, wanted: Mapping[str, bytes] | bytes) -> None:
        if not self.path.exists():
            backups.keep_bytes(self._record(home), None, of=self.path)
        if isinstance(wanted, bytes):
            own.write_files(self.path.parent, {self.path.name: wanted})
        else:
            own.remove(self.path)
            own.write_files(self.path, wanted)

    def _remove(self, home: str) -> None:
        """Remove the copy, and the folders around it that this leaves empty and that we made."""
        own.remove(self.path)
        backups.sweep(self._record(home).parent)
        backups.forget(self._record(home))


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
