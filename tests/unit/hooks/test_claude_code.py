"""Which prompts are questions: a person's, and long enough to search with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.hooks import claude_code
from recollect.hooks.claude_code import count_words, is_command, is_question


@pytest.mark.parametrize(
    "prompt",
    [
        "why is it slow",
        "fix the tests",
        "  fix   the\ttests\n",
        "orders.py db.py main.py",
        "/etc/hosts is wrong",
        "/src/orders/db.py fails again",
        "what does /compact do",
        "为什么慢",
        "修复 订单",
        "なぜ遅い",
        "왜 느려요",
        "a b c",
        "don't stop now",
        "почему так медленно",
        "<div> tag is broken here",
        "1 2 3",
    ],
)
def test_a_prompt_of_three_words_is_a_question(prompt: str) -> None:
    assert is_question(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "   ",
        "yes",
        "go on",
        "ok !!! ...",
        "- - - - -",
        "😀 😀 😀 😀",
        "继续",
        "好",
    ],
)
def test_fewer_than_three_words_are_none(prompt: str) -> None:
    assert not is_question(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "/compact",
        "/recollect:search the orders page",
        "/model opus and more words",
        "  /help me with this",
        "/",
        "/frontend:new-page with three words",
    ],
)
def test_a_slash_command_is_none(prompt: str) -> None:
    assert is_command(prompt.strip())
    assert not is_question(prompt)


@pytest.mark.parametrize("prompt", ["/etc/hosts", "/a/b c", "//comment here", "a /b", ""])
def test_a_path_is_no_command(prompt: str) -> None:
    assert not is_command(prompt)


@pytest.mark.parametrize("begin", claude_code.MACHINE_PROMPTS)
def test_what_the_host_types_itself_is_none(begin: str) -> None:
    assert not is_question(f"{begin}> a background agent has finished its work")
    assert not is_question(f"\n  {begin} one two three four")


@given(st.text())
def test_every_prompt_is_one_or_none(prompt: str) -> None:
    assert is_question(prompt) in (True, False)


@given(st.lists(st.sampled_from(["one", "two2", "修复", "...", "😀", "a-b"]), max_size=20))
def test_counting_stops_when_there_are_enough(words: list[str]) -> None:
    values = {"...": 0, "😀": 0, "修复": 2}
    whole = sum(values.get(word, 1) for word in words)

    assert count_words(" ".join(words), up_to=1000) == whole
    assert (count_words(" ".join(words), up_to=3) >= 3) == (whole >= 3)
