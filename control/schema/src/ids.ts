/** The run id of messages that belong to no run: handshake, breakpoints, mode. */
export const WILDCARD_RUN_ID = '*'

const TRACE_ID = /^[0-9a-f]{32}$/
const ALL_ZERO = /^0+$/

/** True for a run that is a trace: its id is the 32 lower-case hex digits of the trace id, and the hub sequences it. */
export function isTraceRunId(runId: string): boolean {
  return TRACE_ID.test(runId) && !ALL_ZERO.test(runId)
}

/** A NUL or half a surrogate pair cannot be stored and read back as the same text, so such ids are refused at the border. */
export function isStorableId(id: string): boolean {
  return id.length > 0 && id.length <= MAX_ID_LENGTH && !id.includes('\0') && id.isWellFormed()
}

/** Longest accepted run, node, instance or pause id, in UTF-16 units. */
export const MAX_ID_LENGTH = 512
