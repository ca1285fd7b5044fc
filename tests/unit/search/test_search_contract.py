"""The promises of a search, kept by SQLite."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from recollect.embedders.protocol import Embedder
from recollect.journal.model import LibraryItem
from recollect.search.search import Embed, Request, no_vector, search
from recollect.testing import Answer, Searchable, SearchContract
from recollect.transcripts.turns import Turn
from tests.builders.index import Shelf, at_once


class Sqlite:
    """An index over a shelf of files."""

    def __init__(self, folder: Path) -> None:
        self.shelf = Shelf(folder)
        self._embed: Embed = no_vector

    def put(
        self, project: str, memories: Sequence[LibraryItem], turns: Sequence[Turn] = ()
    ) -> None:
        self.shelf.put(project, "day.md", *memories)
        for archive in self.shelf.sources(project).archives:
            archive.unlink()
        if turns:
            self.shelf.archive(project, *turns)
        self.shelf.sync(project)

    def embed(self, embedder: Embedder) -> None:
        self.shelf.embed(embedder)
        self._embed = at_once(embedder.question)

    def search(self, request: Request) -> Sequence[Answer]:
        return [
            Answer(
                id=one.entry.id,
                score=one.score,
                passages=tuple(found.passage.text for found in one.passages),
                similar=one.similar,
            )
            for one in search(self.shelf.index, request, embed=self._embed)
        ]


class TestSqlite(SearchContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> Iterator[None]:
        self._folder = tmp_path
        self._made: list[Sqlite] = []
        yield
        for made in self._made:
            made.shelf.index.close()

    def make(self) -> Searchable:
        self._made.append(Sqlite(self._folder / str(len(self._made))))
        return self._made[-1]
