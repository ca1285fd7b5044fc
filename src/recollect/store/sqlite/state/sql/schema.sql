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
