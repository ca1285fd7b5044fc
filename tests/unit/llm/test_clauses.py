import time

import pytest

from recollect.llm import clauses


@pytest.mark.parametrize(
    "sentence",
    [
        "Use pnpm.",
        "Do the migration first",
        "As I said, use pnpm",
        "When deploying, use the VPN",
        "以后用英文",
    ],
)
def test_what_is_told_is_no_question(sentence: str) -> None:
    assert clauses.asserts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Use pnpm?",
        "用 pnpm 吗",
        "pnpm を使いますか",
        "And should we use pnpm",
        "Could you use pnpm",
        "Sollen wir pnpm nehmen",
        "Est-ce qu'on utilise pnpm",
        "I wonder whether pnpm is faster",
        "What if we use pnpm",
        "Bob said to use pnpm",
    ],
)
def test_who_asks_wonders_or_reports_has_told_nothing(sentence: str) -> None:
    assert not clauses.asserts(sentence)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Use pnpm, not npm", "Use pnpm rather than npm"),
        ("Never push to main", "please don't ever push to main"),
        ("Use pnpm", "Use pnpm, because npm is not deterministic"),
        ("Use pnpm and never npm", "Use pnpm, never npm"),
        ("Niemals auf main pushen", "Nicht auf main pushen"),
        ("Skip the slow tests", "Skip the slow tests in CI"),
        ("不要用缓存", "请别用缓存"),
        ("캐시를 사용하지 말고 직접 읽기", "캐시를 사용하지 말고 직접 읽어 주세요"),
    ],
)
def test_sentences_that_say_the_same_agree(statement: str, sentence: str) -> None:
    assert clauses.agree(statement, sentence)
    assert clauses.agree(statement, statement)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("Use npm, not pnpm", "Use pnpm, not npm"),
        ("Push to main", "Avoid to push to main"),
        ("Use moment", "We no longer use moment"),
        ("Use npm", "Use pnpm rather than npm"),
        ("Log card numbers", "Logging card numbers is forbidden"),
        ("Use the cache", "Drop the cache"),
        ("Auf main pushen", "Auf main pushen vermeiden"),
        ("Usar Redis", "Evitar usar Redis"),
        ("Utiliser Redis", "Éviter d'utiliser Redis"),
        ("使用缓存", "禁止使用缓存"),
        ("Merge to main", "Never push, merge or rebase to main"),
        ("Skip the slow tests", "Skip the slow tests for now"),
        ("Skip the signature checks", "Skip the signature checks only in the lab"),
        ("Push to main", "If you push to main it breaks"),
        ("Run migrations after the deploy", "Run migrations before the deploy"),
    ],
)
def test_sentences_that_say_the_opposite_do_not_agree(statement: str, sentence: str) -> None:
    assert not clauses.agree(statement, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We no longer use npm",
        "We don't use npm any more",
        "Das ist behoben",
        "Der Fehler ist erledigt",
        "Ya no usamos npm",
        "这个问题修好了",
        "我们不再用 npm",
        "The race is gone",
        "Drop it",
        "Forget the rule about tabs",
    ],
)
def test_what_is_called_over_is_over(sentence: str) -> None:
    assert clauses.is_over(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Never log card numbers",
        "Fix the race",
        "The race must be fixed",
        "The race is not fixed yet",
        "Do not drop it",
        "Once it is done, tell me",
        "Das ist nicht behoben",
    ],
)
def test_what_is_still_on_is_not_over(sentence: str) -> None:
    assert not clauses.is_over(sentence)


@pytest.mark.parametrize("piece", ["also ", "and ", "a, ", "( ", "not ", "n'", "もう", "so, or "])
def test_a_sentence_without_end_takes_no_time(piece: str) -> None:
    began = time.process_time()

    clauses.asserts(piece * 50_000)
    clauses.is_over(piece * 50_000)
    clauses.agree(piece * 50_000, piece * 50_000)

    assert time.process_time() - began < 2
