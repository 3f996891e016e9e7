import type { Envelope, EventType, PayloadOf } from '../envelope.ts'
import { type FoldChange, NO_CHANGE } from '../fold/change.ts'
import { emptyRun, foldEnvelope } from '../fold/fold.ts'
import type { RunPicture } from '../fold/picture.ts'
import { PROTOCOL_VERSION } from '../version.ts'

/** An event of a test's story; `ts` defaults to its place in the story. */
export interface StoryEvent {
  readonly type: EventType
  readonly payload: unknown
  readonly ts?: number
}

export function event<Type extends EventType>(type: Type, payload: PayloadOf<Type>, ts?: number): StoryEvent {
  return ts === undefined ? { type, payload } : { type, payload, ts }
}

export function started(instanceId: string, nodeId: string, fields: Partial<PayloadOf<'node.started'>> = {}, ts?: number): StoryEvent {
  const [prefix, name] = nodeId.split(':')
  const kind = prefix === 'agent' || prefix === 'llm' || prefix === 'tool' || prefix === 'chain' ? prefix : 'custom'
  return event('node.started', { nodeId, kind, name: name ?? nodeId, instanceId, ...fields }, ts)
}

export function finished(instanceId: string, nodeId: string, fields: Partial<PayloadOf<'node.finished'>> = {}, ts?: number): StoryEvent {
  return event('node.finished', { nodeId, instanceId, durationMs: 10, status: 'ok', ...fields }, ts)
}

export const RUN_ID = 'run-1'

/** The story as envelopes, sequenced in the order given. */
export function envelopes(story: readonly StoryEvent[]): Envelope[] {
  return story.map(({ type, payload, ts }, place) => ({
    gm: PROTOCOL_VERSION,
    seq: place,
    ts: ts ?? 1000 + place,
    runId: RUN_ID,
    type,
    payload,
  }))
}

export function fold(...story: readonly StoryEvent[]): RunPicture {
  return foldWithChange(...story).run
}

/** The picture of a story, and what its last event changed. */
export function foldWithChange(...story: readonly StoryEvent[]): { run: RunPicture; change: FoldChange } {
  const run = emptyRun(RUN_ID)
  let change = NO_CHANGE
  for (const envelope of envelopes(story)) change = foldEnvelope(run, envelope)
  return { run, change }
}
