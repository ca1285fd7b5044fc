"""A turn in passages: each says one thing, whole, and nothing that was only read is among them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.journal import passages
from recollect.journal.passages import (
    LONGEST_PASSAGE,
    USUAL_PASSAGE,
    of_entry,
    of_markdown,
    of_turn,
)
from recollect.transcripts.turns import ToolCall, Turn
from tests.builders.index import a_call, a_turn

PIECES = [
    "# Heading", "**Bold**", "- a point", "  - of it", "| a | b |", "|---|---|", "| 1 | 2 |",
    "A sentence. Another one! A third?", "一句话。第二句！", "It says:", "word " * 60, "x" * 900,
    "```", "```python", "def f():", "    return 1", "---", "", "  ", "- " + "long item. " * 90,
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=30).map("\n".join)
HEADING = 200  # What stands above a passage on top of its length: a heading, or who announces it.


def parts(turn: Turn) -> dict[str, list[str]]:
    """The passages of *turn*, by their part."""
    found: dict[str, list[str]] = {}
    for passage in of_turn(turn):
        found.setdefault(passage.part, []).append(passage.text)
    return found


def edited(tool: str = "Edit", **inputs: object) -> list[str]:
    """The passages of a turn that changed a file of /shop."""
    call = a_call(tool, **{"file_path": "/shop/src/db.py"} | inputs)
    return parts(a_turn("t", tools=(call,), cwd="/shop")).get("changed", [])


def ran(output: str = "", *, command: object = "make", failed: bool = False) -> list[str]:
    call = ToolCall(id="c", name="Bash", input={"command": command}, output=output, failed=failed)
    return parts(a_turn("t", tools=(call,))).get("ran", [])


class TestMarkdown:
    def test_what_is_small_and_stands_together_is_one(self) -> None:
        assert of_markdown("Redis.\n\nIn front of it an LRU.") == [
            "Redis.\n\nIn front of it an LRU."
        ]

    def test_another_heading_begins_another(self) -> None:
        assert of_markdown("## Cache\nRedis.\n## Queue\nNone.") == [
            "Cache:\nRedis.",
            "Queue:\nNone.",
        ]

    def test_a_long_paragraph_is_cut_between_whole_sentences(self) -> None:
        sentences = [f"This is the sentence number {n}, and it ends here." for n in range(20)]

        found = of_markdown(" ".join(sentences))

        assert len(found) > 1
        assert " ".join(found) == " ".join(sentences)
        assert all(text.startswith("This is") and text.endswith("here.") for text in found)

    @pytest.mark.parametrize("short", ["e.g.", "i.e."])
    def test_a_short_form_does_not_end_a_sentence(self, short: str) -> None:
        sentence = f"Take one of the caches, {short} the one in front of the database, for it."

        found = of_markdown(" ".join([sentence] * 9))

        assert all(text.endswith("for it.") for text in found)

    def test_a_long_list_is_cut_between_items_and_each_part_has_the_heading(self) -> None:
        items = [f"- item {n} is about the harbour crane and the shed" for n in range(12)]

        found = of_markdown("## Crane\n" + "\n".join(items))

        assert len(found) > 1
        assert all(text.startswith("Crane:\n- item") for text in found)
        assert [line for text in found for line in text.splitlines()[1:]] == items

    def test_a_long_table_is_cut_between_rows_and_each_part_has_the_header(self) -> None:
        rows = [f"| crane {n} | parked beside the shed |" for n in range(20)]

        found = of_markdown("\n".join(["| Which | Where |", "|---|---|", *rows]))

        assert len(found) > 1
        assert all(text.startswith("| Which | Where |\n| crane") for text in found)
        assert [line for text in found for line in text.splitlines()[1:]] == rows

    def test_who_announces_a_list_stays_with_it(self) -> None:
        assert of_markdown("Two things are left:\n\n- one\n- two") == [
            "Two things are left:\n- one\n- two"
        ]

    def test_code_is_not_taken_apart_while_it_fits(self) -> None:
        code = "```\n" + "\n".join(f"value_{n} = {n}" for n in range(30)) + "\n```"

        assert of_markdown(code) == [code]

    @pytest.mark.parametrize("text", ["", " \n\t\n", "# Only a heading", "---"])
    def test_of_nothing_there_is_none(self, text: str) -> None:
        assert of_markdown(text) == []

    @given(texts)
    def test_none_is_empty_or_too_long(self, text: str) -> None:
        for found in of_markdown(text):
            assert found.strip()
            assert len(found) <= LONGEST_PASSAGE + USUAL_PASSAGE + HEADING

    @given(texts)
    def test_every_word_stands_in_the_source(self, text: str) -> None:
        source = "".join(text.split()) + ":"

        for found in of_markdown(text):
            for line in found.splitlines():
                assert "".join(line.split()).rstrip(":") in source

    def test_a_sentence_without_end_is_cut_all_the_same(self) -> None:
        found = of_markdown("x" * 5_000)

        assert "".join(found) == "x" * 5_000
        assert all(len(text) <= LONGEST_PASSAGE for text in found)


class TestTurn:
    def test_the_request_comes_first(self) -> None:
        first, *rest = of_turn(a_turn("t", "why is it slow?", answer="An N+1 query."))

        assert (first.part, first.text) == ("request", "why is it slow?")
        assert [(one.part, one.text) for one in rest] == [("said", "An N+1 query.")]

    @pytest.mark.parametrize("prompt", ["", "why is it slow?", "The cache is Redis.", "x" * 900])
    def test_one_that_was_never_answered_has_none(self, prompt: str) -> None:
        read = ToolCall(id="c", name="Read", input={"file_path": "/a.py"}, output="a = 1")

        assert of_turn(a_turn("t", prompt, tools=(read,), remarks=("Looking.",))) == []

    @pytest.mark.parametrize("answer", ["ok", "I don't know.", "I can't find any mention of it."])
    def test_one_that_was_answered_with_nothing_has_none(self, answer: str) -> None:
        assert of_turn(a_turn("t", "which supplier delivers the lamps?", answer=answer)) == []

    @pytest.mark.parametrize(
        "answer",
        [
            "Nothing in the code says so, but the port is 5433: ops told me.",
            "There is no record of the customer because the import skips such rows.",
            "The parser had no idea of tabs; it expands them to four spaces now.",
            "I don't know why. The second try worked after the cache was cleared.",
        ],
    )
    def test_an_answer_that_also_says_it_does_not_know_is_one(self, answer: str) -> None:
        assert parts(a_turn("t", "which port is it?", answer=answer))["said"] == [answer]

    def test_of_what_was_told_and_acknowledged_that_is_one(self) -> None:
        turn = a_turn("t", "The staging database is read-only.", answer="Understood.")

        assert parts(turn)["asked"] == ["The staging database is read-only."]
        assert "said" not in parts(turn)

    @pytest.mark.parametrize(
        "tool", ["Read", "Grep", "Glob", "WebFetch", "WebSearch", "mcp__docs__search", "Task"]
    )
    def test_what_was_read_is_none(self, tool: str) -> None:
        call = ToolCall(id="c", name=tool, input={"query": "secret"}, output="secret text")

        found = of_turn(a_turn("t", "look", answer="Done.", tools=(call,)))

        assert "secret" not in str(found)

    def test_what_the_user_said_is_one_but_no_question_of_theirs(self) -> None:
        turn = a_turn("t", "The cache is Redis. Why is it slow?", answer="An N+1 query.")

        assert parts(turn)["asked"] == ["The cache is Redis."]

    def test_a_remark_is_one_if_it_found_something(self) -> None:
        finding = "The rows are asked for one by one, which is why the page takes two seconds."
        turn = a_turn("t", remarks=("Let me look.", "Found it.", finding), answer="Fixed.")

        assert parts(turn)["remarked"] == [finding]

    def test_what_is_said_twice_is_one(self) -> None:
        said = "The rows are asked for one by one, which is why the page takes two seconds."

        assert len(of_turn(a_turn("t", answer=said, remarks=(said,)))) == 1

    def test_of_a_huge_one_so_many_are_taken(self) -> None:
        answer = "\n\n".join(f"## Part {n}\n{'word ' * 60}" for n in range(300))

        found = of_turn(a_turn("t", "note this. " * 300, answer=answer))

        most = passages.MOST_OF_A_TURN + passages.MOST_STATEMENTS + 1
        assert passages.MOST_OF_A_TURN < len(found) <= most

    def test_a_long_request_is_a_line_that_ends_at_a_word(self) -> None:
        request = passages.request_line("please find out why it is slow " * 9)

        assert len(request) <= passages.LONGEST_REQUEST
        assert set(request.split()) <= set("please find out why it is slow".split())


class TestChanges:
    def test_are_the_lines_that_are_new_under_the_name_of_the_file(self) -> None:
        found = edited(old_string="a = 1\nlimit = 5", new_string="a = 1\nlimit = 9")

        assert found == ["src/db.py:\nlimit = 9"]

    def test_of_several_edits_are_those_of_each(self) -> None:
        edits = [
            {"old_string": "limit = 5", "new_string": "limit = 9"},
            {"old_string": "", "new_string": "colour = red"},
        ]

        assert edited("MultiEdit", edits=edits) == ["src/db.py:\nlimit = 9\ncolour = red"]

    def test_of_a_new_file_are_all_that_set_something_if_there_are_many(self) -> None:
        lines = [f"    call_{letter}(value)" for letter in "abcdefghijklmnop"]

        found = edited("Write", content="\n".join([*lines, "TIMEOUT_SECONDS = 30"]))

        assert found == ["src/db.py:\nTIMEOUT_SECONDS = 30"]

    def test_of_a_patch_are_what_it_adds(self) -> None:
        patch = "*** Begin Patch\n*** Update File: src/db.py\n-limit = 5\n+limit = 9\n same"

        assert edited("apply_patch", input=patch) == ["src/db.py:\nlimit = 9"]

    def test_lines_of_brackets_are_none(self) -> None:
        assert edited(old_string="", new_string="}\n);\n]") == []

    def test_of_a_failed_edit_there_are_none(self) -> None:
        inputs = {"file_path": "/a.py", "old_string": "", "new_string": "limit = 9"}
        call = ToolCall(id="c", name="Edit", input=inputs, failed=True)

        assert of_turn(a_turn("t", tools=(call,))) == []

    def test_of_many_so_many_are_taken(self) -> None:
        calls = tuple(
            a_call("Write", file_path=f"/f{n}.py", content=f"limit = {n}") for n in range(99)
        )

        assert len(parts(a_turn("t", tools=calls))["changed"]) == passages.MOST_CHANGES


class TestRuns:
    def test_are_a_command_with_the_end_of_its_output_alone(self) -> None:
        output = "\n".join(f"line {n}" for n in range(99))

        (found,) = ran(output)

        command, *end = found.splitlines()
        assert command == "$ make"
        assert end == [f"line {n}" for n in range(99 - passages.LAST_LINES, 99)]

    def test_without_output_are_the_command(self) -> None:
        assert ran() == ["$ make"]

    @pytest.mark.parametrize("output", ["", "no rule to make target"])
    def test_that_failed_say_so(self, output: str) -> None:
        (found,) = ran(output, failed=True)

        assert found.startswith("(failed) $ make")

    def test_of_huge_lines_are_short(self) -> None:
        (found,) = ran("x" * 99_999 + "\n" + "y" * 99_999, command="z" * 99_999)

        assert len(found) <= passages.LONGEST_COMMAND + passages.LONGEST_OUTPUT + 9

    def test_a_command_may_be_a_list_of_words(self) -> None:
        assert ran(command=["git", "status"]) == ["$ git status"]

    @pytest.mark.parametrize("command", [None, 7, "", "  ", {"a": "b"}])
    def test_what_is_no_command_is_none(self, command: object) -> None:
        assert ran("output", command=command) == []

    def test_of_many_the_last_are_taken(self) -> None:
        calls = tuple(a_call("Bash", command=f"echo {n}") for n in range(50))

        found = parts(a_turn("t", tools=calls))["ran"]

        assert found[-1] == "$ echo 49"
        assert len(found) == passages.MOST_COMMANDS


class TestEntry:
    def test_has_its_title_beside_each(self) -> None:
        found = of_entry("Crane", "## One\nParked.\n## Two\nMoved.")

        assert [(one.part, one.lead, one.text) for one in found] == [
            ("own", "Crane", "One:\nParked."),
            ("own", "Crane", "Two:\nMoved."),
        ]

    def test_says_what_it_cannot_tell(self) -> None:
        (found,) = of_entry("Tenant key", "We cannot tell tenants apart by id, so it is the slug.")

        assert found.text == "We cannot tell tenants apart by id, so it is the slug."

    def test_that_is_only_a_title_is_that(self) -> None:
        (found,) = of_entry("Crane", "")

        assert (found.text, found.lead) == ("Crane", "")


class TestHostile:
    @pytest.mark.parametrize(
        "text",
        [
            *(
                piece * (200_000 // len(piece))
                for piece in ("a", "(", "[", "`", "*", "#", "|", " ")
            ),
            *(
                piece * (200_000 // len(piece))
                for piece in ("- ", ". ", "```\n", "\n", "**a", "。")
            ),
            f"# a{' ' * 200_000}b",
            f"# a{'#' * 200_000}b",
            f"**a{' ' * 200_000}b",
            f"| a{' ' * 200_000}b",
        ],
        ids=lambda text: repr(text[:4]),
    )
    def test_a_huge_text_is_cut_in_linear_time(self, text: str) -> None:
        call = ToolCall(id="c", name="Bash", input={"command": text}, output=text)
        edit = a_call("Edit", file_path="/a.py", old_string="", new_string=text)
        began = time.process_time()

        of_turn(a_turn("t", text, answer=text, remarks=(text,), tools=(call, edit)))

        assert time.process_time() - began < 10  # Quadratic would be hours.
