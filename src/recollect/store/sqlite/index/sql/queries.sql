-- name: read_meta
SELECT value
FROM meta
WHERE key = ?

-- name: count_entries
SELECT count(*)
FROM entries
WHERE project = ? AND kind != 'summary' AND category != 'session_summary' AND hidden_reason = ''

-- name: days
SELECT date(at, 'unixepoch', 'localtime') AS day, count(*)
FROM entries
WHERE project = ? AND kind IN ('entry', 'hand') AND at > 0
GROUP BY day
ORDER BY day

-- name: ids
SELECT id
FROM entries
WHERE :prefix != '' AND id >= :prefix AND id < :prefix || '~' AND (kind != 'summary' OR id = :prefix)

-- name: ids_by_turn
SELECT id
FROM entries
WHERE id LIKE '%-' || ? AND kind != 'summary'

-- name: entry
SELECT *
FROM memories
WHERE id = ?

-- name: recent
SELECT *
FROM memories
WHERE project = ? AND kind IN ('entry', 'hand')
ORDER BY at DESC, key DESC
LIMIT ?

-- name: notes
SELECT *
FROM memories
WHERE project = ? AND kind = 'note'
ORDER BY prominence DESC, at DESC, key DESC

-- name: summaries
SELECT *
FROM memories
WHERE project = ? AND kind = 'summary'
ORDER BY at DESC, key DESC
LIMIT ?

-- name: about_file
WITH telling AS (
    SELECT e.number
    FROM touches AS t
    CROSS JOIN entries AS e ON e.number = t.entry
    WHERE t.name = ? AND e.project = ? AND e.hidden_reason = ''
    ORDER BY e.kind = 'note' DESC, e.prominence DESC, e.at DESC, e.number DESC
    LIMIT ?
)
SELECT memories.*
FROM telling
CROSS JOIN memories ON memories.key = telling.number
ORDER BY kind = 'note' DESC, prominence DESC, at DESC, memories.key DESC

-- name: keys_of
SELECT number
FROM entries
WHERE id IN (SELECT value FROM json_each(?))

-- name: length_of_turn
SELECT coalesce(sum(length(text)), 0)
FROM passages
WHERE session = ? AND turn = ? AND part != 'own'

-- name: summary_of
SELECT *
FROM memories
WHERE kind = 'summary' AND session = ? AND turn = ''
ORDER BY at DESC
LIMIT 1

-- name: in_session
SELECT *
FROM memories
WHERE session = ? AND kind IN ('entry', 'hand')
ORDER BY at, key

-- name: turns_in
SELECT count(*) - (
    SELECT count(*)
    FROM entries
    WHERE session = :session AND turn = '' AND kind NOT IN ('entry', 'hand')
)
FROM entries
WHERE session = :session

-- name: by_keys
SELECT *
FROM memories
WHERE key IN (SELECT value FROM json_each(?))

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
SELECT *
FROM memories
WHERE key BETWEEN ? AND ? AND kind != 'summary'
ORDER BY at DESC, key DESC

-- name: said_in
SELECT text
FROM passages
WHERE session = ? AND turn = ? AND part != 'own' AND part IN ('asked', 'said', 'remarked')
ORDER BY number

-- name: passages_of_entries
SELECT e.number, p.number, p.part
FROM entries AS e
JOIN passages AS p ON p.entry = e.id AND p.number / :NUMBERS = e.number / :NUMBERS
WHERE p.part = 'own' AND e.number IN (SELECT value FROM json_each(:entries))
UNION ALL
SELECT e.number, p.number, p.part
FROM entries AS e
JOIN passages AS p
  ON p.session = e.session AND p.turn = e.turn AND p.number / :NUMBERS = e.number / :NUMBERS
WHERE p.part != 'own' AND p.part != 'done' AND NOT e.edited AND e.turn != ''
  AND e.number IN (SELECT value FROM json_each(:entries))
ORDER BY 1, 2

-- name: stated_in
-- After every turn, of thousands: from indexes that have all that is asked for.
SELECT e.number, p.text
FROM entries AS e INDEXED BY entries_of_turns
JOIN passages AS p INDEXED BY passages_asked
  ON p.session = e.session AND p.turn = e.turn AND p.number / :NUMBERS = e.number / :NUMBERS
WHERE e.project = :project AND e.kind = 'entry' AND e.turn != '' AND NOT e.edited
  AND p.part = 'asked'
ORDER BY e.at DESC, p.number
LIMIT :most

-- name: passages
SELECT number, number, part, lead, text, card, mark
FROM passages
WHERE number IN (SELECT value FROM json_each(?))

-- name: sketches
SELECT number, kind, types, at, session, branch, touched, edited, prominence
FROM entries
WHERE number IN (SELECT value FROM json_each(?)) AND searchable

-- name: merge_words
INSERT INTO words (words)
VALUES ('optimize')

-- name: merge_neighbours
INSERT INTO neighbours (neighbours)
VALUES ('optimize')

-- name: merge_passage_words
INSERT INTO passage_words (passage_words)
VALUES ('optimize')

-- name: merge_done
INSERT INTO done (done)
VALUES ('optimize')

-- name: merge_spelled
INSERT INTO spelled (spelled)
VALUES ('optimize')

-- name: check_words
INSERT INTO words (words)
VALUES ('integrity-check')

-- name: check_neighbours
INSERT INTO neighbours (neighbours)
VALUES ('integrity-check')

-- name: check_passage_words
INSERT INTO passage_words (passage_words)
VALUES ('integrity-check')

-- name: check_done
INSERT INTO done (done)
VALUES ('integrity-check')

-- name: check_spelled
INSERT INTO spelled (spelled)
VALUES ('integrity-check')

-- name: before
SELECT *
FROM memories
WHERE project = ? AND kind IN ('entry', 'hand') AND at < ?
ORDER BY at DESC, key DESC
LIMIT ?

-- name: from
SELECT *
FROM memories
WHERE project = ? AND kind IN ('entry', 'hand') AND at >= ?
ORDER BY at, key
LIMIT ?
