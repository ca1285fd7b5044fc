"""The promises of a search, kept by SQLite and by the index in memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from recollect.context import render
from recollect.embedders.protocol import Embedder
from recollect.journal.model import LibraryItem
from recollect.search.search import Embed, Request, no_vector, search
from recollect.store.contract.library import DocumentChange
from recollect.store.contract.search import SearchIndex
from recollect.store.memory.index import MemoryIndex
from recollect.testing import Answer, Searchable, SearchContract
from recollect.transcripts.turns import Turn
from tests.builders.index import Shelf, at_once, embedding_with


def answers(index: SearchIndex, request: Request, embed: Embed) -> Sequence[Answer]:
    return [
        Answer(
            id=one.entry.id,
            score=one.score,
            passages=tuple(found.passage.text for found in one.passages),
            similar=one.similar,
        )
        for one in search(index, request, embed=embed)
    ]


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
        return answers(self.shelf.index, request, self._embed)


@dataclass(frozen=True)
class OneDocument:
    """The library of a project with all its memories in one document and their turns in another."""

    project: str
    items: Sequence[LibraryItem]
    turns: Sequence[Turn]
    version: str

    def changes(self, since: Mapping[str, str]) -> Iterator[DocumentChange]:
        day, archive = f"{self.project}/day", f"{self.project}/archive"
        yield DocumentChange(document=day, version=self.version, items=self.items)
        yield DocumentChange(
            document=archive, kind="archive", version=self.version, turns=self.turns
        )


class InMemory:
    """An index in memory."""

    def __init__(self) -> None:
        self.index = MemoryIndex(render)
        self._embed: Embed = no_vector
        self._versions = count(1)

    def put(
        self, project: str, memories: Sequence[LibraryItem], turns: Sequence[Turn] = ()
    ) -> None:
        self.index.sync(OneDocument(project, memories, turns, str(next(self._versions))))

    def embed(self, embedder: Embedder) -> None:
        embedding_with(embedder).fill(self.index.vectors)
        self._embed = at_once(embedder.question)

    def search(self, request: Request) -> Sequence[Answer]:
        return answers(self.index, request, self._embed)


class TestMemory(SearchContract):
    def make(self) -> Searchable:
        return InMemory()


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
