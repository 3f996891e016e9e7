import { hash } from 'node:crypto'
import { failed, ok, type Result } from '../../problem.ts'
import type { RunPlace, SortValue } from './run-order.ts'

/** Where a page ended, and what moment the pages are of: a relative time in the query must mean the same on each. */
export interface RunCursor {
  readonly place: RunPlace
  readonly nowMs: number
}

/** `query` is everything that decides which rows there are and in which order; the cursor is good for no other. */
export function writeCursor({ place, nowMs }: RunCursor, query: string): string {
  return Buffer.from(JSON.stringify([fingerprint(query), nowMs, place.value, place.key])).toString('base64url')
}

const WRONG = failed('bad-cursor', 'cursor is not one that this server gave out for this list. Take nextCursor of the page before.')

export function readCursor(text: string, query: string): Result<RunCursor> {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return WRONG
  }
  if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== fingerprint(query)) return WRONG
  const [, nowMs, value, key] = parts as readonly unknown[]
  if (!Number.isSafeInteger(nowMs) || !Number.isSafeInteger(key) || !isSortValue(value)) return WRONG
  return ok({ place: { value, key: Number(key) }, nowMs: Number(nowMs) })
}

function isSortValue(value: unknown): value is SortValue {
  return value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
}

function fingerprint(query: string): string {
  return hash('sha1', query, 'base64url').slice(0, 8)
}
