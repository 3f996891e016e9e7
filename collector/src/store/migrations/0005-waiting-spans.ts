import type { Migration } from './migration.ts'

// Spans are stored as they came before anything is made of them (ADR 11). `waiting` counts those of a run that were not derived yet.
export const waitingSpans: Migration = {
  number: 5,
  statements: [
    'ALTER TABLE runs ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX runs_waiting ON runs (key) WHERE waiting > 0',
    `CREATE TABLE span_blocks (
      key INTEGER PRIMARY KEY,
      run INTEGER NOT NULL,
      spans INTEGER NOT NULL,
      format TEXT NOT NULL,
      body BLOB NOT NULL
    )`,
    'CREATE INDEX span_blocks_by_run ON span_blocks (run, key)',
  ],
}
