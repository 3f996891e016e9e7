import { createHash } from 'node:crypto'
import { MAX_ID_LENGTH } from '@graphmind-ai/schema'

const HASH_LENGTH = 16

/** A peer's name as an id or a name that can be stored: well-formed, without NUL, at most 512 characters; long ones end with a hash. */
export function storable(text: string): string {
  const clean = text.replaceAll('\0', '\uFFFD').toWellFormed()
  if (clean.length <= MAX_ID_LENGTH) return clean
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
  return `${clean.slice(0, MAX_ID_LENGTH - HASH_LENGTH - 1).toWellFormed()}…${hash}`
}
