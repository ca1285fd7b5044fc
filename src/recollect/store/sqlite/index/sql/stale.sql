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
SELECT size, mtime_ns, print
FROM prints
WHERE path = ?

-- name: save_print
INSERT INTO prints (path, size, mtime_ns, print)
VALUES (?, ?, ?, ?)
ON CONFLICT (path) DO UPDATE
SET size = excluded.size, mtime_ns = excluded.mtime_ns, print = excluded.print
