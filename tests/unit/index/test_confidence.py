"""How likely an entry answers: more of anything makes it likelier, and nothing makes it sure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.confidence import MOST_HELD, UNKNOWN_NEARNESS, confidence

share = st.floats(0, 1)
evidence = st.fixed_dictionaries(
    {"share": share, "held": st.floats(0, 50), "nearness": st.floats(-1, 1), "named": share}
)


@given(evidence)
def test_lies_between_never_and_always(given_: dict[str, float]) -> None:
    assert 0 < confidence(**given_) < 1


@given(evidence, st.sampled_from(["share", "held", "nearness", "named"]), share)
def test_more_of_any_evidence_never_makes_it_less_likely(
    given_: dict[str, float], name: str, more: float
) -> None:
    assert confidence(**given_ | {name: given_[name] + more}) >= confidence(**given_)


def test_beyond_a_few_rare_words_it_does_not_matter_how_many() -> None:
    assert confidence(share=0.5, held=MOST_HELD) == confidence(share=0.5, held=MOST_HELD * 9)


def test_without_a_vector_an_unremarkable_one_is_assumed() -> None:
    assert confidence(share=0.5, held=4) == confidence(share=0.5, held=4, nearness=UNKNOWN_NEARNESS)


@pytest.mark.parametrize(
    "enough",
    [
        {"share": 1.0, "held": 5.0},
        {"share": 0.5, "held": 8.0, "nearness": 0.5},
        {"share": 0.0, "held": 0.0, "nearness": 0.8},
        {"share": 0.5, "held": 4.6, "named": 1.0},
    ],
)
def test_what_is_good_evidence_is_shown_unasked(enough: dict[str, float]) -> None:
    assert confidence(**enough) > 0.5


@pytest.mark.parametrize(
    "too_little",
    [
        {"share": 0.3, "held": 2.0},
        {"share": 0.0, "held": 0.0, "nearness": 0.4},
        {"share": 0.5, "held": 2.0},
        {"share": 0.0, "held": 0.0, "nearness": 0.2, "named": 0.2},
    ],
)
def test_what_is_chance_is_not(too_little: dict[str, float]) -> None:
    assert confidence(**too_little) < 0.5
