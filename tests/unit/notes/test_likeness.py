"""Which note a new one might be about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.notes import likeness

NOTES = {
    "npm": "Use npm for packages",
    "orders": "Orders live in Postgres",
    "refused": "pytest fails with connection refused on port 5432",
    "vpn": "Deploys need the VPN",
}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Orders are kept in Postgres", "orders"),
        ("ConnectionRefusedError: connection refused, port 5432, in pytest", "refused"),
        ("The VPN must be up for deploys", "vpn"),
    ],
)
def test_the_same_thing_in_other_words_is_found(said: str, meant: str) -> None:
    found = likeness.best(said, NOTES)

    assert found
    assert found.name == meant
    assert found.likeness >= likeness.RELATED


@pytest.mark.parametrize("said", ["Answer in German", "Use tabs", "The orders page has a new logo"])
def test_one_shared_word_makes_no_candidate(said: str) -> None:
    """In another tool one shared tag was enough, and overwrote a note about something else."""
    found = likeness.best(said, NOTES)

    assert found is None or found.likeness < likeness.RELATED


def test_the_same_words_say_the_same() -> None:
    found = likeness.best(NOTES["vpn"], NOTES)

    assert found
    assert found.name == "vpn"
    assert found.likeness == pytest.approx(1.0)


def test_meaning_speaks_where_words_are_few_but_never_alone() -> None:
    near = dict.fromkeys(NOTES, 0.0) | {"npm": 0.8}

    some_words = likeness.best("Packages come from pnpm", NOTES, nearness=near)
    no_words = likeness.best("Dependencies", NOTES, nearness=near)

    assert some_words
    assert some_words.likeness >= likeness.RELATED
    assert no_words
    assert no_words.likeness < likeness.RELATED


@given(st.text(), st.dictionaries(st.text(), st.text(), max_size=4))
def test_likeness_lies_between_zero_and_one(said: str, others: dict[str, str]) -> None:
    found = likeness.best(said, others)

    assert found is None or (found.name in others and 0 < found.likeness <= 1.0001)
