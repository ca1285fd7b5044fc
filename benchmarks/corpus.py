"""A throwaway home filled with memories, written as the journal would have them."""

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path

from recollect import ids
from recollect.app.recollect import Recollect
from recollect.journal.sections import Anchor
from recollect.search.embedding import Embeddings
from recollect.store.contract.state import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, as a benchmark brings it."""

    id: str
    at: datetime
    session: str
    title: str
    body: str = ""

    @property
    def text(self) -> str:
        """What a search by words alone would look at."""
        return f"{self.title}: {self.body}" if self.title else self.body


class Corpus:
    """One home in *folder*, its projects, and search by words and meaning over them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = str(folder / "home")
        self.app = Recollect(self.home, embeddings=Embeddings())

    def project(self, name: str, memories: Iterable[Memory]) -> Project:
        """Give the project *name* these *memories*; they are searched by words at once."""
        project = self.meet(name)
        journal = Path(self.app.inside.library(project.name).location) / "journal"
        in_order = sorted(memories, key=lambda one: one.at)
        for day, those in groupby(in_order, key=lambda one: one.at.astimezone().date()):
            (journal / f"{day.isoformat()}.md").write_text(_day(those), encoding="utf-8")
        self.app.upkeep.refresh(project.name)
        return project

    def meet(self, name: str) -> Project:
        """Return a new project *name* with an empty journal."""
        folder = self.folder / name
        folder.mkdir()
        project = self.app.inside.registry.meet(str(folder), now=time.time())
        (Path(self.app.inside.library(project.name).location) / "journal").mkdir(parents=True)
        return project

    def embed(self) -> int:
        """Make all vectors; return how many passages got one."""
        return self.app.meaning.fill(lambda *_: None)

    def first(self, limit: int, question: str, *, among: list[Project]) -> list[str]:
        """Return the ids of the first *limit* answers, however sure they are."""
        found = self.app.search.search(question, among=among, limit=limit, min_score=0.0)
        return [one.entry.id for one in found]


@contextmanager
def opened(lasting: Path | None = None) -> Iterator[Corpus]:
    """Open a corpus: an empty one for as long as the block runs, or the one in *lasting*."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as passing:
        corpus = Corpus(lasting or Path(passing))
        try:
            yield corpus
        finally:
            corpus.app.close()


def _day(memories: Iterable[Memory]) -> str:
    by_session: dict[str, list[Memory]] = {}
    for one in memories:
        by_session.setdefault(one.session, []).append(one)
    lines = []
    for session, those in by_session.items():
        lines += [f"## Session {those[0].at.astimezone():%H:%M} · {session[:8]}", ""]
        lines += [line for one in those for line in _entry(one)]
    return "\n".join(lines)


def _entry(one: Memory) -> list[str]:
    heading = f"### {one.at.astimezone():%H:%M} {one.title}".rstrip()
    anchor = Anchor(
        id=one.id,
        turn=one.id,
        session=one.session,
        host="bench",
        at=f"{one.at:%Y-%m-%dT%H:%M:%SZ}",
        by="extractive/1",
        hash=ids.text_hash("\n".join([heading, *one.body.splitlines()])),
    )
    return [heading, anchor.render(), *one.body.splitlines(), ""]
