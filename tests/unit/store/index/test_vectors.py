"""Vectors: found as by comparing them all, kept by content, mirrored to files that may go."""

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.context import render
from recollect.store.contract.search import ByMeaning
from recollect.store.sqlite.index import vectors
from recollect.store.sqlite.index.database import open_index
from recollect.testing import WordBag
from tests.builders.index import Shelf, a_memory, a_turn, embedding_with

SHOP, DIARY = "shop-1f", "diary-2e"

Floats = NDArray[np.float32]


class Given:
    """An embedder that was told the vector of each text."""

    is_remote = False

    def __init__(self, vectors: Mapping[str, Floats], name: str = "given") -> None:
        self.name = name
        self.dimensions = len(next(iter(vectors.values())))
        self._vectors = vectors

    def documents(self, texts: Sequence[str]) -> Floats:
        return np.array([self._vectors[text] for text in texts], np.float32)

    def question(self, text: str) -> Floats:
        return self._vectors[text]


def random_vectors(count: int, dimensions: int, *, seed: int) -> Floats:
    made = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    return unit(made)


def unit(rows: Floats) -> Floats:
    made: Floats = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return made


def mirrors(shelf: Shelf) -> list[Path]:
    return sorted((shelf.folder / "run" / "vectors").glob("*"))


def titled(shelf: Shelf, scores: Mapping[int, float]) -> dict[str, float]:
    entries = shelf.index.by_keys(list(scores))
    return {entries[number].title: score for number, score in scores.items()}


