"""Which notes were made, changed or retired unasked since their user was last told."""

import json
from collections import Counter

from recollect.state.database import State

# Nobody reads a longer list.
MOST = 50


def add(state: State, project: str, changes: list[tuple[str, str]]) -> None:
    """Remember *changes* in *project*: what kind of note, and what became of it."""
    if not changes:
        return
    with state.transaction():
        state.set_meta(_key(project), json.dumps([*waiting(state, project), *changes][-MOST:]))


def waiting(state: State, project: str) -> list[tuple[str, str]]:
    """Return what the user has not heard yet of *project*."""
    found = json.loads(state.meta(_key(project)) or "[]")
    return [(str(kind), str(outcome)) for kind, outcome in found]


def told(state: State, project: str, count: int) -> None:
    """Forget the first *count* that were waiting: the user has heard of them."""
    with state.transaction():
        state.set_meta(_key(project), json.dumps(waiting(state, project)[count:]))


def in_words(changes: list[tuple[str, str]]) -> str:
    """Return *changes* in a line.

    >>> in_words([("decision", "created"), ("tech_debt", "updated"), ("decision", "created")])
    'Saved: decision (created, 2), tech debt (updated)'
    """
    counted = Counter((kind, outcome) for kind, outcome in changes)
    told = (
        f"{kind.replace('_', ' ')} ({outcome}{f', {count}' if count > 1 else ''})"
        for (kind, outcome), count in counted.items()
    )
    line = f"Saved: {', '.join(told)}" if changes else ""
    waits = any(outcome == "proposed" for _, outcome in changes)
    return f"{line}; proposed ones wait for your word: recollect review" if waits else line


def _key(project: str) -> str:
    return f"saved:{project}"
