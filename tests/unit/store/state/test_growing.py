"""A state that an earlier Recollect wrote grows: it keeps what it has and lacks nothing."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from recollect import paths
from recollect.errors import RecollectError
from recollect.store import ledger, queue
from recollect.store.contract.state import ModelCall, Spent
from recollect.store.registry import Registry
from recollect.store.sqlite import access
from recollect.store.sqlite.state.database import SCHEMA_VERSION, SqliteState, open_state

# Frozen: what the first version made. Never follow schema.sql here.
FIRST = """
CREATE TABLE projects (
    name TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    root TEXT NOT NULL,
    root_commit TEXT NOT NULL,
    remote TEXT NOT NULL,
    inode TEXT NOT NULL,
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    excluded INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- Every path that stands for a project: its git common dir, and those it had before.
CREATE TABLE aliases (
    identity TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (name)
) WITHOUT ROWID;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    project TEXT NOT NULL,
    kept INTEGER NOT NULL DEFAULT 1,
    client INTEGER NOT NULL DEFAULT 0,
    cwd TEXT NOT NULL,
    transcript TEXT NOT NULL,
    read_up_to INTEGER NOT NULL DEFAULT 0,
    started REAL NOT NULL,
    last_seen REAL NOT NULL,
    ended REAL,
    turns INTEGER NOT NULL DEFAULT 0,
    compacted REAL NOT NULL DEFAULT 0,
    end_reason TEXT NOT NULL DEFAULT '',
    branch TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'active'
        CHECK (status IN ('active', 'completed', 'interrupted', 'failed'))
) WITHOUT ROWID;
CREATE INDEX sessions_by_project ON sessions (project, last_seen);
CREATE INDEX sessions_by_status ON sessions (status);

-- Turns under way, as far as hook events tell: redacted JSON.
CREATE TABLE drafts (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session, turn)
);

-- Hashes of what the journal got. One that is here and no longer in the journal was deleted
-- by the user and must not come back.
CREATE TABLE recorded (
    hash TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

INSERT INTO projects VALUES ('shop-1', 'shop', '/shop', 'c0', 'r', '7', 1.0, 2.0, 0);
INSERT INTO aliases VALUES ('/shop/.git', 'shop-1');
INSERT INTO sessions (id, host, project, cwd, transcript, started, last_seen, turns)
VALUES ('s-1', 'claude-code', 'shop-1', '/shop', '/t.jsonl', 1.0, 2.0, 3);
INSERT INTO drafts (session, turn, body) VALUES ('s-1', 't-4', '{}');
INSERT INTO recorded VALUES ('abc');
INSERT INTO meta VALUES ('last_failure', 'the disk was full');

PRAGMA user_version = 1;
"""

OPEN_AT_ONCE = """
import sys
from recollect.store import queue
from recollect.store.sqlite.state.database import open_state
print("ready", flush=True)
sys.stdin.readline()
state = open_state(sys.argv[1])
state.queue.add(host="h", turn=sys.argv[2], session="s", project="shop-1", now=1.0)
"""


def an_early_home(folder: Path) -> str:
    """A home whose state the first version wrote, with a row in each table."""
    path = Path(paths.state(str(folder)))
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(FIRST)
    return str(folder)


def made_of(home: str) -> list[tuple[str, ...]]:
    """The tables and indexes of a state, each with the words that made it."""
    with closing(sqlite3.connect(paths.state(home))) as connection:
        return connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        ).fetchall()


def version(home: str) -> int:
    with closing(sqlite3.connect(paths.state(home))) as connection:
        return access.version(connection)


def opened(home: str) -> "closing[SqliteState]":
    return closing(open_state(home))


def test_it_keeps_every_row(tmp_path: Path) -> None:
    home = an_early_home(tmp_path / "home")

    with opened(home) as state:
        (project,) = Registry(state, home).all()
        (session,) = state.sessions.of_project("shop-1")

        assert (project.name, project.label, project.last_seen) == ("shop-1", "shop", 2.0)
        assert Registry(state, home).identities(project) == ["/shop/.git"]
        assert (session.id, session.turns) == ("s-1", 3)
        assert state.sessions.drafts("s-1") == {"t-4": "{}"}
        assert state._statements.row("is_recorded", "abc")
        assert state.meta("last_failure") == "the disk was full"


def test_grown_it_is_what_a_new_one_is(tmp_path: Path) -> None:
    early, new = an_early_home(tmp_path / "early"), str(tmp_path / "new")
    before = made_of(early)

    for home in (early, new):
        open_state(home).close()

    assert made_of(early) == made_of(new) != before
    assert version(early) == version(new) == SCHEMA_VERSION


def test_grown_it_takes_turns_and_tokens(tmp_path: Path) -> None:
    call = ModelCall(at=1.0, engine="e", model="m", project="shop-1", purpose="observe")

    with opened(an_early_home(tmp_path / "home")) as state:
        state.queue.add(host="h", turn="t", session="s", project="shop-1", now=1.0)
        state.ledger.book(call, Spent(input_tokens=5))

        assert len(queue.waiting(state)) == 1
        assert ledger.total(state.ledger.rows()) == 5


def test_opened_again_it_does_not_grow_again(tmp_path: Path) -> None:
    home = an_early_home(tmp_path / "home")
    with opened(home) as state:
        state.queue.add(host="h", turn="t", session="s", project="shop-1", now=1.0)

    with opened(home) as state:
        assert len(queue.waiting(state)) == 1


def test_a_process_that_holds_it_open_from_before_goes_on_working(tmp_path: Path) -> None:
    home = an_early_home(tmp_path / "home")
    with closing(sqlite3.connect(paths.state(home), isolation_level=None)) as old:
        assert old.execute("SELECT count(*) FROM sessions").fetchone() == (1,)

        open_state(home).close()
        old.execute("INSERT INTO recorded VALUES ('def')")

    with opened(home) as state:
        assert state._statements.row("is_recorded", "def")


@pytest.mark.parametrize("early", [True, False], ids=["grown", "new"])
def test_processes_that_come_at_once_all_find_it_whole(tmp_path: Path, *, early: bool) -> None:
    home = an_early_home(tmp_path / "home") if early else str(tmp_path / "home")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN_AT_ONCE, home, f"t-{number}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(4)
    ]  # fmt: skip
    for one in started:
        assert one.stdout
        assert one.stdout.readline() == "ready\n"

    for one in started:
        assert one.stdin
        one.stdin.write("go\n")
        one.stdin.flush()
    for one in started:
        one.communicate(timeout=60)

    assert [one.returncode for one in started] == [0] * 4
    with opened(home) as state:
        assert {one.turn for one in queue.waiting(state)} == {f"t-{n}" for n in range(4)}
        assert bool(state.meta("last_failure")) == early


def test_a_backup_of_the_first_version_grows_when_it_is_brought_back(tmp_path: Path) -> None:
    home = an_early_home(tmp_path / "home")
    backups = tmp_path / "home" / "backups"
    backups.mkdir()
    with closing(sqlite3.connect(paths.state(home))) as connection:
        connection.execute("VACUUM INTO ?", (str(backups / "state-2026-11-01.db"),))
    access.remove(Path(paths.state(home)))

    with opened(home) as state:
        assert state.meta("last_failure") == "the disk was full"
        assert queue.waiting(state) == []


def test_one_that_a_later_recollect_wrote_is_left_alone(tmp_path: Path) -> None:
    home = an_early_home(tmp_path / "home")
    with closing(sqlite3.connect(paths.state(home))) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = made_of(home)

    with pytest.raises(RecollectError, match="newer Recollect"):
        open_state(home)

    assert made_of(home) == before
