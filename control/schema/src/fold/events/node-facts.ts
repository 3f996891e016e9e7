import type { TokenDelta } from '../../primitives.ts'
import { resolve } from '../aliases.ts'
import type { FoldContext } from '../change.ts'
import { clearFacts } from '../cleared.ts'
import { extraOf, overlay } from '../fields.ts'
import type { StreamPicture } from '../picture.ts'
import { refreshInstance } from '../refresh.ts'
import { noteContribution } from '../set-alias.ts'
import type { EventOf, InstanceFacts, UnattributedEvent } from '../state.ts'
import { touch } from '../touch.ts'

/** Files a finish, an error or tokens under the instance and shows them where that instance is shown. */
export function foldNodeFact(context: FoldContext, event: UnattributedEvent, instanceId: string): void {
  const { state } = context
  const facts = touch(state, instanceId, event.seq)
  record(facts, event)
  const root = resolve(state, instanceId)
  noteContribution(state, instanceId, root)
  refreshInstance(context, root)
}

function record(facts: InstanceFacts, event: UnattributedEvent): void {
  switch (event.type) {
    case 'node.finished':
      recordFinish(facts, event)
      break
    case 'node.error':
      recordError(facts, event)
      break
    case 'node.token':
      facts.stream = appended(facts.stream, event.payload.deltas, event.ts)
      break
    default:
      event satisfies never
  }
}

function recordFinish(facts: InstanceFacts, { payload, ts }: EventOf<'node.finished'>): void {
  clearFacts(facts, payload.cleared)
  const extra = extraOf('node.finished', payload)
  const known = facts.finish
  facts.finish =
    known === undefined ? { payload, ts, extra } : { payload: overlay(known.payload, payload), ts, extra: overlay(known.extra, extra) }
}

function recordError(facts: InstanceFacts, { payload, ts }: EventOf<'node.error'>): void {
  clearFacts(facts, payload.cleared)
  const extra = extraOf('node.error', payload)
  const known = facts.failure
  facts.failure =
    known === undefined
      ? { errors: [payload.error], payload, ts, extra }
      : { errors: [...known.errors, payload.error], payload: overlay(known.payload, payload), ts, extra: overlay(known.extra, extra) }
}

const NO_STREAM = { text: '', reasoning: '', toolArgs: '', chunks: 0 }

function appended(stream: StreamPicture | undefined, deltas: readonly TokenDelta[], ts: number): StreamPicture {
  let { text, reasoning, toolArgs, chunks } = stream ?? NO_STREAM
  for (const { t, v } of deltas) {
    if (t === 'text') text += v
    else if (t === 'reasoning') reasoning += v
    else toolArgs += v
    chunks += 1
  }
  return { text, reasoning, toolArgs, chunks, firstAt: stream?.firstAt ?? ts, lastAt: ts }
}
