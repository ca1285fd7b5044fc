"""What was really said: a writer's own sentences."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.text import spoken


def own(text: str) -> list[str]:
    return [sentence.text for sentence in spoken.sentences(text)]


def test_a_message_is_cut_into_sentences() -> None:
    text = "We use Postgres, e.g. for orders. it is fast! Do you agree?\n- keep it\nFine with me"

    assert own(text) == [
        "We use Postgres, e.g. for orders.",
        "it is fast!",
        "Do you agree?",
        "keep it",
        "Fine with me",
    ]


def test_a_line_that_was_wrapped_is_whole_again() -> None:
    text = "We decided to keep the old importer until the last customer has moved\nto the new one."

    assert own(text) == [" ".join(text.split("\n"))]


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nwe decided on Kafka\n```",
        "~~~\n# TODO: remove this hack later\n~~~",
        "> we decided on Kafka",
        "<recollect-memory>\nwe decided on Kafka\n</recollect-memory>",
        "<recollect-memory>we decided on Kafka",
        "<log>we decided on Kafka</log>",
        "2026-11-15 13:32:07 INFO decided to evict the pod",
        "[scheduler] decided to evict the pod",
        "ERROR: violates check constraint",
        "| decision | we use Kafka |",
        "// TODO: hack, always retry",
        "$ npm install --save-exact",
        '"We decided on Kafka. We never looked back."',
        "# ADR 7\n\nWe decided on Kafka.",
    ],
)
def test_what_is_pasted_is_not_said(pasted: str) -> None:
    assert own(f"Have a look.\n{pasted}") == ["Have a look."]


@pytest.mark.parametrize(
    "asked", ["Please summarise this:", "Übersetz das bitte:", "翻译一下：", "What does this mean?"]
)
def test_what_is_handed_over_to_be_worked_on_is_not_said(asked: str) -> None:
    assert own(f"{asked}\n\nFrom now on every team must use Kafka.") == [asked]


def test_a_quotation_within_a_sentence_is_not_heard() -> None:
    (sentence,) = spoken.sentences('He wrote "we always use Kafka. Never RabbitMQ." yesterday')

    assert sentence.heard == 'he wrote "..." yesterday'
    assert "Kafka" in sentence.text


def test_code_is_heard_by_its_kind() -> None:
    (sentence,) = spoken.sentences("Run `docker system prune`, then look at `df`.")

    assert sentence.heard == "run `run`, then look at `name`."


@pytest.mark.parametrize(
    "text",
    [
        "`getOrders` calls load_rows twice",
        "`EventGitCommit` never fires, `BaseCommit` never updates",
        "see orders.py and db.py",
    ],
)
def test_a_sentence_may_speak_of_code(text: str) -> None:
    assert [sentence.technical for sentence in spoken.sentences(text)] == [True]


def test_one_name_does_not_make_a_sentence_speak_of_code() -> None:
    (sentence,) = spoken.sentences("We use `pnpm` in this repo")

    assert not sentence.technical


def test_a_sentence_is_heard_in_lower_case_with_straight_quotes() -> None:
    (sentence,) = spoken.sentences("Ｄｏｎ’t use TABS")

    assert sentence.heard == "don't use tabs"


@given(st.text(max_size=2000))
@settings(deadline=None)
def test_any_text_can_be_read(text: str) -> None:
    for sentence in spoken.sentences(text):
        assert sentence.text == " ".join(sentence.text.split())
        assert len(sentence.heard) <= 20 * spoken.LONGEST_SENTENCE


@pytest.mark.parametrize(
    "hostile",
    [
        "<a>" * 50_000,
        "„abc def ghi jkl\n" * 20_000,
        "`" * 100_000,
        "a. " * 100_000,
        "x" * 2_000_000,
    ],
)
def test_hostile_text_is_read_quickly(hostile: str) -> None:
    started = time.process_time()

    found = spoken.sentences(hostile)

    assert time.process_time() - started < 2
    assert len(found) <= spoken.MOST_SENTENCES


def test_chat_spelling_is_heard_in_full() -> None:
    (one,) = spoken.sentences("dont touch it, u cant fix that w/o me")

    assert one.heard == "don't touch it, you can't fix that without me"


def test_an_option_belongs_to_what_follows_it() -> None:
    assert own("(b). no migrations please") == ["(b). no migrations please"]
