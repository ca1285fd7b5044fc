"""How long to wait after a failure, and whose fault it was. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.errors import EngineError, Failure

FIRST_WAIT = 30.0
LONGEST_WAIT = 3600.0
# A server that asks for more patience than this is asked again sooner.
LONGEST_ASKED_FOR = 6 * 3600.0
SHORTEST_ASKED_FOR = 5.0
UNTIL_ANOTHER_LOOK = 600.0
# Nobody knows when a login or a payment is renewed: one look an hour costs nothing.
UNTIL_SOMEBODY_ACTS = 3600.0
GROWTH = 4.0


@dataclass(frozen=True, slots=True)
class Treatment:
    """What a failure means."""

    counts: bool
    """A try of the turn was used up: it may be the turn's fault."""
    rests: bool
    """The engine is left alone for a while."""
    needs_user: bool = False
    """Only the user can change it."""


TREATMENTS: Mapping[Failure, Treatment] = {
    "missing": Treatment(counts=False, rests=True, needs_user=True),
    "misfit": Treatment(counts=False, rests=True, needs_user=True),
    "auth": Treatment(counts=False, rests=True, needs_user=True),
    "quota": Treatment(counts=False, rests=True, needs_user=True),
    "budget": Treatment(counts=False, rests=True),
    "rate-limit": Treatment(counts=False, rests=True),
    "unreachable": Treatment(counts=False, rests=True),
    "unavailable": Treatment(counts=True, rests=True),
    "timeout": Treatment(counts=True, rests=True),
    "rejected": Treatment(counts=True, rests=False),
    "refusal": Treatment(counts=True, rests=False),
    "unreadable": Treatment(counts=True, rests=False),
}

NEED_USER = frozenset(kind for kind, one in TREATMENTS.items() if one.needs_user)
"""What the user alone can change."""

BROKE_DOWN: tuple[Failure, ...] = ("unavailable", "timeout")
"""Given one more try when the engine answers again."""


def wait(failures: int, *, roll: float) -> float:
    """Return how many seconds to wait after so many *failures* in a row.

    The *roll* of a die, from 0 to 1, keeps many from coming back at once.

    >>> [wait(failures, roll=0.5) for failures in (1, 2, 3, 9)]
    [30.0, 120.0, 480.0, 3600.0]
    >>> wait(1, roll=0.0), wait(1, roll=1.0)
    (22.5, 37.5)
    """
    plain = min(FIRST_WAIT * GROWTH ** min(failures - 1, 10), LONGEST_WAIT)
    return plain * (0.75 + roll / 2)


def rest(error: EngineError, failures: int, *, now: float, roll: float) -> float:
    """Return until when the engine is left alone after *error*, its *failures*th in a row."""
    if error.kind == "budget":
        # Another call may give back what it had booked, and a day ends.
        return now + UNTIL_ANOTHER_LOOK
    if error.retry_after is not None:
        # A little later than asked for: others were told the same moment.
        asked_for = max(error.retry_after, SHORTEST_ASKED_FOR)
        return now + min(asked_for, LONGEST_ASKED_FOR) + roll
    if TREATMENTS[error.kind].needs_user:
        return now + UNTIL_SOMEBODY_ACTS
    return now + wait(failures, roll=roll)
