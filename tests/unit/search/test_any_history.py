"""However the files came to be as they are, a search answers as one over a new index does."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from recollect.context import render
from recollect.journal.model import LibraryItem
from recollect.search import embedding
from recollect.search.query import Query
from recollect.search.search import Request, SearchResult, search
from recollect.store.sqlite.index import vectors
from recollect.store.sqlite.index.database import SqliteIndex, open_index
from recollect.testing import WordBag
from tests.builders.index import Shelf, a_call, a_memory, a_turn, at_once, embedding_with

PROJECTS = ("shop-1f", "diary-2e")
WORDS = ("harbour", "crane", "pumpkin", "get_orders", "ORD-1042", "缓存", "slow", "giraffe")
QUESTIONS = ("harbour crane", "pumpkin slow", "get_orders", "ORD-1042 slow", "缓存", "giraffe")
EMBEDDERS = ("bag", "other bag")

projects = st.sampled_from(PROJECTS)
slots = st.integers(0, 2)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
written = st.tuples(st.just("write"), projects, slots, texts, st.booleans())
embedded = st.tuples(st.just("embed"), st.lists(projects, max_size=1))
steps = st.one_of(
    written,
    written,
    st.tuples(st.just("delete"), projects, slots),
    st.tuples(st.just("tell"), projects, slots, texts),
    st.tuples(st.just("forget"), projects),
    st.tuples(st.just("touch"), projects),
    st.tuples(st.just("anew"), projects),
    st.tuples(st.just("reopen")),
    st.tuples(st.just("take_turns")),
    st.tuples(st.just("choose"), st.sampled_from(EMBEDDERS)),
    st.tuples(st.just("begin_to_embed")),
    embedded,
    embedded,
)

# Every story begins with something in both projects, told and embedded.
BEGIN: list[tuple[object, ...]] = [
    ("write", "shop-1f", 0, "harbour crane", False),
    ("write", "shop-1f", 1, "pumpkin get_orders", False),
    ("write", "diary-2e", 0, "slow giraffe", False),
    ("tell", "shop-1f", 0, "ORD-1042 缓存"),
    ("embed", []),
]


class Story:
    """What happens to the files of two projects; the index follows step by step."""

    def __init__(self, folder: Path) -> None:
        self.shelf = Shelf(folder)
        self.other: SqliteIndex = open_index(str(folder), render)
        self.bags = {name: WordBag(name=name, dimensions=400 + len(name)) for name in EMBEDDERS}
        self.bag = self.bags["bag"]
        self.kept: dict[str, dict[int, LibraryItem]] = {project: {} for project in PROJECTS}

    def go(self, what: str, *more: object) -> None:
        """Let something happen; then somebody asks, with the vectors that serve."""
        getattr(self, what)(*more)
        serving = self.shelf.index.vectors.serving()
        if serving:
            self.shelf.nearest(self.bags[serving[1]], "harbour")

    def write(self, project: str, slot: int, text: str, edited: bool) -> None:
        """Write the entry that is behind one turn, anew or over what was there."""
        self.kept[project][slot] = a_memory(
            text,
            " ".join(f"{project}{slot}{letter}" for letter in "abcdef"),
            day=slot,
            id=f"{project}-{slot}",
            session=f"{project}-{slot % 2}",
            turn=f"t{slot}",
            edited=edited,
        )
        self._save(project)

    def delete(self, project: str, slot: int) -> None:
        self.kept[project].pop(slot, None)
        self._save(project)

    def tell(self, project: str, slot: int, text: str) -> None:
        """Archive a turn, or a later version of it."""
        run = a_call("Bash", command=f"run {text}")
        session = f"{project}-{slot % 2}"
        turn = a_turn(f"t{slot}", "go on", answer=text, session=session, tools=(run,))
        self.shelf.tell(project, turn)

    def forget(self, project: str) -> None:
        for archive in self.shelf.sources(project).archives:
            archive.unlink()
        self.shelf.sync(project)

    def touch(self, project: str) -> None:
        for file in self.shelf.sources(project).journal:
            file.touch()
        self.shelf.sync(project)

    def anew(self, project: str) -> None:
        self.shelf.sync(project, anew=True)

    def reopen(self) -> None:
        self.shelf.reopen()

    def take_turns(self) -> None:
        """Let another process go on, which has had the index open all the time."""
        self.shelf.index, self.other = self.other, self.shelf.index

    def choose(self, embedder: str) -> None:
        self.bag = self.bags[embedder]

    def begin_to_embed(self) -> None:
        enough = iter([False, True])
        embedding_with(self.bag).fill(self.shelf.index.vectors, enough=lambda: next(enough))

    def embed(self, without: list[str]) -> None:
        embedding_with(self.bag).fill(self.shelf.index.vectors, without=without)

    def end(self) -> None:
        self.shelf.index.close()
        self.other.close()

    def _save(self, project: str) -> None:
        in_order = [one for _, one in sorted(self.kept[project].items())]
        self.shelf.fill(project, *in_order)


def answers(shelf: Shelf, bag: WordBag) -> dict[str, object]:
    """What is found for every question, in every project, by words and by meaning."""
    found: dict[str, object] = {}
    for question in QUESTIONS:
        for among in (None, [PROJECTS[0]], [PROJECTS[1]]):
            request = Request(
                query=Query.plain(question), limit=20, min_score=0.0, rarer_than=1.0, projects=among
            )
            found[f"{question} in {among}"] = sorted(
                (one.entry.id, round(one.score, 4), _told(one))
                for one in search(shelf.index, request, embed=at_once(bag.question))
            )
    return found


def _told(one: SearchResult) -> list[str]:
    return sorted(found.passage.text for found in one.passages)


@given(story=st.lists(steps, max_size=10))
@example(
    story=[
        ("write", "shop-1f", 0, "harbour", True),
        ("write", "shop-1f", 0, "harbour", False),
    ]
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_answers_are_those_of_a_new_index(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    story: list[tuple[object, ...]],
) -> None:
    monkeypatch.setattr(embedding, "BATCH", 2)
    monkeypatch.setattr(vectors, "FEW_DEAD", 2)
    told = Story(tmp_path_factory.mktemp("story"))
    for step in [*BEGIN, *story]:
        told.go(*step)  # type: ignore[arg-type]
    told.embed([])
    followed = answers(told.shelf, told.bag)

    (told.shelf.folder / "projects").mkdir(exist_ok=True)
    told.shelf.make_anew()
    told.embed([])
    made_anew = answers(told.shelf, told.bag)
    told.end()

    assert followed == made_anew
