"""What models cost, summed up: on which day, and all together."""

from collections.abc import Iterable
from datetime import datetime

from recollect.store.contract.state import LedgerRow, StateStore


def day_of(at: float) -> str:
    """Return the user's own day of the moment *at*."""
    return datetime.fromtimestamp(at).astimezone().date().isoformat()


def spent_today(state: StateStore, *, now: float) -> int:
    """Return how many tokens were spent on the day of *now*, by all projects together."""
    return state.ledger.spent_on(day_of(now))


def total(found: Iterable[LedgerRow]) -> int:
    """Return the tokens of the lines *found* together."""
    return sum(line.tokens for line in found)
