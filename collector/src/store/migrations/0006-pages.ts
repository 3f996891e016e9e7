import type { Migration } from './migration.ts'

// What a finished run consists of is kept in compressed pages (ADR 13); its rows in `events` and `spans` are then gone. Keys are not used
// twice, so that readers may remember a page by its key.
export const pages: Migration = {
  number: 6,
  statements: [
    'ALTER TABLE runs ADD COLUMN packed INTEGER NOT NULL DEFAULT 0',
    "CREATE INDEX runs_to_pack ON runs (key) WHERE packed <> 1 AND status <> 'running'",
    `CREATE TABLE event_pages (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      run INTEGER NOT NULL,
      first_seq INTEGER NOT NULL,
      last_seq INTEGER NOT NULL,
      events INTEGER NOT NULL,
      heads BLOB NOT NULL,
      contents BLOB NOT NULL
    )`,
    'CREATE INDEX event_pages_by_run ON event_pages (run, first_seq)',
    `CREATE TABLE span_pages (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      run INTEGER NOT NULL,
      first_ordinal INTEGER NOT NULL,
      body BLOB NOT NULL
    )`,
    'CREATE INDEX span_pages_by_run ON span_pages (run, first_ordinal)',
  ],
}
