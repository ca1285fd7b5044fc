from hypothesis import given
from hypothesis import strategies as st

from recollect.transcripts import shorten


@given(st.text(), st.integers(min_value=50, max_value=100))
def test_a_text_fits_and_is_not_cut_again(text: str, limit: int) -> None:
    short = shorten.shorten(text * 7, limit)

    assert len(short) <= limit
    assert shorten.shorten(short, limit) == short


def test_the_mark_tells_how_much_is_missing() -> None:
    short = shorten.shorten("x" * 10_000, 2_000)

    missing = 10_000 - short.count("x")
    assert f"[… {missing} characters cut …]" in short


def test_a_secret_at_the_cut_does_not_escape_in_halves() -> None:
    token = "ghp" + "_" + "a1B2" * 9
    text = "x " * 4_985 + token + " y" * 20_000

    assert token[:12] not in shorten.output(text)
