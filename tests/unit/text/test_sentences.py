import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.text import sentences


@pytest.mark.parametrize(
    ("prompt", "headline"),
    [
        ("Fix the N+1 query in order-service", "Fix the N+1 query in order-service"),
        ("Hi Claude, can you please add a retry?", "add a retry"),
        ("ok, let's rename it. Then run the tests.", "rename it."),
        ("hello", "hello"),
        ("yes", "yes"),
        ("/review src/db.py", "/review src/db.py"),
        ("/home/dev/app.py does not start", "/home/dev/app.py does not start"),
        ("", "(no prompt)"),
        ("  \n ", "(no prompt)"),
        ("```py\nx = 1\n```\nWhy is x never used?", "Why is x never used?"),
        (
            "Implement the following plan:\n\n# Cache the orders\n\ntext",
            "Cache the orders",
        ),
        ("Implement the following plan:\n\n# Plan: Cache the orders\n\ntext", "Cache the orders"),
        ("My test fails:\n\nthe parser drops dates", "My test fails: the parser drops dates"),
        ("commit this.\n\nQ: is the parser read twice?", "Q: is the parser read twice?"),
        (
            'still failing: {"time":"2026","level":"DEBUG"}\nwhy is the hook late?',
            "still failing: why is the hook late?",
        ),
        (
            'change "Both run. One waits." to "One runs."',
            'change "Both run. One waits." to "One runs."',
        ),
        ("- first thing\n- second thing", "first thing"),
        ("Low Severity\n\nThe error is wrapped twice", "The error is wrapped twice"),
        ("High priority jobs starve.\n\nThe queue is FIFO.", "High priority jobs starve."),
        ("在订单服务里修复缓存。然后运行测试。", "在订单服务里修复缓存。"),
        (
            "see https://github.com/owner/repo/pull/12345678/files please",
            "see github.com/…/files please",
        ),
        ("<command-name>/exit</command-name>", "/exit"),
        ("[Image #1] the button is off by a pixel", "the button is off by a pixel"),
    ],
)
def test_a_headline_says_what_was_asked(prompt: str, headline: str) -> None:
    assert sentences.headline(prompt) == headline


def test_pasted_logs_are_no_headline() -> None:
    prompt = (
        "2026-11-15 13:32:07 INFO start\n"
        "Traceback (most recent call last):\n"
        '  File "app.py", line 3, in main\n'
        "    at Object.run (/srv/app.js:12:3)\n"
        "$ npm start\n"
        "The server dies at start, find out why"
    )

    assert sentences.headline(prompt) == "The server dies at start, find out why"


def test_a_prompt_that_is_nothing_but_a_paste_shows_its_first_line() -> None:
    assert sentences.headline("```\nKeyError: 'id'\n```") == "KeyError: 'id'"


@given(st.text())
@settings(deadline=None)
def test_a_headline_is_one_short_line(prompt: str) -> None:
    headline = sentences.headline(prompt)

    assert headline
    assert "\n" not in headline
    assert len(headline) <= 120


@pytest.mark.parametrize(
    "prompt",
    ["yes", "yes, commit the changes", "continue", "1", "do it", "ok go ahead", "继续", "hello"],
)
def test_a_prompt_of_words_about_work_in_general_is_thin(prompt: str) -> None:
    assert sentences.is_thin(prompt)


@pytest.mark.parametrize("prompt", ["fix parser.py", "add the retry", "修复订单缓存", "#1234"])
def test_a_prompt_that_names_something_is_not_thin(prompt: str) -> None:
    assert not sentences.is_thin(prompt)


def test_a_request_is_shown_without_what_was_pasted_into_it() -> None:
    prompt = (
        "Please look at the orders page. It is slow since Monday.\n"
        "commit 1a2b3c4d5e6f\nAuthor: Ann <ann@example.org>\n"
        '{"level": "INFO"}\n=== RUN TestOrders\n'
        "The lines are loaded one by one, I think."
    )

    assert sentences.requests(prompt) == [
        "look at the orders page.",
        "It is slow since Monday.",
        "The lines are loaded one by one, I think.",
    ]


def test_a_command_of_the_host_alone_is_known() -> None:
    assert sentences.slash_command("/review") == "/review"
    assert sentences.slash_command("/review the parser") == ""
    assert sentences.slash_command("review") == ""


def test_what_introduces_a_list_is_shown_with_its_items() -> None:
    answer = "Branches are sorted by activity now:\n\n1. the current branch\n2. main, always\n"

    assert sentences.requests(answer) == [
        "Branches are sorted by activity now: the current branch; main, always"
    ]


def test_a_long_list_is_shown_with_as_many_items_as_fit() -> None:
    items = [f"- the parser number {n} reads the dates of the orders" for n in range(9)]

    asked = sentences.requests("\n".join(["These parsers are new here:", *items]))

    assert asked[0].startswith("These parsers are new here: the parser number 0")
    assert len(asked[0]) <= sentences.LONGEST_LISTING
    assert asked[-1] == "the parser number 8 reads the dates of the orders"


def test_names_with_underscores_stay_whole() -> None:
    assert sentences.requests("The `__init__.py` is **really** empty.") == [
        "The `__init__.py` is really empty."
    ]


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    assert sentences.requests("Use a short key, e.g. Host and id. Then stop there.") == [
        "Use a short key, e.g. Host and id.",
        "Then stop there.",
    ]


def test_a_cut_ends_between_words() -> None:
    assert sentences.cut("the quick brown fox jumps", 20) == "the quick brown fox…"
    assert sentences.cut("a" * 30, 10) == "a" * 9 + "…"
    assert sentences.cut("two\n lines", 20) == "two lines"


@pytest.mark.parametrize(
    "hostile",
    [
        "<a>" * 10_000,
        "[" * 30_000,
        "a:" * 30_000,
        "**a" * 10_000,
        "if " * 20_000,
        "at (" * 10_000,
        '{"' * 20_000,
        "- a:\n" * 10_000,
        '"' * 30_000,
        "yes, " * 10_000,
        "on line 1" * 5_000,
    ],
)
def test_hostile_text_is_read_quickly(hostile: str) -> None:
    started = time.process_time()

    sentences.headline(hostile)
    sentences.requests(hostile)
    sentences.slash_command("/a " + hostile)

    assert time.process_time() - started < 5


def test_tags_that_nobody_closed_are_read_quickly() -> None:
    began = time.process_time()

    sentences.requests("<br>" * 5_000 + "fix the page")

    assert time.process_time() - began < 0.3
