"""Answers from both lexical lists, held to one bar, in one order; and the way down from them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import NotFoundError
from recollect.index import lookup
from recollect.retrieval import disclose, rank
from recollect.retrieval.search import Request, search
from tests.unit.index.shelf import Shelf, a_memory

SHOP, DIARY = "shop-1f", "diary-2e"

scores = st.dictionaries(st.integers(0, 30), st.floats(-1e6, 1e6), max_size=12)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.index.close()


def found(
    shelf: Shelf, question: str, *projects: str, limit: int = 10, bar: float = 0.5, **more: object
) -> list[str]:
    request = Request(question=question, limit=limit, bar=bar, **more)  # type: ignore[arg-type]
    return [one.entry.title for one in search(shelf.index, request, projects=projects or (SHOP,))]


class TestSearching:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("The orders page is slow", "N+1 query, selectinload", day=1),
            a_memory("Bake a pumpkin cake", "needs cinnamon", day=2),
        )
        shelf.fill(DIARY, a_memory("The orders page of my diary", day=3))

    def test_finds_what_holds_the_question_and_nothing_else(self, shelf: Shelf) -> None:
        assert found(shelf, "why was the orders page slow?") == ["The orders page is slow"]
        assert found(shelf, "translate this greeting into Finnish") == []

    def test_looks_only_where_it_was_told_to(self, shelf: Shelf) -> None:
        assert found(shelf, "orders page", SHOP) == ["The orders page is slow"]
        assert found(shelf, "orders page", DIARY) == ["The orders page of my diary"]
        assert len(found(shelf, "orders page", SHOP, DIARY)) == 2
        assert found(shelf, "orders page", "nobody-00") == []

    def test_nowhere_means_nothing(self, shelf: Shelf) -> None:
        request = Request(question="orders page", limit=5, bar=0.0)

        assert search(shelf.index, request, projects=[]) == []

    def test_agrees_with_the_hook_on_what_is_shown_and_how_well_it_fits(self, shelf: Shelf) -> None:
        for question in ("orders page slow", "pumpkin zebra", "cinnamon query", "the orders"):
            for bar in (0.0, 0.5, 1.0):
                by_hook = lookup.recall(shelf.index.connection, SHOP, question, limit=9, bar=bar)
                request = Request(question=question, limit=9, bar=bar)
                by_worker = search(shelf.index, request, projects=[SHOP])

                assert {(hit.card, hit.score) for hit in by_hook} == {
                    (one.entry.card, one.score) for one in by_worker
                }

    def test_at_most_so_many(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"tea {n}", day=n) for n in range(9)])

        assert len(found(shelf, "tea", limit=3)) == 3

    def test_of_equals_the_later_comes_first_however_many_there_are(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory("tea", f"{n:03}", day=n) for n in range(120)])
        request = Request(question="tea", limit=3, bar=0.0, rarer_than=1.0)

        bodies = [one.entry.body for one in search(shelf.index, request, projects=[SHOP])]

        assert bodies == ["119", "118", "117"]

    def test_what_the_session_did_itself_is_left_out(self, shelf: Shelf) -> None:
        assert found(shelf, "orders page", asked_in="session-1") == []

    def test_a_file_that_changed_since_is_not_quoted(self, shelf: Shelf) -> None:
        os.utime(shelf.folder / "projects" / SHOP / "day.md")

        assert found(shelf, "orders page slow", bar=0.0) == []

    def test_a_word_that_everybody_has_is_found_when_a_person_asks(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"tea {n}", day=n) for n in range(50)])

        assert found(shelf, "tea") == []
        assert found(shelf, "tea", rarer_than=1.0)

    def test_what_stands_around_an_entry_decides_between_equals(self, shelf: Shelf) -> None:
        shelf.put(
            SHOP,
            "a.md",
            a_memory("Deploy", "went well", day=9, session="one", id="h-far"),
            a_memory("Lunch", "soup", day=9, session="one"),
        )
        shelf.put(
            SHOP,
            "b.md",
            a_memory("Deploy", "went well", day=5, session="two", id="h-near"),
            a_memory("The harbour crane", "must be parked", day=5, session="two"),
        )
        shelf.sync(SHOP)
        request = Request(question="deploy with the harbour crane", limit=3, bar=0.2)

        ids = [one.entry.id for one in search(shelf.index, request, projects=[SHOP])]

        assert ids.index("h-near") < ids.index("h-far")

    @given(question=st.text(max_size=60))
    @settings(
        max_examples=60,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_any_question_is_answered(self, shelf: Shelf, question: str) -> None:
        request = Request(question=question, limit=5, bar=0.0)

        assert all(0 < one.score <= 1 for one in search(shelf.index, request, projects=[SHOP]))


class TestRanking:
    @given(scores)
    def test_normalised_scores_lie_between_zero_and_one_in_the_same_order(
        self, scored: dict[int, float]
    ) -> None:
        after = rank.normalised(scored)

        assert set(after) == set(scored)
        assert all(0 <= score <= 1 for score in after.values())
        in_order = [after[key] for key in sorted(scored, key=scored.__getitem__)]
        assert in_order == sorted(in_order)

    @given(scores, scores)
    def test_everything_that_either_list_found_is_ranked(
        self, own: dict[int, float], around: dict[int, float]
    ) -> None:
        fused = rank.fuse(own, around)

        assert set(fused) == set(own) | set(around)
        assert all(0 <= score <= 1 for score in fused.values())

    def test_what_both_lists_love_comes_first(self) -> None:
        fused = rank.fuse({1: 3.0, 2: 2.0, 3: 1.0}, {1: 3.0, 3: 2.0, 2: 1.0})

        assert max(fused, key=fused.__getitem__) == 1


class TestDrillingDown:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("first", session="s", id="20261101T120000-aa11"),
            a_memory("second", "its body", session="s", id="20261101T120001-bb22"),
            a_memory("third", session="s", id="20261101T120002-bb33"),
            a_memory("by hand", session="", id="h-0011"),
        )

    def test_an_entry_stands_between_its_neighbours(self, shelf: Shelf) -> None:
        whole = disclose.expand(shelf.index, "20261101T120001-bb22")

        assert whole.entry.body == "its body"
        assert whole.before
        assert whole.after
        assert (whole.before.title, whole.after.title) == ("first", "third")

    @pytest.mark.parametrize(
        ("prefix", "before", "after"),
        [("20261101T120000", False, True), ("20261101T120002", True, False), ("h-", False, False)],
    )
    def test_at_the_edges_there_is_none(
        self, shelf: Shelf, prefix: str, before: object, after: object
    ) -> None:
        whole = disclose.expand(shelf.index, prefix)

        assert (whole.before is not None, whole.after is not None) == (before, after)

    @pytest.mark.parametrize(
        "prefix", ["", "2", "20261101T12000", "nothing", "h-00112", "%", "_", "'", "h-0011\0"]
    )
    def test_what_does_not_name_one_entry_is_refused(self, shelf: Shelf, prefix: str) -> None:
        with pytest.raises(NotFoundError):
            disclose.expand(shelf.index, prefix)
