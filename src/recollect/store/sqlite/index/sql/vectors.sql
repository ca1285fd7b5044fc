-- name: birth
SELECT value
FROM meta
WHERE key = 'birth'

-- name: add_space
INSERT INTO spaces (name, embedder)
VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET embedder = excluded.embedder

-- name: space_id
SELECT id
FROM spaces
WHERE name = ?

-- name: space_of
SELECT id
FROM spaces
WHERE embedder = ?

-- name: serving
SELECT id, name, embedder
FROM spaces
ORDER BY id
LIMIT 1

-- name: pending
SELECT count(*)
FROM passages
WHERE space IN (SELECT 0 UNION SELECT id FROM spaces WHERE id != :space)
  AND number / :NUMBERS NOT IN (
      SELECT id FROM projects WHERE name IN (SELECT value FROM json_each(:without))
  )

-- name: wanted
SELECT number, hash, iif(lead = '', text, lead || char(10) || text)
FROM passages
WHERE space IN (SELECT 0 UNION SELECT id FROM spaces WHERE id != :space)
  AND number / :NUMBERS NOT IN (
      SELECT id FROM projects WHERE name IN (SELECT value FROM json_each(:without))
  )
ORDER BY space DESC, number DESC
LIMIT :limit

-- name: has_vector
SELECT 1
FROM vectors
WHERE space = ? AND hash = ?

-- name: add_vector
INSERT OR REPLACE INTO vectors (space, hash, vector)
SELECT ?1, ?2, ?3
WHERE EXISTS (SELECT 1 FROM passages WHERE hash = ?2)

-- name: count_embedded
UPDATE meta
SET value = CAST(value AS INTEGER) + ?
WHERE key = 'embedded'
RETURNING CAST(value AS INTEGER)

-- name: embedded
UPDATE passages
SET space = ?, embedded = ?
WHERE number = ? AND hash = ?

-- name: remove_other_vectors
DELETE FROM vectors
WHERE space != ?

-- name: leave_other_spaces
UPDATE passages
SET space = 0
WHERE space NOT IN (?, -1)

-- name: remove_other_spaces
DELETE FROM spaces
WHERE id != ?

-- name: embedded_since
SELECT p.number, p.embedded, v.vector
FROM passages AS p
JOIN vectors AS v ON v.space = :space AND v.hash = p.hash
WHERE p.embedded > :seen AND p.number BETWEEN :first AND :last
ORDER BY p.embedded

-- name: embedded_until
SELECT count(*), (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'embedded')
FROM passages AS p
JOIN vectors AS v ON v.space = :space AND v.hash = p.hash
WHERE p.embedded BETWEEN 1 AND :seen AND p.number BETWEEN :first AND :last

-- name: changes
SELECT changes
FROM projects
WHERE id = :project

-- name: owners
SELECT p.number, e.number
FROM passages AS p
JOIN entries AS e ON e.id = p.entry AND e.number / :NUMBERS = p.number / :NUMBERS
WHERE p.part = 'own' AND p.number BETWEEN :first AND :last AND e.searchable
UNION ALL
SELECT p.number, e.number
FROM passages AS p
JOIN entries AS e
  ON e.session = p.session AND e.turn = p.turn AND e.number / :NUMBERS = p.number / :NUMBERS
WHERE p.part != 'own' AND p.part != 'done' AND NOT e.edited AND e.turn != '' AND p.number BETWEEN :first AND :last

-- name: passages
SELECT number
FROM passages
WHERE number BETWEEN :first AND :last

-- name: threads
SELECT number, session
FROM entries
WHERE number BETWEEN :first AND :last
ORDER BY session, at, number

-- name: vectors_of
SELECT p.number, v.vector
FROM passages AS p
JOIN vectors AS v ON v.space = :space AND v.hash = p.hash
WHERE p.number IN (SELECT value FROM json_each(:numbers))
