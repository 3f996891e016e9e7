import type * as z from 'zod/mini'
import type { CONTROLS } from './controls/index.ts'
import type { EVENTS } from './events/index.ts'
import { PROTOCOL_VERSION } from './version.ts'

type Definition = (typeof EVENTS)[number] | (typeof CONTROLS)[number]
type EventDefinition = (typeof EVENTS)[number]

export type MessageType = Definition['type']
export type EventType = EventDefinition['type']
export type ControlType = (typeof CONTROLS)[number]['type']
export type PayloadOf<Type extends MessageType> = z.infer<Extract<Definition, { type: Type }>['payload']>

/** One frame of the wire: exactly what is sent, stored and folded (contract, "The envelope"). */
export interface EnvelopeOf<Type extends string, Payload> {
  readonly gm: typeof PROTOCOL_VERSION
  /** Counted per sender, or per run by the run's sequencer (design 4). */
  readonly seq: number
  /** Epoch milliseconds, whole. */
  readonly ts: number
  readonly runId: string
  readonly type: Type
  readonly payload: Payload
}

/** An envelope whose type this version knows. */
export type KnownEnvelope = { [Type in MessageType]: EnvelopeOf<Type, PayloadOf<Type>> }[MessageType]
export type EventEnvelope = { [Type in EventType]: EnvelopeOf<Type, PayloadOf<Type>> }[EventType]
export type ControlEnvelope = { [Type in ControlType]: EnvelopeOf<Type, PayloadOf<Type>> }[ControlType]
/** An envelope of any type; a payload of an unknown type is opaque. */
export type Envelope = EnvelopeOf<string, unknown>

/** The fields of an envelope that the contract does not name, which are kept as they came; undefined when there are none. */
export function unknownFieldsOf(envelope: Envelope): { readonly [name: string]: unknown } | undefined {
  // An export writes `origin` into the envelope: that is ours.
  const {
    gm: _gm,
    seq: _seq,
    ts: _ts,
    runId: _runId,
    type: _type,
    payload: _payload,
    origin: _origin,
    ...unknown
  } = envelope as Envelope & {
    origin?: unknown
  }
  return Object.keys(unknown).length === 0 ? undefined : unknown
}

export function createEnvelope<Type extends MessageType>(
  type: Type,
  payload: PayloadOf<Type>,
  at: { runId: string; seq: number; ts: number },
): EnvelopeOf<Type, PayloadOf<Type>> {
  return { gm: PROTOCOL_VERSION, seq: at.seq, ts: at.ts, runId: at.runId, type, payload }
}
