"""Which notes were made, changed or retired unasked since their user was last told."""

import json
from collections import Counter
from collections.abc import Sequence

from recollect.store.contract.state import NoteChange, StateStore

PROPOSED = "proposed"

# Nobody reads a longer list.
MOST = 50
LONGEST_TITLE = 80


def add(state: StateStore, project: str, changes: Sequence[NoteChange]) -> None:
    """Remember *changes* in *project*."""
    if not changes:
        return
    with state.transaction():
        state.set_meta(_key(project), json.dumps([*waiting(state, project), *changes][-MOST:]))


def waiting(state: StateStore, project: str) -> list[NoteChange]:
    """Return what the user has not heard yet of *project*."""
    found = json.loads(state.meta(_key(project)) or "[]")
    return [NoteChange(*map(str, one[:3])) for one in found]


def mark_reported(state: StateStore, project: str, count: int) -> None:
    """Forget the first *count* that were waiting: the user has heard of them."""
    with state.transaction():
        state.set_meta(_key(project), json.dumps(waiting(state, project)[count:]))


def in_words(changes: Sequence[NoteChange]) -> str:
    """Return *changes* in a line.

    >>> in_words([NoteChange("decision", "created"), NoteChange("tech_debt", "updated")])
    'Saved: decision (created), tech debt (updated)'
    >>> in_words([NoteChange("constraint", "proposed", "Deploys need the VPN")])
    'Noted, please confirm: "Deploys need the VPN" (recollect review)'
    """
    counted = Counter((one.kind, one.outcome) for one in changes if one.outcome != PROPOSED)
    made = (
        f"{kind.replace('_', ' ')} ({outcome}{f', {count}' if count > 1 else ''})"
        for (kind, outcome), count in counted.items()
    )
    parts = [f"Saved: {', '.join(made)}"] if counted else []
    if proposed := [one for one in changes if one.outcome == PROPOSED]:
        parts.append(f"Noted, please confirm: {_named(proposed)} (recollect review)")
    return ". ".join(parts)


def _named(proposed: Sequence[NoteChange]) -> str:
    """Return the newest of the *proposed* by its title, and how many others there are."""
    newest = proposed[-1]
    title = newest.title
    short = title if len(title) <= LONGEST_TITLE else f"{title[:LONGEST_TITLE].rstrip()}…"
    called = f'"{short}"' if short else f"a {newest.kind.replace('_', ' ')}"
    others = len(proposed) - 1
    return f"{called} and {others} more" if others else called


def _key(project: str) -> str:
    return f"saved:{project}"
