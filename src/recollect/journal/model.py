"""The domain: what the journal holds.

Every text here has been redacted before it got here (`intake` sees to that).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, get_args

ObservationType = Literal[
    "decision", "bugfix", "feature", "refactor", "discovery", "change", "security"
]
OBSERVATION_TYPES: tuple[str, ...] = get_args(ObservationType)


By = Literal["user", "agent", "extractive", "model"]
"""Who said it."""
AUTHORS: tuple[By, ...] = get_args(By)
# In characters, of what one section of a note says.
LONGEST_TEXT = 20_000

# A pinned note stands above any that was merely needed often.
PINNED = 1_000

# Stands in `review` while nobody has said yes to a note.
PROPOSED = "proposed"


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
class Carried:
    """What an entry carries along: written into its anchor, read from it, and kept by every index.

    A field here is a text, or a mapping of texts, and empty for nothing. Where it comes from sets
    it, who shows it reads it, and nothing in between knows of it.
    """

    branch: str = ""
    commit: str = ""
    seen_files: Mapping[str, str] = field(default_factory=dict)
    """Files it tells of, from the project's root, each with its fingerprint then."""
    by: str = ""
    """The engine that wrote it, and its version; of a note, who said it."""


CARRIED: tuple[str, ...] = tuple(one.name for one in fields(Carried))


def carried(one: Carried) -> dict[str, Any]:
    """Return what *one* carries along, by name."""
    return {name: getattr(one, name) for name in CARRIED}


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry(Carried):
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
    by: str = "extractive/1"


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
    by: str = ""
    """The model that wrote it; empty for the extractive one."""
    of: str = ""
    """What entries a model wrote it of: see `markdown.digest`."""


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
class LibraryItem(Carried):
    """One thing found in a library file: ours or the user's, ready to be indexed."""

    id: str
    kind: Literal["entry", "summary", "hand", "note", "hosted"]
    """`hand` is text the user wrote without an anchor of ours, `hosted` a host's own memory."""
    category: str = ""
    """Of a note."""
    hidden_reason: str = ""
    """Why a note is kept but not shown unasked: archived, superseded, proposed; else empty."""
    note_status: str = ""
    """What a note says of itself: `accepted` for a decision, `open` for a debt."""
    title: str
    body: str
    """The Markdown below the heading, without our comment."""
    at: datetime | None = None
    session: str = ""
    turn: str = ""
    host: str = ""
    edited: bool = False
    """True when the text is no longer what we wrote: it is the user's now."""
    prominence: int = 0
    """Of a note: how often it was needed again, and far more if the user pinned it."""
    files: tuple[str, ...] = ()
    """What a note is about; of an entry, its observations say so."""
    first_line: int = 1
    last_line: int = 1

    @property
    def is_memory(self) -> bool:
        """Whether it says something of its own that is worth finding.

        A summary says again what the entries of its session say, and a turn of which there is
        nothing but the headline did and said nothing. What the user edited is always one.
        """
        of_session = self.kind == "summary" or self.category == "session_summary"
        is_bare = self.by.startswith("extractive/") and not self.body.strip()
        return self.edited or not (of_session or is_bare)
