-- name: project
SELECT name, label, root, root_commit, remote, inode, first_seen, last_seen, excluded
FROM projects
WHERE name = ?

-- name: projects
SELECT name, label, root, root_commit, remote, inode, first_seen, last_seen, excluded
FROM projects
ORDER BY last_seen DESC, name

-- name: add_project
INSERT INTO projects (name, label, root, root_commit, remote, inode, first_seen, last_seen,
                      excluded)
VALUES (:name, :label, :root, :root_commit, :remote, :inode, :first_seen, :last_seen, :excluded)

-- name: update_project
UPDATE projects
SET label = :label, root = :root, root_commit = :root_commit, remote = :remote,
    inode = :inode, first_seen = :first_seen, last_seen = :last_seen, excluded = :excluded
WHERE name = :name

-- name: remove_project
DELETE FROM projects
WHERE name = ?

-- name: alias
SELECT project
FROM aliases
WHERE identity = ?

-- name: aliases
SELECT aliases.identity, aliases.project, projects.excluded
FROM aliases
JOIN projects ON projects.name = aliases.project
ORDER BY aliases.identity

-- name: aliases_of
SELECT identity
FROM aliases
WHERE project = ?
ORDER BY identity

-- name: set_alias
INSERT INTO aliases (identity, project)
VALUES (:identity, :project)
ON CONFLICT (identity) DO UPDATE SET project = excluded.project

-- name: remove_alias
DELETE FROM aliases
WHERE identity = ?

-- name: remove_aliases
DELETE FROM aliases
WHERE project = ?

-- name: move_aliases
UPDATE aliases
SET project = :into
WHERE project = :from

-- name: move_sessions
UPDATE sessions
SET project = :into
WHERE project = :from

-- name: session
SELECT id, host, project, kept, client, cwd, transcript, read_up_to, started, last_seen, ended,
       turns, compacted, end_reason, branch, status
FROM sessions
WHERE id = ?

-- name: sessions_of
SELECT id, host, project, kept, client, cwd, transcript, read_up_to, started, last_seen, ended,
       turns, compacted, end_reason, branch, status
FROM sessions
WHERE project = ?
ORDER BY last_seen DESC

-- name: sessions_with_status
SELECT id, host, project, kept, client, cwd, transcript, read_up_to, started, last_seen, ended,
       turns, compacted, end_reason, branch, status
FROM sessions
WHERE status = ?
ORDER BY last_seen

-- name: sessions_like
SELECT id, host, project, kept, client, cwd, transcript, read_up_to, started, last_seen, ended,
       turns, compacted, end_reason, branch, status
FROM sessions
WHERE substr(id, 1, length(:prefix)) = :prefix
ORDER BY last_seen DESC

-- name: save_session
INSERT INTO sessions (id, host, project, kept, client, cwd, transcript, read_up_to, started, last_seen,
                      ended, turns, compacted, end_reason, branch, status)
VALUES (:id, :host, :project, :kept, :client, :cwd, :transcript, :read_up_to, :started, :last_seen,
        :ended, :turns, :compacted, :end_reason, :branch, :status)
ON CONFLICT (id) DO UPDATE
SET kept = excluded.kept, client = excluded.client, cwd = excluded.cwd, transcript = excluded.transcript,
    read_up_to = excluded.read_up_to, started = excluded.started,
    last_seen = excluded.last_seen, ended = excluded.ended, turns = excluded.turns,
    compacted = excluded.compacted,
    end_reason = excluded.end_reason, branch = excluded.branch,
    status = excluded.status

-- name: count_sessions
SELECT count(*)
FROM sessions
WHERE project = ? AND turns > 0

-- name: hosts_of
SELECT DISTINCT host
FROM sessions
WHERE project = ?
ORDER BY host

-- name: drafts
SELECT turn, body
FROM drafts
WHERE session = ?
ORDER BY number

-- name: save_draft
INSERT INTO drafts (session, turn, body)
VALUES (?, ?, ?)
ON CONFLICT (session, turn) DO UPDATE SET body = excluded.body

