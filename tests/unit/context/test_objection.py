"""Does a prompt object to what was recalled?"""

import pytest

from recollect.context import objection

PAGES = {"a": "The orders list has a page size of 50", "b": "Deploys go through the VPN"}


@pytest.mark.parametrize(
    "prompt",
    [
        "no, we changed that",
        "That is outdated.",
        "that's out of date, look again",
        "nope, that's not true anymore",
        "we don't use that anymore",
    ],
)
def test_who_objects_to_the_only_memory_means_it(prompt: str) -> None:
    found = objection.read(prompt, {"a": PAGES["a"]})

    assert found is not None
    assert "a" in (*found.meant, *found.perhaps)


@pytest.mark.parametrize(
    "prompt",
    [
        "no, that's outdated, we raised it to 100 last week",
        "That's not true anymore. Ops changed that in spring.",
    ],
)
def test_who_objects_to_the_only_memory_and_says_what_it_is_now_means_it(prompt: str) -> None:
    assert objection.read(prompt, {"a": "Uploads are limited to 25"}) == objection.Objection(
        meant=("a",)
    )


def test_of_several_the_one_that_the_words_fit_is_meant() -> None:
    found = objection.read("that's wrong, the page size is 20 now", PAGES)

    assert found == objection.Objection(meant=("a",))


def test_a_value_that_is_called_wrong_is_a_word_like_others() -> None:
    shown = {"a": "The client has a timeout of 10 s.", "b": "The client uses httpx now."}

    found = objection.read("That's wrong, the timeout is no longer 10 s, we changed that", shown)

    assert found == objection.Objection(meant=("a",))


def test_where_nobody_can_tell_which_is_meant_all_are_only_flagged() -> None:
    found = objection.read("no, we changed that", PAGES)

    assert found == objection.Objection(perhaps=("a", "b"))


@pytest.mark.parametrize(
    "prompt",
    [
        "that's wrong, the test still fails",
        "wrong file",
        "no, leave it",
        "actually, let's go on with the basket",
        "Fix the bug that the outdated list shows",
        "is that outdated?",
        "that is outdated. " + "And now for something else. " * 20,
    ],
)
def test_most_prompts_object_to_no_memory(prompt: str) -> None:
    assert objection.read(prompt, PAGES) is None


def test_nothing_was_shown_so_nothing_is_meant() -> None:
    assert objection.read("that is outdated", {}) is None
