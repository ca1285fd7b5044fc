"""One question to the index: which words count, how much of it an entry holds, whose entries."""

import os
from _sqlite3 import Error
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import paths
from recollect.index import lookup
from recollect.index.lookup import recall
from tests.unit.index.shelf import Shelf, a_memory

SHOP, DIARY = "shop-1f", "diary-2e"

# What full-text search would take for its own language.
SYNTAX = [
    '"', '""', '"tea', "*", "tea*", "NEAR(", "NEAR(tea cake, 5)", "AND", "OR", "NOT", "tea AND",
    "title:", "title : tea", "{title body}", "(", ")", "^tea", "-tea", "+", "tea NOT cake", "'",
    ";", "\0", "\ud800", "😀", "👩\u200d👧", "²", "ﬀ", "İ", "\u0301", "नमस्ते", "שלום", "字",
    "𝒳𝒴", "\u202e",
]  # fmt: skip
anything = st.lists(st.sampled_from(SYNTAX) | st.text(max_size=8), max_size=30).map(" ".join)


def found(
    shelf: Shelf, question: str, *, project: str = SHOP, bar: float = 0.5
) -> dict[str, float]:
    """The lines that answer *question*, with their shares, best first."""
    hits = recall(shelf.index.connection, project, question, limit=10, bar=bar)
    return {hit.line: round(hit.score, 3) for hit in hits}


class TestTerms:
    @pytest.mark.parametrize(
        ("question", "terms"),
        [
            ("", []),
            ("   \n\t ", []),
            ("what is the of and", []),
            ("Why is the Orders page slow?", ["orders", "page", "slow"]),
            ("orders ORDERS Orders", ["orders"]),
            ("get_orders() in src/orders/db.py", ["orders", "src", "db", "py"]),
            ("a b c x y z", []),
            ("café naïve Straße", ["café", "naïve", "straße"]),
            ("why 42 and 007", ["42", "007"]),
            ("修复订单页面", ["修复订单页面"]),
            ('"tea" AND NEAR(cake*)', ["tea", "near", "cake"]),
            ("don't can't won't", ["won"]),
        ],
    )
    def test_are_the_different_words_worth_looking_up(
        self, question: str, terms: list[str]
    ) -> None:
        assert lookup.terms(question) == terms

    def test_a_huge_question_is_looked_at_from_its_beginning(self) -> None:
        question = "tea " + "x" * 10_000_000 + " cake"

        assert lookup.terms(question)[0] == "tea"
        assert "cake" not in lookup.terms(question)

    @given(anything)
    def test_hold_nothing_that_could_end_a_quoted_word(self, question: str) -> None:
        assert all(word.isalnum() and len(word) > 1 for word in lookup.terms(question))


