import type { Migration } from './migration.ts'

// Tokens are as many as senders say, and an integer beyond 2^53 can't be read back: a run with such a sum could not be opened, nor could
// the list that it stood in. As REAL it always can.
export const largeCounts: Migration = {
  number: 12,
  statements: [
    'ALTER TABLE runs DROP COLUMN tokens',
    `ALTER TABLE runs ADD COLUMN tokens REAL GENERATED ALWAYS AS
      (CAST(json_extract(usage, '$.inputTokens') AS REAL) + CAST(json_extract(usage, '$.outputTokens') AS REAL)) VIRTUAL`,
  ],
}
