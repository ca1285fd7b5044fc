"""What is kept besides Markdown: projects, sessions, turns for a model, tokens, what was shown.

Values, and protocols for whatever keeps them. Nothing above the stores knows more of them than
this. `recollect.testing.StateContract` holds every implementation to it.
"""

import math
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from recollect import paths

EVENTS = ("start", "prompt", "file", "subagent")
USES = ("opened", "cited", "files", "words")
# Shown for so many prompts without being used, a memory is one that agents ignore.
OFTEN = 5
MOST_TRIES = 3

DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Whose memory it is."""

    name: str
    """The name of its folder under `projects/`; never changes."""
    label: str
    """What a person calls it."""
    root: str
    root_commit: str
    remote: str
    inode: str
    first_seen: float
    last_seen: float
    excluded: bool = False


EVERYWHERE = Project(
    name=paths.EVERYWHERE,
    label=paths.EVERYWHERE,
    root="",
    root_commit="",
    remote="",
    inode="",
    first_seen=0.0,
    last_seen=0.0,
)
"""What holds in every project, where one is asked for. It is not registered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation with a host."""

    id: str
    host: str
    project: str
    """Decided when the session began, wherever it goes later."""
    kept: bool = True
    """False for good once it was not to be kept."""
    client: int = 0
    """The process id of its host; 0 if that is not known."""
    cwd: str
    transcript: str
    started: float
    last_seen: float
    read_up_to: int = 0
    ended: float | None = None
    turns: int = 0
    compacted: float = 0.0
    """When its context was last compacted; what it did before is no longer there."""
    end_reason: str = ""
    branch: str = ""
    status: str = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTurn:
    """One turn in the queue."""

    host: str
    turn: str
    session: str
    project: str
    queued: float
    due: float = 0.0
    """Not before then."""
    tries: int = 0
    aside: bool = False
    """Tried often enough; only `recollect retry` puts it back."""
    put_back: bool = False
    """Set aside because the engine broke down, it was put back once when that answered again."""
    owed: str = ""
    """The models that have still to look at it, a line each; empty for all of them."""
    kind: str = ""
    """Of the last failure."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one call cost."""

    input_tokens: int = 0
    """All that was sent, also what the server had kept from before."""
    output_tokens: int = 0
    cached_tokens: int = 0
    """How many of those sent the server had kept from before."""
    cost: float | None = None
    """In dollars; None where no price is known."""
    estimated: bool = False
    """True where nobody told, and it is our own guess."""

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """Whom we asked, when, and what for."""

    at: float
    engine: str
    model: str
    project: str
    purpose: str
    """`observe`, `verify` or `answer`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """What was spent in a day, for one project, on one model and for one purpose."""

    day: str
    project: str
    engine: str
    model: str
    purpose: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float
    """In dollars, of the calls whose price is known."""
    without_price: int
    """How many calls have no known price."""
    estimated: int
    """How many calls are our own guess."""

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A model rests until then."""

    until: float
    kind: str
    message: str
    hint: str = ""
    strikes: int = 1
    """How often in a row it failed."""
    said: bool = False
    """True once the user was told at the start of a session."""

    def lasts(self, now: float) -> bool:
        """Tell whether it is not over; one that would last for more than a day is a wrong clock."""
        return now < self.until <= now + DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One memory in one block that an agent was given."""

    at: float
    project: str
    session: str
    event: str
    """Why it was given: one of `EVENTS`."""
    id: str
    """Empty for the frame of the block and all in it that is no memory."""
    version: str
    """Tells one state of the memory from another."""
    score: float
    tokens: int
    in_full: int = 0
    """The tokens of the turn behind it, had that been given whole."""
    used: str = ""
    """How it was used: one of `USES`; empty for not, as far as we know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What several blocks come to."""

    times: int = 0
    """How often an agent was given something."""
    memories: int = 0
    """How many were in it; one that was shown twice counts twice."""
    different: int = 0
    uses: Mapping[str, int] = field(default_factory=dict)
    """How many of the memories were used, by how; each of `USES` is there."""
    different_used: int = 0
    tokens: int = 0
    in_full: int = 0
    """The turns behind the memories, each once a session."""
    sessions: int = 0

    @property
    def used(self) -> int:
        """How many of the memories were used."""
        return sum(self.uses.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What was shown by event, and together."""

    events: Mapping[str, Total]
    """Each of `EVENTS` is there."""
    together: Total
    """Not always the sum: a session or a memory may belong to several events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTally:
    """How one memory fared."""

    project: str
    id: str
    shown: int
    used: int
    tokens: int


class NoteChange(NamedTuple):
    """What became of a note that nobody asked for."""

    kind: str
    """The category of the note."""
    outcome: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """What was said against one memory."""

    project: str
    id: str
    author: str
    """`user` or `agent`."""
    session: str = ""
    said: str = ""
    at: float = 0.0
    hidden: bool = True
    """Whether it is not shown meanwhile; of several, nobody may know which one was meant."""


class ProjectStore(Protocol):
    """Projects, and the paths that stand for them."""

    def all(self) -> list[Project]:
        """Return every project, the last seen first."""

    def named(self, name: str) -> Project | None:
        """Return the project whose folder is called exactly *name*."""

    def of_identity(self, identity: str) -> str | None:
        """Return the name of the project that the path *identity* stands for."""

    def identities(self, project: str) -> list[str]:
        """Return every path that stands for *project*, in order."""

    def places(self) -> list[tuple[str, str, bool]]:
        """Return every path with the name of its project, and whether that is excluded."""

    def add(self, project: Project, identity: str) -> None:
        """Keep a new *project*, for which *identity* stands."""

    def save(self, project: Project) -> None:
        """Keep *project*, which is known, as it is now."""

    def set_identity(self, identity: str, project: str) -> None:
        """Let *identity* stand for *project*."""

    def remove_identity(self, identity: str) -> None:
        """Let *identity* stand for nothing."""

    def remove(self, project: str) -> None:
        """Forget *project*, of which nothing was kept, and the paths that stand for it."""

    def join(self, project: str, *, into: str) -> None:
        """Give everything that belongs to *project* to *into*, and forget that there was one."""


class SessionStore(Protocol):
    """Sessions, their turns under way, and what was recorded of them."""

    def find(self, session: str) -> Session | None:
        """Return the session with exactly this id."""

    def matching(self, prefix: str) -> list[Session]:
        """Return the sessions whose id begins with *prefix*, latest first; none for ""."""

    def of_project(self, project: str) -> list[Session]:
        """Return the sessions of *project*, latest first."""

    def active(self) -> list[Session]:
        """Return the sessions of which no end is known, the quietest first."""

    def count(self, project: str) -> int:
        """Return how many sessions of *project* had a turn."""

    def hosts(self, project: str) -> list[str]:
        """Return the hosts that *project* was worked on with, in order."""

    def save(self, session: Session) -> None:
        """Keep *session* as it is now."""

    def drafts(self, session: str) -> dict[str, str]:
        """Return the turns under way in *session*, by key, in the order they began."""

    def save_draft(self, session: str, turn: str, body: str) -> None:
        """Keep a turn under way as it is now."""

    def remove_draft(self, session: str, turn: str) -> None:
        """Forget a turn that is no longer under way."""

    def forget_drafts(self, session: str) -> None:
        """Erase the turns under way in *session*, also from backups."""

    def is_recorded(self, *key: str) -> bool:
        """Tell whether the journal ever got what *key* names."""

    def set_recorded(self, *key: str) -> None:
        """Remember that the journal got what *key* names."""


class TurnQueue(Protocol):
    """Turns that a model has still to look at: waiting, resting after a failure, or set aside."""

    def add(self, *, host: str, turn: str, session: str, project: str, now: float) -> None:
        """Let a turn wait for a model; one that is there already begins anew.

        Whoever has begun with it before has no say over it any more.
        """

    def everything(self) -> list[QueuedTurn]:
        """Return all that waits or was set aside, the oldest first."""

    def save(self, batch: Iterable[QueuedTurn]) -> None:
        """Keep *batch* as it is now, as far as it is still in the queue as it was added."""

    def remove(self, batch: Iterable[QueuedTurn]) -> None:
        """Take *batch* out of the queue, as far as it is still there as it was added."""


class Ledger(Protocol):
    """What models cost: every call, by day, project, engine and model."""

    def book(self, call: ModelCall, spent: Spent) -> int:
        """Write down what *call* costs; return what to `settle` it by.

        It is written before the call is made, as a guess, and settled when the answer is there: a
        call that was made and never came back was paid for all the same.
        """

    def settle(self, number: int, spent: Spent, *, model: str) -> None:
        """Let what was booked say what the call really cost, and which *model* answered."""

    def release(self, number: int) -> None:
        """Take back what was booked: the call was never answered, and cost nothing."""

    def spent_on(self, day: str) -> int:
        """Return how many tokens were spent on *day*, by all projects together."""

    def rows(self, *, since: str = "") -> list[LedgerRow]:
        """Return what was spent from the day *since* on (all of it without one), by day."""


class ShownStore(Protocol):
    """What agents were given unasked, what it cost, and whether they used it."""

    def add(self, lines: Iterable[Shown]) -> None:
        """Remember that *lines* were shown; what is known already stays as it is."""

    def latest(self, session: str) -> float:
        """Return when *session* was last shown something that is remembered; 0 if never."""

    def unused_in(self, session: str, *, until: float = math.inf) -> list[Shown]:
        """Return what *session* was shown *until* then and has not used since, in order.

        One that was shown several times is there once, as it was shown last: what an agent does
        once is one use, however often we had told it before.
        """

    def between(self, session: str, since: float, until: float) -> list[Shown]:
        """Return what *session* was shown for prompts between these times, the latest first."""

    def mark_used(self, one: Shown, how: str) -> None:
        """Remember *how* the memory that *one* tells of was used."""

    def never_used(
        self, *, since: float = 0.0, project: str | None = None, least: int = OFTEN
    ) -> list[ShownTally]:
        """Return the memories that agents pass over, the one shown most first.

        Those were shown for at least so many prompts since they were last changed, after *since*,
        and never used: not for anything else and not as they were before either.
        """

    def most_used(
        self, *, since: float = 0.0, project: str | None = None, limit: int = 5
    ) -> list[ShownTally]:
        """Return the memories that were used most after *since*, the first one most."""

    def totals(self, *, since: float = 0.0, project: str | None = None) -> Totals:
        """Return what was shown after *since*, in one *project* or in all."""

    def forget(self, id: str, *, project: str | None = None) -> None:  # noqa: A002
        """Erase every row about the memory *id*, also from backups.

        Of one *project* or of all: notes of two projects may share an id.
        """

    def prune(self, before: float) -> None:
        """Delete what was shown *before* then."""


class DisputeStore(Protocol):
    """Memories of which somebody said that they are wrong, until a person has looked at them."""

    def add(self, one: Dispute) -> None:
        """Remember *one*; what was said of the same memory before is replaced."""

    def waiting(self, project: str) -> list[Dispute]:
        """Return what waits for a person in *project*, the latest first."""

    def hidden(self, project: str) -> frozenset[str]:
        """Return the ids of what is not shown unasked in *project*."""

    def accept(self, one: Dispute) -> None:
        """Say that the memory is right after all: it is shown again."""

    def reject(self, one: Dispute) -> None:
        """Say that it is wrong indeed: it stays hidden, and waits no longer."""

    def forget(self, id: str, *, project: str | None = None) -> None:  # noqa: A002
        """Erase what was said of the memory *id*, also from backups."""


class StateStore(Protocol):
    """All of it, opened. One per thread."""

    @property
    def projects(self) -> ProjectStore:
        """Projects, and the paths that stand for them."""

    @property
    def sessions(self) -> SessionStore:
        """Sessions, their turns under way, and what was recorded of them."""

    @property
    def queue(self) -> TurnQueue:
        """Turns that a model has still to look at."""

    @property
    def ledger(self) -> Ledger:
        """What models cost."""

    @property
    def shown(self) -> ShownStore:
        """What agents were given unasked."""

    @property
    def disputes(self) -> DisputeStore:
        """Memories that somebody called wrong."""

    def meta(self, key: str) -> str:
        """Return the remembered value of *key*, empty if there is none."""

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* for *key*."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make all that is done inside one step: all of it happens, or nothing."""

    def back_up(self, *, day: str) -> Path | None:
        """Write a copy named after *day*; None where there is nothing to copy."""

    def close(self) -> None:
        """Close it."""
