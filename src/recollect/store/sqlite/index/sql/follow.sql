-- name: documents_of
SELECT name, kind, version
FROM documents
WHERE project = ?

-- name: document_id
SELECT id
FROM documents
WHERE name = ?

-- name: save_document
INSERT INTO documents (name, project, kind, version)
VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE
SET project = excluded.project, kind = excluded.kind, version = excluded.version
RETURNING id

-- name: remove_document
DELETE FROM documents
WHERE id = ?

-- name: remove_changes
DELETE FROM changes
WHERE document = ?

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
WHERE document = ?

-- name: entries_called
-- Not by its document, which has thousands of others: hence the +.
SELECT number, digest, id, first_line, last_line
FROM entries
WHERE +document = ? AND id = ?

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
INSERT INTO entries (number, document, id, project, kind, category, hidden_reason, note_status, prominence, types, touched,
                     seen_files, carried, at, session, turn, host, branch, title, body, day, pairs,
                     around, searchable, edited, first_line, last_line, card, line, mark, digest)
VALUES (:number, :document, :id, :project, :kind, :category, :hidden_reason, :note_status, :prominence, :types, :touched,
        :seen_files, :carried, :at, :session, :turn, :host, :branch, :title, :body, :day, :pairs,
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
WHERE document = ?

-- name: passages_in
SELECT number, part, entry, session, turn, hash, lead, text
FROM passages
WHERE document = ?

-- name: passages_of_entry
SELECT number, part, entry, session, turn, hash, lead, text
FROM passages
WHERE +document = ? AND entry = ? AND part = 'own'

-- name: passages_of
SELECT number, part, entry, session, turn, hash, lead, text
FROM passages
WHERE +document = ? AND session = ? AND turn = ? AND part != 'own'

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
INSERT INTO passages (number, document, part, entry, session, turn, lead, text, card, mark, pairs, names, hash, space)
VALUES (:number, :document, :part, :entry, :session, :turn, :lead, :text, :card, :mark, :pairs, :names, :hash, :space)

-- name: remove_passage
DELETE FROM passages
WHERE number = ?
RETURNING hash

-- name: remove_unused_vectors
DELETE FROM vectors
WHERE space IN (SELECT id FROM spaces) AND hash = ? AND NOT EXISTS (SELECT 1 FROM passages WHERE hash = ?)
