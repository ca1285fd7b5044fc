-- Everything here is derived from the library and the archive and can be made again from them.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Numbers mean nothing in another index, so what is kept beside it carries this name.
INSERT INTO meta (key, value)
VALUES ('birth', lower(hex(randomblob(8))));

-- How many vectors have been given to passages so far. It never goes down, so whoever has seen
-- them up to a number needs to look only at those with a higher one.
INSERT INTO meta (key, value)
VALUES ('embedded', '0');

CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    entries INTEGER NOT NULL DEFAULT 0,
    -- Those whose words are searched.
    passages INTEGER NOT NULL DEFAULT 0,
    -- The number last given to a passage. None is given twice, so whoever remembers a
    -- number remembers a text.
    last_passage INTEGER NOT NULL DEFAULT 0,
    -- How often anything of it was written.
    changes INTEGER NOT NULL DEFAULT 0
);

-- What the library is made of, and the version of each that was followed last. Both are words of the
-- library.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    version TEXT NOT NULL
);

-- The numbers of one project's entries lie together, so that a search in one project is a
-- range, which costs nothing, instead of one more word, which all its entries would have.
-- What is short stands first: a row that runs over several pages is read from its beginning.
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (id),
    searchable INTEGER NOT NULL,
    -- The user changed it: what the turn itself said is no longer searched.
    edited INTEGER NOT NULL,
    at REAL NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    digest BLOB NOT NULL,
    id TEXT NOT NULL,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    -- Why a note is kept but not shown unasked; empty for what is shown.
    hidden_reason TEXT NOT NULL,
    -- What a note says of itself: an `accepted` decision, an `open` debt.
    note_status TEXT NOT NULL,
    prominence INTEGER NOT NULL,
    types TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    host TEXT NOT NULL,
    branch TEXT NOT NULL,
    touched TEXT NOT NULL,
    -- The files it tells of as they were then: JSON, the hash of each by its name; empty for none.
    seen_files TEXT NOT NULL,
    -- What it carries along besides, as JSON: see `recollect.journal.model.Carried`.
    carried TEXT NOT NULL,
    -- What has become of those files, as the last line of its card.
    stale TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL,
    line TEXT NOT NULL,
    -- Tells this card from another one: whoever was shown it need not see it again.
    mark TEXT NOT NULL,
    card TEXT NOT NULL,
    body TEXT NOT NULL,
    day TEXT NOT NULL,
    pairs TEXT NOT NULL,
    around TEXT NOT NULL
);
CREATE INDEX entries_by_id ON entries (id);
CREATE INDEX entries_by_session ON entries (session, turn);
CREATE INDEX entries_by_document ON entries (document);
CREATE INDEX entries_by_time ON entries (project, at);
CREATE INDEX entries_that_count ON entries (project)
WHERE kind != 'summary' AND category != 'session_summary' AND hidden_reason = '';
CREATE INDEX entries_that_are_notes ON entries (project) WHERE kind = 'note';
CREATE INDEX entries_that_sum_up ON entries (project, at) WHERE kind = 'summary';
CREATE INDEX entries_of_turns ON entries (project, at, session, turn)
WHERE kind = 'entry' AND turn != '' AND NOT edited;
CREATE INDEX entries_with_files ON entries (project, at) WHERE seen_files != '';

CREATE VIEW memories AS
SELECT e.number AS key, e.id, e.project, e.kind, e.category, e.hidden_reason, e.note_status, e.prominence,
       e.types, e.touched, e.at, e.session, e.turn, e.host, e.title, e.body, d.name AS document,
       d.version, e.first_line, e.last_line, e.edited, e.carried, e.stale, e.mark, e.card, e.line
FROM entries AS e
JOIN documents AS d ON d.id = e.document;

-- Which entries tell of a file, by its name from the project's root.
CREATE TABLE touches (
    name TEXT NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (name, entry)
) WITHOUT ROWID;
CREATE INDEX touches_by_entry ON touches (entry);

-- A passage is what a search finds and an agent is shown: a piece of an entry's `own` text
-- (`entry` is its id), or of the turn behind it (`session` and `turn` lead to the entry): what was
-- `asked`, `said`, `remarked` on the way, what was `changed` in files, what was `ran`. Two more per
-- turn are never shown: its `request`, and the names of all that was `done`.
CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (id),
    part TEXT NOT NULL,
    entry TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    -- The title of the entry whose own text it is: searched with it, not shown.
    lead TEXT NOT NULL,
    text TEXT NOT NULL,
    -- The text as it is shown: redacted once more, escaped, indented; and what tells it from another:
    -- whoever was shown it need not see it again, be it a line of the journal or of the turn.
    card TEXT NOT NULL,
    mark TEXT NOT NULL,
    pairs TEXT NOT NULL,
    names TEXT NOT NULL,
    -- Names lead and text: its vector is kept by this.
    hash BLOB NOT NULL,
    -- The space its vector was last made in (-1: it gets none), and when: later ones have a
    -- higher number.
    space INTEGER NOT NULL DEFAULT 0,
    embedded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX passages_by_entry ON passages (entry) WHERE part = 'own';