class TestNearest:
    """By the blocks of a mirror, as by comparing them all."""

    @pytest.fixture
    def rows(self, shelf: Shelf) -> Floats:
        rows = random_vectors(300, 48, seed=1)
        shelf.fill(SHOP, *[a_memory(f"n{n}", day=n) for n in range(len(rows))])
        shelf.embed(Given({f"n{n}": row for n, row in enumerate(rows)}))
        return rows

    @pytest.mark.parametrize("block", [7, 8192])
    def test_are_those_of_comparing_all(
        self, shelf: Shelf, rows: Floats, block: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vectors, "BLOCK", block)
        for question in random_vectors(20, 48, seed=2):
            exact = rows @ question

            found = titled(shelf, shelf.index.nearest(question, [SHOP], limit=10).nearest)

            for title, near in found.items():
                assert near == pytest.approx(exact[int(title[1:])], abs=0.01)
            # Numbers are kept small, so two that are as near as that may change places.
            assert min(exact[int(title[1:])] for title in found) >= np.sort(exact)[-10] - 0.01
            assert list(found.values()) == sorted(found.values(), reverse=True)
            assert len(found) == 10

    def test_a_text_itself_is_as_near_as_can_be(self, shelf: Shelf, rows: Floats) -> None:
        for n in (0, 150, 299):
            found = titled(shelf, shelf.index.nearest(rows[n], [SHOP], limit=1).nearest)

            assert found == {f"n{n}": pytest.approx(1.0, abs=0.01)}

    def test_beyond_so_many_rows_signs_find_nearly_all_of_them(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Ten texts are about each question; the others are about something else."""
        monkeypatch.setattr(vectors, "EXACT_ROWS", 100)
        monkeypatch.setattr(vectors, "CANDIDATES", 60)
        monkeypatch.setattr(vectors, "BLOCK", 64)
        questions = random_vectors(20, 128, seed=3)
        noise = random_vectors(20 * 10 + 400, 128, seed=4)
        about = np.concatenate([np.repeat(questions, 10, axis=0), np.zeros((400, 128))])
        rows = unit((about + noise).astype(np.float32))
        shelf.fill(SHOP, *[a_memory(f"n{n}", day=n) for n in range(len(rows))])
        shelf.embed(Given({f"n{n}": row for n, row in enumerate(rows)}))

        hits = 0
        for question in questions:
            best = {f"n{n}" for n in np.argsort(rows @ question)[-10:]}
            found = titled(shelf, shelf.index.nearest(question, [SHOP], limit=10).nearest)
            hits += len(best & found.keys())
            for title, near in found.items():
                assert near == pytest.approx(float(rows[int(title[1:])] @ question), abs=0.01)

        assert hits >= 0.95 * 10 * len(questions)

    def test_an_entry_counts_by_its_best_passage(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("x", "harbour " * 110 + "\n\n" + "crane " * 140))
        shelf.embed(bag)

        assert shelf.nearest(bag, "crane") == {"x": pytest.approx(1.0, abs=0.01)}

    def test_what_was_said_in_its_turn_counts_for_an_entry(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("page", session="s", turn="t1"))
        shelf.tell(SHOP, a_turn("t1", answer="harbour crane", session="s"))
        shelf.embed(bag)

        assert shelf.nearest(bag, "harbour crane") == {"page": pytest.approx(1.0, abs=0.01)}

    def test_a_summary_is_not_among_them_unless_the_user_wrote_into_it(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(
            SHOP,
            a_memory("Summary", "harbour", kind="summary", session="s"),
            a_memory("Summary mine", "harbour", kind="summary", session="t", edited=True),
        )
        shelf.embed(bag)

        assert shelf.nearest(bag, "harbour").keys() == {"Summary mine"}

    def test_other_projects_are_not_among_them(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("shop crane"))
        shelf.fill(DIARY, a_memory("diary crane"))
        shelf.embed(bag)

        assert shelf.nearest(bag, "crane", SHOP).keys() == {"shop crane"}
        assert shelf.nearest(bag, "crane", DIARY).keys() == {"diary crane"}
        assert shelf.nearest(bag, "crane", DIARY, SHOP).keys() == {"shop crane", "diary crane"}
        assert shelf.nearest(bag, "crane").keys() == {"shop crane", "diary crane"}
        assert shelf.nearest(bag, "crane", "nobody-00") == {}

    def test_of_several_projects_are_at_most_so_many_the_nearest(self, shelf: Shelf) -> None:
        bag = WordBag()
        for project in (SHOP, DIARY):
            shelf.fill(project, *[a_memory(f"crane {'x ' * n}{project}", day=n) for n in range(9)])
        shelf.embed(bag)

        found = shelf.index.nearest(bag.question("crane"), None, limit=4)

        assert titled(shelf, found.nearest).keys() == {
            f"crane {'x ' * n}{project}" for n in (0, 1) for project in (SHOP, DIARY)
        }

    def test_without_any_vector_there_are_none(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))

        assert shelf.index.nearest(WordBag().question("tea"), [SHOP], limit=5) == ByMeaning()

    def test_before_anything_is_embedded_there_are_none(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.embed(bag)
        shelf.fill(SHOP, a_memory("tea"))

        assert shelf.nearest(bag, "tea") == {}


class TestThreads:
    """Between entries that fit, one is more likely to be about it, too."""

    def smoothed(self, shelf: Shelf, bag: WordBag, question: str) -> dict[str, float]:
        found = shelf.index.nearest(bag.question(question), [SHOP], limit=10)
        return {title: round(near, 2) for title, near in titled(shelf, found.smoothed).items()}

    def test_an_entry_gains_half_of_those_before_and_after(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(
            SHOP,
            a_memory("crane", "", session="s", day=1),
            a_memory("lunch", session="s", day=2),
            a_memory("crane again", session="s", day=3),
            a_memory("far", session="s", day=4),
        )
        shelf.embed(bag)

        half = 0.71 / 2
        assert self.smoothed(shelf, bag, "crane") == {
            "crane": pytest.approx(1.0, abs=0.01),
            "lunch": pytest.approx(0.5 + half, abs=0.02),
            "crane again": pytest.approx(0.71, abs=0.01),
            "far": pytest.approx(half, abs=0.02),
        }

    def test_one_of_another_session_gives_nothing(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(
            SHOP,
            a_memory("crane", session="s", day=1),
            a_memory("lunch", session="t", day=2),
            a_memory("alone", session="", day=3),
            a_memory("alone too", session="", day=4),
            a_memory("crane by hand", session="", day=5),
        )
        shelf.embed(bag)

        found = self.smoothed(shelf, bag, "crane")

        assert (found["lunch"], found["alone"], found["alone too"]) == (0.0, 0.0, 0.0)

    def test_the_order_is_that_in_which_things_happened(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.put(SHOP, "b.md", a_memory("first", session="s", day=1))
        shelf.sync(SHOP)
        shelf.put(SHOP, "a.md", a_memory("third", session="s", day=3))
        shelf.sync(SHOP)
        shelf.put(SHOP, "c.md", a_memory("crane", session="s", day=2))
        shelf.sync(SHOP)
        shelf.embed(bag)

        found = self.smoothed(shelf, bag, "crane")

        assert found["first"] == found["third"] == 0.5


class TestKeeping:
    def test_the_same_text_in_two_entries_is_embedded_once(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("tea", id="h-1"), a_memory("tea", id="h-2"))
        shelf.embed(bag)
        shelf.fill(DIARY, a_memory("tea", id="h-3"), a_memory("cake"))
        shelf.embed(bag)

        assert sorted(bag.asked) == ["cake", "tea"]
        assert shelf.nearest(bag, "tea", SHOP)
        assert shelf.nearest(bag, "tea", DIARY)

    def test_an_entry_that_was_rewritten_is_near_to_its_new_words(self, shelf: Shelf) -> None:
        """The number that said how far a mirror had read was given twice."""
        bag = WordBag()
        shelf.fill(SHOP, a_memory("tea", day=1), a_memory("cake", day=2))
        shelf.embed(bag)
        shelf.nearest(bag, "tea")

        for title in ("harbour", "crane"):
            shelf.fill(SHOP, a_memory(title, day=1), a_memory("cake", day=2))
            shelf.embed(bag)

            assert shelf.nearest(bag, title)[title] == pytest.approx(1.0, abs=0.01)

    def test_what_is_embedded_while_a_mirror_rests_is_found_afterwards(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It was added to the rows, but to no entry, and never looked at again."""
        clock = Clock()
        monkeypatch.setattr(vectors, "time", clock)
        monkeypatch.setattr(vectors, "REST", 50)
        bag = WordBag()
        shelf.fill(SHOP, a_memory("tea", day=1), *[a_memory(f"n{n}", day=2) for n in range(32)])
        batches = iter([False, True])
        embedding_with(bag).fill(shelf.index.vectors, enough=lambda: next(batches))
        shelf.nearest(bag, "tea")
        shelf.embed(bag)
        shelf.nearest(bag, "tea")

        clock.now += 1_000_000

        assert shelf.nearest(bag, "tea")["tea"] == pytest.approx(1.0, abs=0.01)

    def test_nothing_is_left_of_a_text_that_went_and_came_back(self, shelf: Shelf) -> None:
        bag = WordBag()
        for title in ("tea", "cake", "tea", "cake", "tea"):
            shelf.fill(SHOP, a_memory(title, id="h-1"))
            shelf.embed(bag)
            shelf.nearest(bag, title)

        kept = shelf.index.connection.execute("SELECT count(*) FROM vectors").fetchone()
        assert kept == (1,)
        assert shelf.nearest(bag, "tea") == {"tea": pytest.approx(1.0, abs=0.01)}

    def test_a_text_that_goes_while_it_is_embedded_leaves_no_vector(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("tea", day=1), a_memory("cake", day=2))
        space = shelf.index.vectors.space("bag", {})
        wanted = shelf.index.vectors.wanted(space, limit=10)
        shelf.fill(SHOP, a_memory("cake", day=2))

        made = {one.hash: bag.question(one.text) for one in wanted}
        shelf.index.vectors.put(space, wanted, made)

        kept = shelf.index.connection.execute("SELECT count(*) FROM vectors").fetchone()
        assert kept == (1,)

    def test_the_newest_are_embedded_first(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, *[a_memory(f"n{n}", day=n) for n in range(40)])

        batches = iter([False, True])
        embedding_with(bag).fill(shelf.index.vectors, enough=lambda: next(batches))

        assert set(bag.asked) == {f"n{n}" for n in range(8, 40)}

    def test_how_many_are_missing_is_known_for_each_embedder(self, shelf: Shelf) -> None:
        bag = WordBag()
        choice = asdict(embedding_with(bag).choice)
        shelf.fill(SHOP, a_memory("tea"), a_memory("cake"))
        before = shelf.index.vectors.pending_for(choice, without=())
        shelf.embed(bag)
        after = shelf.index.vectors.pending_for(choice, without=())
        shelf.put(SHOP, "later.md", a_memory("later"))
        shelf.sync(SHOP)

        later = shelf.index.vectors.pending_for(choice, without=())
        another = shelf.index.vectors.pending_for({"kind": "another"}, without=())
        assert (before, after, later, another) == (2, 0, 1, 3)

    def test_a_project_that_is_to_do_without_gets_none(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("tea"))
        shelf.fill(DIARY, a_memory("cake"), a_memory("pie"))
        embedding = embedding_with(bag)

        embedding.fill(shelf.index.vectors, without=[DIARY])
        choice = asdict(embedding.choice)

        assert bag.asked == ["tea"]
        assert shelf.index.vectors.pending_for(choice, without=[DIARY]) == 0
        assert shelf.index.vectors.pending_for(choice, without=[]) == 2

    def test_a_vector_of_very_unequal_numbers_or_none_at_all_breaks_nothing(
        self, shelf: Shelf
    ) -> None:
        odd = np.zeros(16, np.float32)
        odd[0], odd[1] = 1.0, 1e-7
        rows = {"odd": odd, "zero": np.zeros(16, np.float32), "one": np.eye(16, dtype="f4")[1]}
        shelf.fill(SHOP, *[a_memory(title, day=n) for n, title in enumerate(rows)])
        shelf.embed(Given(rows))

        found = titled(shelf, shelf.index.nearest(odd, [SHOP], limit=5).nearest)

        assert found == pytest.approx({"odd": 1.0, "zero": 0.0, "one": 0.0}, abs=0.01)


class Clock:
    """A clock that goes when it is looked at."""

    now = 0.0

    def monotonic(self) -> float:
        self.now += 1
        return self.now


class TestTheMirror:
    """A file that follows from the database, whatever becomes of it."""

    TITLES = tuple(f"word{n} tea" for n in range(12))

    @pytest.fixture
    def bag(self, shelf: Shelf) -> WordBag:
        bag = WordBag()
        shelf.fill(SHOP, *[a_memory(title, day=n) for n, title in enumerate(self.TITLES)])
        shelf.embed(bag)
        return bag

    @pytest.fixture
    def before(self, shelf: Shelf, bag: WordBag) -> dict[str, float]:
        return shelf.nearest(bag, "word3 tea")

    def test_is_for_its_owner_alone_and_small(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        (file,) = mirrors(shelf)

        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700
        assert file.stat().st_size == 12 * (8 + 8 + 4 + bag.dimensions)

    def test_survives_reopening_and_is_not_written_again(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        (file,) = mirrors(shelf)
        content = file.read_bytes()

        shelf.reopen()

        assert shelf.nearest(bag, "word3 tea") == before
        assert file.read_bytes() == content

    def test_takes_over_what_was_embedded_since(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        shelf.reopen()
        shelf.put(SHOP, "later.md", a_memory("later tea", day=30))
        shelf.sync(SHOP)
        shelf.embed(bag)

        assert shelf.nearest(bag, "later tea")["later tea"] == pytest.approx(1.0, abs=0.01)
        assert shelf.nearest(bag, "word3 tea").items() >= before.items()

    @pytest.mark.parametrize("cut", [1, 300, 531, 532, 533, 2000, 6383, 6384])
    def test_survives_being_torn_anywhere(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float], cut: int
    ) -> None:
        (file,) = mirrors(shelf)
        shelf.index.close()
        os.truncate(file, file.stat().st_size - cut)

        shelf.reopen()

        assert shelf.nearest(bag, "word3 tea") == before

    @pytest.mark.parametrize("more", [b"\0", b"\xff" * 100, b"\x01" * 531])
    def test_survives_half_a_row_at_its_end(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float], more: bytes
    ) -> None:
        (file,) = mirrors(shelf)
        shelf.index.close()
        with file.open("ab") as opened:
            opened.write(more)
        shelf.reopen()
        after = shelf.nearest(bag, "word3 tea")

        shelf.put(SHOP, "later.md", a_memory("later tea", day=30))
        shelf.sync(SHOP)
        shelf.embed(bag)

        assert after == before
        assert shelf.nearest(bag, "later tea")["later tea"] == pytest.approx(1.0, abs=0.01)

    def test_is_made_again_when_it_is_gone(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        (file,) = mirrors(shelf)
        shelf.index.close()
        file.unlink()

        shelf.reopen()

        assert shelf.nearest(bag, "word3 tea") == before
        assert mirrors(shelf) == [file]

    def test_is_made_again_when_it_goes_while_it_is_open(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        """A new file began with what was embedded next; all before it was lost for good."""
        (file,) = mirrors(shelf)
        file.unlink()
        shelf.put(SHOP, "later.md", a_memory("later", day=30))
        shelf.sync(SHOP)
        shelf.embed(bag)

        at_once = shelf.nearest(bag, "word3 tea")
        shelf.reopen()

        assert at_once.items() >= before.items()
        assert shelf.nearest(bag, "word3 tea").items() >= before.items()

    def test_of_another_index_is_not_read_and_goes(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        """Numbers mean something else in an index that was made anew."""
        (file,) = mirrors(shelf)
        for title in self.TITLES:
            shelf.put(SHOP, f"{title}.md", a_memory(title, day=99))
        (shelf.folder / "projects" / SHOP / "day.md").unlink()
        shelf.make_anew()
        shelf.embed(bag)

        found = shelf.nearest(bag, "word3 tea")

        assert found == before
        assert len(mirrors(shelf)) == 1
        assert mirrors(shelf) != [file]

    def test_does_not_lead_to_what_is_gone(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        shelf.fill(SHOP, *[a_memory(self.TITLES[n], day=n) for n in range(0, 12, 2)])

        found = shelf.index.nearest(bag.question("tea"), [SHOP], limit=20).nearest

        assert titled(shelf, found).keys() == set(self.TITLES[::2])
        shelf.reopen()
        assert shelf.nearest(bag, "tea").keys() == set(self.TITLES[::2])

    def test_is_made_smaller_when_much_of_it_leads_nowhere(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vectors, "FEW_DEAD", 2)
        (file,) = mirrors(shelf)
        size = file.stat().st_size

        shelf.fill(SHOP, *[a_memory(self.TITLES[n], day=n) for n in (0, 3, 5)])
        after = shelf.nearest(bag, "word3 tea")
        small = file.stat().st_size

        assert after == {title: before[title] for title in ("word3 tea", "word0 tea", "word5 tea")}
        assert small == size // 4
        shelf.put(SHOP, "later.md", a_memory("later tea", day=30))
        shelf.sync(SHOP)
        shelf.embed(bag)
        assert shelf.nearest(bag, "later tea")["later tea"] == pytest.approx(1.0, abs=0.01)
        shelf.reopen()
        assert shelf.nearest(bag, "later tea").keys() == {*after, "later tea"}

    def test_is_left_alone_when_little_of_it_leads_nowhere(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        (file,) = mirrors(shelf)
        size = file.stat().st_size

        shelf.fill(SHOP, *[a_memory(title, day=n) for n, title in enumerate(self.TITLES[:10])])
        shelf.nearest(bag, "tea")

        assert file.stat().st_size == size

    def test_two_that_write_it_at_once_find_the_same(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float]
    ) -> None:
        other = open_index(str(shelf.folder), render)
        shelf.put(SHOP, "later.md", a_memory("later tea", day=30))
        shelf.sync(SHOP)
        shelf.embed(bag)

        mine = shelf.nearest(bag, "later tea")
        theirs = other.nearest(bag.question("later tea"), [SHOP], limit=100).nearest
        other.close()
        shelf.reopen()

        assert titled(shelf, theirs) == mine == shelf.nearest(bag, "later tea")

    def test_one_may_make_it_smaller_while_another_rests(
        self, shelf: Shelf, bag: WordBag, before: dict[str, float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other took the places of the old file for those of the new one."""
        monkeypatch.setattr(vectors, "FEW_DEAD", 2)
        other = open_index(str(shelf.folder), render)
        monkeypatch.setattr(vectors, "REST", 1e12)
        other.nearest(bag.question("tea"), [SHOP], limit=5)
        monkeypatch.setattr(vectors, "REST", 0)

        shelf.fill(SHOP, *[a_memory(self.TITLES[n], day=n) for n in (1, 3, 5)])
        shelf.nearest(bag, "tea")
        shelf.put(SHOP, "later.md", a_memory("later", day=30))
        shelf.sync(SHOP)
        shelf.embed(bag)
        found = other.nearest(bag.question("word3 tea"), [SHOP], limit=100).nearest
        other.close()

        assert next(iter(titled(shelf, found))) == "word3 tea"

    def test_threads_may_search_while_another_embeds(self, shelf: Shelf, bag: WordBag) -> None:
        failures: list[Exception] = []
        done = threading.Event()

        def look() -> None:
            index = open_index(str(shelf.folder), render)
            try:
                while not done.is_set():
                    found = index.nearest(bag.question("word3 tea"), [SHOP], limit=3).nearest
                    (first, *_) = index.by_keys(list(found)[:1]).values()
                    assert first.title == "word3 tea"
            except Exception as error:
                failures.append(error)
            finally:
                index.close()

        lookers = [threading.Thread(target=look) for _ in range(3)]
        for looker in lookers:
            looker.start()
        for n in range(20):
            shelf.put(SHOP, "later.md", a_memory(f"later {n}", day=30))
            shelf.sync(SHOP)
            shelf.embed(bag)
        done.set()
        for looker in lookers:
            looker.join()

        assert failures == []


class TestSpaces:
    """What one embedder made is never compared with what another made."""

    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"word{n} tea", day=n) for n in range(80)])

    @pytest.fixture
    def old(self, shelf: Shelf) -> WordBag:
        old = WordBag(name="old")
        shelf.embed(old)
        return old

    def serving(self, shelf: Shelf) -> str:
        found = shelf.index.vectors.serving()
        return found[1] if found else ""

    def half(self, shelf: Shelf, embedder: WordBag) -> None:
        """Let *embedder* make the first batch, and no more."""
        batches = iter([False, True])
        embedding_with(embedder).fill(shelf.index.vectors, enough=lambda: next(batches))

    def test_the_old_one_serves_until_the_new_one_is_complete(
        self, shelf: Shelf, old: WordBag
    ) -> None:
        new = WordBag(name="new")
        before = shelf.nearest(old, "word3 tea")

        self.half(shelf, new)
        meanwhile = shelf.nearest(old, "word3 tea")
        serving = self.serving(shelf)
        shelf.embed(new)

        assert (serving, meanwhile) == ("old", before)
        assert self.serving(shelf) == "new"
        assert shelf.nearest(new, "word3 tea")["word3 tea"] == pytest.approx(1.0, abs=0.01)

    def test_of_the_old_one_nothing_is_left(self, shelf: Shelf, old: WordBag) -> None:
        shelf.nearest(old, "tea")
        new = WordBag(name="new", dimensions=64)
        shelf.embed(new)
        shelf.nearest(new, "tea")

        connection = shelf.index.connection
        assert connection.execute("SELECT name FROM spaces").fetchall() == [("new",)]
        assert connection.execute("SELECT DISTINCT length(vector) FROM vectors").fetchall() == [
            (128,)
        ]
        (file,) = mirrors(shelf)
        assert file.stat().st_size == 80 * (20 + 64)

    def test_going_back_before_the_new_one_is_complete_embeds_nothing_again(
        self, shelf: Shelf, old: WordBag
    ) -> None:
        before = shelf.nearest(old, "word3 tea")
        self.half(shelf, WordBag(name="new"))
        old.asked.clear()

        shelf.embed(old)

        assert old.asked == []
        assert self.serving(shelf) == "old"
        assert shelf.nearest(old, "word3 tea") == before

    def test_what_is_new_meanwhile_is_made_by_the_new_one_alone(
        self, shelf: Shelf, old: WordBag
    ) -> None:
        new = WordBag(name="new")
        self.half(shelf, new)
        shelf.put(SHOP, "later.md", a_memory("later", day=90))
        shelf.sync(SHOP)
        old.asked.clear()
        self.half(shelf, new)

        meanwhile = shelf.nearest(old, "later")
        shelf.embed(new)

        assert "later" in new.asked
        assert old.asked == []
        assert "later" not in meanwhile
        assert shelf.nearest(new, "later")["later"] == pytest.approx(1.0, abs=0.01)

    def test_a_project_that_did_without_for_a_while_is_made_up_for(
        self, shelf: Shelf, old: WordBag
    ) -> None:
        """It was left out while another embedder took over, and forgotten by that one."""
        new = WordBag(name="new")
        shelf.fill(DIARY, a_memory("harbour"))
        shelf.embed(old)
        embedding_with(new).fill(shelf.index.vectors, without=[DIARY])

        shelf.embed(new)

        assert "harbour" in new.asked
        assert shelf.nearest(new, "harbour", DIARY) == {"harbour": pytest.approx(1.0, abs=0.01)}

    def test_a_text_that_goes_takes_its_vectors_of_every_space_along(
        self, shelf: Shelf, old: WordBag
    ) -> None:
        self.half(shelf, WordBag(name="new"))

        shelf.fill(SHOP, a_memory("word79 tea", day=79))

        kept = shelf.index.connection.execute("SELECT count(*) FROM vectors").fetchone()
        assert kept == (2,)

    def test_a_model_that_changed_its_length_under_the_same_name_breaks_nothing(
        self, shelf: Shelf, old: WordBag
    ) -> None:
        shelf.put(SHOP, "later.md", a_memory("later", day=90))
        shelf.sync(SHOP)
        shelf.reopen()
        changed = WordBag(name="old", dimensions=100)
        shelf.embed(changed)

        assert shelf.nearest(changed, "later") == {"later": pytest.approx(1.0, abs=0.01)}

    def test_the_first_serves_from_its_first_vector_on(self, shelf: Shelf) -> None:
        new = WordBag(name="new")

        self.half(shelf, new)

        assert self.serving(shelf) == "new"
        assert shelf.nearest(new, "word79 tea")["word79 tea"] == pytest.approx(1.0, abs=0.01)
