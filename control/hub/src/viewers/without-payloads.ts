import type { Envelope } from '@graphmind-ai/schema'

type Fields = Readonly<Record<string, unknown>>

/** Fields that hold what goes in and comes out of calls, whatever the event. */
const VALUES = ['input', 'output', 'logged'] as const
/** Facts that stay, without the value inside them. */
const BOXES = { injected: 'output', edited: 'after' } as const

/**
 * The event without the values in it, for a viewer that draws a run and asks for values when somebody looks at them. `omitted` names
 * what was left out; streamed text keeps its length.
 */
export function withoutPayloads(envelope: Envelope): Envelope {
  if (!isFields(envelope.payload)) return envelope
  const payload: Record<string, unknown> = { ...envelope.payload }
  const omitted: string[] = []
  for (const field of VALUES) {
    if (payload[field] === undefined) continue
    delete payload[field]
    omitted.push(field)
  }
  for (const [field, value] of Object.entries(BOXES)) {
    const box = payload[field]
    if (!isFields(box) || box[value] === undefined) continue
    payload[field] = { ...box, [value]: null }
    omitted.push(field)
  }
  if (envelope.type === 'node.token' && Array.isArray(payload['deltas'])) {
    payload['deltas'] = payload['deltas'].map(emptied)
    omitted.push('deltas')
  }
  return omitted.length === 0 ? envelope : { ...envelope, payload: { ...payload, omitted } }
}

function emptied(delta: unknown): unknown {
  if (!isFields(delta) || typeof delta['v'] !== 'string' || delta['v'] === '') return delta
  return { ...delta, v: '', chars: delta['v'].length }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
