"""The signs of a sentence: what it states, what it only asks, and what is said around it."""

import pytest

from recollect.notes import cues, features
from recollect.text import spoken


def signs_of(text: str) -> features.Features:
    """The signs of the first sentence of *text*."""
    line, *_ = spoken.sentences(text)
    return features.of_sentence(line, cues.languages(line.heard))


def test_a_sentence_has_the_signs_that_it_states() -> None:
    found = signs_of("The port is hard-coded until the next release.")

    assert {"tech_debt.flaw", "tech_debt.later"} <= found


@pytest.mark.parametrize(
    "text",
    [
        "should we say we decided on Kafka?",
        "maybe we decided on Kafka too early",
        "the data team decided on Kafka, they said that we decided on it",
    ],
)
def test_what_is_asked_doubted_or_reported_is_a_sign_of_its_own(text: str) -> None:
    found = signs_of(text)

    assert "decision.made" not in found
    assert "?decision.made" in found


def test_a_polite_order_is_no_question() -> None:
    assert "preference.habit" in signs_of("could you always sort the imports?")


def test_the_sentences_close_by_are_signs_too() -> None:
    told = [signs_of("That is an ugly hack."), signs_of("We are busy."), signs_of("Fine by me.")]

    assert "near tech_debt.flaw" in features.around(1, told)
    assert "near tech_debt.flaw" not in features.around(0, told)


def test_how_the_agent_answers_is_a_sign() -> None:
    lines = spoken.sentences("Understood. It stays as it is until the migration.")
    told = [signs_of(line.text) for line in lines]

    found = features.of_reply(lines, told)

    assert {"reply echo", "reply tech_debt.kept", "reply word understood"} <= found
    assert "reply brief" not in found


def test_words_are_signs_alone_and_in_pairs() -> None:
    (line,) = spoken.sentences("We take 3 of them")

    assert {"word we", "word ^ we", "word take 0", "word them $"} <= features.of_words(line)


def test_words_without_spaces_are_signs_in_pieces() -> None:
    (line,) = spoken.sentences("就用缓存")

    pieces = ("就用", "用缓", "缓存", "就用缓", "用缓存", "~缓存", "~缓存 $")

    assert features.of_words(line) == {f"word {piece}" for piece in pieces}


@pytest.mark.parametrize(
    ("answer", "sign"),
    [
        ("tarballs, people know them", "picks"),
        ("b. nothing to install", "picks a letter"),
        ("I would think that for our users tarballs are fine", "repeats"),
    ],
)
def test_an_answer_picks_up_what_was_offered(answer: str, sign: str) -> None:
    offered = features.subjects("either tarballs or packages?")
    line = spoken.sentences(f"{answer} and so on")[0]

    assert sign in features.of_answer(line, offered, choice=False)


def test_an_answer_to_alternatives_chooses() -> None:
    offered = features.subjects("either tarballs or packages?")
    (line,) = spoken.sentences("tarballs, people know them")

    assert "chooses" in features.of_answer(line, offered, choice=True)
    assert "chooses" not in features.of_answer(line, offered, choice=False)
    assert "chooses" not in features.of_answer(line, features.subjects("zip or rar?"), choice=True)


def test_an_offer_is_a_sign_of_the_answer() -> None:
    lines = spoken.sentences("We could ship tarballs or packages. Shall I?")

    found = features.of_offer(lines, {"question"})

    assert found == {"answers", "after asks", "after question"}
    assert features.has_alternatives(lines)
    assert not features.has_alternatives(spoken.sentences("We ship tarballs."))


def test_words_of_the_sentences_beside_are_signs() -> None:
    lines = spoken.sentences("Small. Redis. Memcached lost it. It was slow. Nobody knew why.")

    found = features.of_neighbours(1, lines)

    assert {"near word small", "near word memcached", "near word slow"} <= found
    assert "near word redis" not in found
    assert "near word nobody" not in found


def test_english_is_not_heard_in_what_has_no_english_word() -> None:
    french = spoken.sentences("le client appelle main deux fois")[0]

    english = features.of_sentence(french, [cues.language("en")])
    both = features.of_sentence(french, [cues.language("fr"), cues.language("en")])

    assert "constraint.authority" in english
    assert both == features.of_sentence(french, [cues.language("fr")])
