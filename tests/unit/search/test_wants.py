"""What a prompt wants: the past, work on something known, or nothing of a memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.search import wants
from recollect.search.wants import ASKED, UNKNOWN, Wants, read
from tests.unit.embedders.encoder import MINILM


@given(st.integers(0, 1_000))
def test_of_any_vector_the_three_are_likelihoods_that_make_one(seed: int) -> None:
    vector = np.random.default_rng(seed).normal(size=MINILM.dimensions).astype(np.float32)

    found = read(vector / np.linalg.norm(vector))

    shares = (found.past, found.work, found.none)
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("known", [UNKNOWN, ASKED])
def test_what_is_assumed_makes_one(known: Wants) -> None:
    assert known.past + known.work + known.none == pytest.approx(1.0)


def test_there_is_a_row_of_weights_for_each_and_an_offset() -> None:
    assert wants._weights().shape == (3, MINILM.dimensions + 1)


@pytest.mark.parametrize(
    "prompt",
    [
        "why did we choose Postgres over MySQL?",
        "what did we decide about the retry limit last week?",
        "how did we fix the flaky checkout test back then?",
    ],
)
def test_who_asks_what_was_decided_or_found_wants_the_past(prompt: str) -> None:
    found = read(MINILM.question(prompt))

    assert found.past > found.none


@pytest.mark.parametrize(
    "prompt",
    ["thanks, looks good", "squash my last two commits", "what is the capital of France?"],
)
def test_a_plain_order_or_small_talk_wants_nothing(prompt: str) -> None:
    found = read(MINILM.question(prompt))

    assert found.none > found.past
