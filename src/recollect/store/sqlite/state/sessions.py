"""Sessions, their turns under way, and what was recorded of them, in SQLite."""

import hashlib
from dataclasses import asdict

from recollect.store.contract.state import Session
from recollect.store.sqlite.state.statements import Row, Statements

_COLUMNS = (
    "id host project kept client cwd transcript read_up_to started last_seen ended turns"
    " compacted end_reason branch status"
).split()


class SqliteSessions:
    """`SessionStore` over the tables `sessions`, `drafts` and `recorded`."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def find(self, session: str) -> Session | None:
        """Return the session with exactly this id."""
        found = self._statements.row("session", session)
        return _session(found) if found else None

    def matching(self, prefix: str) -> list[Session]:
        """Return the sessions whose id begins with *prefix*, latest first; none for ""."""
        if not prefix:
            return []
        return [_session(row) for row in self._statements.rows("sessions_like", prefix=prefix)]

    def of_project(self, project: str) -> list[Session]:
        """Return the sessions of *project*, latest first."""
        return [_session(row) for row in self._statements.rows("sessions_of", project)]

    def active(self) -> list[Session]:
        """Return the sessions of which no end is known, the quietest first."""
        return [_session(row) for row in self._statements.rows("sessions_with_status", "active")]

    def count(self, project: str) -> int:
        """Return how many sessions of *project* had a turn."""
        return int(self._statements.rows("count_sessions", project)[0][0])

    def hosts(self, project: str) -> list[str]:
        """Return the hosts that *project* was worked on with, in order."""
        return [str(host) for (host,) in self._statements.rows("hosts_of", project)]

    def save(self, session: Session) -> None:
        """Keep *session* as it is now."""
        self._statements.run("save_session", **asdict(session))

    def drafts(self, session: str) -> dict[str, str]:
        """Return the turns under way in *session*, by key, in the order they began."""
        return dict(self._statements.rows("drafts", session))

    def save_draft(self, session: str, turn: str, body: str) -> None:
        """Keep a turn under way as it is now."""
        self._statements.run("save_draft", session, turn, body)

    def remove_draft(self, session: str, turn: str) -> None:
        """Forget a turn that is no longer under way."""
        self._statements.run("remove_draft", session, turn)

    def forget_drafts(self, session: str) -> None:
        """Erase the turns under way in *session*, also from backups."""
        self._statements.erase("remove_drafts", session=session)

    def is_recorded(self, *key: str) -> bool:
        """Tell whether the journal ever got what *key* names."""
        return self._statements.row("is_recorded", _hash(key)) is not None

    def set_recorded(self, *key: str) -> None:
        """Remember that the journal got what *key* names."""
        self._statements.run("set_recorded", _hash(key))


def _hash(key: tuple[str, ...]) -> str:
    return hashlib.blake2b("\0".join(key).encode(), digest_size=12).hexdigest()


def _session(row: Row) -> Session:
    return Session(**dict(zip(_COLUMNS, row, strict=True)))
