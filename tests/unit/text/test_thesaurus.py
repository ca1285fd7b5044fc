"""Which one of a kind: the members of it answer to its word."""

import pytest

from recollect.text import thesaurus
from recollect.text.terms import BIDDING_WORDS, COMMON_WORDS


@pytest.mark.parametrize(
    ("question", "word", "member"),
    [
        ("Which package manager do we use?", "manager", "pnpm"),
        ("what DB engine did we pick", "db", "postgres"),
        ("so which message queue was it", "queue", "rabbitmq"),
    ],
)
def test_a_question_which_one_names_the_kind(question: str, word: str, member: str) -> None:
    assert member in thesaurus.members(question)[word]


@pytest.mark.parametrize(
    "question",
    ["Why is the database slow?", "What is the cache key of orders?", "which orders are late", ""],
)
def test_other_questions_ask_for_no_member(question: str) -> None:
    assert thesaurus.members(question) == {}


def test_no_member_is_an_everyday_word() -> None:
    members = {one for those in thesaurus._kinds().values() for one in those}

    assert not members & (COMMON_WORDS | BIDDING_WORDS)
