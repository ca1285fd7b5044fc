"""What agents were given unasked, what it cost, and whether they used it.

Used is what we know of: a memory that an agent only read and heeded counts as unused, so every
number here is a lower bound.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from recollect.store.sqlite.state.database import Row, State

EVENTS = ("start", "prompt", "file", "subagent")
USES = ("opened", "cited", "files", "words")

# Shown for so many prompts without being used, a memory is one that agents ignore.
OFTEN = 5


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


def add(state: State, lines: Iterable[Shown]) -> None:
    """Remember that *lines* were shown; what is known already stays as it is."""
    for line in lines:
        state.run("add_shown", **asdict(line))


def latest(state: State, session: str) -> float:
    """Return when *session* was last shown something that is remembered; 0 if never."""
    found = state.row("latest_shown", session)
    return float(found[0] or 0.0) if found else 0.0


def unused_in(state: State, session: str, *, until: float = math.inf) -> list[Shown]:
    """Return the memories that *session* was shown *until* then and has not used since, in order.

    One that was shown several times is there once, as it was shown last: what an agent does once
    is one use, however often we had told it before.
    """
    names = Shown.__slots__
    rows = state.rows("unused_shown", session=session, until=until)
    return [Shown(**dict(zip(names, row, strict=True))) for row in rows]


def between(state: State, session: str, since: float, until: float) -> list[Shown]:
    """Return what *session* was shown for prompts between these times, the latest first."""
    names = Shown.__slots__
    rows = state.rows("shown_between", session, since, until)
    return [Shown(**dict(zip(names, row, strict=True))) for row in rows]


def mark_used(state: State, one: Shown, how: str) -> None:
    """Remember *how* the memory that *one* tells of was used."""
    state.run("use_shown", session=one.session, at=one.at, event=one.event, id=one.id, used=how)


def ignored(state: State, project: str, *, least: int = OFTEN) -> frozenset[str]:
    """Return the memories that agents in *project* pass over.

    Those were shown for at least so many prompts since they were last changed, and never used:
    not for anything else and not as they were before either.
    """
    return frozenset(one.id for one in never_used(state, project=project, least=least))


def count_ignored(state: State, project: str) -> None:
    """Count for `passed_over`: with many rows that takes longer than a prompt may wait."""
    state.set_meta(f"ignored:{project}", json.dumps(sorted(ignored(state, project))))


def passed_over(state: State, project: str) -> frozenset[str]:
    """Return what was `ignored` in *project* when somebody last counted."""
    return frozenset(json.loads(state.meta(f"ignored:{project}") or "[]"))


def never_used(
    state: State, *, since: float = 0.0, project: str | None = None, least: int = OFTEN
) -> list[ShownTally]:
    """Return what `ignored` means, the one shown most first, if it was shown after *since*.

    It is counted by the prompts for which it was shown since it was last changed, whenever.
    """
    rows = state.rows("never_used", since=since, project=project, least=least)
    return [_tally(row) for row in rows]


def most_used(
    state: State, *, since: float = 0.0, project: str | None = None, limit: int = 5
) -> list[ShownTally]:
    """Return the memories that were used most after *since*, the first one most."""
    rows = state.rows("most_used", since=since, project=project, limit=limit)
    return [_tally(row) for row in rows]


def totals(state: State, *, since: float = 0.0, project: str | None = None) -> Totals:
    """Return what was shown after *since*, in one *project* or in all."""
    return Totals(
        events={event: _total(state, since, project, event) for event in EVENTS},
        together=_total(state, since, project, None),
    )


def forget(state: State, ids: Iterable[str], *, project: str | None = None) -> None:
    """Delete every row about the memories *ids*, of one *project* or of all.

    Notes of two projects may share an id.
    """
    for one in ids:
        state.run("forget_shown", id=one, project=project)


def prune(state: State, before: float) -> None:
    """Delete what was shown *before* then."""
    state.run("prune_shown", before)


def _total(state: State, since: float, project: str | None, event: str | None) -> Total:
    wanted = {"since": since, "project": project, "event": event}
    ((times, memories, different, different_used, tokens, in_full, sessions),) = state.rows(
        "total_shown", **wanted
    )
    uses = dict.fromkeys(USES, 0) | dict(state.rows("uses_of_shown", **wanted))
    return Total(
        times=times,
        memories=memories,
        different=different,
        uses=uses,
        different_used=different_used,
        tokens=tokens,
        in_full=in_full,
        sessions=sessions,
    )


def _tally(row: Row) -> ShownTally:
    return ShownTally(**dict(zip(ShownTally.__slots__, row, strict=True)))
