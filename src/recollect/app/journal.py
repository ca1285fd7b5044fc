"""The journal as it stands: its days, and what was taken out of it."""

from collections.abc import Sequence
from pathlib import Path

from recollect import files
from recollect.app.home import OpenHome
from recollect.errors import NotFoundError


class Journal:
    """The journals of one home, by project."""

    def __init__(self, home: OpenHome) -> None:
        self._home = home

    def days(self, project: str) -> list[str]:
        """Return the days of *project* of which something is told, the latest first."""
        return sorted((path.stem for path in self._files(project)), reverse=True)

    def path(self, project: str, day: str) -> Path:
        """Return the file of a *day*, such as `2026-11-15`. Raises `NotFoundError`."""
        for path in self._files(project):
            if path.stem == day:
                return path
        raise NotFoundError(f"{day}: the journal has no such day", hint="A day is 2026-11-15.")

    def text(self, project: str, day: str) -> str:
        """Return what the journal tells of a *day*, as Markdown. Raises `NotFoundError`."""
        return files.read_text(self.path(project, day))

    def _files(self, project: str) -> Sequence[Path]:
        return self._home.library(project).day_files()
