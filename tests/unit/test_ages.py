"""How long ago, in words, and the marks that are filled in when a text is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import ages
from recollect.ages import DAY, HOUR, MINUTE

# What could pass for a mark, or for half of one.
PIECES = st.sampled_from(["@", "@@", "@@@", "@@age:", "0", "12", "age:", "@@body@@", " ", "\u200b"])
nasty = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "just now"),
        (0, "just now"),
        (2 * MINUTE - 1, "just now"),
        (2 * MINUTE, "2 min ago"),
        (HOUR - 1, "59 min ago"),
        (HOUR, "1h ago"),
        (DAY - 1, "23h ago"),
        (DAY, "1 day ago"),
        (13 * DAY, "13 days ago"),
        (14 * DAY, "2 weeks ago"),
        (30 * DAY, "1 month ago"),
        (364 * DAY, "12 months ago"),
        (365 * DAY, "1 year ago"),
        (800 * DAY, "2 years ago"),
    ],
)
def test_an_age_in_words(seconds: float, said: str) -> None:
    assert ages.ago(seconds) == said


@given(st.floats(min_value=-1e12, max_value=1e12))
def test_every_age_has_words(seconds: float) -> None:
    assert ages.ago(seconds)


@given(st.integers(min_value=0, max_value=2**33), nasty.map(ages.defuse), nasty.map(ages.defuse))
def test_a_mark_becomes_its_age_whatever_stands_around_it(at: int, before: str, after: str) -> None:
    text = f"{before} ({ages.mark(at)}, {after}"

    assert ages.fill(text, now=at + 7200) == f"{before} (2h ago, {after}"


@given(nasty)
def test_no_text_passes_for_a_mark(text: str) -> None:
    defused = ages.defuse(text)

    assert ages.fill(defused, now=1e10) == defused
    assert "@@body@@" not in defused
    assert defused.replace("\u200b", "") == text.replace("\u200b", "")


@pytest.mark.parametrize("text", ["@@age:", "@@age:@@", "@@age:-5@@", "@@age:1.5@@", "@@age:x@@"])
def test_what_is_no_mark_stays(text: str) -> None:
    assert ages.fill(text, now=0) == text
