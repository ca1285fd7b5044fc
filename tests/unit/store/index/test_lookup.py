"""One question to the index: which words count, how much of it an entry holds, whose entries."""

import os
from _sqlite3 import Error
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import paths
from recollect.store.files import versions
from recollect.store.sqlite.index import lookup
from recollect.store.sqlite.index.lookup import recall
from recollect.text import term_weights
from recollect.text.terms import terms
from tests.builders.index import Shelf, a_memory, a_turn

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
    """The lines that answer *question*, with how likely they do, best first."""
    hits = recall(shelf.index.connection, project, question, limit=10, bar=bar)
    return {hit.line: round(hit.score, 3) for hit in hits}


class TestWeighing:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        """Sixty notes: all hold "note", half "even", one each has a number of its own."""
        shelf.fill(
            SHOP,
            *[
                a_memory(f"note unique{n}", "even" if n % 2 == 0 else "odd", day=n)
                for n in range(60)
            ],
        )

    def weights(self, shelf: Shelf, *words: str, **choices: float) -> dict[str, float]:
        connection = shelf.index.connection
        where = lookup.scope(connection, SHOP)
        assert where
        return lookup.weigh(connection, [where], list(words), **choices)

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

        assert len(weights) == term_weights.MOST_TERMS
        assert "even" not in weights

    def test_of_very_many_words_the_longest_are_looked_up(self, shelf: Shelf) -> None:
        fillers = [f"ab{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200)]

        assert "unique7" in self.weights(shelf, *fillers, "unique7")

    def test_a_word_that_is_left_out_anyway_is_not_counted_to_the_end(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(term_weights, "MOST_PLACES", 10)
        counts = shelf.index.lexical.frequencies
        everything = shelf.index.lexical.scope([SHOP])

        assert counts(everything, ["note", "unique7"]) == {"note": 11, "unique7": 1}
        named = counts(everything, ["note", "even", "unique7"], to_the_end=["note"])
        assert named == {"note": 60, "even": 11, "unique7": 1}

    def test_words_that_everybody_uses_are_told_apart_where_there_is_no_other(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(term_weights, "MOST_PLACES", 10)

        weights = self.weights(shelf, "note", "even", "zebra", rarer_than=1.0)

        assert list(weights) == ["even", "zebra"]

    def test_another_projects_words_have_no_weight_here(self, shelf: Shelf) -> None:
        before = self.weights(shelf, "unique7", "zebra")
        shelf.fill(DIARY, *[a_memory("unique7 zebra", day=n) for n in range(50)])

        assert self.weights(shelf, "unique7", "zebra") == before


class TestShares:
    def shares(self, shelf: Shelf, question: str) -> dict[str, float]:
        """The share of *question* that each passage holds, by its text."""
        connection = shelf.index.connection
        where = lookup.scope(connection, SHOP)
        assert where
        weighed = lookup.weigh(connection, [where], terms(question), rarer_than=1.0)
        held = lookup.holding(connection, [where], list(weighed))
        weights = list(weighed.values())
        passages = shelf.index.passages(list(held))
        return {
            passages[number].text: term_weights.weight_of(mask, weights) / sum(weights)
            for number, mask in held.items()
        }

    def test_are_of_the_question_that_a_passage_holds(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("pumpkin cake", "with cinnamon"), a_memory("cake"))

        assert self.shares(shelf, "pumpkin cinnamon") == {"with cinnamon": 1.0}
        assert self.shares(shelf, "pumpkin zebra") == {"with cinnamon": 0.5}
        assert self.shares(shelf, "zebra") == {}

    def test_a_rare_word_is_a_larger_share_than_a_common_one(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"cake {n}", day=n) for n in range(20)], a_memory("pumpkin"))

        shares = self.shares(shelf, "pumpkin cake")

        assert shares["pumpkin"] > 0.5 > shares["cake 7"]
        assert shares["pumpkin"] + shares["cake 7"] == pytest.approx(1.0)

    @pytest.mark.parametrize("count", range(1, 13))
    def test_what_holds_every_word_holds_exactly_all(self, shelf: Shelf, count: int) -> None:
        """Shares that were added up one by one made 0.9999999999999999."""
        words = [f"word{number}" for number in range(count)]
        others = [
            a_memory(f"other {place}", f"{place} " + " ".join(words[: place % count]), day=place)
            for place in range(7)
        ]
        shelf.fill(SHOP, a_memory("all of it", " ".join(words)), *others)

        assert self.shares(shelf, " ".join(words))[" ".join(words)] == 1.0

    def test_a_pair_that_nobody_has_is_missed_less_than_a_word(self, shelf: Shelf) -> None:
        """It is often the end of one word and the beginning of the next, which says nothing."""
        shelf.fill(SHOP, a_memory("缓存"), a_memory("zebra"))

        assert self.shares(shelf, "缓存 失效")["缓存"] == pytest.approx(0.8)
        assert self.shares(shelf, "zebra giraffe")["zebra"] == pytest.approx(0.5)


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

    def test_the_more_of_the_question_is_held_the_likelier_it_is_an_answer(
        self, shelf: Shelf
    ) -> None:
        cake = "Bake a pumpkin cake"

        whole, half, third = (
            found(shelf, question, bar=0.0)[cake]
            for question in ("pumpkin cinnamon", "pumpkin zebra", "pumpkin zebra giraffe")
        )

        assert 1 > whole > half > third > 0
        assert whole > 0.7
        assert third < 0.5

    def test_all_of_a_longer_question_is_likelier_an_answer_than_all_of_a_short_one(
        self, shelf: Shelf
    ) -> None:
        longer = found(shelf, "bake pumpkin cake cinnamon")["Bake a pumpkin cake"]

        assert longer > found(shelf, "pumpkin cinnamon")["Bake a pumpkin cake"]

    def test_only_what_clears_the_bar_is_shown(self, shelf: Shelf) -> None:
        question = "pumpkin zebra giraffe"
        (sure,) = found(shelf, question, bar=0.0).values()

        assert found(shelf, question, bar=sure + 0.001) == {}
        assert found(shelf, question, bar=sure - 0.001)

    def test_no_answer_is_certain(self, shelf: Shelf) -> None:
        assert found(shelf, "pumpkin cake cinnamon bake", bar=1.0) == {}

    @pytest.mark.parametrize("question", ["tea", "run it", "cake!"])
    def test_a_prompt_that_weighs_too_little_is_no_question(
        self, shelf: Shelf, question: str
    ) -> None:
        shelf.fill(
            SHOP, *[a_memory(f"run tea cake {n}", day=n) for n in range(9)], a_memory("soup")
        )

        assert found(shelf, question, bar=0.0) == {}
        assert found(shelf, f"{question} with cinnamon", bar=0.0)

    @pytest.mark.parametrize(
        "prompt",
        ["run the tests", "fix the build error", "commit and push this", "great, merge it"],
    )
    def test_a_prompt_that_only_bids_is_no_question(self, shelf: Shelf, prompt: str) -> None:
        """The words are rare enough, but say nothing of what it is about."""
        shelf.fill(SHOP, a_memory(prompt, day=1), a_memory("Bake a pumpkin cake", day=2))

        assert found(shelf, prompt, bar=0.0) == {}
        assert prompt in found(shelf, f"{prompt} of the pumpkin", bar=0.0)

    @pytest.mark.parametrize(
        ("question", "text"),
        [
            ("缓存为什么失效", "今天修复了缓存失效的问题"),
            ("キャッシュを消す", "古いキャッシュを消した"),
            ("캐시 지우기", "캐시를 지웠다. 캐시 지우기 명령"),
            ("ย้ายฐานข้อมูล", "ย้ายฐานข้อมูลแล้ว"),
            ("修复缓存bug", "昨天修复缓存bug的办法"),
        ],
    )
    def test_a_sentence_without_spaces_is_found_by_a_part_of_it(
        self, shelf: Shelf, question: str, text: str
    ) -> None:
        shelf.fill(SHOP, a_memory("wanted", text), a_memory("other", "另一件事情。別の話。다른 일"))

        assert list(found(shelf, question)) == ["wanted"]

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

        hits = recall(shelf.index.connection, SHOP, "tea mug", limit=5, bar=0.0, asked_in="mine")

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


class TestPassages:
    """What is shown of a memory are the passages that hold most of the prompt."""

    ANSWER = (
        "## Crane\nThe harbour crane is parked beside the shed.\n\n"
        "## Boats\nThe boats lie in the harbour.\n\n## Lunch\nThere was soup."
    )

    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Parked", session="s", turn="t1", id="h-1"), a_memory("Lunch"))
        turn = a_turn("t1", "where is the harbour crane, please?", answer=self.ANSWER, session="s")
        shelf.tell(SHOP, turn)

    def recalled(self, shelf: Shelf, prompt: str, *, bar: float = 0.5) -> list[lookup.FallbackHit]:
        return recall(shelf.index.connection, SHOP, prompt, limit=5, bar=bar)

    def test_the_best_comes_first_as_it_is_shown_with_its_mark(self, shelf: Shelf) -> None:
        (hit,) = self.recalled(shelf, "is the harbour crane parked beside the shed?")

        text, mark = hit.passages[0]
        assert (hit.id, text) == (
            "h-1",
            "  Crane:\n  The harbour crane is parked beside the shed.\n",
        )
        known = shelf.index.connection.execute("SELECT number FROM passages").fetchall()
        marks = {one.mark for one in shelf.index.passages([n for (n,) in known]).values()}
        assert mark in marks

    def test_what_holds_much_less_is_not_shown_beside_it(self, shelf: Shelf) -> None:
        (hit,) = self.recalled(shelf, "harbour crane parked shed")

        assert len(hit.passages) == 1

    def test_the_request_speaks_for_its_turn_and_is_not_shown(self, shelf: Shelf) -> None:
        (hit,) = self.recalled(shelf, "where, please, is the harbour crane?", bar=0.0)

        assert all("please" not in text for text, _ in hit.passages)

    def test_what_its_turn_holds_besides_makes_a_memory_likelier(self, shelf: Shelf) -> None:
        (whole,) = self.recalled(shelf, "boats harbour soup", bar=0.0)
        (half,) = self.recalled(shelf, "boats harbour zebra", bar=0.0)

        assert whole.score > half.score

    def test_of_an_entry_that_somebody_edited_the_turn_is_silent(self, shelf: Shelf) -> None:
        edited = a_memory("Parked", session="s", turn="t1", id="h-1", edited=True)
        shelf.fill(SHOP, edited, a_memory("Lunch"))

        assert self.recalled(shelf, "harbour crane shed", bar=0.0) == []

    def test_of_an_entry_that_is_gone_the_turn_is_silent(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Lunch"))

        assert self.recalled(shelf, "harbour crane shed", bar=0.0) == []

    def test_of_a_long_prompt_the_beginning_and_the_end_are_asked(self, shelf: Shelf) -> None:
        log = "zebra giraffe " * 200

        at_the_begin = self.recalled(shelf, f"harbour crane shed? {log}", bar=0.0)
        at_the_end = self.recalled(shelf, f"{log} harbour crane shed?", bar=0.0)
        in_between = self.recalled(shelf, f"{log} harbour crane shed? {log}", bar=0.0)

        assert at_the_begin[0].id == at_the_end[0].id == "h-1"
        assert in_between == []


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
        version, time = versions.stamp(str(file)), file.stat().st_mtime_ns

        before = versions.is_unchanged(str(file), version)
        os.utime(file, ns=(time + 1, time + 1))
        touched = versions.is_unchanged(str(file), version)
        file.unlink()

        assert (before, touched) == (True, False)
        assert not versions.is_unchanged(str(file), version)
