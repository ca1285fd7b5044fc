"""How likely a passage answers by its words: more makes it likelier, nothing makes it sure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.confidence import MOST_HELD, by_words

share = st.floats(0, 1)
evidence = st.fixed_dictionaries({"turn_share": share, "held": st.floats(0, 50)})


def confidence(evidence: dict[str, float]) -> float:
    return by_words(turn_share=evidence["turn_share"], held=evidence["held"])


@given(evidence)
def test_lies_between_never_and_always(given_: dict[str, float]) -> None:
    assert 0 < confidence(given_) < 1


@given(evidence, st.sampled_from(["turn_share", "held"]), share)
def test_more_of_any_evidence_never_makes_it_less_likely(
    given_: dict[str, float], name: str, more: float
) -> None:
    assert confidence(given_ | {name: given_[name] + more}) >= confidence(given_)


def test_beyond_a_few_rare_words_it_does_not_matter_how_many() -> None:
    few, many = (by_words(turn_share=0.5, held=held) for held in (MOST_HELD, 99.0))

    assert few == many


def test_what_the_turn_around_it_holds_speaks_for_a_passage() -> None:
    alone, among = (by_words(turn_share=turn, held=8.0) for turn in (0.5, 1.0))

    assert among > alone


@pytest.mark.parametrize(
    "enough",
    [
        {"turn_share": 1.0, "held": 10.0},
        {"turn_share": 0.8, "held": 12.0},
        {"turn_share": 0.6, "held": 16.0},
    ],
)
def test_what_is_good_evidence_is_shown_unasked(enough: dict[str, float]) -> None:
    assert confidence(enough) > 0.5


@pytest.mark.parametrize(
    "too_little",
    [
        {"turn_share": 0.3, "held": 4.0},
        {"turn_share": 0.5, "held": 5.0},
        {"turn_share": 1.0, "held": 0.0},
    ],
)
def test_what_is_chance_is_not(too_little: dict[str, float]) -> None:
    assert confidence(too_little) < 0.5


def test_in_a_larger_memory_every_word_weighs_more_and_tells_less() -> None:
    usual, large = (by_words(turn_share=0.8, held=10.0, size=size) for size in (100, 50_000))

    assert large < usual
