"""The domain: what the journal holds.

Every text here has been redacted before it got here (`intake` sees to that).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

ObservationType = Literal[
    "decision", "bugfix", "feature", "refactor", "discovery", "change", "security"
]
OBSERVATION_TYPES: tuple[str, ...] = get_args(ObservationType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One atomic thing that happened in a turn."""

    type: ObservationType
    title: str
    text: str = ""
    facts: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    files_read: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One turn as the journal keeps it: a headline and what was observed."""

    id: str
    turn: str
    """The turn's key: an entry is recorded once per key."""
    line: str = ""
    """The id of the user's line, which a fork copies under another key."""
    session: str
    host: str
    at: datetime
    """When the turn began, in UTC; the journal files it under the local day."""
    headline: str
    observations: tuple[Observation, ...] = ()
    branch: str = ""
    commit: str = ""
    by: str = "extractive/1"
    """The engine and its version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A session in eight fields, all present, possibly empty."""

    session: str
    request: str = ""
    investigated: str = ""
    learned: str = ""
    completed: str = ""
    next_steps: str = ""
    files_read: tuple[str, ...] = ()
    files_edited: tuple[str, ...] = ()
    notes: str = ""


SUMMARY_FIELDS: tuple[str, ...] = (
    "request",
    "investigated",
    "learned",
    "completed",
    "next_steps",
    "files_read",
    "files_edited",
    "notes",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One thing found in a library file: ours or the user's, ready to be indexed."""

    id: str
    kind: Literal["entry", "summary", "hand"]
    """`hand` is text the user wrote without an anchor of ours."""
    title: str
    body: str
    """The Markdown below the heading, without our comment."""
    at: datetime | None = None
    session: str = ""
    turn: str = ""
    host: str = ""
    branch: str = ""
    commit: str = ""
    by: str = ""
    edited: bool = False
    """True when the text is no longer what we wrote: it is the user's now."""
    first_line: int = 1
    last_line: int = 1
