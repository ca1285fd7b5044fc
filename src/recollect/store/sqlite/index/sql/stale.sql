-- name: with_files
SELECT number, seen_files, stale
FROM entries
WHERE project = ? AND seen_files != ''
ORDER BY at DESC
LIMIT ?

-- name: set_stale
UPDATE entries
SET stale = ?
WHERE number = ?

-- name: print_of
SELECT version, print
FROM prints
WHERE path = ?

-- name: save_print
INSERT INTO prints (path, version, print)
VALUES (?, ?, ?)
ON CONFLICT (path) DO UPDATE
SET version = excluded.version, print = excluded.print
