"""What the words of a question weigh together."""

from recollect.search import word_weights
from recollect.text import thesaurus


def test_words_that_stand_in_several_passages_add_up_without_counting_any_twice() -> None:
    weights = word_weights.of(dict.fromkeys(("green", "blue", "yellow", "zebra"), 1.0))

    assert weights.share(0b0001 | 0b0011 | 0b0100) == 0.75


def test_a_share_is_of_what_the_words_weigh() -> None:
    weights = word_weights.of({"red": 3.0, "green": 1.0})

    assert [weights.share(mask) for mask in (0b11, 0b01, 0b10, 0)] == [1.0, 0.75, 0.25, 0.0]


def test_a_word_that_stands_apart_weighs_nothing() -> None:
    assert word_weights.of({"red": 1.0, "green": 1.0}, apart=["green"]).whole == 1.0


def test_a_word_and_its_kind_weigh_what_the_word_did() -> None:
    weights = word_weights.of({"database": 2.0, "orders": 1.0}, kinds=["database"])

    assert weights.whole == 3.0
    assert weights.weights[0] == 2.0 * thesaurus.SHARE


def test_without_words_nothing_is_matched() -> None:
    assert word_weights.of({}).share(0b1) == 0.0
