import type { Migration } from './migration.ts'

// Integer run keys keep the two indexes over events small; rowid tables and 16 KiB pages are what spikes 3 found fastest.
export const first: Migration = {
  number: 1,
  statements: [
    `CREATE TABLE runs (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      app TEXT NOT NULL,
      name TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      finished_at INTEGER,
      status TEXT NOT NULL,
      schema_version INTEGER NOT NULL,
      source TEXT NOT NULL,
      category TEXT NOT NULL,
      event_count INTEGER NOT NULL,
      error_count INTEGER NOT NULL,
      span_count INTEGER NOT NULL,
      node_count INTEGER NOT NULL,
      usage TEXT,
      models TEXT NOT NULL,
      session_id TEXT,
      merged_into TEXT,
      had_session INTEGER NOT NULL DEFAULT 0,
      changed_at INTEGER NOT NULL
    )`,
    'CREATE INDEX runs_by_start ON runs (started_at, key)',
    'CREATE INDEX runs_by_status ON runs (status)',
    `CREATE TABLE events (
      run INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      ts INTEGER NOT NULL,
      type TEXT NOT NULL,
      instance_id TEXT,
      origin TEXT NOT NULL,
      payload TEXT NOT NULL,
      PRIMARY KEY (run, seq)
    )`,
    'CREATE UNIQUE INDEX events_by_origin ON events (run, origin)',
    `CREATE TABLE spans (
      run INTEGER NOT NULL,
      span_id TEXT NOT NULL,
      copy INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      resource TEXT NOT NULL,
      scope TEXT NOT NULL,
      facts TEXT NOT NULL,
      raw TEXT NOT NULL,
      PRIMARY KEY (run, span_id, copy)
    )`,
    'CREATE TABLE resources (run INTEGER NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, hash)) WITHOUT ROWID',
    'CREATE TABLE scopes (run INTEGER NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, hash)) WITHOUT ROWID',
  ],
}
