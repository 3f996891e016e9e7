import { readDuration } from '@graphmind-ai/schema'
import { failed, ok, type Result } from '../../problem.ts'
import type { RetentionPolicy } from './retention.ts'

/** What a person wants pruned now. */
export interface PruneWish {
  readonly policy: RetentionPolicy
  readonly dryRun: boolean
}

const FIELDS: ReadonlySet<string> = new Set(['keep', 'olderThan', 'bytes', 'dryRun'])

/** Reads `{keep?, olderThan?, bytes?, dryRun?}`: at least one limit, so that nobody deletes everything by leaving all out. */
export function readPruneWish(value: unknown): Result<PruneWish> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed('bad-prune', 'Send an object with keep, olderThan or bytes.')
  const given = value as { readonly [field: string]: unknown }
  const unknown = Object.keys(given).find((field) => !FIELDS.has(field))
  if (unknown !== undefined)
    return failed('unknown-field', `A prune knows no ${JSON.stringify(unknown)}. Use keep, olderThan, bytes and dryRun.`)
  const { keep, olderThan, bytes, dryRun = false } = given
  const maxAgeMs = typeof olderThan === 'string' ? readDuration(olderThan) : undefined
  if (keep !== undefined && !isCount(keep))
    return failed('bad-keep', 'keep is how many of the newest runs stay: a whole number, 0 or more.')
  if (olderThan !== undefined && maxAgeMs === undefined)
    return failed('bad-older-than', 'olderThan is a time with its unit, like "30d" or "12h".')
  if (bytes !== undefined && !isCount(bytes)) return failed('bad-bytes', 'bytes is what the database may hold: a whole number, 0 or more.')
  if (typeof dryRun !== 'boolean') return failed('bad-dry-run', 'dryRun is true or false.')
  if (keep === undefined && maxAgeMs === undefined && bytes === undefined) {
    return failed('no-limit', 'Say what is to go: keep (how many of the newest stay), olderThan (like "30d") or bytes.')
  }
  return ok({
    policy: {
      ...(keep === undefined ? {} : { keepRuns: { together: keep } }),
      ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
      ...(bytes === undefined ? {} : { maxBytes: bytes }),
    },
    dryRun,
  })
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