class TestWeighing:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        """Forty notes: all hold "note", half "even", one each has a number of its own."""
        shelf.fill(
            SHOP,
            *[
                a_memory(f"note unique{n}", "even" if n % 2 == 0 else "odd", day=n)
                for n in range(40)
            ],
        )

    def weights(self, shelf: Shelf, *words: str, **choices: float) -> dict[str, float]:
        connection = shelf.index.connection
        where = lookup.scope(connection, SHOP)
        assert where
        return lookup.weigh(connection, where, list(words), **choices)

    def test_a_rarer_word_weighs_more_and_comes_first(self, shelf: Shelf) -> None:
        weights = self.weights(shelf, "even", "unique7", rarer_than=1.0)

        assert list(weights) == ["unique7", "even"]
        assert weights["unique7"] > weights["even"] > 0

    def test_a_word_that_nobody_has_weighs_as_much_as_the_rarest(self, shelf: Shelf) -> None:
        weights = self.weights(shelf, "zebra", "unique7")

        assert weights["zebra"] == weights["unique7"]

    def test_a_word_that_too_many_have_is_left_out(self, shelf: Shelf) -> None:
        assert "note" not in self.weights(shelf, "note", "unique7")
        assert "note" in self.weights(shelf, "note", "unique7", rarer_than=1.0)

    def test_of_many_words_the_rarest_are_kept(self, shelf: Shelf) -> None:
        words = ["even", *(f"unique{n}" for n in range(30))]

        weights = self.weights(shelf, *words, rarer_than=1.0)

        assert len(weights) == lookup.MOST_TERMS
        assert "even" not in weights

    def test_of_very_many_words_the_longest_are_looked_up(self, shelf: Shelf) -> None:
        fillers = [f"ab{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200)]

        assert "unique7" in self.weights(shelf, *fillers, "unique7")

    def test_another_projects_words_have_no_weight_here(self, shelf: Shelf) -> None:
        before = self.weights(shelf, "unique7", "zebra")
        shelf.fill(DIARY, *[a_memory("unique7 zebra", day=n) for n in range(50)])

        assert self.weights(shelf, "unique7", "zebra") == before


class TestRecalling:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("The orders page is slow", "N+1 query in get_orders, selectinload"),
            a_memory("Bake a pumpkin cake", "needs cinnamon"),
            a_memory("Café opening hours", "naïve parsing of Straße"),
        )

    def test_an_entry_that_holds_the_question_is_found(self, shelf: Shelf) -> None:
        assert list(found(shelf, "why was the orders page slow?")) == ["The orders page is slow"]

    @pytest.mark.parametrize(
        "question",
        ["slower ordering pages", "ORDERS PAGE", "cafe naive strasse opening", "opened cafés"],
    )
    def test_forms_case_and_accents_do_not_matter(self, shelf: Shelf, question: str) -> None:
        assert found(shelf, question, bar=0.3)

    def test_an_unrelated_question_finds_nothing(self, shelf: Shelf) -> None:
        assert found(shelf, "translate this greeting into Finnish") == {}

    def test_a_question_of_common_words_finds_nothing(self, shelf: Shelf) -> None:
        assert found(shelf, "what should we do with it now?", bar=0.0) == {}

    def test_the_score_is_the_share_of_the_question_that_is_held(self, shelf: Shelf) -> None:
        whole = found(shelf, "pumpkin cinnamon")
        half = found(shelf, "pumpkin zebra", bar=0.0)

        assert whole == {"Bake a pumpkin cake": 1.0}
        assert half == {"Bake a pumpkin cake": 0.5}

    def test_only_what_clears_the_bar_is_shown(self, shelf: Shelf) -> None:
        question = "pumpkin zebra giraffe"

        assert found(shelf, question, bar=0.34) == {}
        assert found(shelf, question, bar=0.33)

    @pytest.mark.parametrize("count", range(1, 13))
    def test_what_holds_every_word_clears_the_highest_bar(self, shelf: Shelf, count: int) -> None:
        """Shares that were added up one by one made 0.9999999999999999."""
        words = [f"word{number}" for number in range(count)]
        others = [
            a_memory(f"other {place}", " ".join(words[: place % count]), day=place)
            for place in range(7)
        ]
        shelf.fill(SHOP, a_memory("all of it", " ".join(words)), *others)

        assert "all of it" in found(shelf, " ".join(words), bar=1.0)

    def test_at_most_so_many_the_best_first_and_of_equals_the_later(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("early tea", day=1),
            a_memory("late tea", day=9),
            a_memory("tea and biscuits", day=5),
        )
        connection = shelf.index.connection

        hits = recall(connection, SHOP, "tea biscuits", limit=2, bar=0.0)

        assert [hit.line for hit in hits] == ["tea and biscuits", "late tea"]

    def test_what_the_asking_session_did_itself_is_left_out(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("old tea", day=1), a_memory("my tea", day=9, session="mine"))

        hits = recall(shelf.index.connection, SHOP, "tea", limit=5, bar=0.5, asked_in="mine")

        assert [hit.line for hit in hits] == ["old tea"]

    def test_no_other_projects_entry_is_ever_shown(self, shelf: Shelf) -> None:
        shelf.fill(DIARY, a_memory("The orders page of my diary"))

        assert list(found(shelf, "orders page", project=DIARY)) == ["The orders page of my diary"]
        assert list(found(shelf, "orders page", project=SHOP)) == ["The orders page is slow"]

    @pytest.mark.parametrize("project", ["", "sho", "shop-1f ", 'shop" OR "diary', "nobody-00"])
    def test_a_project_that_does_not_exist_has_nothing(self, shelf: Shelf, project: str) -> None:
        assert found(shelf, "orders page", project=project, bar=0.0) == {}

    def test_an_entry_whose_file_changed_is_left_out_and_the_next_one_shown(
        self, shelf: Shelf
    ) -> None:
        file = shelf.put(SHOP, "touched.md", a_memory("orders page, touched", day=9))
        shelf.sync(SHOP)
        os.utime(file)

        hits = recall(shelf.index.connection, SHOP, "orders page", limit=1, bar=0.5)

        assert [hit.line for hit in hits] == ["The orders page is slow"]

    @pytest.mark.parametrize("question", SYNTAX)
    def test_no_character_is_syntax(self, shelf: Shelf, question: str) -> None:
        asked = [found(shelf, question, bar=0.0), found(shelf, f"tea {question} cake", bar=0.0)]

        assert all(set(lines) <= {"Bake a pumpkin cake"} for lines in asked)

    @given(question=anything)
    @settings(
        max_examples=150,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_any_question_is_answered_within_zero_and_one(
        self, shelf: Shelf, question: str
    ) -> None:
        assert all(0 < score <= 1 for score in found(shelf, question, bar=0.0).values())


class TestOpening:
    def test_is_for_reading_only(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        connection = lookup.open_index(paths.index(str(shelf.folder)))

        with pytest.raises(Error, match="readonly"):
            connection.execute("DELETE FROM entries")

        connection.close()

    def test_a_missing_one_is_not_made(self, tmp_path: Path) -> None:
        with pytest.raises(Error):
            lookup.open_index(str(tmp_path / "index.db"))

        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_is_touched_or_gone_has_changed(self, tmp_path: Path) -> None:
        file = tmp_path / "day.md"
        file.write_text("tea")
        size, time = file.stat().st_size, file.stat().st_mtime_ns

        before = lookup.is_unchanged(str(file), size, time)
        os.utime(file, ns=(time + 1, time + 1))
        touched = lookup.is_unchanged(str(file), size, time)
        file.unlink()

        assert (before, touched) == (True, False)
        assert not lookup.is_unchanged(str(file), size, time)
