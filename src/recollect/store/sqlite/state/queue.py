"""Turns that a model has still to look at: waiting, resting after a failure, or set aside."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from recollect.store.sqlite.state.database import Row, State

MOST_TRIES = 3

_COLUMNS = "host turn session project queued due tries aside put_back owed kind reason".split()


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


def add(state: State, *, host: str, turn: str, session: str, project: str, now: float) -> None:
    """Let a turn wait for a model; one that is there already begins anew.

    Whoever has begun with it before has no say over it any more.
    """
    state.run("enqueue", host=host, turn=turn, session=session, project=project, queued=now)


def everything(state: State) -> list[QueuedTurn]:
    """Return all that waits or was set aside, the oldest first."""
    return [_queued(row) for row in state.rows("queue")]


def waiting(state: State) -> list[QueuedTurn]:
    """Return what waits, the oldest first."""
    return [one for one in everything(state) if not one.aside]


def set_aside(state: State) -> list[QueuedTurn]:
    """Return what was tried often enough, the oldest first."""
    return [one for one in everything(state) if one.aside]


def begin(state: State, batch: Iterable[QueuedTurn]) -> list[QueuedTurn]:
    """Count a try of each of *batch* before it is made: one that kills us counts, too."""
    return _saved(state, (replace(one, tries=one.tries + 1) for one in batch))


def hand_back(
    state: State, batch: Iterable[QueuedTurn], *, due: float = 0.0, kind: str = ""
) -> None:
    """Let *batch*, which was begun, wait as if it had not been: it was not its fault."""
    for one in batch:
        tries = max(0, one.tries - 1)
        _saved(state, [replace(one, tries=tries, due=due, kind=kind or one.kind)])


def done(state: State, batch: Iterable[QueuedTurn]) -> None:
    """Take *batch* out of the queue."""
    for one in batch:
        state.run("remove_queued", one.host, one.turn, one.queued)


def failed(state: State, one: QueuedTurn, *, due: float, kind: str, reason: str) -> QueuedTurn:
    """Let *one* rest until it is *due*, or set it aside after the last try."""
    aside = one.tries >= MOST_TRIES
    (saved,) = _saved(state, [replace(one, due=due, aside=aside, kind=kind, reason=reason)])
    return saved


def retry(state: State) -> int:
    """Let what was set aside wait anew, with all its tries; return how many.

    What only rests is due at once.
    """
    rested = [replace(one, due=0.0) for one in waiting(state)]
    fresh = [
        replace(one, due=0.0, tries=0, aside=False, put_back=False) for one in set_aside(state)
    ]
    _saved(state, rested + fresh)
    return len(fresh)


def put_back(state: State, kinds: Iterable[str], *, project: str) -> int:
    """Give what *project* has set aside for one of *kinds* one more try, once; return how many."""
    meant = frozenset(kinds)
    back = [
        replace(one, due=0.0, tries=MOST_TRIES - 1, aside=False, put_back=True)
        for one in set_aside(state)
        if one.project == project and one.kind in meant and not one.put_back
    ]
    return len(_saved(state, back))


def owe(state: State, batch: Iterable[QueuedTurn], models: Iterable[str], *, due: float) -> None:
    """Let *batch* wait for *models* alone, until then: the others have looked."""
    owed = "\n".join(models)
    waiting_for = (replace(one, owed=owed, tries=max(0, one.tries - 1), due=due) for one in batch)
    _saved(state, waiting_for)


def _queued(row: Row) -> QueuedTurn:
    told = dict(zip(_COLUMNS, row, strict=True))
    return QueuedTurn(**{**told, "aside": bool(told["aside"]), "put_back": bool(told["put_back"])})


def _saved(state: State, batch: Iterable[QueuedTurn]) -> list[QueuedTurn]:
    saved = list(batch)
    with state.transaction():
        for one in saved:
            kept = asdict(one)
            for name in ("session", "project"):
                del kept[name]
            state.run("save_queued", **kept)
    return saved
