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
WHERE id >= :prefix AND id < :prefix || '~' AND (kind != 'summary' OR id = :prefix)

-- name: entry
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.id = ?

-- name: recent
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.project = ? AND e.kind != 'summary'
ORDER BY e.at DESC, e.number DESC
LIMIT ?

-- name: summary_of
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.kind = 'summary' AND e.session = ?
ORDER BY e.at DESC
LIMIT 1

-- name: in_session
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.session = ? AND e.kind != 'summary'
ORDER BY e.at, e.number

-- name: by_numbers
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.number IN (SELECT value FROM json_each(?))

-- name: all_projects
SELECT name
FROM projects
WHERE entries > 0
ORDER BY id

-- name: project_id
SELECT id
FROM projects
WHERE name = ?

-- name: newest
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.number BETWEEN ? AND ? AND e.kind != 'summary'
ORDER BY e.at DESC, e.number DESC

-- name: said_in
SELECT text
FROM passages
WHERE session = ? AND turn = ? AND part = 'said'
ORDER BY number

-- name: passage
SELECT text
FROM passages
WHERE number = ?

-- name: sketches
SELECT number, kind, types, at, session, branch, touched, edited
FROM entries
WHERE number IN (SELECT value FROM json_each(?)) AND searchable

-- name: check_words
INSERT INTO words (words)
VALUES ('integrity-check')

-- name: check_neighbours
INSERT INTO neighbours (neighbours)
VALUES ('integrity-check')

-- name: check_said
INSERT INTO said (said)
VALUES ('integrity-check')

-- name: check_done
INSERT INTO done (done)
VALUES ('integrity-check')

-- name: check_spelled
INSERT INTO spelled (spelled)
VALUES ('integrity-check')

-- name: before
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.project = ? AND e.kind != 'summary' AND e.at < ?
ORDER BY e.at DESC, e.number DESC
LIMIT ?

-- name: from
SELECT e.number, e.id, e.project, e.kind, e.types, e.touched, e.at, e.session, e.turn, e.branch,
       e.title, e.body, f.path, f.size, f.mtime_ns, e.first_line, e.last_line, e.edited, e.card,
       e.line
FROM entries AS e
JOIN files AS f ON f.id = e.file
WHERE e.project = ? AND e.kind != 'summary' AND e.at >= ?
ORDER BY e.at, e.number
LIMIT ?
