"""Few signals, added up: the sum is the order, and tells how likely an answer is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.search import score
from recollect.search.score import Signals, answerability, likelihood
from recollect.search.wants import ASKED, UNKNOWN, Wants
from recollect.text import confidence

share = st.floats(0, 1)
PARTS = ("own", "alone", "asked", "said", "remarked", "changed", "ran")
MEASURES = (
    "nearness",
    "turn_nearness",
    "request_nearness",
    "term_coverage",
    "turn_coverage",
    "named",
    "named_here",
)
signals = st.builds(
    Signals,
    part=st.sampled_from(PARTS),
    is_compared=st.booleans(),
    **dict.fromkeys(MEASURES, share),
)
wanted = st.builds(Wants, past=share, work=share, none=share)


class TestSignals:
    @given(signals, st.sampled_from(MEASURES), share)
    def test_more_of_any_never_makes_the_sum_smaller(
        self, found: Signals, name: str, more: float
    ) -> None:
        richer = replace(found, **{name: getattr(found, name) + more})

        assert richer.score >= found.score

    def test_what_was_reported_comes_before_what_was_only_asked_ran_or_remarked(self) -> None:
        said, *others = (Signals(part=part).score for part in ("said", "asked", "ran", "remarked"))

        assert all(said > other for other in others)

    def test_beside_the_report_an_entry_comes_after_it_but_alone_it_does_not(self) -> None:
        assert Signals(part="own").score < Signals(part="said").score
        assert Signals(part="alone").score == Signals(part="said").score

    def test_an_exact_name_in_a_headline_outweighs_a_fair_share_of_the_words(self) -> None:
        named = Signals(named=1.0, named_here=1.0)
        vague = Signals(term_coverage=0.5, turn_coverage=0.5, nearness=0.5, turn_nearness=0.5)

        assert named.score > vague.score


class TestGuessedNearness:
    @given(share, share)
    def test_grows_with_the_words_and_stays_a_nearness(self, one: float, other: float) -> None:
        fewer, more = sorted((one, other))

        assert 0 <= score.guessed_nearness(fewer) <= score.guessed_nearness(more) <= 1

    def test_of_what_shares_no_word_is_none(self) -> None:
        """Entries in Japanese, of which there are no vectors, came before all others of a month."""
        assert score.guessed_nearness(0.0) == 0


class TestLikelihood:
    @given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
    def test_lies_between_never_and_always(self, fits: float, answerable: float) -> None:
        assert 0 < likelihood(fits, answerable) < 1

    @given(st.floats(-20, 40), st.floats(-20, 40), st.floats(-12, 2))
    def test_keeps_the_order_of_the_scores(
        self, one: float, other: float, answerable: float
    ) -> None:
        less, more = sorted((one, other))

        assert likelihood(less, answerable) <= likelihood(more, answerable)

    @given(signals, wanted, st.floats(0, 99), st.integers(1, 1_000_000))
    def test_of_anything_can_be_told(
        self, best: Signals, wants: Wants, weight: float, size: int
    ) -> None:
        assert (
            0
            < likelihood(best.score, answerability(best, weight=weight, size=size, wants=wants))
            < 1
        )

    def sure(
        self, best: Signals, *, weight: float = 16.0, size: int = 500, wants: Wants = UNKNOWN
    ) -> float:
        """How likely a passage answers that was compared by its meaning, too."""
        compared = replace(best, is_compared=True)
        answerable = answerability(compared, weight=weight, size=size, wants=wants)
        return likelihood(compared.score, answerable)

    def test_all_of_a_short_prompt_is_weaker_than_all_of_a_longer_one(self) -> None:
        whole = Signals(term_coverage=1.0, turn_coverage=1.0, nearness=0.5, turn_nearness=0.5)

        assert self.sure(whole, weight=5.0) < self.sure(whole, weight=15.0)

    def test_beyond_a_few_rare_words_it_does_not_matter_how_many(self) -> None:
        whole = Signals(term_coverage=1.0, turn_coverage=1.0)

        assert self.sure(whole, weight=score.MOST_HELD) == self.sure(whole, weight=99.0)

    def test_a_prompt_that_wants_nothing_is_answered_less_likely(self) -> None:
        fits = Signals(term_coverage=0.6, turn_coverage=0.8, nearness=0.5, turn_nearness=0.5)
        nothing = Wants(past=0.05, work=0.05, none=0.9)

        assert self.sure(fits, wants=nothing) < self.sure(fits) < self.sure(fits, wants=ASKED)

    @pytest.mark.parametrize(
        "fits",
        [
            Signals(
                term_coverage=0.7,
                turn_coverage=0.9,
                nearness=0.6,
                turn_nearness=0.6,
                request_nearness=0.6,
            ),
            Signals(
                term_coverage=1.0,
                turn_coverage=1.0,
                nearness=0.5,
                turn_nearness=0.5,
                request_nearness=0.5,
            ),
        ],
    )
    def test_what_answers_a_search_is_likely(self, fits: Signals) -> None:
        assert self.sure(fits, wants=ASKED) > 0.5

    @pytest.mark.parametrize(
        "chance", [Signals(), Signals(term_coverage=0.2, turn_coverage=0.3), Signals(nearness=0.4)]
    )
    def test_what_shares_little_is_not(self, chance: Signals) -> None:
        assert self.sure(chance, wants=ASKED) < 0.2

    def test_in_a_larger_memory_the_same_is_more_easily_chance(self) -> None:
        fits = Signals(term_coverage=0.6, turn_coverage=0.8, nearness=0.5, turn_nearness=0.5)

        assert self.sure(fits, size=50_000) < self.sure(fits, size=500)

    def test_without_a_meaning_to_go_by_it_is_what_a_hook_would_say(self) -> None:
        found = Signals(term_coverage=0.6, turn_coverage=0.8)

        answerable = answerability(found, weight=10.0, size=700, wants=UNKNOWN)

        by_hook = confidence.by_words(turn_share=0.8, held=6.0, size=700)
        assert likelihood(found.score, answerable) == pytest.approx(by_hook)
