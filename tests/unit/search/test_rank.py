"""One order out of many lists, and what speaks for an entry besides its passages."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.search import rank
from recollect.search.rank import Circumstances, Lists, Matches
from recollect.search.score import Signals

scores = st.dictionaries(st.integers(0, 30), st.floats(-1e6, 1e6), max_size=12)
positive = st.dictionaries(st.integers(0, 30), st.floats(0.001, 1e6), max_size=12)
shares = st.dictionaries(st.integers(0, 30), st.floats(0, 1), max_size=12)
lists = st.builds(
    Lists,
    own=positive,
    said=positive,
    neighbours=positive,
    done=positive,
    nearest=scores,
    thread=scores,
    named=shares,
)


def first(found: dict[int, Matches]) -> int:
    return max(found, key=lambda number: found[number].fused)


class TestNormalising:
    @given(scores)
    def test_scores_lie_between_zero_and_one_in_the_same_order(
        self, scored: dict[int, float]
    ) -> None:
        after = rank.normalised(scored)

        assert set(after) == set(scored)
        assert all(0 <= score <= 1 for score in after.values())
        in_order = [after[key] for key in sorted(scored, key=scored.__getitem__)]
        assert in_order == sorted(in_order)

    @given(positive)
    def test_counted_from_nothing_the_best_is_one_and_the_others_their_share_of_it(
        self, scored: dict[int, float]
    ) -> None:
        after = rank.normalised(scored, least=0.0)

        best = max(scored.values(), default=1.0)
        assert after == {key: pytest.approx(score / best) for key, score in scored.items()}


class TestFusing:
    @given(lists)
    def test_everything_that_any_list_found_is_ranked_once_on_legs_from_zero_to_one(
        self, found: Lists
    ) -> None:
        fused = rank.fuse(found)

        named = (found.own, found.said, found.neighbours, found.done, found.nearest, found.thread)
        assert set(fused) == {*found.named}.union(*named)
        for matches in fused.values():
            assert all(
                0 <= getattr(matches, name) <= 1
                for name in ("text_match", "neighbour_match", "nearest", "thread", "done", "named")
            )
            assert 0 <= matches.fused <= 4

    @given(lists, st.integers(0, 8))
    def test_of_many_only_those_that_fit_best_are_returned(self, found: Lists, most: int) -> None:
        everything = rank.fuse(found)

        best = rank.fuse(found, most=most)

        in_order = sorted(everything, key=lambda number: (-everything[number].fused, -number))
        assert list(best) == in_order[:most]
        assert all(best[number] == everything[number] for number in best)

    def test_what_every_list_loves_comes_first(self) -> None:
        fused = rank.fuse(
            Lists(
                own={1: 3.0, 2: 2.0, 3: 1.0},
                neighbours={1: 3.0, 3: 2.0, 2: 1.0},
                nearest={1: 0.9, 2: 0.8, 3: 0.1},
            )
        )

        assert first(fused) == 1

    @pytest.mark.parametrize(
        "leg", ["own", "said", "neighbours", "done", "nearest", "thread", "named"]
    )
    def test_each_list_can_decide_between_two_that_are_equal_otherwise(self, leg: str) -> None:
        equal: dict[str, Any] = {name: {1: 1.0, 2: 1.0} for name in ("neighbours", "nearest")}

        fused = rank.fuse(Lists(**equal | {leg: {1: 0.5, 2: 1.0}}))

        assert first(fused) == 2

    def test_what_it_says_itself_and_what_its_turn_says_count_by_the_better(self) -> None:
        fused = rank.fuse(Lists(own={1: 1.0, 2: 0.2}, said={2: 5.0, 3: 1.0}))

        assert (fused[1].text_match, fused[2].text_match, fused[3].text_match) == (1.0, 1.0, 0.2)

    def test_a_name_outweighs_all_the_rest_together(self) -> None:
        rest: dict[str, Any] = {
            "own": {1: 1.0},
            "neighbours": {1: 1.0},
            "done": {1: 1.0},
            "nearest": {1: 0.9, 2: 0.1},
        }

        fused = rank.fuse(Lists(**rest, thread={1: 1.0}, named={2: 1.0}))

        assert first(fused) == 2

    def test_the_last_of_a_list_that_was_cut_off_counts_for_nothing(self) -> None:
        """What stands behind it fits less, but nobody knows how much."""
        own = {1: 9.0, 2: 8.0, 3: 7.0}

        whole, cut = rank.fuse(Lists(own=own)), rank.fuse(Lists(own=own, depth=3))

        assert whole[3].text_match == pytest.approx(7 / 9)
        assert cut[3].text_match == 0.0
        assert cut[1].text_match == whole[1].text_match == 1.0


class TestCircumstances:
    @given(st.floats(0, 1e9), st.floats(0, 1e9))
    def test_of_two_the_later_one_gains_more_but_an_old_one_loses_nothing(
        self, one: float, other: float
    ) -> None:
        newer, older = (Circumstances(days_old=days).bonus for days in sorted((one, other)))

        assert rank.RECENT >= newer >= older >= 0

    @pytest.mark.parametrize("days", [-1e6, 0.0, 1e7])
    def test_a_time_in_the_future_or_before_all_memory_is_a_time(self, days: float) -> None:
        assert 0 <= Circumstances(days_old=days).bonus <= rank.RECENT

    def test_what_the_user_wrote_is_worth_more_than_a_note_and_that_more_than_an_entry(
        self,
    ) -> None:
        by_hand = Circumstances(by_hand=True).bonus
        note = Circumstances(a_note=True).bonus
        entry = Circumstances().bonus
        without_answer = Circumstances(without_answer=True).bonus

        assert by_hand > note > entry > without_answer

    def test_what_was_needed_again_and_again_gains_but_not_without_end(self) -> None:
        gained = [Circumstances(times_needed=times).bonus for times in (0, 1, 3, 50)]

        assert gained[0] < gained[1] < gained[2] == gained[3]

    def test_what_was_shown_often_and_never_used_sinks(self) -> None:
        assert Circumstances(ignored=True).bonus < Circumstances(days_old=1e6).bonus

    @pytest.mark.parametrize("circumstance", ["same_branch", "same_files", "by_hand"])
    def test_each_decides_between_equals_even_of_different_age(self, circumstance: str) -> None:
        fresh = Circumstances(days_old=0)
        week_old = Circumstances(days_old=7, **{circumstance: True})

        assert week_old.bonus > fresh.bonus

    def test_all_together_they_decide_nothing_that_the_passages_have_decided(self) -> None:
        favoured = Circumstances(by_hand=True, same_branch=True, same_files=True).bonus
        least = Circumstances(days_old=1e6).bonus
        answer = Signals(term_coverage=1.0, turn_coverage=1.0, nearness=0.5, turn_nearness=0.5)
        other = Signals(term_coverage=0.5, turn_coverage=0.5, nearness=0.3, turn_nearness=0.3)

        assert answer.score + least > other.score + favoured


class TestSupport:
    def test_others_of_the_session_speak_for_one(self) -> None:
        alone = {1: 1.0, 2: 1.1}

        supported = rank.supported(
            {**alone, 3: 0.9, 4: 0.8}, {1: "talk", 3: "talk", 4: "talk", 2: "other"}
        )

        assert supported[1] > supported[2] == 1.1

    def test_those_without_a_session_do_not_support_each_other(self) -> None:
        assert rank.supported({1: 1.0, 2: 0.5}, {1: "", 2: ""}) == {1: 1.0, 2: 0.5}

    @given(
        st.dictionaries(st.integers(0, 9), st.floats(0, 4), min_size=1),
        st.dictionaries(st.integers(0, 9), st.sampled_from(["a", "b", ""])),
    )
    def test_within_a_session_the_order_stays(
        self, scored: dict[int, float], sessions: dict[int, str]
    ) -> None:
        after = rank.supported(scored, sessions)

        for session in ("a", "b"):
            ours = [number for number in scored if sessions.get(number) == session]
            ours.sort(key=lambda number: scored[number])
            lifted = [after[number] for number in ours]
            assert all(a <= b + 1e-9 for a, b in pairwise(lifted))

    def test_what_stands_far_behind_the_best_supports_nothing(self) -> None:
        far = 9.0 - rank.SUPPORTING

        supported = rank.supported({1: 9.0, 2: 8.0, 3: far}, {1: "other", 2: "talk", 3: "talk"})

        assert supported[2] == 8.0
        assert supported[3] > far


class TestNamesFirst:
    def test_what_lacks_the_name_stands_at_most_beside_the_best_that_has_it(self) -> None:
        ranks = rank.names_first({1: 9.0, 2: 5.0, 3: 7.0, 4: 2.0}, {2: 1.0, 3: 1.0})

        assert ranks == {1: 7.0, 2: 5.0, 3: 7.0, 4: 2.0}

    def test_what_has_some_of_the_names_keeps_its_place(self) -> None:
        ranks = rank.names_first({1: 9.0, 2: 5.0, 3: 8.0}, {2: 1.0, 3: 0.5})

        assert ranks == {1: 5.0, 2: 5.0, 3: 8.0}

    @given(st.dictionaries(st.integers(0, 9), st.floats(-4, 20)))
    def test_where_nobody_has_a_name_nothing_changes(self, ranks: dict[int, float]) -> None:
        assert rank.names_first(ranks, {}) == ranks
