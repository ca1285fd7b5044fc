"""Every error a person can meet, each with where, what and what to do.

RecollectError
├── ConfigError       a setting or a settings file
├── ProjectError      a project that is unknown, ambiguous or in the way
├── NotFoundError     an id, session or path that names nothing
├── TranscriptError   a file that is not a transcript
├── LibraryError      the Markdown could not be read or written
│   └── NoteError     a file is not as notes must be
├── StoreError        what is kept besides Markdown could not be read or written
│   ├── BusyError         somebody else holds the lock; try again
│   ├── DamagedError      a file of it is damaged, or of another version
│   └── BrokenIndexError  the index cannot be opened or rebuilt
├── EmbedderError     texts could not be turned into vectors
├── EngineError       a model could not be asked, or gave no usable answer
├── WorkerError       the worker cannot be started, stopped or asked
└── HostError         Claude Code (or another host) could not be set up
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T")

Trouble = Literal["missing", "refused", "unreachable", "slow", "busy", "broken"]
"""Why texts could not be turned into vectors."""

Failure = Literal[
    "missing",
    "misfit",
    "auth",
    "quota",
    "budget",
    "rate-limit",
    "unreachable",
    "unavailable",
    "timeout",
    "rejected",
    "refusal",
    "unreadable",
]
"""Why a model gave no usable answer: it is not installed; it is not set up to be asked (no such
model, no address); it takes no key of ours; nothing is left to pay with; it was asked too often;
nobody answers there; it broke down; it took too long; it does not take this question; it declined;
its answer cannot be read. And `budget`: the user's own limit for today is reached."""


class RecollectError(Exception):
    """Something a person should read: *message* says where and what, *hint* what to do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(RecollectError):
    """A setting is unknown, has the wrong kind of value, or may not be set there."""


class ProjectError(RecollectError):
    """A project is unknown, ambiguous, or cannot be changed that way."""


class NotFoundError(RecollectError):
    """An id, session or path names nothing, or more than one thing."""


class TranscriptError(RecollectError):
    """A file is not a transcript that we can read."""


class LibraryError(RecollectError):
    """The Markdown could not be read or written."""


class Problem(NamedTuple):
    """What is wrong with one field of a note, and how to mend it."""

    field: str
    what: str
    fix: str


class NoteError(LibraryError):
    """A note is not as notes must be: *problems* by field, *line* in its file (0: none)."""

    def __init__(
        self, message: str, *, hint: str = "", problems: Sequence[Problem] = (), line: int = 0
    ) -> None:
        super().__init__(message, hint=hint)
        self.problems = tuple(problems)
        self.line = line


class StoreError(RecollectError):
    """What is kept besides Markdown could not be read or written: a full disk, no right to."""


class BusyError(StoreError):
    """Another process holds the lock for longer than we wait."""


class DamagedError(StoreError):
    """A file of what is kept is damaged, or of another version: it is made anew."""


class BrokenIndexError(StoreError):
    """The index cannot be opened or rebuilt."""


class EmbedderError(RecollectError):
    """Texts could not be turned into vectors; *kind* says why, *retry_after* is in seconds."""

    def __init__(
        self,
        message: str,
        *,
        kind: Trouble,
        hint: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.retry_after = retry_after


class EngineError(RecollectError):
    """A model gave no usable answer; *kind* says why, *retry_after* is in seconds.

    *paid*: the model was at work when it failed, so that what was sent is paid for.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: Failure,
        hint: str = "",
        retry_after: float | None = None,
        paid: bool = False,
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.retry_after = retry_after
        self.paid = paid


class WorkerError(RecollectError):
    """The worker cannot be started, stopped or asked."""


class HostError(RecollectError):
    """The coding agent could not be found or set up."""


def each(items: Iterable[T], work: Callable[[T], object]) -> None:
    """Do *work* for each of *items*; one that fails stops no other. Raises the first failure."""
    failures: list[Exception] = []
    for item in items:
        try:
            work(item)
        except (RecollectError, OSError) as error:
            failures.append(error)
    if failures:
        raise failures[0]
