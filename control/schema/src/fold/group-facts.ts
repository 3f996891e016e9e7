import { overlay } from './fields.ts'
import type { StreamPicture } from './picture.ts'
import type { Extra, FailureFacts, FinishFacts, InstanceFacts, StartFacts } from './state.ts'

/** The root's start with the others' fields where it has none. */
export function groupStart(own: StartFacts, group: readonly InstanceFacts[]): StartFacts {
  let merged = own
  for (const { start } of group) if (start !== undefined && start !== own) merged = filled(merged, start)
  return merged
}

/** The first finish of the group with the others' fields where it has none. */
export function groupFinish(group: readonly InstanceFacts[]): FinishFacts | undefined {
  let merged: FinishFacts | undefined
  for (const { finish } of group) if (finish !== undefined) merged = merged === undefined ? finish : filled(merged, finish)
  return merged
}

function filled<Payload extends object>(
  known: { readonly payload: Payload; readonly ts: number; readonly extra: Extra },
  other: { readonly payload: Payload; readonly extra: Extra },
) {
  return { payload: overlay(other.payload, known.payload), ts: known.ts, extra: both(other.extra, known.extra) }
}

/** The failure of the first of the group that has one: a wrapper and the call in it tell of the same error. */
export function firstFailure(group: readonly InstanceFacts[]): FailureFacts | undefined {
  for (const facts of group) if (facts.failure !== undefined) return facts.failure
  return undefined
}

/** What was streamed under the first id that has any. */
export function streamOf(group: readonly InstanceFacts[]): StreamPicture | undefined {
  for (const facts of group) if (facts.stream !== undefined) return facts.stream
  return undefined
}

/** Both sets of fields in one; the other's win. */
export const both = (one: Extra, other: Extra): Extra => (other === one || Object.keys(other).length === 0 ? one : overlay(one, other))
