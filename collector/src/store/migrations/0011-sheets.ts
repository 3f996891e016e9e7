import type { Migration } from './migration.ts'

// Pages are written as viewers read them (ADR 19); those of before keep their form until their run is packed anew.
export const sheets: Migration = {
  number: 11,
  statements: ['ALTER TABLE event_pages ADD COLUMN form INTEGER NOT NULL DEFAULT 0', 'ALTER TABLE event_pages ADD COLUMN marks BLOB'],
}
