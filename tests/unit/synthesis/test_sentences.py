import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.synthesis import sentences


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
            "Implement the following plan: Cache the orders",
        ),
        ("- first thing\n- second thing", "first thing"),
        ("在订单服务里修复缓存。然后运行测试。", "在订单服务里修复缓存。"),
        (
            "see https://github.com/owner/repo/pull/12345678/files please",
            "see github.com/…/files please",
        ),
        ("<command-name>/exit</command-name>", "/exit"),
        ("[Image #1] the button is off by a pixel", "the button is off by a pixel"),
    ],
)
def test_a_headline_says_what_was_asked(prompt, headline):
    assert sentences.headline(prompt) == headline


def test_pasted_logs_are_no_headline():
    prompt = (
        "2026-11-15 13:32:07 INFO start\n"
        "Traceback (most recent call last):\n"
        '  File "app.py", line 3, in main\n'
        "    at Object.run (/srv/app.js:12:3)\n"
        "$ npm start\n"
        "The server dies at start, find out why"
    )

    assert sentences.headline(prompt) == "The server dies at start, find out why"


def test_a_prompt_that_is_nothing_but_a_paste_shows_its_first_line():
    assert sentences.headline("```\nKeyError: 'id'\n```") == "KeyError: 'id'"


@given(st.text())
@settings(deadline=None)
def test_a_headline_is_one_short_line(prompt):
    headline = sentences.headline(prompt)

    assert headline
    assert "\n" not in headline
    assert len(headline) <= 120


def test_the_first_sentence_and_the_reasons_are_key():
    answer = (
        "Perfect! The orders page is fast now.\n\n"
        "## Details\n\n"
        "| table | row |\n\n"
        "- **Root cause**: each order loaded its lines alone.\n"
        "- The colours are nice.\n"
        "- I used `selectinload` instead of a join because of paging.\n"
        "```py\nthis must never be kept\n```\n"
        "Would you like me to go on because I can?"
    )

    assert sentences.key_sentences([answer]) == [
        "The orders page is fast now.",
        "Root cause: each order loaded its lines alone.",
        "I used `selectinload` instead of a join because of paging.",
    ]


def test_remarks_add_reasons_but_no_opening():
    told = sentences.key_sentences(
        ["The cache is shared now.", "Reading the file now.", "It turned out the key had no host."]
    )

    assert told == ["The cache is shared now.", "It turned out the key had no host."]


@pytest.mark.parametrize(
    "answer", ["", "Done.", "You're welcome!", "Let me look at the file.", "All tests pass.", "???"]
)
def test_small_talk_is_not_kept(answer):
    assert sentences.key_sentences([answer]) == []


def test_names_with_underscores_stay_whole():
    assert sentences.key_sentences(["The `__init__.py` is **really** empty."]) == [
        "The `__init__.py` is really empty."
    ]


def test_an_abbreviation_does_not_end_a_sentence():
    assert sentences.statements("Use a short key, e.g. Host and id. Then stop there.") == [
        "Use a short key, e.g. Host and id.",
        "Then stop there.",
    ]


def test_next_steps_come_from_their_list_and_from_sentences():
    answer = (
        "The parser works.\n\n**Next steps:**\n1. Write the docs\n2. Run `make bench`\n\n"
        "The Windows build still needs a test. Want me to commit this?"
    )

    assert sentences.open_ends(answer) == [
        "Write the docs",
        "Run `make bench`",
        "The Windows build still needs a test.",
        "Want me to commit this?",
    ]


def test_a_cut_ends_between_words():
    assert sentences.cut("the quick brown fox jumps", 20) == "the quick brown fox…"
    assert sentences.cut("a" * 30, 10) == "a" * 9 + "…"
    assert sentences.cut("two\n lines", 20) == "two lines"


@pytest.mark.parametrize(
    "answer", ["All is committed. Next: measure it.", "Done. Next, measure it now."]
)
def test_a_sentence_that_begins_with_next_leaves_something_open(answer: str) -> None:
    assert len(sentences.open_ends(answer)) == 1


@pytest.mark.parametrize(
    "hostile",
    ["<a>" * 10_000, "[" * 30_000, "a:" * 30_000, "**a" * 10_000, "if " * 20_000, "at (" * 10_000],
)
def test_hostile_text_is_read_quickly(hostile):
    started = time.process_time()

    sentences.headline(hostile)
    sentences.key_sentences([hostile])
    sentences.open_ends(hostile)

    assert time.process_time() - started < 5
