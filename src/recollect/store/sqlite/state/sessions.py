"""Sessions as they are known: when, where, how many turns, how they ended."""

import hashlib
from dataclasses import asdict, dataclass

from recollect.store.sqlite.state.database import Row, State


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


_COLUMNS = (
    "id host project kept client cwd transcript read_up_to started last_seen ended turns"
    " compacted end_reason branch status"
).split()


def find(state: State, session: str) -> Session | None:
    """Return the session with exactly this id."""
    found = state.row("session", session)
    return _session(found) if found else None


def matching(state: State, prefix: str) -> list[Session]:
    """Return the sessions whose id begins with *prefix*, latest first; an empty one names none."""
    if not prefix:
        return []
    return [_session(row) for row in state.rows("sessions_like", prefix=prefix)]


def of_project(state: State, project: str) -> list[Session]:
    """Return the sessions of *project*, latest first."""
    return [_session(row) for row in state.rows("sessions_of", project)]


def active(state: State) -> list[Session]:
    """Return the sessions of which no end is known, the quietest first."""
    return [_session(row) for row in state.rows("sessions_with_status", "active")]


def save(state: State, session: Session) -> None:
    """Keep *session* as it is now."""
    state.run("save_session", **asdict(session))


def drafts(state: State, session: str) -> dict[str, str]:
    """Return the turns under way in *session*, by key, in the order they began."""
    return dict(state.rows("drafts", session))


def is_recorded(state: State, *key: str) -> bool:
    """Tell whether the journal ever got what *key* names."""
    return state.row("is_recorded", _hash(key)) is not None


def set_recorded(state: State, *key: str) -> None:
    """Remember that the journal got what *key* names."""
    state.run("set_recorded", _hash(key))


def _hash(key: tuple[str, ...]) -> str:
    return hashlib.blake2b("\0".join(key).encode(), digest_size=12).hexdigest()


def _session(row: Row) -> Session:
    return Session(**dict(zip(_COLUMNS, row, strict=True)))
