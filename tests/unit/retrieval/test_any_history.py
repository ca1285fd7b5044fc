"""However the files came to be as they are, a search answers as one over a new index does."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.index.embedders.protocol import Embedder
from recollect.memories.model import Kept
from recollect.retrieval.query import Query
from recollect.retrieval.search import Request, search
from recollect.testing import WordBag
from tests.unit.index.shelf import Shelf, a_call, a_memory, a_turn

PROJECTS = ("shop-1f", "diary-2e")
WORDS = ("harbour", "crane", "pumpkin", "get_orders", "ORD-1042", "缓存", "slow")
QUESTIONS = ("harbour crane", "pumpkin slow", "get_orders", "ORD-1042 slow", "缓存", "giraffe")

texts = st.lists(st.sampled_from([*WORDS, "giraffe"]), min_size=1, max_size=4).map(" ".join)
slots = st.integers(0, 2)
steps = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PROJECTS), slots, texts, st.booleans()),
    st.tuples(st.just("write"), st.sampled_from(PROJECTS), slots, texts, st.booleans()),
    st.tuples(st.just("delete"), st.sampled_from(PROJECTS), slots),
    st.tuples(st.just("tell"), st.sampled_from(PROJECTS), slots, texts),
    st.tuples(st.just("forget"), st.sampled_from(PROJECTS)),
    st.tuples(st.just("touch"), st.sampled_from(PROJECTS)),
    st.tuples(st.just("reopen")),
    st.tuples(st.just("anew"), st.sampled_from(PROJECTS)),
)


class Story:
    """What happens to the files of two projects; the index follows step by step."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self.shelf = Shelf(folder)
        self.embedder = embedder
        self.kept: dict[str, dict[int, Kept]] = {project: {} for project in PROJECTS}

    def go(self, what: str, *more: object, embed: bool) -> None:
        """Let something happen; perhaps all of it is embedded, and somebody asks."""
        getattr(self, what)(*more)
        if embed:
            self.embed()
        self.shelf.nearest(self.embedder, "harbour")

    def write(self, project: str, slot: int, text: str, edited: bool) -> None:  # noqa: FBT001
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
        turn = a_turn(f"t{slot}", text, session=f"{project}-{slot % 2}", tools=(run,))
        self.shelf.tell(project, turn)

    def forget(self, project: str) -> None:
        for archive in self.shelf.sources(project).archives:
            archive.unlink()
        self.shelf.sync(project)

    def touch(self, project: str) -> None:
        for file in self.shelf.sources(project).journal:
            file.touch()
        self.shelf.sync(project)

    def embed(self) -> None:
        self.shelf.embed(self.embedder)

    def reopen(self) -> None:
        self.shelf.reopen()

    def anew(self, project: str) -> None:
        self.shelf.sync(project, anew=True)

    def _save(self, project: str) -> None:
        in_order = [one for _, one in sorted(self.kept[project].items())]
        self.shelf.fill(project, *in_order)


def answers(shelf: Shelf, embedder: Embedder) -> dict[str, object]:
    """What is found for every question, in every project, by words and by meaning."""
    found: dict[str, object] = {}
    for question in QUESTIONS:
        for projects in (None, [PROJECTS[0]], [PROJECTS[1]]):
            request = Request(
                query=Query.plain(question), limit=20, bar=0.0, rarer_than=1.0, projects=projects
            )
            results = search(shelf.index, request, embed=embedder.question)
            found[f"{question} in {projects}"] = sorted(
                (one.entry.id, round(one.score, 4), one.excerpt) for one in results
            )
    return found


@given(story=st.lists(st.tuples(steps, st.booleans()), max_size=15))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_answers_are_those_of_a_new_index(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[tuple[str, ...], bool]]
) -> None:
    told = Story(tmp_path_factory.mktemp("story"), WordBag())
    for step, embed in story:
        told.go(*step, embed=embed)
    told.embed()
    followed = answers(told.shelf, told.embedder)

    (told.shelf.folder / "projects").mkdir(exist_ok=True)
    told.shelf.make_anew()
    told.embed()
    made_anew = answers(told.shelf, told.embedder)
    told.shelf.index.close()

    assert followed == made_anew
