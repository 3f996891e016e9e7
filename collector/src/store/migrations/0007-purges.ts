import type { Migration } from './migration.ts'

// A run that is gone for good leaves the list at once; its rows go in pieces. Its key must not be given to another run before that.
export const purges: Migration = {
  number: 7,
  statements: [
    'CREATE TABLE purges (run INTEGER PRIMARY KEY, run_id TEXT NOT NULL, last_log INTEGER NOT NULL, event_count INTEGER NOT NULL)',
    'CREATE INDEX runs_by_deletion ON runs (deleted_at) WHERE deleted_at IS NOT NULL',
  ],
}
