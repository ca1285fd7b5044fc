-- Turns that a model has still to look at, or that were set aside after three tries.
CREATE TABLE queue (
    host TEXT NOT NULL,
    turn TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    queued REAL NOT NULL,
    due REAL NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    aside INTEGER NOT NULL DEFAULT 0,
    -- Set aside because the engine broke down; put back once when it answers again.
    put_back INTEGER NOT NULL DEFAULT 0,
    -- The models that have still to look; empty for all of them.
    owed TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (host, turn)
) WITHOUT ROWID;

-- Every token that a model cost.
CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    day TEXT NOT NULL,
    engine TEXT NOT NULL,
    model TEXT NOT NULL,
    project TEXT NOT NULL,
    purpose TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    -- In dollars; null where no price is known.
    cost REAL,
    -- 1 where nobody told what it was, and it is our own guess.
    estimated INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX ledger_by_day ON ledger (day);
