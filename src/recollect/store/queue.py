"""What becomes of turns that wait for a model: begun, handed back, failed, tried again."""

from collections.abc import Iterable
from dataclasses import replace

from recollect.store.contract.state import MOST_TRIES, QueuedTurn, StateStore


def waiting(state: StateStore) -> list[QueuedTurn]:
    """Return what waits, the oldest first."""
    return [one for one in state.queue.everything() if not one.aside]


def set_aside(state: StateStore) -> list[QueuedTurn]:
    """Return what was tried often enough, the oldest first."""
    return [one for one in state.queue.everything() if one.aside]


def begin(state: StateStore, batch: Iterable[QueuedTurn]) -> list[QueuedTurn]:
    """Count a try of each of *batch* before it is made: one that kills us counts, too."""
    return _saved(state, (replace(one, tries=one.tries + 1) for one in batch))


def hand_back(
    state: StateStore, batch: Iterable[QueuedTurn], *, due: float = 0.0, kind: str = ""
) -> None:
    """Let *batch*, which was begun, wait as if it had not been: it was not its fault."""
    for one in batch:
        tries = max(0, one.tries - 1)
        _saved(state, [replace(one, tries=tries, due=due, kind=kind or one.kind)])


def done(state: StateStore, batch: Iterable[QueuedTurn]) -> None:
    """Take *batch* out of the queue."""
    state.queue.remove(batch)


def failed(state: StateStore, one: QueuedTurn, *, due: float, kind: str, reason: str) -> QueuedTurn:
    """Let *one* rest until it is *due*, or set it aside after the last try."""
    aside = one.tries >= MOST_TRIES
    (saved,) = _saved(state, [replace(one, due=due, aside=aside, kind=kind, reason=reason)])
    return saved


def retry(state: StateStore) -> int:
    """Let what was set aside wait anew, with all its tries; return how many.

    What only rests is due at once.
    """
    rested = [replace(one, due=0.0) for one in waiting(state)]
    fresh = [
        replace(one, due=0.0, tries=0, aside=False, put_back=False) for one in set_aside(state)
    ]
    _saved(state, rested + fresh)
    return len(fresh)


def put_back(state: StateStore, kinds: Iterable[str], *, project: str) -> int:
    """Give what *project* has set aside for one of *kinds* one more try, once; return how many."""
    meant = frozenset(kinds)
    back = [
        replace(one, due=0.0, tries=MOST_TRIES - 1, aside=False, put_back=True)
        for one in set_aside(state)
        if one.project == project and one.kind in meant and not one.put_back
    ]
    return len(_saved(state, back))


def owe(
    state: StateStore, batch: Iterable[QueuedTurn], models: Iterable[str], *, due: float
) -> None:
    """Let *batch* wait for *models* alone, until then: the others have looked."""
    owed = "\n".join(models)
    waiting_for = (replace(one, owed=owed, tries=max(0, one.tries - 1), due=due) for one in batch)
    _saved(state, waiting_for)


def _saved(state: StateStore, batch: Iterable[QueuedTurn]) -> list[QueuedTurn]:
    saved = list(batch)
    state.queue.save(saved)
    return saved
