"""The times people name in a query, and where each of them begins."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import ages
from recollect.search import moments

# A Wednesday.
NOW = datetime(2026, 11, 18, 12, 30, tzinfo=timezone(timedelta(hours=1)))


def local(text: str) -> str | None:
    """The moment *text* on the clock of `NOW`."""
    found = moments.read(text, now=NOW)
    return None if found is None else str(datetime.fromtimestamp(found, NOW.tzinfo))[:19]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("2026", "2026-01-01 00:00:00"),
        ("2026-11", "2026-11-01 00:00:00"),
        ("2026-11-05", "2026-11-05 00:00:00"),
        ("2026-1-5", "2026-01-05 00:00:00"),
        ("2026/11/05", "2026-11-05 00:00:00"),
        ("20261105", "2026-11-05 00:00:00"),
        ("2026-11-05T14:30", "2026-11-05 14:30:00"),
        ("2026-11-05 14:30", "2026-11-05 14:30:00"),
        ("2026-11-05t14:30:15", "2026-11-05 14:30:15"),
        ("2026-11-05T14:30Z", "2026-11-05 15:30:00"),
        ("2026-11-05T14:30-05:00", "2026-11-05 20:30:00"),
    ],
)
def test_a_date_begins_with_its_first_moment_in_the_local_zone(text: str, begins: str) -> None:
    assert local(text) == begins


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("5h", "2026-11-18 07:30:00"),
        ("90 min", "2026-11-18 11:00:00"),
        ("3d", "2026-11-15 12:30:00"),
        ("3 days", "2026-11-15 12:30:00"),
        ("2w", "2026-11-04 12:30:00"),
        ("2weeks", "2026-11-04 12:30:00"),
        ("2 weeks", "2026-11-04 12:30:00"),
        ("2 weeks ago", "2026-11-04 12:30:00"),
        ("2w ago", "2026-11-04 12:30:00"),
        ("  2   Weeks  AGO ", "2026-11-04 12:30:00"),
        ("a week ago", "2026-11-11 12:30:00"),
        ("an hour", "2026-11-18 11:30:00"),
        ("1 month", "2026-10-19 12:30:00"),
        ("1m", "2026-10-19 12:30:00"),
        ("1y", "2025-11-18 12:30:00"),
        ("0d", "2026-11-18 12:30:00"),
        ("now", "2026-11-18 12:30:00"),
    ],
)
def test_a_duration_is_that_long_before_now(text: str, begins: str) -> None:
    assert local(text) == begins


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("today", "2026-11-18 00:00:00"),
        ("Yesterday", "2026-11-17 00:00:00"),
        ("this week", "2026-11-16 00:00:00"),
        ("last week", "2026-11-09 00:00:00"),
        ("this month", "2026-11-01 00:00:00"),
        ("last month", "2026-10-01 00:00:00"),
        ("this year", "2026-01-01 00:00:00"),
        ("last year", "2025-01-01 00:00:00"),
        ("monday", "2026-11-16 00:00:00"),
        ("mon", "2026-11-16 00:00:00"),
        ("thursday", "2026-11-12 00:00:00"),
        ("last monday", "2026-11-16 00:00:00"),
    ],
)
def test_a_named_time_begins_with_its_first_day(text: str, begins: str) -> None:
    assert local(text) == begins


def test_a_weekday_is_today_if_it_can_be_and_the_last_one_is_not() -> None:
    assert local("wednesday") == "2026-11-18 00:00:00"
    assert local("last wednesday") == "2026-11-11 00:00:00"


def test_last_month_in_january_is_december() -> None:
    january = datetime(2026, 1, 31, tzinfo=UTC)

    assert moments.read("last month", now=january) == datetime(2025, 12, 1, tzinfo=UTC).timestamp()


def test_last_year_on_a_leap_day_is_a_year() -> None:
    leap_day = datetime(2028, 2, 29, tzinfo=UTC)

    assert moments.read("last year", now=leap_day) == datetime(2027, 1, 1, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "garbage", "soon", "2", "weeks", "ago", "and", "a", "aweek", "last", "last day"),
        *("2 parsecs", "2 weeks later", "-2w", "1.5h", "9999999 days", "9" * 5000 + "d", "２週"),
        *("2026-13", "2026-00", "2026-02-30", "0000", "99999", "26-11-01", "01.11.2026", "12:30"),
        *("2026-11-05T25:00", "2026-11-05T14:30+25:00", "yesterday ago", "2026-11-05 ago"),
    ],
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert local(text) is None


def test_a_day_begins_by_the_clock_of_its_own_season() -> None:
    winter = NOW.astimezone(ZoneInfo("Europe/Berlin"))

    begins = moments.read("2026-07-01", now=winter)

    assert begins == datetime(2026, 6, 30, 22, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("words", "begins", "taken"),
    [
        ("2 weeks", "2 weeks", 2),
        ("2 weeks ago", "2 weeks", 3),
        ("2w ago", "2w", 2),
        ("2w orders", "2w", 1),
        ("2 weeks orders ago", "2 weeks", 2),
        ("last week orders", "last week", 2),
        ("an hour ago", "1h", 3),
        ("today orders", "today", 1),
        ("monday morning", "monday", 1),
        ("2026 days", "2026", 1),
        ("2026-11-05 14:30", "2026-11-05", 1),
        ("2 orders", None, 0),
        ("last orders", None, 0),
        ("garbage", None, 0),
    ],
)
def test_a_moment_takes_as_many_words_as_belong_to_it(
    words: str, begins: str | None, taken: int
) -> None:
    found = moments.read_first(words.split(), now=NOW)

    assert found == (None if begins is None else (moments.read(begins, now=NOW), taken))


@pytest.mark.parametrize("age", ["3 days ago", "2 weeks ago", "1 month ago", "2 years ago"])
def test_an_age_as_it_is_shown_leads_back_to_its_moment(age: str) -> None:
    begins = moments.read(age, now=NOW)

    assert begins is not None
    assert ages.ago(NOW.timestamp() - begins) == age


@pytest.mark.parametrize("zone", [UTC, ZoneInfo("Asia/Tokyo"), timezone(timedelta(hours=-12))])
@given(text=st.text(max_size=30) | st.from_regex(r"[0-9]{4}[-/]?[0-9]{0,2}[-T ]?[0-9a-z:+]{0,9}"))
def test_any_text_is_a_moment_or_none(zone: timezone | ZoneInfo, text: str) -> None:
    now = NOW.astimezone(zone)

    whole = moments.read(text, now=now)
    first = moments.read_first([text], now=now)

    assert isinstance(whole, float | None)
    assert first is None or isinstance(first[0], float)