-- name: remove_draft
DELETE FROM drafts
WHERE session = ? AND turn = ?

-- name: remove_drafts
DELETE FROM drafts
WHERE session = :session

-- name: is_recorded
SELECT 1
FROM recorded
WHERE hash = ?

-- name: set_recorded
INSERT OR IGNORE INTO recorded (hash)
VALUES (?)

-- name: read_meta
SELECT value
FROM meta
WHERE key = ?

-- name: write_meta
INSERT INTO meta (key, value)
VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: enqueue
INSERT INTO queue (host, turn, session, project, queued)
VALUES (:host, :turn, :session, :project, :queued)
ON CONFLICT (host, turn) DO UPDATE
SET queued = excluded.queued, due = 0, tries = 0, aside = 0, put_back = 0, owed = '', kind = '',
    reason = ''

-- name: queue
SELECT host, turn, session, project, queued, due, tries, aside, put_back, owed, kind, reason
FROM queue
ORDER BY queued, session, turn

-- name: save_queued
UPDATE queue
SET due = :due, tries = :tries, aside = :aside, put_back = :put_back, owed = :owed,
    kind = :kind, reason = :reason
WHERE host = :host AND turn = :turn AND queued = :queued

-- name: remove_queued
DELETE FROM queue
WHERE host = ? AND turn = ? AND queued = ?

-- name: queue_project
UPDATE queue
SET project = :into
WHERE project = :project

-- name: reserve
INSERT INTO ledger (at, day, engine, model, project, purpose, input_tokens, output_tokens,
                    cached_tokens, cost, estimated)
VALUES (:at, :day, :engine, :model, :project, :purpose, :input_tokens, :output_tokens,
        :cached_tokens, :cost, :estimated)
RETURNING number

-- name: settle
UPDATE ledger
SET model = :model, input_tokens = :input_tokens, output_tokens = :output_tokens,
    cached_tokens = :cached_tokens, cost = :cost, estimated = :estimated
WHERE number = :number

-- name: release
DELETE FROM ledger
WHERE number = ?

-- name: spent_on
SELECT coalesce(sum(input_tokens + output_tokens), 0)
FROM ledger
WHERE day = ?

-- name: spending
SELECT day, project, engine, model, purpose, count(*), sum(input_tokens), sum(output_tokens),
       sum(cached_tokens), sum(cost), sum(cost IS NULL), sum(estimated)
FROM ledger
WHERE day >= ?
GROUP BY day, project, engine, model, purpose
ORDER BY day, project, engine, model, purpose

-- name: ledger_project
UPDATE ledger
SET project = :into
WHERE project = :project

-- name: add_shown
INSERT INTO shown (session, at, event, id, project, version, score, tokens, in_full, used)
VALUES (:session, :at, :event, :id, :project, :version, :score, :tokens, :in_full, :used)
ON CONFLICT (session, at, event, id) DO NOTHING

-- name: unused_shown
-- Beside one max() a column is of the row that has it: so each memory is as it was shown last.
WITH last AS (
    SELECT max(at) AS at, project, session, event, id, version, score, tokens, in_full, used
    FROM shown
    WHERE session = :session AND id != '' AND at <= :until
    GROUP BY id
)
SELECT at, project, session, event, id, version, score, tokens, in_full, used
FROM last
WHERE used = ''
ORDER BY at, event, id

-- name: use_shown
UPDATE shown
SET used = :used
WHERE session = :session AND at = :at AND event = :event AND id = :id

