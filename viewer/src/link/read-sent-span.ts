import { asList, asNumber, asObject, asText, type Loose } from './guards.ts'

/** Something that the program itself noted during a call. */
export interface SpanEvent {
  /** Epoch ms. */
  readonly at: number
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The span of a call as its program sent it, and how it was read. */
export interface SentSpan {
  /** Undefined for a call that came over the control link alone. */
  readonly span: Loose | undefined
  /** Undefined without a span, and from an older collector. */
  readonly reading: { readonly dialect: string; readonly unread: readonly string[] } | undefined
}

/** Reads the answer of `/api/runs/:runId/instances/:instanceId`, as far as it tells of the span; undefined when it is none. */
export function readSentSpan(answer: unknown): SentSpan | undefined {
  const body = asObject(answer)
  if (body === undefined) return undefined
  const reading = asObject(body['reading'])
  const dialect = asText(reading?.['dialect'])
  const unread = (asList(reading?.['unread']) ?? []).flatMap((key) => asText(key) ?? [])
  return { span: asObject(body['span']), reading: dialect === undefined ? undefined : { dialect, unread } }
}

/** The events of a span in OTLP/JSON, in the order they were noted, and how many its program or the collector left out. */
export function spanEventsOf(span: Loose | undefined): { readonly events: readonly SpanEvent[]; readonly dropped: number } {
  const events = (asList(span?.['events']) ?? []).flatMap((sent) => {
    const event = asObject(sent)
    const nanos = asText(event?.['timeUnixNano'])
    if (event === undefined || nanos === undefined || !/^\d+$/.test(nanos)) return []
    const at = Number(BigInt(nanos) / 1000n) / 1000
    return [{ at, name: asText(event['name']) ?? '', attributes: readAttributes(event['attributes']) }]
  })
  return { events: events.sort((one, other) => one.at - other.at), dropped: asNumber(span?.['droppedEventsCount']) ?? 0 }
}

function readAttributes(sent: unknown): SpanEvent['attributes'] {
  const pairs = (asList(sent) ?? []).flatMap((pair): (readonly [string, unknown])[] => {
    const key = asText(asObject(pair)?.['key'])
    return key === undefined ? [] : [[key, plainValue(asObject(pair)?.['value'])]]
  })
  return Object.fromEntries(pairs)
}

/** An OTLP `AnyValue` as the value that it stands for; integers that a number can't hold stay text. */
function plainValue(sent: unknown): unknown {
  const value = asObject(sent) ?? {}
  const integer = asText(value['intValue'])
  if (integer !== undefined) return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
  const list = asList(asObject(value['arrayValue'])?.['values'])
  if (list !== undefined) return list.map(plainValue)
  const pairs = asObject(value['kvlistValue'])?.['values']
  if (pairs !== undefined) return readAttributes(pairs)
  return value['stringValue'] ?? value['boolValue'] ?? value['doubleValue'] ?? value['bytesValue'] ?? null
}
