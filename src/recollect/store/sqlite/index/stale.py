"""Say of a memory what has become of the files it tells of.

An entry remembers the fingerprints of its files. When one is gone, lies elsewhere or has changed
much, the entry's card says so; the memory itself stays as it is. Files are fingerprinted again
only when their size or time changed.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect import fingerprint
from recollect.store.files.versions import stamp
from recollect.store.sqlite import access

SQL = access.load("recollect.store.sqlite.index", "sql/stale.sql")

# A file of which so much is new is not the one the memory tells of.
MUCH = 0.25
# A file that is so much like one that is gone is the same file, elsewhere.
ALIKE = 0.25

# Of a large repository only so much is searched for a file that went.
MOST_FILES = 20_000
MOST_ALIKE = 300
PASSED_OVER = frozenset({"node_modules", "__pycache__", "venv", "target", "dist", "build"})

Render = Callable[[str], str]
"""Makes the last line of a card of what is to be said."""


class Staleness:
    """What has become of the files of one index."""

    def __init__(self, connection: sqlite3.Connection, render: Render) -> None:
        self._connection = connection
        self._render = render

    def check(self, project: str, root: Path, *, newest: int = -1) -> int:
        """Look at the files of *project* in *root*; return how many cards changed.

        Of all its entries, or of so many of the *newest*.
        """
        rows = self._all("with_files", project, newest)
        verdicts = _Verdicts(root, self._print_of)
        changed = 0
        for number, seen_files, said in rows:
            found = verdicts.of(json.loads(seen_files))
            line = self._render("; ".join(found)) if found else ""
            if line != said:
                self._connection.execute(SQL["set_stale"], (line, number))
                changed += 1
        return changed

    def of(self, seen_files: Mapping[str, str], root: Path) -> str:
        """Return what is to be said now of an entry that tells of *seen_files*; writes nothing.

        Where a file went that is gone is not looked for.
        """
        if not root.is_dir():
            return ""
        found = _Verdicts(root, self._known_print_of, look_for=False).of(seen_files)
        return self._render("; ".join(found)) if found else ""

    def _known_print_of(self, path: Path) -> str:
        """Return the fingerprint of *path* as it is now; empty when it is gone."""
        version = stamp(str(path))
        if not version:
            return ""
        known = self._all("print_of", str(path))
        return str(known[0][1]) if known and known[0][0] == version else fingerprint.of(path)

    def _print_of(self, path: Path) -> str:
        """Return the same, and remember it: a file that is not written to is not read again."""
        version = stamp(str(path))
        taken = self._known_print_of(path)
        if version and self._all("print_of", str(path)) != [(version, taken)]:
            self._connection.execute(SQL["save_print"], (str(path), version, taken))
        return taken

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()


class _Verdicts:
    """What has become of files in *root*, each looked at once."""

    def __init__(
        self, root: Path, print_of: Callable[[Path], str], *, look_for: bool = True
    ) -> None:
        self._root = root
        self._look_for = look_for
        self._print_of = print_of
        self._said: dict[tuple[str, str], str] = {}
        self._files: list[Path] | None = None

    def of(self, seen: Mapping[str, str]) -> list[str]:
        """Return what is to be said of the files in *seen*, a sentence each."""
        said = (self._verdict(name, then) for name, then in seen.items())
        return [sentence for sentence in said if sentence]

    def _verdict(self, name: str, then: str) -> str:
        key = (name, then)
        if key not in self._said:
            self._said[key] = self._look(name, then)
        return self._said[key]

    def _look(self, name: str, then: str) -> str:
        path = self._root / name
        if ".." in path.parts or not path.is_relative_to(self._root):
            return ""
        if not path.exists():
            moved = self._moved(path, then) if self._look_for else ""
            return f"`{name}` is now `{moved}`" if moved else f"`{name}` is gone"
        share = fingerprint.change(then, now) if (now := self._print_of(path)) else 0.0
        return f"`{name}` has changed since, about {share:.0%} of it" if share >= MUCH else ""

    def _moved(self, gone: Path, then: str) -> str:
        """Return where the file that is *gone* lies now: the one most like it, if any is."""
        if self._files is None:
            self._files = list(_files_below(self._root))
        near = [path for path in self._files if path.suffix == gone.suffix and _is_plain(path)]
        near.sort(key=lambda path: path.name != gone.name)
        best, where = ALIKE, ""
        for path in near[:MOST_ALIKE]:
            share = fingerprint.change(then, self._print_of(path))
            if share < best:
                best, where = share, str(path.relative_to(self._root))
        return where


def _is_plain(path: Path) -> bool:
    """Tell whether the name of *path* can be repeated: a pull may bring a file of any name."""
    return str(path).isprintable() and "<" not in str(path)


def _files_below(root: Path) -> Iterator[Path]:
    """Return the files of a project, without what is hidden, installed or built."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [one for one in folders if one[0] != "." and one not in PASSED_OVER]
        for name in names:
            count += 1
            if count > MOST_FILES:
                return
            yield Path(folder) / name
