"""Markdown as an agent writes it, in blocks under their headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.markdown_blocks import Block, blocks, items

PIECES = [
    "# Heading", "## Cause ##", "**Bold**", "**Left open.** The order", "__Under__:", "#no heading",
    "- a point", "  - of it", "    going on", "1. first", "2) second", "| a | b |", "|---|---|",
    "```", "```python", "~~~", "    ```", "x = 1", "A sentence. Another!", "---", "***", "", "  ",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=40).map("\n".join)


def read(text: str) -> list[tuple[str, str, str]]:
    """The kind, the heading and the text of each block."""
    return [(block.kind, block.heading, block.text) for block in blocks(text)]


class TestHeadings:
    @pytest.mark.parametrize(
        "line",
        ["# Cause", "###### Cause", "## Cause ##", "## **Cause**", "**Cause**", "__Cause:__"],
    )
    def test_stand_above_what_follows_and_are_no_block(self, line: str) -> None:
        assert read(f"{line}\nIt was slow.") == [("text", "Cause", "It was slow.")]

    @pytest.mark.parametrize("line", ["#no heading", "**Cause** was it", "####### seven"])
    def test_are_not_every_line_with_their_marks(self, line: str) -> None:
        assert read(line) == [("text", "", line)]

    def test_hold_until_the_next(self) -> None:
        text = "# One\na\n\nb\n\n# Two\nc"

        assert read(text) == [("text", "One", "a"), ("text", "One", "b"), ("text", "Two", "c")]

    def test_in_bold_end_where_a_paragraph_has_its_own(self) -> None:
        text = "# Report\n**Cause**\nN+1.\n\n**Left open.** The order of rows."

        assert read(text) == [
            ("text", "Cause", "N+1."),
            ("text", "Report", "**Left open.** The order of rows."),
        ]

    def test_in_a_block_of_code_are_code(self) -> None:
        assert read("```\n# comment\n```") == [("code", "", "```\n# comment\n```")]


class TestKinds:
    def test_are_told_apart_without_a_line_between(self) -> None:
        text = "It says:\n- one\n- two\n| a |\n|---|\n| 1 |\n```\nx\n```\nDone."

        assert [kind for kind, *_ in read(text)] == ["text", "list", "table", "code", "text"]

    def test_a_list_goes_on_over_indented_lines(self) -> None:
        text = "- one\n  goes on\n  - nested\n- two"

        assert read(text) == [("list", "", text)]

    @pytest.mark.parametrize("item", ["- a", "* a", "+ a", "• a", "1. a", "12) a"])
    def test_an_item_begins_with_a_mark_or_a_number(self, item: str) -> None:
        assert read(item) == [("list", "", item)]

    @pytest.mark.parametrize("line", ["-a", "1.5 seconds", "2026. It was", "-", "a - b"])
    def test_a_line_that_only_looks_like_one_is_text(self, line: str) -> None:
        assert read(line) == [("text", "", line)]

    def test_a_rule_is_nothing(self) -> None:
        assert read("a\n\n---\n\n* * *\n\nb") == [("text", "", "a"), ("text", "", "b")]


class TestCode:
    def test_is_one_block_with_its_empty_lines(self) -> None:
        text = "```python\nx = 1\n\ny = 2\n```"

        assert read(text) == [("code", "", text)]

    def test_a_shorter_or_another_mark_does_not_end_it(self) -> None:
        text = "````\n```\n~~~\n````"

        assert read(f"{text}\nafter") == [("code", "", text), ("text", "", "after")]

    def test_that_is_never_closed_takes_the_rest(self) -> None:
        text = "```\nx = 1\n\n# no heading"

        assert read(text) == [("code", "", text)]


class TestItems:
    def test_keep_what_is_nested_in_them(self) -> None:
        lines = ("- one", "  - of one", "  going on", "- two")

        assert items(Block(kind="list", lines=lines)) == [
            "- one\n  - of one\n  going on",
            "- two",
        ]

    def test_of_a_list_that_is_indented_as_a_whole_are_its_outermost(self) -> None:
        lines = ("  - one", "    - of one", "  - two")

        assert items(Block(kind="list", lines=lines)) == ["  - one\n    - of one", "  - two"]

    @given(texts)
    def test_together_are_the_list(self, text: str) -> None:
        for block in blocks(text):
            if block.kind == "list":
                assert "\n".join(items(block)) == block.text


@given(texts)
def test_every_line_of_a_block_stands_in_the_text_in_order(text: str) -> None:
    remaining = iter(text.splitlines())

    for block in blocks(text):
        assert block.lines
        assert all(line in remaining for line in block.lines)


@given(texts)
def test_no_line_but_headings_and_rules_is_lost(text: str) -> None:
    kept = [line for block in blocks(text) for line in block.lines]

    lost = set(text.splitlines()) - set(kept)
    assert not [line for line in lost if line.strip() and line.strip()[0] not in "#*_-"]
