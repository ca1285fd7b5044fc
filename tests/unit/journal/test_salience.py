import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.journal import salience
from recollect.journal.salience import RankedSentence


def choose(*lines: str, room: int = 400, known: tuple[str, ...] = ()) -> list[str]:
    candidates = [RankedSentence(text=line) for line in lines]
    return [one.text for one in salience.choose(candidates, room=room, known=known)]


CACHE = "The order cache is stale because the host clock of the worker runs behind."
CACHE_AGAIN = "Because the host clock of the worker runs behind, the order cache is stale."
CLOCK = "The worker host takes its clock from a dead time server, so orders expire too late."
FONT = "The sidebar font looks somewhat larger on small telephone screens today."


def test_what_others_speak_of_too_comes_first() -> None:
    assert choose(FONT, CACHE, CLOCK)[0] in (CACHE, CLOCK)


def test_what_is_said_twice_is_kept_once() -> None:
    told = choose(CACHE, CACHE_AGAIN, FONT)

    assert len({CACHE, CACHE_AGAIN} & set(told)) == 1
    assert FONT in told


def test_what_is_known_is_not_said_again() -> None:
    assert choose(CACHE, FONT, known=(CACHE_AGAIN,)) == [FONT]


def test_weight_decides_between_equals() -> None:
    plain = RankedSentence(text=FONT)
    weighty = RankedSentence(text=CACHE, weight=2.0)

    assert salience.choose([plain, weighty], room=400)[0] == weighty


def test_names_and_numbers_speak_for_a_sentence() -> None:
    vague = "The big loader of the shop reads every single order slowly at night."
    exact = "The loader `load_orders` of the shop reads 41 orders slowly at night."

    assert choose(vague, exact)[0] == exact


def test_the_best_is_there_however_little_room_there_is() -> None:
    assert len(choose(CACHE, FONT, room=10)) == 1


def test_nothing_comes_of_nothing() -> None:
    assert choose() == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caching", "cached"),
        ("handles", "handling"),
        ("retries", "retry"),
        ("running", "runs"),
        ("migrations", "migrate"),
    ],
)
def test_forms_of_one_word_are_the_same(one: str, other: str) -> None:
    assert salience.stem(one) == salience.stem(other)


def test_a_name_is_known_by_its_parts_too() -> None:
    assert salience.stems("getOrders") >= {"order", "getorder"}


def test_a_language_without_spaces_is_compared_by_pairs() -> None:
    told = choose(
        "缓存过期是因为主机时钟慢了", "主机时钟慢了所以缓存过期", "侧边栏的字体在手机上太大"
    )

    assert "侧边栏的字体在手机上太大" in told


lines = st.lists(st.text(max_size=80), max_size=12)


@given(lines, st.integers(0, 500))
@settings(deadline=None)
def test_all_but_the_first_fit_in_the_room(texts: list[str], room: int) -> None:
    chosen = choose(*texts, room=room)

    assert set(chosen) <= set(texts)
    assert sum(map(len, chosen)) <= max(room, len(chosen[0]) if chosen else 0)


@given(lines)
@settings(deadline=None)
def test_the_same_sentences_give_the_same_choice(texts: list[str]) -> None:
    assert choose(*texts) == choose(*texts)


def test_thousands_of_sentences_are_chosen_from_quickly() -> None:
    many = [
        f"The part {n} of module_{n % 50} waits for the lock of part {n + 1}." for n in range(5000)
    ]
    started = time.process_time()

    choose(*many)

    assert time.process_time() - started < 5