-- name: never_used
-- A headline has no version: nobody saw whether it had changed. Beside the one max(), `version`
-- is that of its row.
WITH fruitless AS (
    SELECT project, id
    FROM shown
    WHERE id != '' AND (:project IS NULL OR project = :project)
    GROUP BY project, id
    HAVING sum(used != '') = 0
),
latest AS (
    SELECT shown.project, shown.id, shown.version, max(shown.at)
    FROM fruitless
    JOIN shown ON shown.project = fruitless.project AND shown.id = fruitless.id
    WHERE shown.version != ''
    GROUP BY shown.project, shown.id
),
unchanged AS (
    SELECT latest.project, latest.id, coalesce(max(shown.at), -1) AS since
    FROM latest
    LEFT JOIN shown
        ON shown.project = latest.project AND shown.id = latest.id
        AND shown.version NOT IN ('', latest.version)
    GROUP BY latest.project, latest.id
)
SELECT shown.project, shown.id, count(*), 0, sum(shown.tokens)
FROM unchanged
JOIN shown
    ON shown.project = unchanged.project AND shown.id = unchanged.id
    AND shown.at > unchanged.since
WHERE shown.event = 'prompt'
GROUP BY shown.project, shown.id
HAVING count(*) >= :least AND max(shown.at) >= :since
ORDER BY count(*) DESC, sum(shown.tokens) DESC, shown.project, shown.id

-- name: most_used
SELECT project, id, count(*), sum(used != ''), sum(tokens)
FROM shown
WHERE id != '' AND at >= :since AND (:project IS NULL OR project = :project)
GROUP BY project, id
HAVING sum(used != '') > 0
ORDER BY sum(used != '') DESC, count(*), project, id
LIMIT :limit

-- name: total_shown
-- A turn that is behind a memory would be given once a session, however often that is shown.
WITH wanted AS (
    SELECT session, at, event, id, project, tokens, in_full, used
    FROM shown
    WHERE at >= :since
        AND (:project IS NULL OR project = :project)
        AND (:event IS NULL OR event = :event)
)
SELECT
    (SELECT count(*) FROM (SELECT DISTINCT session, at, event FROM wanted)),
    (SELECT count(*) FROM wanted WHERE id != ''),
    (SELECT count(*) FROM (SELECT DISTINCT project, id FROM wanted WHERE id != '')),
    (SELECT count(*) FROM (SELECT DISTINCT project, id FROM wanted WHERE used != '')),
    (SELECT coalesce(sum(tokens), 0) FROM wanted),
    (
        SELECT coalesce(sum(whole), 0)
        FROM (SELECT max(in_full) AS whole FROM wanted WHERE id != '' GROUP BY session, id)
    ),
    (SELECT count(DISTINCT session) FROM wanted)

-- name: uses_of_shown
SELECT used, count(*)
FROM shown
WHERE used != ''
    AND at >= :since
    AND (:project IS NULL OR project = :project)
    AND (:event IS NULL OR event = :event)
GROUP BY used

-- name: forget_shown
DELETE FROM shown
WHERE id = :id AND (:project IS NULL OR project = :project)

-- name: add_dispute
INSERT INTO disputed (project, id, author, session, said, at, hidden)
VALUES (:project, :id, :author, :session, :said, :at, :hidden)
ON CONFLICT (project, id) DO UPDATE
SET author = excluded.author, session = excluded.session, said = excluded.said, at = excluded.at,
    hidden = max(hidden, excluded.hidden), waiting = 1

-- name: disputes
SELECT project, id, author, session, said, at, hidden
FROM disputed
WHERE project = ? AND waiting
ORDER BY at DESC, id

-- name: hidden_disputes
SELECT id
FROM disputed
WHERE project = ? AND hidden

-- name: settle_dispute
UPDATE disputed
SET waiting = 0, hidden = 1
WHERE project = ? AND id = ?

-- name: drop_dispute
DELETE FROM disputed
WHERE (:project IS NULL OR project = :project) AND id = :id

-- name: shown_between
SELECT at, project, session, event, id, version, score, tokens, in_full, used
FROM shown
WHERE session = ? AND event = 'prompt' AND id != '' AND at BETWEEN ? AND ?
ORDER BY at DESC

-- name: prune_shown
DELETE FROM shown
WHERE at < ?

-- name: shown_project
UPDATE shown
SET project = :into
WHERE project = :project

-- name: latest_shown
SELECT max(at)
FROM shown
WHERE session = ?
