-- name: count_everything
SELECT sum(passages)
FROM projects

-- name: best_by_words
SELECT rowid, bm25(words, 3.0, 1.0, 1.0, 1.5) AS rank
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

-- name: best_by_passages
SELECT rowid, bm25(passage_words, 1.0, 0.5, 1.0) AS rank
FROM passage_words
WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ?
ORDER BY rank, rowid DESC
LIMIT ?

-- name: best_by_done
SELECT rowid, bm25(done) AS rank
FROM done
WHERE done MATCH ? AND rowid BETWEEN ? AND ?
ORDER BY rank, rowid DESC
LIMIT ?

-- name: entries_of_passages
SELECT p.number, e.number
FROM passages AS p
JOIN entries AS e ON e.id = p.entry AND e.number / :NUMBERS = p.number / :NUMBERS
WHERE p.part = 'own' AND p.number IN (SELECT value FROM json_each(:passages))
UNION ALL
SELECT p.number, e.number
FROM passages AS p
JOIN entries AS e
  ON e.session = p.session AND e.turn = p.turn AND e.number / :NUMBERS = p.number / :NUMBERS
WHERE p.part != 'own' AND NOT e.edited AND e.turn != ''
  AND p.number IN (SELECT value FROM json_each(:passages))

-- name: spelled_like
WITH found AS (
    SELECT rowid AS number
    FROM spelled
    WHERE spelled MATCH :name AND rowid BETWEEN :first AND :last
    ORDER BY rowid DESC
    LIMIT :limit
)
SELECT e.number, p.number, p.part, e.title, p.names
FROM found
JOIN passages AS p ON p.number = found.number
JOIN entries AS e ON e.id = p.entry AND e.number / :NUMBERS = p.number / :NUMBERS
WHERE p.part = 'own'
UNION ALL
SELECT e.number, p.number, p.part, e.title, p.names
FROM found
JOIN passages AS p ON p.number = found.number
JOIN entries AS e
  ON e.session = p.session AND e.turn = p.turn AND e.number / :NUMBERS = p.number / :NUMBERS
WHERE p.part != 'own' AND NOT e.edited AND e.turn != ''
