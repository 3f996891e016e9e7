import { BrokenBytes, Cursor } from './cursor.ts'

const GROUP_TAG = 0x0a
const ITEMS_TAG = 0x12
// Only a log record has times in these fields: in a span the first is its trace id and the other its events.
const TIME_TAG = 0x09
const OBSERVED_TIME_TAG = 0x59
const TRACE_ID_TAG = 0x0a

/**
 * Whether an export request holds log records, not spans: around them both signals look the same. False for what can't be read.
 */
export function holdsLogRecords(request: Uint8Array): boolean {
  const cursor = new Cursor(request)
  try {
    return inside(cursor, GROUP_TAG, () => inside(cursor, ITEMS_TAG, () => inside(cursor, ITEMS_TAG, () => isLogRecord(cursor)))) ?? false
  } catch (error) {
    if (!(error instanceof BrokenBytes)) throw error
    return false
  }
}

/** The first answer from a field with this tag. */
function inside(cursor: Cursor, wanted: number, look: () => boolean | undefined): boolean | undefined {
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag !== wanted) {
      cursor.skip(tag)
      continue
    }
    const outer = cursor.enter()
    const answer = look()
    if (answer !== undefined) return answer
    cursor.leave(outer)
  }
  return undefined
}

function isLogRecord(cursor: Cursor): boolean | undefined {
  while (cursor.hasMore) {
    const tag = cursor.tag()
    if (tag === TRACE_ID_TAG) return false
    if (tag === TIME_TAG || tag === OBSERVED_TIME_TAG) return true
    cursor.skip(tag)
  }
  return undefined
}
