import type { Migration } from './migration.ts'

// JSON of the envelope's fields that the contract does not name: a receiver preserves what it does not know.
export const unknownFields: Migration = {
  number: 3,
  statements: ['ALTER TABLE events ADD COLUMN unknown_fields TEXT'],
}
