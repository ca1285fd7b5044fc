from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import ids
from recollect.errors import NotFoundError

AT = datetime(2026, 11, 15, 13, 32, 7, tzinfo=UTC)


def test_two_machines_agree_on_the_id_of_a_turn() -> None:
    elsewhere = AT.astimezone(timezone(timedelta(hours=9)))

    assert ids.entry_id(AT, "696034a3", "claude-code") == ids.entry_id(
        elsewhere, "696034a3", "claude-code"
    )


def test_hosts_with_the_same_key_have_different_ids() -> None:
    assert ids.entry_id(AT, "1", "codex") != ids.entry_id(AT, "1", "gemini")


def test_an_id_carries_its_time() -> None:
    assert ids.moment(ids.entry_id(AT, "1", "codex")) == AT
    assert ids.moment(ids.summary_id(AT, "session")) == AT
    assert ids.moment("h-0123456789") is None


@given(st.text())
def test_any_text_has_a_hash_and_an_id(text: str) -> None:
    assert len(ids.text_hash(text)) == 12
    assert ids.content_id(text).startswith("h-")


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n"))))
def test_space_that_editors_change_is_not_hashed(lines: list[str]) -> None:
    text = "\n".join(lines)

    assert ids.text_hash(" \r\n".join([*lines, "", ""])) == ids.text_hash(text)


def test_a_changed_word_or_indent_changes_the_hash() -> None:
    assert len({ids.text_hash(text) for text in ("- a", "- b", "  - a", "\n- a")}) == 4


def test_any_unambiguous_prefix_names_an_id() -> None:
    known = ["20261115T133207-0f", "20261115T133208-0f", "h-12"]

    assert ids.resolve("20261115T133207", known) == "20261115T133207-0f"
    assert ids.resolve("h", known) == "h-12"


def test_a_whole_id_wins_over_longer_ones() -> None:
    assert ids.resolve("h-1", ["h-1", "h-12"]) == "h-1"


def test_an_ambiguous_prefix_lists_its_candidates() -> None:
    with pytest.raises(NotFoundError, match="2 ids begin like this: h-12, h-13"):
        ids.resolve("h-1", ["h-12", "h-13"])


def test_many_candidates_are_not_all_listed() -> None:
    with pytest.raises(NotFoundError, match=r"20 ids .*h-4, …"):
        ids.resolve("h", [f"h-{letter}" for letter in "0123456789abcdefghij"])


def test_an_unknown_id_lists_the_nearest() -> None:
    with pytest.raises(NotFoundError, match="no such id") as caught:
        ids.resolve("20261115T133270", ["20261115T133207-0f", "h-12"])

    assert caught.value.hint == "Near it: 20261115T133207-0f."


@pytest.mark.parametrize("prefix", ["", "zzz"])
def test_what_names_nothing_is_not_found(prefix: str) -> None:
    with pytest.raises(NotFoundError):
        ids.resolve(prefix, ["h-12"])
