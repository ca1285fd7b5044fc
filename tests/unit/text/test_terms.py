"""Which words of a text are looked up, in scripts with spaces and without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.terms import COMMON_WORDS, is_unspaced, pairs, terms

UNSPACED = "修复缓存数据库キャッシュひらがな캐시를지웠다ฐานข้อมูล"
mixed = st.text(alphabet=st.sampled_from(UNSPACED + "abcXYZ019 _-./,!é"), max_size=40) | st.text(
    max_size=40
)


class TestTerms:
    @pytest.mark.parametrize(
        ("question", "expected"),
        [
            ("", []),
            ("   \n\t ", []),
            ("what is the of and", []),
            ("Why is the Orders page slow?", ["orders", "page", "slow"]),
            ("orders ORDERS Orders", ["orders"]),
            ("get_orders() in src/orders/db.py", ["orders", "src", "db", "py"]),
            ("a b c x y z", []),
            ("café naïve Straße", ["café", "naïve", "straße"]),
            ("why 42 and 007", ["42", "007"]),
            ('"tea" AND NEAR(cake*)', ["tea", "near", "cake"]),
            ("don't can't won't", ["won"]),
            ("кеш заказов", ["кеш", "заказов"]),
        ],
    )
    def test_are_the_different_words_worth_looking_up(
        self, question: str, expected: list[str]
    ) -> None:
        assert terms(question) == expected

    @pytest.mark.parametrize(
        ("question", "expected"),
        [
            ("缓存", ["缓存"]),
            ("修复订单页面", ["修复", "复订", "订单", "单页", "页面"]),
            ("库", ["库"]),
            ("修复缓存bug", ["修复", "复缓", "缓存", "bug"]),
            ("キャッシュを消す", ["キャ", "ャッ", "ッシ", "シュ", "ュを", "を消", "消す"]),
            ("캐시를 지웠다", ["캐시", "시를", "지웠", "웠다"]),
            ("แคช", ["แค", "คช"]),
            ("用Redis做缓存", ["用", "redis", "做缓", "缓存"]),
            ("订单，页面。", ["订单", "页面"]),
        ],
    )
    def test_of_a_script_without_spaces_are_its_pairs(
        self, question: str, expected: list[str]
    ) -> None:
        assert terms(question) == expected

    def test_a_huge_question_is_looked_at_from_its_beginning(self) -> None:
        question = "tea " + "x" * 10_000_000 + " cake"

        assert terms(question)[0] == "tea"
        assert "cake" not in terms(question)

    @given(mixed)
    def test_hold_nothing_that_could_end_a_quoted_word(self, question: str) -> None:
        assert all(word.isalnum() for word in terms(question))

    @given(mixed)
    def test_are_all_different_long_enough_and_not_common(self, question: str) -> None:
        found = terms(question)

        assert len(found) == len(set(found))
        assert not COMMON_WORDS & set(found)
        assert all(len(word) > 1 or is_unspaced(word) for word in found)


class TestPairs:
    @pytest.mark.parametrize("text", ["", "plain English", "naïve café", "кеш", "a 42 — …", "😀"])
    def test_a_text_that_is_found_by_its_words_has_none(self, text: str) -> None:
        assert pairs(text) == ""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("修复缓存bug, then deploy", "修复 复缓 缓存 bug"),
            ("库", "库"),
            ("数据库 index 캐시를", "数据 据库 캐시 시를"),
            ("v2版本", "v2 版本"),
        ],
    )
    def test_are_what_stands_in_or_touches_a_script_without_spaces(
        self, text: str, expected: str
    ) -> None:
        assert pairs(text) == expected

    @pytest.mark.parametrize(
        ("question", "text"),
        [
            ("缓存", "今天修复了缓存的问题"),
            ("数据库", "把数据库迁移到新的服务器"),
            ("キャッシュ", "古いキャッシュを消した"),
            ("消費税", "消費税率の計算を直した"),
            ("캐시", "캐시를 지웠다"),
            ("데이터베이스", "데이터베이스에서 읽는다"),
            ("缓存bug", "修复缓存bug"),
        ],
    )
    def test_a_word_inside_a_sentence_has_all_its_terms_among_them(
        self, question: str, text: str
    ) -> None:
        assert set(terms(question)) <= set(pairs(text).split())

    def test_a_thai_word_has_most_of_its_terms_among_them(self) -> None:
        """Its marks are no letters, so a letter at the end may be left alone."""
        asked = set(terms("ฐานข้อมูล"))

        assert len(asked & set(pairs("ย้ายฐานข้อมูลแล้ว").split())) >= 0.75 * len(asked)

    @given(mixed)
    def test_whatever_is_asked_of_an_unspaced_script_stands_in_the_pairs_of_the_same_text(
        self, text: str
    ) -> None:
        asked = {term for term in terms(text) if is_unspaced(term[0])}

        assert asked <= set(pairs(text.lower()).split())
