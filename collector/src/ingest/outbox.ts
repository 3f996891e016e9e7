import { hash } from 'node:crypto'

/** An event the assembler wants stored. `json` is the payload as text, made once for hashing and storing. */
export interface SpanEvent {
  readonly type: string
  readonly ts: number
  readonly origin: string
  readonly instanceId: string | undefined
  readonly payload: object
  readonly json: string
}

/** Short digest of a text: enough to tell payloads of one run apart. */
export function digest(text: string): string {
  return hash('sha1', text, 'hex').slice(0, 16)
}

/** Makes an event of a span; `count` is how many the span has sent before, so that going back to an earlier value is not taken for a repeat. */
export function spanEvent(
  type: string,
  spanId: string,
  count: number,
  at: { readonly ts: number; readonly instanceId?: string },
  payload: object,
  json: string = toJson(payload),
): SpanEvent {
  const origin = count === 0 ? `span:${spanId}:${type}` : `span:${spanId}:${type}:${digest(`${count}${json}`)}`
  return { type, ts: at.ts, origin, instanceId: at.instanceId, payload, json }
}

/** JSON text of a payload; a 64-bit integer outside the safe range becomes decimal text. */
export function toJson(payload: object): string {
  return jsonOf(payload)
}

/** The same of any value; `null` for what JSON has no words for. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner)) ?? 'null'
  }
}

/** Whole epoch milliseconds of a nanosecond count. */
export function millisOf(nanos: bigint): number {
  return Number(nanos / 1_000_000n)
}
