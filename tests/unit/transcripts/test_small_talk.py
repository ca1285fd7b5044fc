"""Greetings and thanks are no memory; what is told or asked beside them is."""

from datetime import UTC, datetime

import pytest

from recollect.transcripts import small_talk
from recollect.transcripts.turns import Turn

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def a_turn(prompt: str, answer: str) -> Turn:
    return Turn(
        host="claude-code",
        session="s-1",
        key="k-1",
        prompt=prompt,
        answer=answer,
        started=NOON,
        ended=NOON,
    )


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("super danke dir, feierabend!", "Schönen Feierabend!"),
        ("danke, bis montag!", "Bis dann, gute Erholung!"),
        ("Thank you very much, that is everything for today.", "Have a pleasant afternoon, Ann."),
        ("Good morning. Are you ready to continue with labtrail?", "Good morning. I am ready."),
        ("hello there my friend", "Hello! How can I help you today?"),
    ],
)
def test_a_greeting_that_is_greeted_is_small_talk(prompt: str, answer: str) -> None:
    assert small_talk.is_small_talk(a_turn(prompt, answer))


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Good morning. The staging password rotates every Monday, so never cache it.", "Noted."),
        ("Hi! Our production database lives in Frankfurt, backups go to Dublin.", "Noted."),
        ("is everything good to go now?", "No, migration 0042 fails on staging."),
        ("is the weekend job on?", "No: it was switched off in March."),
    ],
)
def test_what_is_told_or_asked_beside_a_greeting_is_a_memory(prompt: str, answer: str) -> None:
    assert not small_talk.is_small_talk(a_turn(prompt, answer))


@pytest.mark.parametrize(
    "sentence",
    ["The weekend job is off.", "All good on staging now.", "Night builds work.", "Good: use uv."],
)
def test_how_things_are_is_no_courtesy(sentence: str) -> None:
    assert not small_talk.is_courtesy(sentence)
