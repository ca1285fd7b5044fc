"""The journal as it stands: its days, and what was taken out of it."""

from recollect.app.home import OpenHome
from recollect.errors import NotFoundError


class Journal:
    """The journals of one home, by project."""

    def __init__(self, home: OpenHome) -> None:
        self._home = home

    def days(self, project: str) -> list[str]:
        """Return the days of *project* of which something is told, the latest first."""
        return self._home.library(project).days()[::-1]

    def text(self, project: str, day: str) -> str:
        """Return what the journal tells of a *day*, as Markdown. Raises `NotFoundError`."""
        library = self._home.library(project)
        if day not in library.days():
            raise NotFoundError(f"{day}: the journal has no such day", hint="A day is 2026-11-15.")
        return library.text_on(day)
