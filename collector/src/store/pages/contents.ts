import { withoutPayloads } from '@graphmind-ai/hub'
import { PROTOCOL_VERSION } from '@graphmind-ai/schema'
import { membersOf } from './members.ts'

/** Payload fields that hold what went in and out of calls. */
export const CONTENT_NAMES = ['input', 'output', 'logged'] as const
/** The same, to look a name up. */
export const CONTENTS: ReadonlySet<string> = new Set(CONTENT_NAMES)
/** Facts with a value inside, and streamed text: an event with one of these is kept whole. */
export const BOXES: ReadonlySet<string> = new Set(['injected', 'edited', 'deltas'])

/**
 * The payload without what went through the call, as the hub has it; `omitted` names what was left out. Undefined for an event with values
 * elsewhere in it, which has to be read.
 */
export function withoutContents(payload: string): string | undefined {
  const members = membersOf(payload)
  if (members.some(({ name }) => BOXES.has(name))) return undefined
  const omitted = CONTENT_NAMES.filter((wanted) => members.some(({ name }) => name === wanted))
  if (omitted.length === 0) return payload
  const kept = members.filter(({ name }) => !CONTENTS.has(name)).map(({ from, end }) => payload.slice(from, end))
  return withOmitted(`{${kept.join(',')}`, omitted)
}

/** Ends an object that is open still. */
export function withOmitted(open: string, omitted: readonly string[]): string {
  return `${open}${open === '{' ? '' : ','}"omitted":${JSON.stringify(omitted)}}`
}

/** The payload of an event that has values inside its facts, without them. */
export function emptied({ seq, ts, type, payload }: { seq: number; ts: number; type: string; payload: string }): string {
  return JSON.stringify(withoutPayloads({ gm: PROTOCOL_VERSION, seq, ts, runId: '', type, payload: JSON.parse(payload) }).payload)
}
