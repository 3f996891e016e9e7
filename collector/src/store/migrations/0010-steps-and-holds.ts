import type { Migration } from './migration.ts'

// How many calls a run made and how long they were held. Null until they are counted: the events of earlier runs may be in pages, which
// SQL can't read, so the writing thread counts them when it has time.
export const stepsAndHolds: Migration = {
  number: 10,
  statements: [
    'ALTER TABLE runs ADD COLUMN steps INTEGER',
    'ALTER TABLE runs ADD COLUMN held_ms INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE runs ADD COLUMN held_since INTEGER',
    'CREATE INDEX runs_to_count ON runs (key) WHERE steps IS NULL',
  ],
}
