-- name: files_of
SELECT path, kind, size, mtime_ns, hash
FROM files
WHERE project = ?

-- name: file_id
SELECT id
FROM files
WHERE path = ?

-- name: save_file
INSERT INTO files (path, project, kind, size, mtime_ns, hash)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (path) DO UPDATE
SET project = excluded.project, kind = excluded.kind, size = excluded.size,
    mtime_ns = excluded.mtime_ns, hash = excluded.hash
RETURNING id

-- name: remove_file
DELETE FROM files
WHERE id = ?

-- name: remove_changes
DELETE FROM changes
WHERE file = ?

-- name: has_changes_to_link
SELECT 1
FROM changes
WHERE project = ? AND NOT linked
LIMIT 1

-- name: add_project
INSERT OR IGNORE INTO projects (name)
VALUES (?)

-- name: project_id
SELECT id
FROM projects
WHERE name = ?

-- name: take_numbers
UPDATE projects
SET last_passage = last_passage + ?
WHERE id = ?
RETURNING last_passage

-- name: count_again
UPDATE projects
SET entries = (SELECT count(*) FROM entries WHERE entries.project = projects.name AND searchable),
    changes = changes + 1
WHERE name = ?

-- name: count_changed
UPDATE projects
SET entries = entries + ?, changes = changes + 1
WHERE name = ?

-- name: entries_in
SELECT number, digest, id, first_line, last_line
FROM entries
WHERE file = ?

-- name: entries_called
-- Not by its file, which has thousands of others: hence the +.
SELECT number, digest, id, first_line, last_line
FROM entries
WHERE +file = ? AND id = ?

-- name: is_taken
SELECT 1
FROM entries
WHERE number = ?

-- name: next_free
SELECT e.number + 1
FROM entries AS e
WHERE e.number >= ? AND NOT EXISTS (SELECT 1 FROM entries AS next WHERE next.number = e.number + 1)
ORDER BY e.number
LIMIT 1

-- name: add_entry
INSERT INTO entries (number, file, id, project, kind, category, aside, standing, prominence, types, touched,
                     seen_files, "commit", at, session, turn, host, branch, title, body, day, pairs,
                     around, searchable, edited, first_line, last_line, card, line, mark, digest)
VALUES (:number, :file, :id, :project, :kind, :category, :aside, :standing, :prominence, :types, :touched,
        :seen_files, :commit, :at, :session, :turn, :host, :branch, :title, :body, :day, :pairs,
        :around, :searchable, :edited, :first_line, :last_line, :card, :line, :mark, :digest)

-- name: add_touch
INSERT OR IGNORE INTO touches (name, entry)
VALUES (?, ?)

-- name: move_entry
UPDATE entries
SET first_line = ?, last_line = ?
WHERE number = ?

-- name: remove_entry
DELETE FROM entries
WHERE number = ?
RETURNING searchable

-- name: remove_entries
DELETE FROM entries
WHERE file = ?

-- name: passages_in
SELECT number, part, entry, session, turn, hash, lead, text
FROM passages
WHERE file = ?

-- name: passages_of_entry
SELECT number, part, entry, session, turn, hash, lead, text
FROM passages
WHERE +file = ? AND entry = ? AND part = 'own'

-- name: passages_of
SELECT number, part, entry, session, turn, hash, lead, text
FROM passages
WHERE +file = ? AND session = ? AND turn = ? AND part != 'own'

-- name: show_passage
UPDATE passages
SET card = :card, mark = :mark
WHERE number = :number

-- name: count_passages_again
UPDATE projects
SET passages = (
    SELECT count(*)
    FROM passages
    WHERE number BETWEEN projects.id << 32 AND ((projects.id + 1) << 32) - 1 AND part != 'done'
)
WHERE name = ?

-- name: add_passage
INSERT INTO passages (number, file, part, entry, session, turn, lead, text, card, mark, pairs, names, hash, space)
VALUES (:number, :file, :part, :entry, :session, :turn, :lead, :text, :card, :mark, :pairs, :names, :hash, :space)

-- name: remove_passage
DELETE FROM passages
WHERE number = ?
RETURNING hash

-- name: remove_unused_vectors
DELETE FROM vectors
WHERE space IN (SELECT id FROM spaces) AND hash = ? AND NOT EXISTS (SELECT 1 FROM passages WHERE hash = ?)
