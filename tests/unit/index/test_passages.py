"""A text in passages: cut where it hurts least, and nothing of it lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.passages import LONGEST_PASSAGE, MOST_PASSAGES, passages

PIECES = [
    "# Heading", "### 14:32 Fix the cache", "#no heading", "- a point", "  - text: below a point",
    "A sentence. Another one! A third?", "一句话。第二句！", "word", "x" * 70, "", "  ", "\t",
    "```", "```python", "~~~", "    ```", "def f():", "    return 1", "````", "---", "| a | b |",
]  # fmt: skip
documents = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=60).map("\n".join)
# Without what is left out on purpose.
texts = documents.filter(
    lambda text: "<!--" not in text and not text.lstrip("\ufeff").startswith("---")
)


class TestWhereTheyAreCut:
    def test_a_short_text_is_one_passage(self) -> None:
        text = "Fix the cache\n\n- **bugfix** keys were never evicted"

        assert passages(text) == [text]

    @pytest.mark.parametrize(
        "text", ["", " \n\t\n", "<!-- only for programs -->", "---\na: b\n---"]
    )
    def test_nothing_has_none(self, text: str) -> None:
        assert passages(text) == []

    def test_a_heading_begins_one_and_stays_with_what_follows(self) -> None:
        text = "# Cache\n\nRedis is asked first.\n\n## Queue\nThere is none yet."

        assert passages(text, longest=60) == [
            "# Cache\nRedis is asked first.",
            "## Queue\nThere is none yet.",
        ]

    def test_what_is_small_is_put_together_across_headings(self) -> None:
        text = "# A\none\n# B\ntwo\n# C\nthree"

        assert passages(text) == ["# A\none\n\n# B\ntwo\n\n# C\nthree"]

    def test_no_heading_is_left_alone_at_the_end_of_one(self) -> None:
        text = "\n\n".join(f"## Part {n}\n\n{'word ' * 30}" for n in range(8))

        assert all("word" in passage.splitlines()[-1] for passage in passages(text, longest=200))

    def test_paragraphs_are_not_torn_while_they_fit(self) -> None:
        paragraphs = [f"{name} " * 12 for name in ("one", "two", "three", "four")]

        found = passages("\n\n".join(paragraphs), longest=80)

        assert found == [paragraph.strip() for paragraph in paragraphs]

    def test_a_long_paragraph_is_cut_after_a_line_then_a_sentence_then_a_word(self) -> None:
        lines = "first line of text\nsecond line of text\nthird line of text"
        sentences = "This is a sentence. This is another one. And a third."
        words = "some words without any end to them at all"

        assert passages(lines, longest=45) == [
            "first line of text\nsecond line of text",
            "third line of text",
        ]
        assert passages(sentences, longest=45) == [
            "This is a sentence. This is another one.",
            "And a third.",
        ]
        assert passages(words, longest=25) == ["some words without any", "end to them at all"]

    def test_a_sentence_of_a_script_without_spaces_ends_at_its_own_stop(self) -> None:
        assert passages("修复了缓存的问题。订单页面很慢。", longest=12) == [
            "修复了缓存的问题。",
            "订单页面很慢。",
        ]

    def test_a_run_without_any_place_to_cut_is_cut_all_the_same(self) -> None:
        assert passages("x" * 25, longest=10) == ["x" * 10, "x" * 10, "x" * 5]


class TestCode:
    CODE = "```python\ndef orders():\n\n    # not a heading\n\n    return query()\n```"

    @pytest.mark.parametrize("before", [0, 1, 5, 20, 100, 180])
    @pytest.mark.parametrize("mark", ["```", "~~~", "````"])
    def test_a_fence_is_never_cut_while_it_fits(self, before: int, mark: str) -> None:
        code = self.CODE.replace("```", mark)
        text = f"{'w ' * before}\n\n{code}\n\n{'after ' * 30}"

        assert any(code in passage for passage in passages(text, longest=200))

    def test_a_shorter_mark_does_not_close_a_fence(self) -> None:
        text = "````\n```\n# not a heading\n````"

        assert passages(text, longest=len(text)) == [text]

    def test_one_that_does_not_fit_is_cut_between_lines(self) -> None:
        code = "```\n" + "\n".join(f"line_{n}()" for n in range(40)) + "\n```"

        found = passages(code, longest=100)

        lines = [line for passage in found for line in passage.splitlines()]
        assert lines == code.splitlines()

    def test_one_that_is_never_closed_takes_the_rest(self) -> None:
        text = "```\nopen\n\n# not a heading"

        assert passages(text) == [text]


class TestWhatIsLeftOut:
    @pytest.mark.parametrize("end", ["---", "..."])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_front_matter(self, end: str, mark: str) -> None:
        assert passages(f"{mark}---\ntitle: secret\n{end}\nThe body") == ["The body"]

    def test_a_line_further_down_is_no_front_matter(self) -> None:
        assert passages("Body\n\n---\nmore: text\n---") == ["Body\n\n---\nmore: text\n---"]

    @pytest.mark.parametrize(
        "comment", ["<!-- hidden -->", "<!--\nhidden\n\nhidden\n-->", "<!-- hidden, never closed"]
    )
    def test_comments(self, comment: str) -> None:
        assert passages(f"Shown.\n\n{comment}") == ["Shown."]

    def test_what_stands_beside_a_comment_stays(self) -> None:
        assert passages("one <!-- x -->two<!-- y --> three") == ["one two three"]

    def test_what_follows_after_so_many_passages(self) -> None:
        found = passages("\n\n".join(f"number {n} " + "x" * 90 for n in range(100)), longest=100)

        assert len(found) == MOST_PASSAGES
        assert found[0].startswith("number 0 ")
        assert found[-1].startswith(f"number {MOST_PASSAGES - 1} ")


class TestAnyText:
    @given(texts)
    def test_every_word_survives_in_order(self, text: str) -> None:
        assert " ".join(passages(text)).split() == text.split()

    @given(texts, st.integers(12, 120))
    def test_every_character_survives_in_order_however_short_they_are(
        self, text: str, longest: int
    ) -> None:
        found = passages(text, longest=longest)

        joined = "".join("".join(found).split())
        assert "".join(text.split()).startswith(joined)
        assert len(found) == MOST_PASSAGES or joined == "".join(text.split())

    @given(documents, st.integers(2, 120))
    def test_none_is_empty_or_too_long(self, text: str, longest: int) -> None:
        found = passages(text, longest=longest)

        assert all(0 < len(passage) <= longest for passage in found)
        assert all(passage.strip() for passage in found)

    @pytest.mark.parametrize("piece", ["<!--", "-->", "```\n", "# x\n\n", "---\n", "x", ". ", "\n"])
    def test_a_huge_one_is_read_to_its_end(self, piece: str) -> None:
        assert len(passages(piece * 100_000)) <= MOST_PASSAGES

    def test_one_is_about_what_the_model_reads_at_once(self) -> None:
        found = passages("The orders page was slow because of the database. " * 200)

        assert all(LONGEST_PASSAGE / 2 < len(passage) <= LONGEST_PASSAGE for passage in found[:-1])
