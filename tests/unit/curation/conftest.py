"""A home with one project, and notes in it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import paths
from recollect.app.recollect import Recollect
from recollect.curation.curator import Curator, NoteFilter, Saying
from recollect.notes.categories import Category
from recollect.store.contract.notes import ChangeResult

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Desk:
    """Where notes are made and looked at."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "shop"
        self.folder.mkdir()
        self.home = tmp_path / "home"
        self.app = Recollect(str(self.home))
        self.project = self.app.projects.meet(str(self.folder)).name

    @property
    def curator(self) -> Curator:
        return self.app.notes

    def remember(
        self,
        text: str,
        category: Category | None = None,
        *,
        everywhere: bool = False,
        **more: object,
    ) -> ChangeResult:
        saying = Saying(text=text, category=category, **more)  # type: ignore[arg-type]
        where = paths.EVERYWHERE if everywhere else self.project
        return self.curator.remember(saying, project=where, now=NOON)

    def restore(self, name: str, *, now: datetime = NOON) -> ChangeResult:
        among = [self.project, paths.EVERYWHERE]
        return self.curator.restore(self.curator.look_back(name, among), now=now)

    def names(self, *statuses: str) -> list[str]:
        """The names of the notes that stand so."""
        wanted = NoteFilter(statuses=statuses or ("active",))
        found = self.curator.listed([self.project, paths.EVERYWHERE], wanted)
        return sorted(held.name for held in found)

    def found(self, question: str) -> list[str]:
        """The ids of what answers *question*, by words."""
        among = [self.app.inside.registry.named(self.project)]
        return [one.entry.id for one in self.app.search.search(question, among=among, limit=9)]

    def set(self, key: str, value: str) -> None:
        self.app.settings.set(key, value)

    def everything(self) -> bytes:
        """All bytes that are on disk below the home."""
        return b"".join(path.read_bytes() for path in self.home.rglob("*") if path.is_file())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.app.close()
