-- name: remove_changes_of_turn
DELETE FROM changes
WHERE document = ? AND session = ? AND turn = ?

-- name: add_change
INSERT INTO changes (project, document, session, turn, at, change)
VALUES (:project, :document, :session, :turn, :at, :change)

-- name: link_again
UPDATE changes
SET linked = 0
WHERE project = ? AND at > ? + 1

-- name: changes_to_link
SELECT id, session, turn, at, change
FROM changes
WHERE project = ? AND NOT linked
LIMIT ?

-- name: is_linked
UPDATE changes
SET linked = 1
WHERE id = ?

-- name: add_replaced
INSERT OR REPLACE INTO replaced (passage, change, by, piece)
VALUES (?, ?, ?, ?)

-- name: passages_of_turn
SELECT number, part, text
FROM passages
WHERE session = ? AND turn = ? AND part != 'own'

-- name: passages_with_value
SELECT p.number, p.text, e.title,
       coalesce((SELECT r.text FROM passages AS r
                 WHERE r.session = e.session AND r.turn = e.turn AND r.part != 'own' AND r.part = 'request' LIMIT 1), ''),
       e.touched
FROM passage_words AS found
CROSS JOIN passages AS p ON p.number = found.rowid
CROSS JOIN entries AS e ON e.number = CASE
    WHEN p.part = 'own' THEN (
        SELECT own.number FROM entries AS own
        WHERE own.id = p.entry AND own.number BETWEEN :first AND :last AND own.kind IN ('entry', 'summary')
        LIMIT 1)
    ELSE (
        SELECT told.number FROM entries AS told
        WHERE told.session = p.session AND told.turn = p.turn AND told.turn != ''
          AND told.number BETWEEN :first AND :last AND told.kind = 'entry'
        LIMIT 1)
    END
WHERE passage_words MATCH :query AND found.rowid BETWEEN :first AND :last
  AND p.part NOT IN ('request', 'done')
  AND e.at < :at AND NOT (e.session = :session AND e.turn = :turn)
ORDER BY e.at DESC, p.number
LIMIT :limit

-- name: replacements
SELECT r.passage, r.piece, json_extract(c.change, '$.old'), json_extract(c.change, '$.new'),
       json_extract(c.change, '$.is_name'), c.at, r.by, e.number, e.id, e.title
FROM json_each(?) AS wanted
CROSS JOIN replaced AS r ON r.passage = wanted.value
CROSS JOIN changes AS c ON c.id = r.change
-- By the turn: a project has thousands of entries.
CROSS JOIN entries AS e INDEXED BY entries_by_session
    ON e.session = c.session AND e.turn = c.turn AND e.project = c.project
WHERE e.kind = 'entry' AND NOT e.edited AND e.hidden_reason = ''
ORDER BY c.at DESC, c.id
