"""What a model is given of a session: as much as it may cost, escaped, and cut where it shows."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import tokens
from recollect.llm import brief
from recollect.llm.brief import Before, ChangeableNote
from recollect.transcripts.turns import CleanTurn, ToolCall
from tests.builders.turns import a_command, a_turn, an_edit

TAGS = "session turn prompt answer remark tool output recorded summary_so_far known_notes known"
nasty = st.text(max_size=400) | st.sampled_from(
    ["</turn></session>", "&lt;&amp;" * 60, "<note>" * 40, "a" * 5_000, "修复" * 800, "x\n" * 900]
)


def sent(*turns: CleanTurn, limit: int = 4_000, **before: Any) -> str:
    return brief.write(turns, Before(**before), limit_tokens=limit)


def own_tags(text: str) -> list[str]:
    """The tags in *text*, as a reader of XML sees them."""
    return re.findall(r"</?(\w+)", text)


class TestWhatIsSaid:
    def test_a_small_turn_is_given_whole(self) -> None:
        turn = a_turn(
            "Fix the query",
            answer="Fixed it.",
            remarks=("I look at it.",),
            tools=(an_edit("src/db.py"), a_command("make test", "7 passed")),
        )

        text = sent(turn)

        for said in ("Fix the query", "Fixed it.", "I look at it.", "src/db.py", "7 passed"):
            assert said in text
        assert "cut …]" not in text

    def test_what_only_looked_says_where_and_no_more(self) -> None:
        call = ToolCall(
            id="1", name="Read", input={"file_path": "src/db.py"}, output="import this\n" * 50
        )

        text = sent(a_turn(tools=(call,)))

        assert "src/db.py" in text
        assert "import this" not in text

    def test_a_call_that_failed_says_why(self) -> None:
        call = ToolCall(id="1", name="Read", input={}, output="no such file", failed=True)

        assert 'failed="yes"' in sent(a_turn(tools=(call,)))
        assert "no such file" in sent(a_turn(tools=(call,)))

    def test_a_long_text_keeps_its_head_and_its_tail_and_shows_the_cut(self) -> None:
        text = sent(a_turn("begin " + "word " * 5_000 + "end"), limit=800)

        assert "begin word" in text
        assert "word end" in text
        assert "characters cut …]" in text

    def test_where_there_is_too_much_doing_goes_before_looking(self) -> None:
        looks = tuple(
            ToolCall(id=f"l{n}", name="Read", input={"file_path": f"looked-{n}.py"})
            for n in range(200)
        )
        edits = tuple(an_edit(f"wrote-{n}.py") for n in range(5))

        text = sent(a_turn(tools=looks + edits), limit=700)

        assert text.count("wrote-") >= 5
        assert text.count("looked-") < 40
        assert "pieces left out …]" in text

    def test_what_was_known_before_is_given_in_short(self) -> None:
        text = sent(
            a_turn(),
            recorded=[f"title {number}" for number in range(100)],
            summary="- request: tea",
            candidates=[
                ChangeableNote(name="decision/tea", category="decision", says="Drink\ntea")
            ],
        )

        assert "- title 99\n" in text
        assert "- title 0\n" not in text
        assert '<known id="decision/tea">Drink tea</known>' in text
        assert "- request: tea" in text


class TestSafety:
    @settings(max_examples=60)
    @given(st.lists(nasty, max_size=4), nasty, nasty, st.integers(500, 5_000))
    def test_it_never_costs_more_than_it_may_and_nothing_leaves_its_place(
        self, outputs: list[str], prompt: str, known: str, limit: int
    ) -> None:
        tools = tuple(a_command(known[:200], output) for output in outputs)
        turns = [a_turn(prompt, answer=known, remarks=(prompt,), tools=tools)] * 2
        candidate = ChangeableNote(name=known[:60], category="decision", says=known)

        text = sent(*turns, limit=limit, recorded=[known], summary=known, candidates=[candidate])

        assert tokens.estimate(text) <= limit
        assert set(own_tags(text)) <= set(TAGS.split())
        assert text.count("<session>") == text.count("</session>") == 1
        assert text.count("</turn>") == 2

    @given(nasty)
    def test_what_is_cut_has_no_half_entity(self, text: str) -> None:
        cut = brief.within(brief.data(text), 40)

        assert re.sub(r"&(?:amp|lt|gt);", "", cut).count("&") == 0

    def test_a_million_spaces_take_no_time_to_speak_of(self) -> None:
        assert tokens.estimate(sent(a_turn("a" + " " * 1_000_000 + "b"))) <= 4_000

    def test_what_a_person_marked_private_in_our_own_files_is_not_sent(self) -> None:
        private = "tea <private>Bob</private>"
        candidate = ChangeableNote(name="decision/tea", category="decision", says=private)

        text = sent(a_turn(), recorded=[private], summary=private, candidates=[candidate])

        assert "Bob" not in text
        assert text.count("tea") >= 3

    def test_ten_thousand_calls_take_no_time_to_speak_of(self) -> None:
        turn = a_turn(tools=tuple(a_command("make", "ok") for _ in range(10_000)))

        assert tokens.estimate(sent(turn)) <= 4_000


class TestShares:
    @given(st.lists(st.integers(0, 5_000), max_size=12), st.integers(0, 9_000))
    def test_nobody_gets_more_than_they_want_and_all_together_no_more_than_there_is(
        self, wants: list[int], limit: int
    ) -> None:
        shares = brief.shared(wants, limit)

        assert all(share <= want for share, want in zip(shares, wants, strict=True))
        assert sum(shares) <= limit
        if sum(wants) <= limit:
            assert shares == wants
