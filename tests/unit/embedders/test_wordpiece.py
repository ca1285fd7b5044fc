"""We read word pieces as the library `tokenizers` does, which the model was made with."""

import unicodedata
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from recollect.embedders import minilm, wordpiece

VOCABULARY = minilm.FOLDER / "vocab.txt"
PIECES = VOCABULARY.read_text(encoding="utf-8").split("\n")[:-1]
OURS = wordpiece.load(VOCABULARY)

HARD = {
    "nothing": "",
    "blanks": " \t\n\r ",
    "capitals": "HTTPServer GetOrders README",
    "punctuation": "it's (really) -- e.g. $5.00, 50%! #1 @home a_b ^~`|<>{}[]\\",
    "code": "def get_orders(db: Session) -> list[Order]:\n    return db.query(Order).all()",
    "paths": "/usr/local/lib/python3.11/site-packages/foo_bar.py:42",
    "json": '{"a": [1, 2.5e-3, null], "b": "x\\ny"}',
    "accents": "naïve café Ångström Øresund Straße ﬁ ĳ",
    "separate accents": "cafe\u0301 n\u0303 a\u0328\u0301",
    "greek with a final sigma": "ΟΔΥΣΣΕΥΣ ὈΔΥΣΣΕΎΣ",
    "turkish": "İstanbul ISPARTA ıi",
    "chinese": "修复订单页面的N+1查询",
    "japanese": "データベースを直す。ｶﾀｶﾅ",
    "korean": "데이터베이스 가각",
    "hebrew, arabic, hindi": "שָׁלוֹם مُحَمَّد नमस्ते",
    "emoji": "done 👍🏽 👩‍👩‍👧 🇪🇺 ☃️",
    "controls": "a\0b\x01c\x1bd\x1ce\x1ff\x7fg\x85h",
    "invisible": "a\u200bb\u200cc\u200dd\u2060e\ufefff\xadg\ue000h",
    "unusual blanks": "a\xa0b\u1680c\u2003d\u2028e\u2029f\u202fg\u205fh\u3000i\u180ej",
    "replacement": "a\ufffdb \ufffd",
    "a long word": "x" * 100 + " " + "y" * 101 + " " + "ab" * 5000,
    "a long word with signs": "a" * 99 + "-" + "b" * 101 + "é" * 101,
    "marks alone": "\u0301\u0301 \u0301",
    "special tokens": "[CLS] a[SEP]b [MASK][UNK] [cls] [ CLS ] [PAD]. é[SEP]é [unused1]",
    "unknown to the vocabulary": "ᚠᛇᚻ ⌘ ☭ 𝒳 \U000e0041 zzzzqqqq",
    "composed signs": "\u1fef \u037e \u212b \u2126 \uf900 \ufa0e \U0002f800 ½ ²",
}
scraps = st.sampled_from([*HARD.values(), "[SEP]", "\ufffd", "\u0301", "字", "İ", "Σ", "##", "\0"])
anything = st.lists(st.text(max_size=20) | scraps, max_size=8).map("".join)


THEIRS = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)

# All of the first two planes, and both sides of every border in the one of rare ideographs.
CHARACTERS = [*range(0xD800), *range(0xE000, 0x20000)]
CHARACTERS += [*range(0x20000, 0x30000, 32), *range(0x2001F, 0x30000, 32)]


def their_numbers(text: str, *, most: int = 256) -> list[int]:
    THEIRS.enable_truncation(most)
    numbers: list[int] = THEIRS.encode(text).ids
    return numbers


@cache
def read_differently() -> frozenset[str]:
    normalizer, cutter = BertNormalizer(), BertPreTokenizer()

    def their_words(text: str) -> list[str]:
        return [word for word, _ in cutter.pre_tokenize_str(normalizer.normalize_str(text))]

    between_letters = ((chr(number), f"a{chr(number)}b") for number in CHARACTERS)
    return frozenset(
        character
        for character, text in between_letters
        if their_words(text) != list(wordpiece.words(text))
    )


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_a_hard_text_is_read_as_the_library_reads_it(text: str) -> None:
    assert OURS.numbers(text, most=256) == their_numbers(text)


def test_every_character_is_but_for_a_few_marks_younger_than_the_librarys_tables() -> None:
    different = read_differently()

    assert len(different) < 1_000
    assert {unicodedata.category(one)[0] for one in different} <= {"M", "P", "C", "S"}
    assert different & set("".join(PIECES)) == set()


@given(anything, st.integers(min_value=2, max_value=40))
def test_any_text_is_read_as_the_library_reads_it(text: str, most: int) -> None:
    text = "".join(one for one in text if one not in read_differently())

    assert OURS.numbers(text, most=most) == their_numbers(text, most=most)


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_any_run_of_pieces_is_spelled_as_the_library_spells_it(text: str) -> None:
    assert OURS.numbers(text, most=256) == their_numbers(text)


def test_half_a_pair_is_left_out() -> None:
    assert OURS.numbers("a\ud800b \udfff c", most=9) == OURS.numbers("ab c", most=9)


def test_a_text_is_cut_to_the_pieces_there_is_room_for() -> None:
    first, *some, last = OURS.numbers("one two three four five", most=5)

    assert [PIECES[number] for number in (first, *some, last)] == (
        ["[CLS]", "one", "two", "three", "[SEP]"]
    )


def test_of_an_endless_text_only_the_beginning_is_read() -> None:
    words = wordpiece.words("one two " + "x y " * 10_000_000)

    assert [next(words), next(words)] == ["one", "two"]


def test_a_vocabulary_without_the_marks_is_none() -> None:
    with pytest.raises(KeyError):
        wordpiece.WordPiece(["a", "##b"])
