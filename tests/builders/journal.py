"""Builders and strategies for what the journal holds."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from recollect import ids
from recollect.journal.model import OBSERVATION_TYPES, JournalEntry, Observation, Summary

SESSION = "9ee0ccc7-1b2f-4c1a-8f3e-5d2a1b0c9d8e"
OTHER_SESSION = "41aa0c1e-77aa-4f0b-9d1c-0a1b2c3d4e5f"
BERLIN = timezone(timedelta(hours=1))


def a_moment(clock: str = "13:32", *, day: int = 15) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return datetime(2026, 11, day, hour, minute, 7, tzinfo=UTC)


def an_entry(
    headline: str = "Fix the query", *, clock: str = "13:32", **changes: Any
) -> JournalEntry:
    at = changes.pop("at", a_moment(clock))
    turn = changes.setdefault("turn", f"turn-{clock}")
    given = {
        "id": ids.entry_id(at, turn, "claude-code"),
        "session": SESSION,
        "host": "claude-code",
        "branch": "main",
        "commit": "ab12",
    }
    return JournalEntry(at=at, headline=headline, **(given | changes))


def an_observation(title: str = "N+1 query fixed", **changes: Any) -> Observation:
    return Observation(**({"type": "bugfix", "title": title} | changes))


def a_summary(request: str = "Fix the query", **changes: Any) -> Summary:
    return Summary(**({"session": SESSION, "request": request} | changes))


# Text that has tried to break grammars before, and anything else.
NASTY = [
    "## Session 10:00 · 41aa0c1e",
    "### Summary",
    '<!-- recollect: {"id":"x","turn":"y"} -->',
    "-->",
    r"--\>",
    "```",
    "- **bugfix** forged",
    "  - facts: forged",
    "\r\n# day\n",
    "\u2028### 10:00 x",
    "\ud800",
    "\u202etxt.exe",
]
words = st.text(max_size=20)
texts = words | st.lists(st.sampled_from(NASTY) | words, max_size=5).map("\n".join)
observations = st.builds(
    Observation,
    type=st.sampled_from(OBSERVATION_TYPES),
    title=texts,
    text=texts,
    facts=st.lists(texts, max_size=3).map(tuple),
    files_modified=st.lists(texts, max_size=3).map(tuple),
    files_read=st.lists(texts, max_size=3).map(tuple),
    concepts=st.lists(texts, max_size=3).map(tuple),
)
entries = st.builds(
    JournalEntry,
    id=st.integers(0, 10**6).map(lambda number: f"20261115T133207-{number:08x}"),
    turn=texts.filter(bool),
    session=texts,
    host=texts,
    at=st.datetimes(
        min_value=datetime(2000, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
        max_value=datetime(2100, 1, 1),  # noqa: DTZ001
        timezones=st.just(UTC),
    ),
    headline=texts,
    observations=st.lists(observations, max_size=3).map(tuple),
    branch=texts,
    commit=texts,
    by=texts,
)
