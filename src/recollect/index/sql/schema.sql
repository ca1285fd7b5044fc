-- Everything here is derived from the library and can be made again from it.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    entries INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL
);

-- The numbers of one project's entries lie together, so that a search in one project is a
-- range, which costs nothing, instead of one more word, which all its entries would have.
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files (id),
    id TEXT NOT NULL,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    branch TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    around TEXT NOT NULL,
    searchable INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    card TEXT NOT NULL,
    line TEXT NOT NULL
);
CREATE INDEX entries_by_id ON entries (id);
CREATE INDEX entries_by_session ON entries (session, kind);
CREATE INDEX entries_by_file ON entries (file);
CREATE INDEX entries_by_time ON entries (project, at);

CREATE VIRTUAL TABLE words USING fts5 (
    title, body,
    content = 'entries', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE neighbours USING fts5 (
    around,
    content = 'entries', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

-- The words of an external-content table must change by triggers alone: a delete with other
-- values than were inserted corrupts it.
CREATE TRIGGER entries_added AFTER INSERT ON entries WHEN new.searchable BEGIN
    INSERT INTO words (rowid, title, body)
    VALUES (new.number, new.title, new.body);
    INSERT INTO neighbours (rowid, around)
    VALUES (new.number, new.around);
END;

CREATE TRIGGER entries_removed AFTER DELETE ON entries WHEN old.searchable BEGIN
    INSERT INTO words (words, rowid, title, body)
    VALUES ('delete', old.number, old.title, old.body);
    INSERT INTO neighbours (neighbours, rowid, around)
    VALUES ('delete', old.number, old.around);
END;
