-- Memories of which somebody said that they are wrong, and what was said.
CREATE TABLE disputed (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Who said so, `user` or `agent`; in which session, and in which words.
    author TEXT NOT NULL,
    session TEXT NOT NULL,
    said TEXT NOT NULL,
    at REAL NOT NULL,
    -- It is not shown unasked. Otherwise nobody could tell which of several was meant.
    hidden INTEGER NOT NULL,
    -- Nobody has looked at it in `review`.
    waiting INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (project, id)
) WITHOUT ROWID;
