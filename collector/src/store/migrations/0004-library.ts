import type { Migration } from './migration.ts'

// The list is read in the order of these two indexes, so a page costs its rows, not the store's.
export const library: Migration = {
  number: 4,
  statements: [
    "ALTER TABLE runs ADD COLUMN kinds TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE runs ADD COLUMN node_names TEXT NOT NULL DEFAULT '[]'",
    'ALTER TABLE runs ADD COLUMN title TEXT',
    "ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'",
    'ALTER TABLE runs ADD COLUMN note TEXT',
    'ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE runs ADD COLUMN deleted_at INTEGER',
    `ALTER TABLE runs ADD COLUMN tokens INTEGER GENERATED ALWAYS AS
      (json_extract(usage, '$.inputTokens') + json_extract(usage, '$.outputTokens')) VIRTUAL`,
    "ALTER TABLE runs ADD COLUMN cost_usd REAL GENERATED ALWAYS AS (json_extract(usage, '$.costUsd')) VIRTUAL",
    'DROP INDEX runs_by_start',
    'CREATE INDEX runs_listed ON runs (started_at, key) WHERE deleted_at IS NULL AND merged_into IS NULL',
    'CREATE INDEX runs_listed_by_category ON runs (category, started_at, key) WHERE deleted_at IS NULL AND merged_into IS NULL',
    'CREATE INDEX runs_by_session ON runs (session_id, started_at, key) WHERE session_id IS NOT NULL',
    `UPDATE runs SET
      kinds = (SELECT json_group_array(kind) FROM (SELECT DISTINCT json_extract(payload, '$.kind') AS kind FROM events
        WHERE run = runs.key AND type = 'node.started' AND json_type(payload, '$.kind') = 'text')),
      node_names = (SELECT json_group_array(name) FROM (SELECT DISTINCT substr(json_extract(payload, '$.name'), 1, 200) AS name FROM events
        WHERE run = runs.key AND type = 'node.started' AND json_type(payload, '$.name') = 'text' LIMIT 100))`,
  ],
}