CREATE INDEX passages_by_turn ON passages (session, turn) WHERE part != 'own';
CREATE INDEX passages_asked ON passages (session, turn, text) WHERE part = 'asked';
CREATE INDEX passages_by_document ON passages (document);
CREATE INDEX passages_by_hash ON passages (hash);
CREATE INDEX passages_by_space ON passages (space, number);
CREATE INDEX passages_by_embedding ON passages (embedded);

-- What turns replaced, as JSON: see `recollect.journal.replaced`. `linked` says whether older passages
-- were looked through for the old value.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (id),
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    at REAL NOT NULL,
    change TEXT NOT NULL,
    linked INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX changes_by_turn ON changes (document, session, turn);
CREATE INDEX changes_by_time ON changes (project, at);
CREATE INDEX changes_to_link ON changes (project) WHERE NOT linked;

-- The pieces of passages that a change made outdated, and the passage that tells what holds since.
CREATE TABLE replaced (
    passage INTEGER NOT NULL,
    change INTEGER NOT NULL REFERENCES changes (id),
    by INTEGER NOT NULL,
    piece TEXT NOT NULL,
    PRIMARY KEY (passage, change, piece)
) WITHOUT ROWID;
CREATE INDEX replaced_by_change ON replaced (change);

CREATE TRIGGER changes_removed AFTER DELETE ON changes BEGIN
    DELETE FROM replaced WHERE change = old.id;
END;

CREATE TRIGGER replaced_passages_removed AFTER DELETE ON passages BEGIN
    DELETE FROM replaced WHERE passage = old.number;
END;

-- Files of the projects themselves, as they were when somebody last looked.
CREATE TABLE prints (
    path TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    print TEXT NOT NULL
) WITHOUT ROWID;

-- A space is what one model makes; vectors of two spaces are never compared.
CREATE TABLE spaces (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    embedder TEXT NOT NULL
);

CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL REFERENCES spaces (id),
    hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (space, hash)
);

CREATE VIRTUAL TABLE words USING fts5 (
    title, body, day, pairs,
    content = 'entries', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE neighbours USING fts5 (
    around,
    content = 'entries', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE passage_words USING fts5 (
    text, lead, pairs,
    content = 'passages', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE done USING fts5 (
    text,
    content = 'passages', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE spelled USING fts5 (
    names,
    content = 'passages', content_rowid = 'number',
    tokenize = 'trigram'
);

-- The words of an external-content table must change by triggers alone: a delete with other
-- values than were inserted corrupts it.
CREATE TRIGGER entries_added AFTER INSERT ON entries WHEN new.searchable BEGIN
    INSERT INTO words (rowid, title, body, day, pairs)
    VALUES (new.number, new.title, new.body, new.day, new.pairs);
    INSERT INTO neighbours (rowid, around)
    VALUES (new.number, new.around);
END;

CREATE TRIGGER entries_removed AFTER DELETE ON entries WHEN old.searchable BEGIN
    INSERT INTO words (words, rowid, title, body, day, pairs)
    VALUES ('delete', old.number, old.title, old.body, old.day, old.pairs);
    INSERT INTO neighbours (neighbours, rowid, around)
    VALUES ('delete', old.number, old.around);
END;

CREATE TRIGGER touches_removed AFTER DELETE ON entries BEGIN
    DELETE FROM touches WHERE entry = old.number;
END;

CREATE TRIGGER passage_words_added AFTER INSERT ON passages WHEN new.part != 'done' BEGIN
    INSERT INTO passage_words (rowid, text, lead, pairs)
    VALUES (new.number, new.text, new.lead, new.pairs);
    UPDATE projects SET passages = passages + 1 WHERE id = new.number >> 32;
END;

CREATE TRIGGER passage_words_removed AFTER DELETE ON passages WHEN old.part != 'done' BEGIN
    INSERT INTO passage_words (passage_words, rowid, text, lead, pairs)
    VALUES ('delete', old.number, old.text, old.lead, old.pairs);
    UPDATE projects SET passages = passages - 1 WHERE id = old.number >> 32;
END;

CREATE TRIGGER done_added AFTER INSERT ON passages WHEN new.part = 'done' BEGIN
    INSERT INTO done (rowid, text)
    VALUES (new.number, new.text);
END;

CREATE TRIGGER done_removed AFTER DELETE ON passages WHEN old.part = 'done' BEGIN
    INSERT INTO done (done, rowid, text)
    VALUES ('delete', old.number, old.text);
END;

CREATE TRIGGER names_added AFTER INSERT ON passages WHEN new.names != '' BEGIN
    INSERT INTO spelled (rowid, names)
    VALUES (new.number, new.names);
END;

CREATE TRIGGER names_removed AFTER DELETE ON passages WHEN old.names != '' BEGIN
    INSERT INTO spelled (spelled, rowid, names)
    VALUES ('delete', old.number, old.names);
END;
