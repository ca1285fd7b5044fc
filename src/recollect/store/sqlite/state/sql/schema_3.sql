-- What agents were given unasked: a row for each memory, and one without an id for what was
-- around them. The key makes a line that is read twice one row.
CREATE TABLE shown (
    session TEXT NOT NULL,
    at REAL NOT NULL,
    event TEXT NOT NULL,
    id TEXT NOT NULL,
    project TEXT NOT NULL,
    version TEXT NOT NULL,
    score REAL NOT NULL,
    tokens INTEGER NOT NULL,
    -- Of the turn behind it, had it been given whole.
    in_full INTEGER NOT NULL DEFAULT 0,
    -- How the agent used it; empty as long as nobody knows that it did.
    used TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (session, at, event, id)
) WITHOUT ROWID;
CREATE INDEX shown_by_memory ON shown (project, id, at);
CREATE INDEX shown_by_time ON shown (at);
