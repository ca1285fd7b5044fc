"""What hosts say and hear in other ways, and that none is handed more than it takes."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import tokens
from recollect.config import Settings
from recollect.hooks import dialects
from recollect.hooks.response import HookResponse

# Codex takes so many bytes of UTF-8 whole, Claude Code so many UTF-16 units.
MOST = 10_000


def test_a_host_is_answered_by_its_own_name_for_the_event() -> None:
    said = HookResponse("UserPromptSubmit", body="- tea\n")
    names = {host: dialects.of(host).names.get(said.event, "") for host in dialects.DIALECTS}

    printed = {host: said.printed(called=name) for host, name in names.items()}

    assert '"hookEventName":"BeforeAgent"' in printed.pop("gemini-cli")
    assert all('"hookEventName":"UserPromptSubmit"' in one for one in printed.values())


def test_a_host_that_nobody_knows_is_spoken_to_plainly() -> None:
    assert dialects.of("a-host-to-come") is dialects.PLAIN


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        ("Why?", "Why?"),
        ("<hook_context>CTX</hook_context>\n\nWhy?", "Why?"),
        ("<hook_context>a</hook_context>\n\n<hook_context>b</hook_context>\n\nWhy?", "Why?"),
        ("What is <hook_context>?", "What is <hook_context>?"),
        ("<hook_context> is never closed", "<hook_context> is never closed"),
        ("<hook_context>only</hook_context>", ""),
    ],
)
def test_what_hooks_put_in_front_of_a_prompt_is_not_the_users(prompt: str, own: str) -> None:
    assert dialects.heard({"prompt": prompt})["prompt"] == own


@pytest.mark.parametrize("event", [{}, {"prompt": None}, {"prompt": 7}, {"prompt": ["a"]}])
def test_an_event_of_any_shape_is_heard(event: dict[str, object]) -> None:
    assert dialects.heard(event) == event


@given(st.text())
def test_no_text_has_more_bytes_or_units_than_three_a_token(text: str) -> None:
    assert len(text.encode()) <= 3 * tokens.estimate(text)


def test_the_largest_budget_is_what_every_host_takes_whole() -> None:
    budgets = [one for one in fields(Settings) if one.name.endswith("_budget_tokens")]

    assert budgets
    assert all(3 * one.metadata["most"] <= MOST for one in budgets)
