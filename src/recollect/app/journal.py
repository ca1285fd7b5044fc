"""The journal as it stands: its days, as somebody may see them."""

from recollect.app.home import OpenHome
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError


class Journal:
    """The journals of one home, by project."""

    def __init__(self, home: OpenHome, upkeep: Upkeep, visibility: Visibility) -> None:
        self._home = home
        self._upkeep = upkeep
        self._visibility = visibility

    def days(self, project: str) -> list[str]:
        """Return the days of *project* of which something is told, the latest first."""
        return self._home.library(project).days()[::-1]

    def text(self, project: str, day: str) -> str:
        """Return what the journal tells of a *day*, as Markdown. Raises `NotFoundError`.

        What is kept from the viewer is left out.
        """
        library = self._home.library(project)
        if day not in library.days():
            raise NotFoundError(f"{day}: the journal has no such day", hint="A day is 2026-11-15.")
        text = library.text_on(day)
        if self._visibility.sees_all:
            return text
        self._upkeep.refresh(project)
        items = library.items_on(day)
        rows = [row for one in items if (row := self._home.index.by_id(one.id, [project]))]
        hidden = {one.id for one in rows} - {one.id for one in self._visibility.entries(rows)}
        if not hidden:
            return text
        # A summary of the session may tell of it, too.
        shown = [one for one in items if one.id not in hidden and one.kind != "summary"]
        return "\n\n".join([f"# {day}", *(f"### {one.title}\n{one.body}" for one in shown)])
