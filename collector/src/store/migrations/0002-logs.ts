import type { Migration } from './migration.ts'

// By run id, not by run: a log record may come before the spans of its trace, and then there is no run yet.
export const logs: Migration = {
  number: 2,
  statements: [
    `CREATE TABLE logs (
      run_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      about TEXT NOT NULL,
      session INTEGER NOT NULL,
      record TEXT NOT NULL,
      PRIMARY KEY (run_id, hash)
    )`,
    // JSON list of the redaction switches of the session that spoke for the run.
    "ALTER TABLE runs ADD COLUMN hide TEXT NOT NULL DEFAULT '[]'",
    'CREATE INDEX logs_by_subject ON logs (run_id, about)',
  ],
}
