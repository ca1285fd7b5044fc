-- name: files_of
SELECT path, size, mtime_ns
FROM files
WHERE project = ?

-- name: file_id
SELECT id
FROM files
WHERE path = ?

-- name: save_file
INSERT INTO files (path, project, size, mtime_ns)
VALUES (:path, :project, :size, :mtime_ns)
ON CONFLICT (path) DO UPDATE
SET project = excluded.project, size = excluded.size, mtime_ns = excluded.mtime_ns
RETURNING id

-- name: remove_entries
DELETE FROM entries
WHERE file = ?

-- name: remove_file
DELETE FROM files
WHERE id = ?

-- name: add_entry
INSERT INTO entries (number, file, id, project, kind, at, session, turn, branch, title, body, around,
                     searchable, first_line, last_line, card, line)
VALUES (:number, :file, :id, :project, :kind, :at, :session, :turn, :branch, :title, :body, :around,
        :searchable, :first_line, :last_line, :card, :line)

-- name: read_meta
SELECT value
FROM meta
WHERE key = ?

-- name: write_meta
INSERT INTO meta (key, value)
VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: count_entries
SELECT count(*)
FROM entries
WHERE project = ? AND kind != 'summary'

-- name: ids
SELECT id
FROM entries
WHERE substr(id, 1, length(:prefix)) = :prefix AND (kind != 'summary' OR id = :prefix)

-- name: entry
SELECT e.number, e.id, e.project, e.kind, e.at, e.session, e.turn, e.branch, e.title, e.body,
       f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.card, e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.id = ?

-- name: recent
SELECT e.number, e.id, e.project, e.kind, e.at, e.session, e.turn, e.branch, e.title, e.body,
       f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.card, e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.project = ? AND e.kind != 'summary'
ORDER BY e.at DESC, e.number DESC
LIMIT ?

-- name: summary_of
SELECT e.number, e.id, e.project, e.kind, e.at, e.session, e.turn, e.branch, e.title, e.body,
       f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.card, e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.kind = 'summary' AND e.session = ?
ORDER BY e.at DESC
LIMIT 1

-- name: in_session
SELECT e.number, e.id, e.project, e.kind, e.at, e.session, e.turn, e.branch, e.title, e.body,
       f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.card, e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.session = ? AND e.kind != 'summary'
ORDER BY e.at, e.number

-- name: by_number
SELECT e.number, e.id, e.project, e.kind, e.at, e.session, e.turn, e.branch, e.title, e.body,
       f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.card, e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.number = ?

-- name: best_by_words
SELECT rowid, bm25(words, 3.0, 1.0) AS rank
FROM words
WHERE words MATCH ? AND rowid BETWEEN ? AND ?
ORDER BY rank, rowid DESC
LIMIT ?

-- name: best_by_neighbours
SELECT rowid, bm25(neighbours) AS rank
FROM neighbours
WHERE neighbours MATCH ? AND rowid BETWEEN ? AND ?
ORDER BY rank, rowid DESC
LIMIT ?

-- name: add_project
INSERT OR IGNORE INTO projects (name)
VALUES (?)

-- name: project_id
SELECT id
FROM projects
WHERE name = ?

-- name: is_taken
SELECT 1
FROM entries
WHERE number = ?

-- name: count_again
UPDATE projects
SET entries = (SELECT count(*) FROM entries WHERE entries.project = projects.name AND searchable)
WHERE name = ?
