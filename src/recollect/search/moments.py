"""Read the moments people name in a query: dates, durations, `yesterday`, `last week`.

A moment is where the named time begins. "After it" includes that beginning and "before it" ends
there, so a day, a month and an hour need no end of their own. Pure: the clock is passed in, and
dates are read in its zone.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from recollect.ages import DAY, HOUR, MINUTE

# A month and a year are as long as in `ages`, so that `before:"1 month"` finds exactly what is
# shown as a month old. `m` is a month, as in mail searches; a memory is rarely minutes old.
UNITS = {
    word: seconds
    for words, seconds in (
        ("min mins minute minutes", MINUTE),
        ("h hr hrs hour hours", HOUR),
        ("d day days", DAY),
        ("w wk wks week weeks", 7 * DAY),
        ("m mo mos month months", 30 * DAY),
        ("y yr yrs year years", 365 * DAY),
    )
    for word in words.split()
}
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()

# The longest moment of several words is "2 weeks ago".
MOST_WORDS = 3

_DATE = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?")
_DURATION = re.compile(r"(?:([0-9]{1,6}) ?|an? )([a-z]+)(?: ago)?")


def read(text: str, *, now: datetime) -> float | None:
    """Return when the time called *text* begins, as a timestamp; None if it is no time.

    >>> now = datetime.fromisoformat("1970-01-09T12:00Z")
    >>> [read(text, now=now) for text in ("1970-01-02", "1 week ago", "last week", "soon")]
    [86400.0, 129600.0, -259200.0, None]
    """
    folded = " ".join(text.lower().split())
    begins = _date(folded, now=now)
    return _relative(folded, now=now) if begins is None else begins


def read_first(words: Sequence[str], *, now: datetime) -> tuple[float, int] | None:
    """Return the moment that *words* begin with, and how many of them it takes.

    A date is complete in its first word, so that the number after it stays a word of its own.

    >>> now = datetime.fromisoformat("1970-01-09T00:00Z")
    >>> read_first(["1", "week", "orders"], now=now), read_first(["1971", "days"], now=now)
    ((86400.0, 2), (31536000.0, 1))
    """
    begins = _date(words[0].lower(), now=now)
    if begins is not None:
        return begins, 1
    for count in range(min(MOST_WORDS, len(words)), 0, -1):
        begins = _relative(" ".join(words[:count]).lower(), now=now)
        if begins is not None:
            return begins, count
    return None


def _date(text: str, *, now: datetime) -> float | None:
    found = _DATE.fullmatch(text)
    try:
        if found:
            year, month, day = (int(part or 1) for part in found.groups())
            return datetime(year, month, day, tzinfo=now.tzinfo).timestamp()
        whole = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return (whole if whole.tzinfo else whole.replace(tzinfo=now.tzinfo)).timestamp()


def _relative(text: str, *, now: datetime) -> float | None:
    if text == "now":
        return now.timestamp()
    found = _DURATION.fullmatch(text)
    if found and found[2] in UNITS:
        return now.timestamp() - int(found[1] or 1) * UNITS[found[2]]
    day = _days(now.date()).get(text)
    return datetime.combine(day, time(), tzinfo=now.tzinfo).timestamp() if day else None


def _days(today: date) -> dict[str, date]:
    """Return the first day of every time that is named by its distance from *today*."""
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    new_year = first.replace(month=1)
    named = {
        "today": today,
        "yesterday": today - timedelta(days=1),
        "this week": monday,
        "last week": monday - timedelta(weeks=1),
        "this month": first,
        "last month": (first - timedelta(days=1)).replace(day=1),
        "this year": new_year,
        "last year": new_year.replace(year=today.year - 1),
    }
    for number, weekday in enumerate(WEEKDAYS):
        since = (today.weekday() - number) % 7
        named[weekday] = named[weekday[:3]] = today - timedelta(days=since)
        named[f"last {weekday}"] = today - timedelta(days=since or 7)
    return named
