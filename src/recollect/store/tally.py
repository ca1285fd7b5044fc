"""How much of what models said stood nowhere in the turns, and was dropped, by what it was."""

import json
from collections import Counter
from collections.abc import Mapping

from recollect.store.contract.state import StateStore

_KEY = "dropped"


def add(state: StateStore, dropped: Mapping[str, int]) -> None:
    """Count what was *dropped*: so many facts, files, observations, notes."""
    with state.transaction():
        state.set_meta(_KEY, json.dumps(Counter(so_far(state)) + Counter(dict(dropped))))


def so_far(state: StateStore) -> dict[str, int]:
    """Return what was dropped until now."""
    found: dict[str, int] = json.loads(state.meta(_KEY) or "{}")
    return found
