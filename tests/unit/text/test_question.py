"""What a prompt asks, apart from what is pasted into it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text import question
from recollect.text.question import LONGEST_ERROR, LONGEST_QUESTION, MOST_ERRORS, read

LOG = "\n".join(f"2026-11-01 12:00:{n:02} INFO request {n} served" for n in range(40))
TRACE = (
    "Traceback (most recent call last):\n"
    '  File "/shop/db.py", line 7, in get\n'
    "    return rows[key]\n"
    "KeyError: 'port'"
)


class TestShortPrompts:
    @pytest.mark.parametrize("prompt", ["why is it slow?", "  fix it ", "ERROR", "> quoted", ""])
    def test_are_searched_as_they_are(self, prompt: str) -> None:
        assert read(prompt).text == prompt.strip()
        assert read(prompt).errors == ()


class TestPastedLines:
    @pytest.mark.parametrize(
        "pasted",
        [
            LOG,
            TRACE,
            "    at getOrders (/shop/db.js:7:3)\n    at main (/shop/index.js:1:1)",
            "diff --git a/db.py b/db.py\n@@ -1 +1 @@\n-limit = 5;\n+limit = 9;",
            "| a | b |\n| 1 | 2 |",
            "src/db.py:7:3: undefined name",
            '{\n"port": 80,\n}',
            "```\nlimit = 5\nanything at all\n```",
            "~~~\nanything at all",
            "npm ERR! missing script",
            "usage: tidy [-h] [--json] PATH\ntidy: error: unrecognized arguments: --ignore-file",
            "make: *** [Makefile:14: tidy] Error 2",
            "bash: line 1: tidy: command not found",
        ],
    )
    def test_are_set_aside(self, pasted: str) -> None:
        assert read(f"why does the import die?\n{pasted}").text == "why does the import die?"

    def test_of_a_program_leave_what_a_person_wrote_around_them(self) -> None:
        found = read(f"The import dies.\n{LOG}\nWhat was it the last time?")

        assert found.text == "The import dies. What was it the last time?"

    def test_that_are_all_there_is_are_searched_by_their_error(self) -> None:
        found = read(TRACE)

        assert found.text == "KeyError: 'port'"
        assert found.errors == ("KeyError: 'port'",)

    def test_without_any_error_are_searched_by_their_beginning(self) -> None:
        found = read(LOG)

        assert found.text == LOG[:LONGEST_QUESTION]


class TestErrors:
    @pytest.mark.parametrize(
        "error",
        [
            "ValueError: bad row 7",
            "error: unknown column 'price'",
            "npm ERR! code ENOENT",
            "2026-11-01 12:00:00 FATAL out of memory, killed",
            "src/db.py:7:3: cannot find symbol",
            "    connect ECONNREFUSED 127.0.0.1:5432",
        ],
    )
    def test_are_found_among_what_was_pasted(self, error: str) -> None:
        found = read(f"the import dies, why?\n{LOG}\n{error}")

        assert found.errors == (" ".join(error.split()),)
        assert found.searched == f"the import dies, why?\n{found.errors[0]}"

    @pytest.mark.parametrize("line", ["INFO every entry exists", "INFO either of the events"])
    def test_are_no_lines_that_only_begin_a_word_like_one(self, line: str) -> None:
        assert read(f"why is it slow?\n{line}").errors == ()

    def test_the_last_come_first_and_each_once(self) -> None:
        lines = ["ValueError: one", "KeyError: two", "KeyError: two", "OSError: three"]

        assert list(question.errors(lines)) == ["OSError: three", "KeyError: two"]

    def test_a_long_one_is_cut(self) -> None:
        (error,) = question.errors(["ValueError: " + "x" * 9_000])

        assert len(error) == LONGEST_ERROR


class TestLongPrompts:
    FILLER = " ".join(f"We have seen thing number {n} in the shop before." for n in range(30))

    def test_are_searched_by_what_they_ask(self) -> None:
        prompt = f"Background first. {self.FILLER} Why is the crane slow? {self.FILLER} Thanks."

        found = read(prompt).text

        assert "Why is the crane slow?" in found
        assert found.startswith("Background first.")
        assert found.endswith("Thanks.")
        assert len(found) <= LONGEST_QUESTION

    def test_of_one_endless_sentence_the_beginning_counts(self) -> None:
        found = read("why is the crane slow and " * 90).text

        assert found.startswith("why is the crane slow and")
        assert len(found) <= LONGEST_QUESTION


@given(
    st.lists(st.sampled_from([LOG, TRACE, "```", "why?", "字。", "a. "]) | st.text()).map("\n".join)
)
def test_anything_can_be_read_and_what_is_searched_is_short(prompt: str) -> None:
    found = read(prompt)

    assert len(found.text) <= max(LONGEST_QUESTION, MOST_ERRORS * (LONGEST_ERROR + 1))
    assert len(found.errors) <= MOST_ERRORS
    assert found.text or not prompt.strip()


@pytest.mark.parametrize(
    "text",
    [
        *(piece * (200_000 // len(piece)) for piece in ("a", "(", "[", "`", "-", "E", " ", "\t")),
        *(
            piece * (200_000 // len(piece))
            for piece in ("```\n", ". ", "at ", "。", "error ", "> ")
        ),
    ],
    ids=lambda text: repr(text[:4]),
)
def test_a_huge_prompt_is_read_in_linear_time(text: str) -> None:
    began = time.process_time()

    read(f"why?\n{text}\nand what?")

    assert time.process_time() - began < 10  # Quadratic would be hours.
